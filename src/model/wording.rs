//! How words and numbers are written: plurals, suggestions, and floating-point numbers as Ruby prints them.

/// Returns a number and its noun, such as `1 commit` or `2 commits`, for nouns whose plural ends in `s`.
pub(crate) fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Joins the first names of a list, each in quotes, and says how many there are more.
pub(crate) fn name_some(names: &[impl AsRef<str>], most: usize, quote: &str) -> String {
    let first = names.iter().take(most).map(|name| format!("{quote}{}{quote}", name.as_ref()));
    let first = first.collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(most);
    if rest > 0 { format!("{first} and {rest} more") } else { first }
}

pub(crate) fn capitalize(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns the first name of a value in a list that names every value.
pub(crate) fn name_in<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, named)| named == value).map_or("", |(name, _)| name)
}

/// Whether a text consists of ASCII digits, at least one.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a line begins or ends a block of code in Markdown.
pub(crate) fn is_code_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// The least similarity of a suggestion, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.75;

/// Returns the word most similar to `word`, ignoring case, if one is similar enough to suggest it.
pub(crate) fn closest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let similarity = |known: &str| strsim::jaro_winkler(&lower, &known.to_lowercase());
    among
        .into_iter()
        .map(|known| (known, similarity(known)))
        .filter(|(_, similarity)| *similarity >= MIN_SIMILARITY)
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .map(|(known, _)| known)
}

/// Whether `word` is `known` with one or two typing mistakes, ignoring case: one in four letters may be wrong.
/// This is stricter than [`closest`], because other trailers are similar to `Changelog`, such as `Change-Id`.
pub(crate) fn is_misspelt(word: &str, known: &str) -> bool {
    let distance = strsim::damerau_levenshtein(&word.to_lowercase(), &known.to_lowercase());
    (1..=2).contains(&distance) && distance * 4 <= known.chars().count()
}

/// Whether a word was probably typed for another one: at most one in three letters is wrong.
pub(crate) fn is_near(word: &str, known: &str) -> bool {
    strsim::damerau_levenshtein(word, known) * 3 <= known.chars().count()
}

/// Writes a number as Ruby's `Float#to_s`: the shortest digits that read back the same, with an exponent below `1e-4`
/// and from `1e16`.
pub(crate) fn float_text(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NaN".to_owned(),
        _ if number.is_infinite() => if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ if number == 0.0 || (1e-4..1e16).contains(&number.abs()) => format!("{number:?}"),
        _ => scientific(number),
    }
}

fn scientific(number: f64) -> String {
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    format!("{digits}{point}e{sign}{exponent:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| pluralize(number, "tag")), ["0 tags", "1 tag", "2 tags"]);
    }

    #[test]
    fn only_a_similar_word_is_suggested() {
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

    #[test]
    fn reads_as_ruby_prints_it() {
        let table = [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1.0e+16"),
            (-1.25e100, "-1.25e+100"),
            (f64::INFINITY, "Infinity"),
        ];
        for (number, text) in table {
            assert_eq!(float_text(number), text);
        }
    }
}
