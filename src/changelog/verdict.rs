//! Which commits of a range are listed, and why the others are not.

use std::{collections::HashMap, iter};

use memchr::memchr_iter;

use crate::model::{Commit, Oid};

/// What becomes of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Listed, under the value of its category trailer.
    Listed(String),
    /// It has no category trailer.
    NoTrailer,
    /// A newer commit of the range takes it back.
    RevertedBy(Oid),
}

/// Judges every commit of a walk, newest first, by the trailer of this exact name.
///
/// A revert counts only where it is walked before what it reverts, and one that is itself reverted is not read: so a
/// revert of a revert brings the first commit back.
#[must_use]
pub fn judge(commits: &[Commit], trailer: &str) -> Vec<Verdict> {
    let mut reverted: HashMap<Oid, Oid> = HashMap::new();
    let verdict = |commit: &Commit| {
        if let Some(by) = reverted.get(&commit.id) {
            return Verdict::RevertedBy(*by);
        }
        if let Some(target) = reverts(commit) {
            reverted.insert(target, commit.id);
        }
        commit.trailer(trailer).map_or(Verdict::NoTrailer, |category| Verdict::Listed(category.to_owned()))
    };
    commits.iter().map(verdict).collect()
}

/// From how many characters on a subject is too long for a title.
pub(super) const LONG_SUBJECT: usize = 100;

/// The commit that a `This reverts commit ID` line takes back: the first such line of the description counts, and a
/// full lower-case SHA-1 id only.
fn reverts(commit: &Commit) -> Option<Oid> {
    let text = description(commit);
    let behind_a_line = memchr_iter(b'\n', text.as_bytes()).map(|end| &text[end + 1..]);
    let id = iter::once(text).chain(behind_a_line).find_map(reverted_id)?;
    (id == id.to_ascii_lowercase()).then(|| id.parse().ok()).flatten()
}

/// The forty digits behind `This reverts commit` at the start of a text, in any case.
fn reverted_id(line: &str) -> Option<&str> {
    const WORDS: &str = "This reverts commit ";
    const DIGITS: usize = 40;
    let words = line.get(..WORDS.len())?;
    let id = line.get(WORDS.len()..WORDS.len() + DIGITS)?;
    (words.eq_ignore_ascii_case(WORDS) && id.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(id)
}

/// What stands behind the first line; the whole message where that line is too long for a title.
fn description(commit: &Commit) -> &str {
    // Bytes are at least as many as characters: the count is taken only where it can matter.
    if commit.subject().len() >= LONG_SUBJECT && commit.subject().chars().count() >= LONG_SUBJECT {
        return &commit.message;
    }
    commit.message.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::commit;

    fn verdicts(newest_first: &[&str]) -> Vec<Verdict> {
        let commits: Vec<Commit> = newest_first.iter().zip(1..).map(|(message, id)| commit(id, message)).collect();
        judge(&commits, "Changelog")
    }

    fn revert(id: u8) -> String {
        format!("Revert it\n\nThis reverts commit {}.\n", commit(id, "").id)
    }

    #[test]
    fn a_revert_hides_what_it_reverts() {
        let target = commit(1, "").id;
        assert_eq!(
            verdicts(&[&revert(2), "Add it\n\nChangelog: added"]),
            [Verdict::NoTrailer, Verdict::RevertedBy(target)]
        );
    }

    #[test]
    fn a_reverted_revert_is_not_read() {
        let listed = Verdict::Listed("added".into());
        let by = commit(1, "").id;
        assert_eq!(
            verdicts(&[&revert(2), &revert(3), "Add it\n\nChangelog: added"]),
            [Verdict::NoTrailer, Verdict::RevertedBy(by), listed]
        );
    }

    #[test]
    fn only_a_full_lower_case_id_at_the_start_of_a_line_counts() {
        let id = commit(2, "").id.to_string();
        for text in [
            format!("T\n\nThis reverts commit {}\n", &id[..12]),
            format!("T\n\n This reverts commit {id}\n"),
            format!("T\n\nThis reverts commit {}\n", id.replace('0', "A")),
            format!("This reverts commit {id}"),
        ] {
            assert_eq!(verdicts(&[&text, "Add it\n\nChangelog: added"])[1], Verdict::Listed("added".into()), "{text}");
        }
        let shouted = format!("T\n\nTHIS REVERTS COMMIT {id} and more\n");
        assert_eq!(verdicts(&[&shouted, "x"])[1], Verdict::RevertedBy(commit(1, "").id));
    }

    #[test]
    fn a_subject_too_long_for_a_title_is_part_of_the_description() {
        let subject = format!("This reverts commit {}{}", commit(2, "").id, " and more".repeat(6));
        assert_eq!(verdicts(&[&subject, "x"])[1], Verdict::RevertedBy(commit(1, "").id));
    }
}
