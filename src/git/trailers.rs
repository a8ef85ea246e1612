//! The trailers of a commit message: found by git's rule for the last paragraph (git-interpret-trailers(1),
//! "DESCRIPTION"), and split as in GitLab.
//!
//! The result is that of `git log --format='%(trailers:unfold,separator=%x00)'`, without the git settings of the user
//! (`trailer.*`, `core.commentChar`).

use std::{borrow::Cow, sync::LazyLock};

use gix::bstr::{ByteSlice as _, Finder};

use super::encoding::decode_text;
use crate::model::{TextArena, Trailer};

/// The line from which on git drops everything, after the mark of a comment (git-commit(1), `--cleanup=scissors`).
pub(super) const SCISSORS: &str = "------------------------ >8 ------------------------";
/// The start of the line in which `git cherry-pick -x` names the original (git-cherry-pick(1)).
pub(super) const PICKED: &[u8] = b"(cherry picked from commit ";
/// The prefixes of lines that git itself writes: if there is one, only a quarter of the lines need to be trailers.
const GENERATED: [&[u8]; 2] = [b"Signed-off-by: ", PICKED];
/// How many trailers of a commit are read.
const MAX_TRAILERS: usize = 64;
/// The longest key, in bytes; reading stops before the first trailer with a longer one.
const MAX_KEY: usize = 128;
/// The longest value, in bytes; reading stops before the first trailer with a longer one.
const MAX_VALUE: usize = 512;

/// Parses the trailers of a message, in their order and as lossy UTF-8.
///
/// Every piece of the trailer block is split at its first colon, even one that is not a trailer: `https://x` has the
/// key `https`.
#[must_use]
pub(crate) fn parse(message: &[u8]) -> Vec<Trailer> {
    let mut texts = TextArena::with_capacity(message.len());
    collect(message).iter().map(|trailer| trailer.in_arena(&mut texts)).collect()
}

/// Parses trailers as [`parse`] does, with text that is borrowed from the message if possible.
pub(super) fn collect(message: &[u8]) -> Vec<Trailer<Cow<'_, str>>> {
    let message = &message[..message.find_byte(0).unwrap_or(message.len())];
    let parts = pieces(block(message)).filter_map(split);
    parts.take_while(fit).take(MAX_TRAILERS).map(trailer).collect()
}

/// The key and the value of a trailer.
type Parts<'a> = (&'a [u8], Cow<'a, [u8]>);

fn fit((key, value): &Parts) -> bool {
    key.len() <= MAX_KEY && trim_unicode(value).len() <= MAX_VALUE
}

fn trailer((key, value): Parts<'_>) -> Trailer<Cow<'_, str>> {
    let value = match value {
        Cow::Borrowed(value) => decode_text(trim_unicode(value)),
        Cow::Owned(value) => decode_text(trim_unicode(&value)).into_owned().into(),
    };
    Trailer { key: decode_text(key), value }
}

/// Returns the pieces of a trailer block: trailers with their folded lines, and other lines but comments.
fn pieces(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = block;
    std::iter::from_fn(move || {
        let (line, mut after) = first_line(rest);
        if line.is_empty() {
            return None;
        }
        if separator(line).is_some() {
            while after.first().is_some_and(|byte| is_space(*byte)) {
                after = first_line(after).1;
            }
        }
        let piece = &rest[..rest.len() - after.len()];
        rest = after;
        Some(piece)
    })
    .filter(|piece| !is_comment(piece))
}

/// Splits a trailer at its separator, and any other piece at its first colon.
fn split(piece: &[u8]) -> Option<Parts<'_>> {
    if let Some(colon) = separator(piece) {
        return Some((trim(&piece[..colon]), unfold(&piece[colon + 1..])));
    }
    let colon = piece.find_byte(b':').filter(|colon| *colon > 0)?;
    Some((&piece[..colon], piece[colon + 1..].into()))
}

/// Replaces each line break, with the white space after it, by a space.
fn unfold(value: &[u8]) -> Cow<'_, [u8]> {
    let value = trim(value);
    if value.find_byte(b'\n').is_none() {
        return value.into();
    }
    let lines: Vec<&[u8]> =
        value.split(|byte| *byte == b'\n').map(trim_start).filter(|line| !line.is_empty()).collect();
    lines.join(&b' ').into()
}

fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| !is_space(*byte)).unwrap_or(text.len());
    &text[start..]
}

fn trim(text: &[u8]) -> &[u8] {
    let text = trim_start(text);
    let end = text.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Removes Unicode white space at both ends. Searching for it is slow and skipped if both ends are visible ASCII.
fn trim_unicode(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    let is_plain = |end: Option<&u8>| end.is_none_or(u8::is_ascii_graphic);
    if is_plain(text.first()) && is_plain(text.last()) { text } else { text.trim() }
}

/// Returns the trailer block of a message; empty if there is none. The message must not contain NUL.
fn block(message: &[u8]) -> &[u8] {
    let message = strip_ending(skip_leading_blank_lines(message));
    let title = title_length(message);
    block_start(message, title).map_or(&[], |start| &message[start..])
}

/// Whether git counts a byte as white space, unlike form feed and vertical tab.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a line is a comment, which git removes from messages.
fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#")
}

fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.find_byte(b'\n').map_or(text.len(), |end| end + 1))
}

/// Finds the colon of a trailer, after letters, digits and hyphens, and optional blanks.
fn separator(line: &[u8]) -> Option<usize> {
    let key = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    if key == 0 {
        return None;
    }
    let blanks = line[key..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (line.get(key + blanks) == Some(&b':')).then_some(key + blanks)
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

fn skip_leading_blank_lines(mut message: &[u8]) -> &[u8] {
    loop {
        let (line, after) = first_line(message);
        if line.is_empty() || !is_blank(line) {
            return message;
        }
        message = after;
    }
}

/// Removes what git adds at the end of a message: the scissors line and everything after it, comments, empty lines,
/// and the list of conflicts of old versions.
fn strip_ending(message: &[u8]) -> &[u8] {
    let message = &message[..scissors(message)];
    let end = message.trim_end_with(|letter| letter == '\n').len();
    let last = &message[message[..end].rfind_byte(b'\n').map_or(0, |before| before + 1)..];
    if last.starts_with(b"#") || last.starts_with(b"\t") || last.starts_with(b"Conflicts:") {
        return &message[..find_ending(message)];
    }
    // In nearly all messages there are only empty lines.
    &message[..message.len().min(end + 1)]
}

/// Finds where the comments, empty lines and conflicts at the end of a message begin.
fn find_ending(message: &[u8]) -> usize {
    let (mut ending, mut in_conflicts, mut at) = (0, false, 0);
    while at < message.len() {
        let line = first_line(&message[at..]).0;
        let is_list = line == b"Conflicts:\n";
        if is_comment(line) || line == b"\n" || is_list {
            in_conflicts |= is_list;
            if ending == 0 {
                ending = at;
            }
        } else if ending > 0 && !(in_conflicts && line.starts_with(b"\t")) {
            (ending, in_conflicts) = (0, false);
        }
        at += line.len();
    }
    if ending == 0 { message.len() } else { ending }
}

fn scissors(message: &[u8]) -> usize {
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(&format!("# {SCISSORS}\n")).into_owned());
    let mut from = 0;
    while let Some(found) = FINDER.find(&message[from..]) {
        let at = from + found;
        if at == 0 || message[at - 1] == b'\n' {
            return at;
        }
        from = at + 1;
    }
    message.len()
}

/// Returns the number of bytes before the first empty line; comments do not end the title.
fn title_length(message: &[u8]) -> usize {
    let mut rest = message;
    loop {
        let (line, after) = first_line(rest);
        if line.is_empty() || (!is_comment(line) && is_blank(line)) {
            return message.len() - rest.len();
        }
        rest = after;
    }
}

/// The number of lines of each kind in a paragraph, which is read from its end.
#[derive(Default)]
struct Tally {
    trailers: usize,
    others: usize,
    /// Indented lines, which belong to the line above them.
    pending: usize,
    generated: bool,
    seen: bool,
}

impl Tally {
    fn add(&mut self, line: &[u8]) {
        self.seen = true;
        let generated = GENERATED.iter().any(|prefix| line.starts_with(prefix));
        if generated || separator(line).is_some() {
            self.trailers += 1;
            self.pending = 0;
            self.generated |= generated;
        } else if is_space(line[0]) {
            self.pending += 1;
        } else {
            self.others += 1;
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.others += std::mem::take(&mut self.pending);
    }

    fn is_block(&self) -> bool {
        (self.generated && self.trailers * 3 >= self.others) || (self.trailers > 0 && self.others == 0)
    }
}

/// Finds the start of the last paragraph; `None` if it is not a trailer block, which one in the title never is.
fn block_start(message: &[u8], title: usize) -> Option<usize> {
    let mut tally = Tally::default();
    let mut end = message.len();
    while end > 0 {
        let at = message[..end - 1].rfind_byte(b'\n').map_or(0, |before| before + 1);
        if at < title {
            return None;
        }
        let line = &message[at..end];
        if is_comment(line) {
            tally.settle();
        } else if !is_blank(line) {
            tally.add(line);
        } else if tally.seen {
            tally.settle();
            return tally.is_block().then_some(end);
        }
        end = at;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_is_read_as_in_gitlab() {
        let keys = |message: &str| {
            let trailers = parse(format!("Title\n\n{message}").as_bytes());
            trailers.iter().map(|trailer| trailer.key.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(keys(&format!("A: 1\nB: {}\nC: 3\n", "x".repeat(513))), ["A"]);
        assert_eq!(keys(&format!("A: 1\n{}: 2\nC: 3\n", "k".repeat(129))), ["A"]);
        assert_eq!(keys(&"K: v\n".repeat(70)).len(), 64);
    }
}
