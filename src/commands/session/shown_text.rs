//! Output that cannot control a terminal. For a pipe or a file, the bytes are not changed.

use std::{
    io::{self, IsTerminal, Write},
    mem,
};

use crate::model::{between_styles, printable_json, printable_lines};

/// A longer line is shown in pieces of this many bytes.
const LONGEST_LINE: usize = 1 << 16;

/// A writer that makes lines printable if its output is a terminal.
#[derive(Debug)]
pub(super) struct ShownText<W: Write> {
    out: W,
    clean: Option<fn(&str) -> String>,
    pending: Vec<u8>,
}

impl<W: Write> ShownText<W> {
    /// For text with the program's own styles.
    pub(super) fn styled(out: W, terminal: &impl IsTerminal) -> Self {
        Self::new(out, terminal.is_terminal(), |text| between_styles(text, printable_lines))
    }

    /// For text from elsewhere.
    pub(super) fn plain(out: W, terminal: &impl IsTerminal) -> Self {
        Self::new(out, terminal.is_terminal(), printable_lines)
    }

    fn new(out: W, is_terminal: bool, clean: fn(&str) -> String) -> Self {
        Self { out, clean: is_terminal.then_some(clean), pending: Vec::new() }
    }

    fn show(&mut self, clean: fn(&str) -> String, end: usize) -> io::Result<()> {
        let rest = self.pending.split_off(end);
        let lines = mem::replace(&mut self.pending, rest);
        self.out.write_all(clean(&String::from_utf8_lossy(&lines).replace("\r\n", "\n")).as_bytes())
    }
}

impl<W: Write> Write for ShownText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(clean) = self.clean else { return self.out.write(bytes) };
        self.pending.extend_from_slice(bytes);
        let lines = self.pending.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let end = if self.pending.len() - lines > LONGEST_LINE { self.pending.len() } else { lines };
        self.show(clean, end)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(clean) = self.clean {
            self.show(clean, self.pending.len())?;
        }
        self.out.flush()
    }
}

impl<W: Write> Drop for ShownText<W> {
    fn drop(&mut self) {
        // A caller that needs the error calls `flush`.
        let _ = self.flush();
    }
}

/// A writer of JSON that escapes what would control a terminal. For any output, because it is the same JSON.
pub(super) struct JsonText<W>(pub(super) W);

impl<W: Write> Write for JsonText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match str::from_utf8(bytes) {
            // serde_json writes whole characters.
            Ok(text) if !text.bytes().all(|byte| byte < 0x7f) => self.0.write_all(printable_json(text).as_bytes())?,
            _ => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_terminal: bool, pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut text = ShownText::new(&mut out, is_terminal, |text| between_styles(text, printable_lines));
        for piece in pieces {
            text.write_all(piece).unwrap();
        }
        drop(text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_is_not_controlled_and_a_pipe_gets_the_bytes() {
        let text = "\u{1b}[1mTide\u{1b}[0m\t\u{1b}]52;c;AAAA\u{7}\r\nna\u{ef}ve \u{202e}\rx";
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        let clean = "\u{1b}[1mTide\u{1b}[0m\t\u{fffd}]52;c;AAAA\u{fffd}\nna\u{ef}ve \u{fffd}\u{fffd}x";
        assert_eq!(shown(true, &pieces), clean);
        assert_eq!(shown(true, &[text.as_bytes()]), clean);
        assert_eq!(shown(false, &pieces), text);
    }

    #[test]
    fn endless_lines_are_shown_in_pieces() {
        let mut out = Vec::new();
        let mut text = ShownText::new(&mut out, true, printable_lines);
        text.write_all(&vec![b'x'; LONGEST_LINE + 1]).unwrap();
        assert_eq!((text.pending.len(), text.out.len()), (0, LONGEST_LINE + 1));
    }
}
