//! The commits and merge requests that a commit message says it reverts.

use memchr::{memchr2_iter, memmem};

use super::{entry_title::LONG_SUBJECT, merge_request_reference::MergeRequestReference};
use crate::model::{CommitRef, Oid};

/// The target of a revert, as the message names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RevertTarget {
    /// The commit whose ID begins with these lower-case digits.
    Commit(Box<str>),
    MergeRequest(MergeRequestReference),
}

/// Returns all that a commit reverts, in the forms of git and of the forges: `This reverts commit ID` with any number
/// of IDs, which may be short (`git revert --reference`), and `Reverts group/project!5`, `Reverts owner/project#5`.
pub(super) fn revert_targets(commit: &CommitRef<'_>) -> Vec<RevertTarget> {
    if memmem::find(commit.message.as_bytes(), b"everts ").is_none() {
        return Vec::new();
    }
    commit.message.lines().skip(1).flat_map(line_targets).collect()
}

fn line_targets(line: &str) -> Vec<RevertTarget> {
    let after = |words: &str| {
        let (start, rest) = (line.get(..words.len())?, line.get(words.len()..)?);
        start.eq_ignore_ascii_case(words).then_some(rest)
    };
    if let Some(rest) = after(WORDS).or_else(|| after("This reverts commits ")) {
        return commit_targets(rest);
    }
    let request = after("Reverts ").or_else(|| after("This reverts merge request "));
    let request = request.and_then(|rest| rest.split_whitespace().next()).and_then(parse_request);
    request.map(RevertTarget::MergeRequest).into_iter().collect()
}

/// Parses the IDs of a list such as `1a2b3c4 (its title, its date), 5d6e7f8 and 9a0b1c2`.
fn commit_targets(mut rest: &str) -> Vec<RevertTarget> {
    const FEWEST_DIGITS: usize = 7;
    let mut targets = Vec::new();
    loop {
        let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()).len();
        let (id, after) = rest.split_at(digits);
        if digits < FEWEST_DIGITS {
            return targets;
        }
        targets.push(RevertTarget::Commit(id.to_ascii_lowercase().into()));
        let title = after.strip_prefix(" (").and_then(|title| title.split_once(')'));
        let after = title.map_or(after, |(_, after)| after);
        rest = after.trim_start_matches([',', ' ']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
}

fn parse_request(word: &str) -> Option<MergeRequestReference> {
    let word = word.trim_end_matches(['.', ',']);
    let (path, number) = word.rsplit_once(['#', '!'])?;
    let sign = word[path.len()..].chars().next()?;
    Some(MergeRequestReference {
        path: (!path.is_empty()).then(|| path.to_owned()),
        sign,
        number: number.parse().ok()?,
    })
}

/// Returns the commit that a `This reverts commit ID` line reverts. Only the first such line of the description counts,
/// and only a full SHA-1 ID in lower case.
pub(super) fn reverts(commit: &CommitRef<'_>) -> Option<Oid> {
    let text = description(commit);
    // A message has fewer `v`s than lines, so the search is for `v` and not for line starts.
    let starts = memchr2_iter(b'v', b'V', text.as_bytes()).filter_map(|letter| letter.checked_sub(LETTERS_BEFORE_V));
    let id = starts
        .filter(|start| *start == 0 || text.as_bytes()[start - 1] == b'\n')
        .find_map(|start| reverted_id(&text[start..]))?;
    (id == id.to_ascii_lowercase()).then(|| id.parse().ok()).flatten()
}

const WORDS: &str = "This reverts commit ";
const LETTERS_BEFORE_V: usize = "This re".len();

/// Returns the forty digits after the words at the start of a text, in any case.
fn reverted_id(line: &str) -> Option<&str> {
    const DIGITS: usize = 40;
    let words = line.get(..WORDS.len())?;
    let id = line.get(WORDS.len()..WORDS.len() + DIGITS)?;
    (words.eq_ignore_ascii_case(WORDS) && id.bytes().all(|digit| digit.is_ascii_hexdigit())).then_some(id)
}

/// Returns the text after the first line; the whole message if that line is too long for a title.
fn description<'a>(commit: &'a CommitRef<'_>) -> &'a str {
    // There are at least as many bytes as characters, so characters are counted only if that can matter.
    if commit.subject().len() >= LONG_SUBJECT && commit.subject().chars().count() >= LONG_SUBJECT {
        return &commit.message;
    }
    commit.message.split_once('\n').map_or("", |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::testing::{commit, oid};

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
    fn short_ids_lists_and_merge_requests_are_targets() {
        let targets = |body: &str| revert_targets(&commit(1, &format!("T\n\n{body}\n")));
        let commits = |ids: &[&str]| ids.iter().map(|id| RevertTarget::Commit((*id).into())).collect::<Vec<_>>();
        let request = |path: Option<&str>, sign| {
            RevertTarget::MergeRequest(MergeRequestReference { path: path.map(str::to_owned), sign, number: 5 })
        };
        for (body, expected) in [
            ("This reverts commit 1a2b3c4 (Add crane, 2024-03-09).", commits(&["1a2b3c4"])),
            ("This reverts commit 1a2b3c4.\nThis reverts commit 5D6E7F8.", commits(&["1a2b3c4", "5d6e7f8"])),
            ("This reverts commits 1a2b3c4 (A), 5d6e7f8 and 9a0b1c2.", commits(&["1a2b3c4", "5d6e7f8", "9a0b1c2"])),
            ("This reverts commit 1a2b3c4d, reversing\nchanges made to 5d6e7f8a.", commits(&["1a2b3c4d"])),
            ("Reverts harbor/pilot#5", vec![request(Some("harbor/pilot"), '#')]),
            ("Reverts #5.", vec![request(None, '#')]),
            ("This reverts merge request !5", vec![request(None, '!')]),
            ("It reverts commit 1a2b3c4, and reverts #5", Vec::new()),
            ("This reverts commit abc", Vec::new()),
        ] {
            assert_eq!(targets(body), expected, "{body}");
        }
    }

    #[test]
    fn a_subject_too_long_for_a_title_is_part_of_the_description() {
        let subject = format!("This reverts commit {}{}", oid(2), " and more".repeat(6));
        assert_eq!(reverted(&subject), Some(oid(2)));
    }
}
