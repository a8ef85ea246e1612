//! Trailers of a commit message: found by git's rules (git-interpret-trailers(1)), and split as in GitLab.
//!
//! The pieces are those of `git log --format='%(trailers:unfold,separator=%x00)'`, without the git settings of the user
//! (`trailer.*`, `core.commentChar`).

mod block;

use std::borrow::Cow;

use gix::bstr::ByteSlice as _;

use super::encoding::text;
use crate::model::{TextArena, Trailer};

/// How many trailers of a commit are read.
const MAX_TRAILERS: usize = 64;
/// The longest key, in bytes; nothing is read from a longer one on.
const MAX_KEY: usize = 128;
/// The longest value, in bytes; nothing is read from a longer one on.
const MAX_VALUE: usize = 512;

/// Parses the trailers of a message, in their order and in lossy UTF-8.
///
/// Every piece of the block is split at its first colon, even a line that is not a trailer: `https://x` has the key
/// `https`.
#[must_use]
pub fn parse(message: &[u8]) -> Vec<Trailer> {
    let mut texts = TextArena::with_capacity(message.len());
    collect(message).iter().map(|trailer| trailer.in_arena(&mut texts)).collect()
}

/// Like [`parse`], with text that is borrowed from the message if possible.
pub(in crate::git) fn collect(message: &[u8]) -> Vec<Trailer<Cow<'_, str>>> {
    let message = &message[..message.find_byte(0).unwrap_or(message.len())];
    let parts = pieces(block::find(message)).filter_map(split);
    parts.take_while(Parts::fit).take(MAX_TRAILERS).map(Parts::trailer).collect()
}

/// The parts of a piece of the block.
struct Parts<'a> {
    key: &'a [u8],
    value: Cow<'a, [u8]>,
}

impl<'a> Parts<'a> {
    fn fit(&self) -> bool {
        self.key.len() <= MAX_KEY && without_any_space(&self.value).len() <= MAX_VALUE
    }

    fn trailer(self) -> Trailer<Cow<'a, str>> {
        let value = match self.value {
            Cow::Borrowed(value) => text(without_any_space(value)),
            Cow::Owned(value) => text(without_any_space(&value)).into_owned().into(),
        };
        Trailer { key: text(self.key), value }
    }
}

/// The lines of the block without comments; a folded trailer is one piece.
fn pieces(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = block;
    std::iter::from_fn(move || {
        let (line, mut after) = block::first_line(rest);
        if line.is_empty() {
            return None;
        }
        if block::separator(line).is_some() {
            while after.first().is_some_and(|byte| block::is_space(*byte)) {
                after = block::first_line(after).1;
            }
        }
        let piece = &rest[..rest.len() - after.len()];
        rest = after;
        Some(piece)
    })
    .filter(|piece| !block::is_comment(piece))
}

/// Splits a trailer at its separator, and any other piece at its first colon.
fn split(piece: &[u8]) -> Option<Parts<'_>> {
    if let Some(colon) = block::separator(piece) {
        return Some(Parts { key: trim(&piece[..colon]), value: unfold(&piece[colon + 1..]) });
    }
    let colon = piece.find_byte(b':').filter(|colon| *colon > 0)?;
    Some(Parts { key: &piece[..colon], value: piece[colon + 1..].into() })
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
    let start = text.iter().position(|byte| !block::is_space(*byte)).unwrap_or(text.len());
    &text[start..]
}

fn trim(text: &[u8]) -> &[u8] {
    let text = trim_start(text);
    let end = text.iter().rposition(|byte| !block::is_space(*byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Removes Unicode white space at both ends. The search for it is slow, so it is skipped at ASCII characters.
fn without_any_space(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    let is_plain = |end: Option<&u8>| end.is_none_or(u8::is_ascii_graphic);
    if is_plain(text.first()) && is_plain(text.last()) { text } else { text.trim() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(message: &str) -> Vec<(String, String)> {
        parse(message.as_bytes())
            .into_iter()
            .map(|trailer| (trailer.key.to_string(), trailer.value.to_string()))
            .collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn the_last_paragraph_is_read_and_folded_lines_join() {
        let message = "Title\n\nBody: no\n\nChangelog : added\nIssue: one\n  two\n";
        assert_eq!(parsed(message), [pair("Changelog", "added"), pair("Issue", "one two")]);
    }

    #[test]
    fn a_title_is_never_a_trailer() {
        assert!(parsed("Changelog: added\n").is_empty());
        assert!(parsed("\n \nChangelog: added\n").is_empty());
    }

    #[test]
    fn other_lines_with_a_colon_count_inside_a_block_git_made() {
        let message = "Title\n\nsome words: v\nSee https://x\nno colon\nSigned-off-by: Ida\n";
        assert_eq!(parsed(message), [pair("some words", "v"), pair("See https", "//x"), pair("Signed-off-by", "Ida"),]);
    }

    #[test]
    fn reading_ends_at_the_first_that_is_too_long() {
        let long = "x".repeat(513);
        let message = format!("Title\n\nA: 1\nB: {long}\nC: 3\n");
        assert_eq!(parsed(&message), [pair("A", "1")]);
        let long = "k".repeat(129);
        assert_eq!(parsed(&format!("Title\n\nA: 1\n{long}: 2\nC: 3\n")), [pair("A", "1")]);
    }

    #[test]
    fn at_most_sixty_four_are_read() {
        let message = format!("Title\n\n{}", "K: v\n".repeat(70));
        assert_eq!(parsed(&message).len(), 64);
    }

    #[test]
    fn an_empty_value_is_a_value() {
        assert_eq!(parsed("Title\n\nChangelog:\n"), [pair("Changelog", "")]);
    }
}
