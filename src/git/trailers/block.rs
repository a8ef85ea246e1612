//! Where a message's trailers stand: git's rule for the last paragraph (git-interpret-trailers(1), "DESCRIPTION").

use std::sync::LazyLock;

use gix::bstr::{ByteSlice as _, Finder};

const SCISSORS: &[u8] = b"# ------------------------ >8 ------------------------\n";
/// Lines git writes itself: with one of them a quarter of trailers is enough.
const GENERATED: [&[u8]; 2] = [b"Signed-off-by: ", b"(cherry picked from commit "];

/// The lines of the trailer block, or nothing. The message must not hold NUL.
pub(super) fn find(message: &[u8]) -> &[u8] {
    let message = without_leading_blank_lines(message);
    let message = without_remarks(message);
    let title = title_length(message);
    start(message, title).map_or(&[], |start| &message[start..])
}

/// White space as git sees it: neither form feed nor vertical tab.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// A line that git leaves out of messages.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#")
}

/// The first line with its line feed, and what is behind it.
pub(super) fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.find_byte(b'\n').map_or(text.len(), |end| end + 1))
}

/// Where the colon of a trailer is: behind letters, digits and hyphens, and maybe blanks.
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
        let (line, behind) = first_line(message);
        if line.is_empty() || !is_blank(line) {
            return message;
        }
        message = behind;
    }
}

/// Cuts off what git itself puts at the end of a message: all behind the scissors, comments, empty lines, and the list
/// of conflicts that old versions wrote.
fn without_remarks(message: &[u8]) -> &[u8] {
    let message = &message[..scissors(message)];
    let end = message.trim_end_with(|letter| letter == '\n').len();
    let last = &message[message[..end].rfind_byte(b'\n').map_or(0, |before| before + 1)..];
    if last.starts_with(b"#") || last.starts_with(b"\t") || last.starts_with(b"Conflicts:") {
        return &message[..remarks(message)];
    }
    // Nothing but empty lines, as nearly always.
    &message[..message.len().min(end + 1)]
}

/// Where the remarks at a message's end begin.
fn remarks(message: &[u8]) -> usize {
    let (mut remarks, mut in_conflicts, mut at) = (0, false, 0);
    while at < message.len() {
        let line = first_line(&message[at..]).0;
        let is_list = line == b"Conflicts:\n";
        if is_comment(line) || line == b"\n" || is_list {
            in_conflicts |= is_list;
            if remarks == 0 {
                remarks = at;
            }
        } else if remarks > 0 && !(in_conflicts && line.starts_with(b"\t")) {
            (remarks, in_conflicts) = (0, false);
        }
        at += line.len();
    }
    if remarks == 0 { message.len() } else { remarks }
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

/// The bytes up to the first empty line: comments do not end the title.
fn title_length(message: &[u8]) -> usize {
    let mut rest = message;
    loop {
        let (line, behind) = first_line(rest);
        if line.is_empty() || (!is_comment(line) && is_blank(line)) {
            return message.len() - rest.len();
        }
        rest = behind;
    }
}

/// What the lines of a paragraph are, counted from its end.
#[derive(Default)]
struct Tally {
    trailers: usize,
    others: usize,
    /// Indented lines that belong to whatever stands above them.
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

/// Where the last paragraph begins, if it is a trailer block; one that reaches the title is none.
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
