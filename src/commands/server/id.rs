//! Ids as they are typed.

/// Takes the number of a thing.
pub(in crate::commands) fn parse_id(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|id| *id > 0).ok_or("an id is a number from 1")
}
