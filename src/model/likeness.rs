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
}
