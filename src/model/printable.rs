//! Text of others on its way to a terminal.

/// One line without control characters: what a server or a commit says does not steer the terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    let spaced = text.replace(['\n', '\r', '\t'], " ");
    spaced.chars().filter(|letter| !letter.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_codes_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb\u{9b}\r\nc"), "a[31mb  c");
    }
}
