//! Numbers of things, in words.

/// A number and its noun, such as `1 commit` or `2 commits`; of nouns that take an `s`.
#[must_use]
pub fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2].map(|number| pluralize(number, "tag")), ["0 tags", "1 tag", "2 tags"]);
    }
}
