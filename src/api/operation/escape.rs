//! Percent-encoding: only what RFC 3986 calls unreserved stays as it is.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What a path given by the user may keep: everything that is legal in a path, so that `%2F` is not encoded twice.
const ILLEGAL: &AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'|');

/// One value of a query or a form.
pub(super) fn value(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, RESERVED).into()
}

/// One segment of a path; `.` and `..` would be taken for steps and are spelled out.
pub(super) fn segment(text: &str) -> Cow<'_, str> {
    match text {
        "." => "%2E".into(),
        ".." => "%2E%2E".into(),
        _ => value(text),
    }
}

/// What cannot stand in a URL at all; escapes that are there stay.
pub(super) fn illegal(text: &str) -> String {
    utf8_percent_encode(text, ILLEGAL).to_string()
}

/// The text behind the escapes.
pub(in crate::api) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
