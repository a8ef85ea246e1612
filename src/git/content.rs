//! What a content is taken for.

/// Whether git takes a content for binary: a NUL among the first 8000 bytes.
pub(in crate::git) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}
