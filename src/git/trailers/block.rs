//! The trailer block of a message: git's rule for the last paragraph (git-interpret-trailers(1), "DESCRIPTION").

use std::sync::LazyLock;

use gix::bstr::{ByteSlice as _, Finder};

const SCISSORS: &[u8] = b"# ------------------------ >8 ------------------------\n";
/// Prefixes of lines that git writes itself: with one of them, a quarter of the lines need to be trailers.
const GENERATED: [&[u8]; 2] = [b"Signed-off-by: ", b"(cherry picked from commit "];

/// The lines of the trailer block; empty if there is none. The message must not contain NUL.
pub(super) fn find(message: &[u8]) -> &[u8] {
    let message = without_leading_blank_lines(message);
    let message = without_ending(message);
    let title = title_length(message);
    start(message, title).map_or(&[], |start| &message[start..])
}

/// Whether git counts a byte as white space, unlike form feed and vertical tab.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether git removes the line from messages.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#")
}

/// The first line with its line feed, and the rest.
pub(super) fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.find_byte(b'\n').map_or(text.len(), |end| end + 1))
}

/// The index of the colon of a trailer, after letters, digits and hyphens, and optional blanks.
pub(super) fn separator(line: &[u8]) -> Option<usize> {
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

fn without_leading_blank_lines(mut message: &[u8]) -> &[u8] {
    loop {
        let (line, after) = first_line(message);
        if line.is_empty() || !is_blank(line) {
            return message;
        }
        message = after;
    }
}

/// Removes what git adds at the end of a message: everything after the scissors, comments, empty lines, and the list of
/// conflicts of old versions.
fn without_ending(message: &[u8]) -> &[u8] {
    let message = &message[..scissors(message)];
    let end = message.trim_end_with(|letter| letter == '\n').len();
    let last = &message[message[..end].rfind_byte(b'\n').map_or(0, |before| before + 1)..];
    if last.starts_with(b"#") || last.starts_with(b"\t") || last.starts_with(b"Conflicts:") {
        return &message[..ending(message)];
    }
    // There are only empty lines, as nearly always.
    &message[..message.len().min(end + 1)]
}

/// The index at which the comments, empty lines and conflicts at the end of a message begin.
fn ending(message: &[u8]) -> usize {
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
    static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(SCISSORS));
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

/// The number of bytes before the first empty line; comments do not end the title.
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

/// The number of lines of each kind in a paragraph, counted from its end.
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

/// The index at which the last paragraph begins, if it is a trailer block. A paragraph that reaches the title is not one.
fn start(message: &[u8], title: usize) -> Option<usize> {
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
