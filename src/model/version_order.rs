//! The order of versions: that of Ruby's `version_sorter` gem, by which GitLab sorts tags and sections.
//!
//! It differs from the order of Semantic Versioning; for example, build metadata counts. A version is split into
//! components: a run of digits is a number, a run of letters and hyphens is a word, and every other byte separates them.

use std::cmp::Ordering;

/// The number of components that are compared.
const MAX_COMPONENTS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component<'a> {
    Number(u32),
    Word(&'a [u8]),
}

/// Compares two versions. Versions that are written differently can be equal (`1.0.0-rc1` and `1.0.0-rc.1`).
///
/// A number is higher than a word. If one version begins with the other, the longer is higher if it continues with a
/// number, and lower if it continues with a word: `1.0.0-rc1` < `1.0.0+b` < `1.0.0` < `1.0.0.1`.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (components(left), components(right));
    loop {
        let order = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (Some(longer), None) => against_end(longer),
            (None, Some(longer)) => against_end(longer).reverse(),
            (Some(left), Some(right)) => by_component(left, right),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn against_end(longer: Component) -> Ordering {
    match longer {
        Component::Number(_) => Ordering::Greater,
        Component::Word(_) => Ordering::Less,
    }
}

fn by_component(left: Component, right: Component) -> Ordering {
    match (left, right) {
        (Component::Number(left), Component::Number(right)) => left.cmp(&right),
        (Component::Word(left), Component::Word(right)) => left.cmp(right),
        (Component::Number(_), Component::Word(_)) => Ordering::Greater,
        (Component::Word(_), Component::Number(_)) => Ordering::Less,
    }
}

fn components(version: &str) -> impl Iterator<Item = Component<'_>> {
    let mut rest = version.as_bytes();
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| byte.is_ascii_digit() || is_word(*byte))?;
        let run = &rest[start..];
        let same_kind =
            |byte: &u8| byte.is_ascii_digit() == run[0].is_ascii_digit() && (byte.is_ascii_digit() || is_word(*byte));
        let end = run.iter().position(|byte| !same_kind(byte)).unwrap_or(run.len());
        rest = &run[end..];
        Some(component(&run[..end]))
    })
    .take(MAX_COMPONENTS)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'-'
}

fn component(run: &[u8]) -> Component<'_> {
    if is_word(run[0]) { Component::Word(run) } else { number(run).map_or(Component::Word(run), Component::Number) }
}

/// Parses a number as the gem does, in 32 bits: if a digit makes the number smaller, the run is compared as a word. The
/// gem misses other overflows, which are reproduced here.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |number, digit| {
        let next = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        (next >= number).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_gem() {
        let descending = [
            "1.10.0",
            "1.9.0",
            "1.0.0.1",
            "1.0.0",
            "1.0.0+b",
            "1.0.0-rc10",
            "1.0.0-rc2",
            "1.0.0-alpha.1",
            "1.0.0-alpha",
            "1.0.0-Beta",
            "1.0.0-1",
        ];
        for (index, higher) in descending.iter().enumerate() {
            for lower in &descending[index + 1..] {
                assert_eq!(compare(higher, lower), Ordering::Greater, "{higher} > {lower}");
                assert_eq!(compare(lower, higher), Ordering::Less, "{lower} < {higher}");
            }
        }
    }

    #[test]
    fn separators_do_not_count() {
        assert_eq!(compare("1.0.0-rc1", "1.0.0-rc.1"), Ordering::Equal);
        assert_eq!(compare("1.0.0.1", "1.0.0+1"), Ordering::Equal);
    }

    #[test]
    fn numbers_overflow_as_in_the_gem() {
        assert_eq!(compare("5000000000", "705032704"), Ordering::Equal);
        assert_eq!(compare("4294967296", "1"), Ordering::Less, "an overflow makes it a word");
    }
}
