//! "Did you mean": the known word most like another.

/// How alike two words must be, from 0 to 1, for one to be suggested for the other.
const ALIKE: f64 = 0.75;

/// The word most like `word`, case aside, where one is like enough.
#[must_use]
pub fn closest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let likeness = |known: &str| strsim::jaro_winkler(&lower, &known.to_lowercase());
    among
        .into_iter()
        .map(|known| (known, likeness(known)))
        .filter(|(_, likeness)| *likeness >= ALIKE)
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .map(|(known, _)| known)
}

/// Whether `word` is `known` with a typing mistake or two, case aside: one in four letters may be wrong.
///
/// Stricter than [`closest`], for words among which many are alike, as `Change-Id` is to `Changelog`.
#[must_use]
pub fn is_misspelt(word: &str, known: &str) -> bool {
    let distance = strsim::damerau_levenshtein(&word.to_lowercase(), &known.to_lowercase());
    (1..=2).contains(&distance) && distance * 4 <= known.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_what_is_close_and_nothing_else() {
        let known = ["added", "fixed", "changed"];
        assert_eq!(closest("fixd", known), Some("fixed"));
        assert_eq!(closest("ADDED", known), Some("added"));
        assert_eq!(closest("documentation", known), None);
        assert_eq!(closest("x", []), None);
    }

    #[test]
    fn a_misspelling_is_nearly_the_word() {
        for word in ["Chagelog", "Change-Log", "changelogs", "Changelgo"] {
            assert!(is_misspelt(word, "Changelog"), "{word}");
        }
        for word in ["Changelog", "changelog", "Change-Id", "Changes", "Closes", ""] {
            assert!(!is_misspelt(word, "Changelog"), "{word}");
        }
        assert!(is_misspelt("Knd", "Kind") && !is_misspelt("Find me", "Kind") && !is_misspelt("of", "by"));
    }
}
