//! Conversions of bytes to text: commits in the encoding of their `encoding` header (git-commit(1), "DISCUSSION"), and
//! paths quoted as git does (`core.quotePath` in git-config(1)).

use std::{borrow::Cow, fmt::Write as _};

use encoding_rs::Encoding;

/// The names of Windows-1252 itself. On the Web the names of ASCII and Latin-1 mean it as well, but not in git.
const WINDOWS_1252: [&[u8]; 3] = [b"windows-1252", b"cp1252", b"x-cp1252"];
const ASCII: [&[u8]; 3] = [b"ascii", b"us-ascii", b"ansi_x3.4-1968"];
/// Encodings whose names in iconv, which git uses, are not those on the Web: each with both names.
const ICONV: [(&[u8], &[u8]); 5] = [
    (b"eucjp", b"euc-jp"),
    (b"euckr", b"euc-kr"),
    (b"euccn", b"gbk"),
    (b"cp932", b"shift_jis"),
    (b"latin-1", b"latin1"),
];

/// Converts bytes in the named encoding to UTF-8; returns them unchanged if it is unknown or they are invalid in it.
pub(super) fn to_utf8<'a>(name: &[u8], bytes: &'a [u8]) -> Cow<'a, [u8]> {
    let is_one_of = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    let on_the_web = ICONV.iter().find(|(iconv, _)| name.eq_ignore_ascii_case(iconv)).map_or(name, |(_, web)| web);
    let Some(encoding) = Encoding::for_label(on_the_web).filter(|_| !is_one_of(&ASCII)) else {
        return Cow::Borrowed(bytes);
    };
    let text = match encoding.name() {
        // The headers of a commit are ASCII, even if it claims to be in UTF-16.
        "UTF-8" | "UTF-16BE" | "UTF-16LE" => None,
        "windows-1252" if !is_one_of(&WINDOWS_1252) => Some(encoding_rs::mem::decode_latin1(bytes)),
        _ => encoding.decode_without_bom_handling_and_without_replacement(bytes),
    };
    text.map_or(Cow::Borrowed(bytes), |text| text.into_owned().into_bytes().into())
}

/// Decodes lossy UTF-8, without a copy if the bytes are valid.
pub(super) fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::from)
}

/// Quotes a path if it has control characters, quotes, backslashes or bytes that are not ASCII: in double quotes, with
/// escapes.
pub(super) fn quote(path: &[u8]) -> String {
    let is_plain = |byte: &u8| (b' '..0x7f).contains(byte) && !b"\"\\".contains(byte);
    if path.iter().all(is_plain) {
        return String::from_utf8_lossy(path).into_owned();
    }
    let mut quoted = String::from("\"");
    for byte in path {
        match short_escape(*byte) {
            Some(letter) => quoted.extend(['\\', letter]),
            None if is_plain(byte) => quoted.push(char::from(*byte)),
            None => write!(quoted, "\\{byte:03o}").expect("writing to a string cannot fail"),
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
