//! What a commit says that it takes back.

use memchr::memchr2_iter;

use super::title::LONG_SUBJECT;
use crate::model::{CommitRef, Oid};

/// The commit that a `This reverts commit ID` line takes back: the first such line of the description counts, and a
/// full lower-case SHA-1 id only.
pub(super) fn reverts(commit: &CommitRef<'_>) -> Option<Oid> {
    let text = description(commit);
    // Fewer letters are a `v` than lines there are.
    let starts = memchr2_iter(b'v', b'V', text.as_bytes()).filter_map(|letter| letter.checked_sub(LETTERS_BEFORE_V));
    let starts_a_line = |start: &usize| *start == 0 || text.as_bytes()[start - 1] == b'\n';
    let id = starts.filter(starts_a_line).find_map(|start| reverted_id(&text[start..]))?;
    (id == id.to_ascii_lowercase()).then(|| id.parse().ok()).flatten()
}

const WORDS: &str = "This reverts commit ";
const LETTERS_BEFORE_V: usize = "This re".len();

/// The forty digits behind these words at the start of a text, in any case.
fn reverted_id(line: &str) -> Option<&str> {
    const DIGITS: usize = 40;
    let words = line.get(..WORDS.len())?;
    let id = line.get(WORDS.len()..WORDS.len() + DIGITS)?;
    (words.eq_ignore_ascii_case(WORDS) && id.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(id)
}

/// What stands behind the first line; the whole message where that line is too long for a title.
fn description<'a>(commit: &'a CommitRef<'_>) -> &'a str {
    // Bytes are at least as many as characters: the count is taken only where it can matter.
    if commit.subject().len() >= LONG_SUBJECT && commit.subject().chars().count() >= LONG_SUBJECT {
        return &commit.message;
    }
    commit.message.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::{commit, oid};

    fn reverted(message: &str) -> Option<Oid> {
        reverts(&commit(1, message))
    }

    #[test]
    fn only_a_full_lower_case_id_at_the_start_of_a_line_counts() {
        let id = oid(0xab).to_string();
        for text in [
            format!("T\n\nThis reverts commit {}\n", &id[..12]),
            format!("T\n\n This reverts commit {id}\n"),
            format!("T\n\nThis reverts commit {}\n", id.to_uppercase()),
            format!("This reverts commit {id}"),
        ] {
            assert_eq!(reverted(&text), None, "{text}");
        }
        assert_eq!(reverted(&format!("T\n\nTHIS REVERTS COMMIT {id} and more\n")), Some(oid(0xab)));
    }

    #[test]
    fn the_letter_it_is_searched_by_may_stand_anywhere() {
        let id = oid(0xab);
        for above in
            ["v", "vV\n\nThis rev", "\u{e4}v\u{1d1b5}v\n\u{e4}\u{e4}\u{e4}v", "This reverts nothing", "1234567V\r"]
        {
            assert_eq!(reverted(&format!("Valve\n{above}\nThis reverts commit {id}, v")), Some(id), "{above}");
            assert_eq!(reverted(&format!("Valve\n{above}This reverts commit {id}")), None, "{above}");
        }
    }

    #[test]
    fn a_subject_too_long_for_a_title_is_part_of_the_description() {
        let subject = format!("This reverts commit {}{}", oid(2), " and more".repeat(6));
        assert_eq!(reverted(&subject), Some(oid(2)));
    }
}
