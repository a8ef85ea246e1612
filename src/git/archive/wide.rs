//! `working-tree-encoding` in gitattributes(5) for the encodings of two bytes, which gix leaves as they are.

/// The text in the UTF-16 that the label names; `None` where it names something else or this is no text.
pub(super) fn encode(text: &[u8], label: &[u8]) -> Option<Vec<u8>> {
    let label = label.to_ascii_uppercase();
    let (has_mark, is_little) = match label.strip_prefix(b"UTF-16").or(label.strip_prefix(b"UTF16"))? {
        b"LE" => (false, true),
        b"BE" => (false, false),
        b"" | b"LE-BOM" => (true, true),
        b"BE-BOM" => (true, false),
        _ => return None,
    };
    let text = std::str::from_utf8(text).ok()?;
    let units = has_mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    Some(units.flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_its_byte_order_and_mark() {
        for (label, bytes) in [
            ("UTF-16LE", Some(&b"a\0"[..])),
            ("utf-16be", Some(b"\0a")),
            ("UTF-16", Some(b"\xff\xfea\0")),
            ("UTF-16LE-BOM", Some(b"\xff\xfea\0")),
            ("UTF-8", None),
        ] {
            assert_eq!(encode(b"a", label.as_bytes()).as_deref(), bytes, "{label}");
        }
        assert_eq!(encode(b"\xff", b"UTF-16"), None);
    }
}
