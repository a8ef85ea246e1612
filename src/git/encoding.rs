//! Bytes as text: of old commits in the encoding that their `encoding` header names (git-commit(1), "DISCUSSION").

use std::borrow::Cow;

use encoding_rs::Encoding;

/// The Web takes these for Windows-1252; git does not.
const LATIN_1: [&[u8]; 4] = [b"iso-8859-1", b"iso8859-1", b"latin1", b"latin-1"];
/// What iconv, and so git, calls some encodings, and their names on the Web.
const ICONV: [(&[u8], &[u8]); 4] =
    [(b"eucjp", b"euc-jp"), (b"euckr", b"euc-kr"), (b"euccn", b"gbk"), (b"cp932", b"shift_jis")];

/// Bytes in the encoding of this name as UTF-8; as they are if it is unknown or they are not in it.
pub(super) fn to_utf8<'a>(name: &[u8], bytes: &'a [u8]) -> Cow<'a, [u8]> {
    if LATIN_1.iter().any(|latin| name.eq_ignore_ascii_case(latin)) {
        return encoding_rs::mem::decode_latin1(bytes).into_owned().into_bytes().into();
    }
    let on_the_web = ICONV.iter().find(|(iconv, _)| name.eq_ignore_ascii_case(iconv)).map_or(name, |(_, web)| web);
    let encoding = Encoding::for_label(on_the_web).filter(|encoding| *encoding != encoding_rs::UTF_8);
    let text = encoding.and_then(|encoding| encoding.decode_without_bom_handling_and_without_replacement(bytes));
    text.map_or(Cow::Borrowed(bytes), |text| text.into_owned().into_bytes().into())
}

/// Lossy UTF-8, without a copy of what is valid.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::from)
}
