//! How git writes a path that a terminal would not survive (`core.quotePath` in git-config(1)).

use std::fmt::Write as _;

/// The path as it is, or in double quotes and with escapes where it has control characters, quotes, backslashes or
/// bytes beyond ASCII.
pub(in crate::git) fn quote(path: &[u8]) -> String {
    let is_plain = |byte: &u8| (b' '..0x7f).contains(byte) && !b"\"\\".contains(byte);
    if path.iter().all(is_plain) {
        return String::from_utf8_lossy(path).into_owned();
    }
    let mut quoted = String::from("\"");
    for byte in path {
        match short_escape(*byte) {
            Some(letter) => quoted.extend(['\\', letter]),
            None if is_plain(byte) => quoted.push(char::from(*byte)),
            None => write!(quoted, "\\{byte:03o}").expect("a string takes everything"),
        }
    }
    quoted + "\""
}

fn short_escape(byte: u8) -> Option<char> {
    const ESCAPES: [(u8, char); 9] = [
        (0x07, 'a'),
        (0x08, 'b'),
        (b'\t', 't'),
        (b'\n', 'n'),
        (0x0b, 'v'),
        (0x0c, 'f'),
        (b'\r', 'r'),
        (b'"', '"'),
        (b'\\', '\\'),
    ];
    ESCAPES.iter().find(|(escaped, _)| *escaped == byte).map(|(_, letter)| *letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_paths_stay_and_others_are_escaped() {
        assert_eq!(quote(b"a b/c~"), "a b/c~");
        assert_eq!(quote("na\u{ef}ve\t\"\\\x01".as_bytes()), "\"na\\303\\257ve\\t\\\"\\\\\\001\"");
    }
}
