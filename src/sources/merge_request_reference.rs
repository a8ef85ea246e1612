//! The merge request that a commit's own message names.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::model::{CommitRef, Forge, MergeRequest, Project, SquashSubject};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MergeRequestReference {
    /// The path of its project, if the message gives it.
    pub path: Option<String>,
    /// The sign before its number, `!` or `#`, which shows the forge if nothing else does.
    pub sign: char,
    pub number: u64,
}

impl MergeRequestReference {
    /// Finds the merge request that a merge commit merges, or that was squashed into the commit.
    ///
    /// A merge says `See merge request group/project!7` (or `!7`, or the address), `Merge pull request #7 from ...`,
    /// `Merge pull request 'Title' (#7) from ...`, `Merged in ... (pull request #7)`, or as bors writes it `Auto merge of
    /// #7 - ...` or `Merge #7`; a squashed commit says the first of these too. On forges where `#7` is a pull request the
    /// subject of both may end in `(#7)`, or begin with `Merged PR 7: ` or `Pull request #7: `. Where the forge is not
    /// known, the subject of a merge may end so, since nobody writes the number of an issue there.
    pub(crate) fn from_commit(commit: &CommitRef<'_>, forge: Option<Forge>) -> Option<Self> {
        let message = &commit.message;
        if let Some(reference) = see_merge_request(message) {
            return Some(reference);
        }
        let merged = if commit.is_merge { number_in_merge(message) } else { None };
        let number = merged.or_else(|| number_in_subject(commit, forge));
        number.map(|number| Self { path: None, sign: '#', number })
    }

    /// Finds the merge request like [`Self::from_commit`], but none for a cherry-pick, whose message names that of the original.
    pub(crate) fn from_own_message(commit: &CommitRef<'_>, forge: Option<Forge>) -> Option<Self> {
        Self::from_commit(commit, forge)
            .filter(|_| commit.is_merge || !commit.message.contains("\n(cherry picked from commit "))
    }

    /// Returns the merge request as entries show it; one without a path belongs to this project.
    pub(crate) fn in_project(&self, project: &Project) -> MergeRequest {
        project.merge_request(self.path.as_deref(), Some(self.sign), self.number)
    }
}

/// Words that name a merge request. The search for them is vectorized, since most messages have none of them.
type Words = LazyLock<Finder<'static>>;

static SEE: Words = LazyLock::new(|| Finder::new("See merge request "));
static PULL_REQUEST: Words = LazyLock::new(|| Finder::new("Merge pull request #"));
static IN_PARENTHESES: Words = LazyLock::new(|| Finder::new("(pull request #"));

fn see_merge_request(message: &str) -> Option<MergeRequestReference> {
    let found = SEE.find_iter(message.as_bytes()).last()?;
    let reference = message[found + SEE.needle().len()..].split_whitespace().next()?;
    let (path, number) = split_address(reference).or_else(|| reference.rsplit_once('!'))?;
    let path = (!path.is_empty()).then(|| path.to_owned());
    Some(MergeRequestReference { path, sign: '!', number: leading_number(number)? })
}

/// Splits `https://host/group/project/-/merge_requests/7` into path and number; the older form lacks the `-`.
fn split_address(address: &str) -> Option<(&str, &str)> {
    let (_, rest) = address.split_once("://")?;
    let (_, rest) = rest.split_once('/')?;
    rest.split_once("/-/merge_requests/").or_else(|| rest.split_once("/merge_requests/"))
}

fn number_after(message: &str, words: &Words) -> Option<u64> {
    let found = words.find(message.as_bytes())?;
    leading_number(&message[found + words.needle().len()..])
}

/// Returns the number of the pull request that the message of a merge names.
pub(super) fn number_in_merge(message: &str) -> Option<u64> {
    let of_forges = number_after(message, &PULL_REQUEST).or_else(|| number_after(message, &IN_PARENTHESES));
    of_forges
        .or_else(|| gitea_merge(message).map(|(_, number)| number))
        .or_else(|| {
            let number = ["Auto merge of #", "auto merge of #"].iter().find_map(|words| message.strip_prefix(words));
            leading_number(number?)
        })
        .or_else(|| Some(prefixed_title(message.lines().next()?)?.0))
        .or_else(|| Some(bors_ng_merge(message)?.0))
}

/// Returns the number and the title in the message of a merge by bors-ng: `Merge #7 #8`, and for each request a line such
/// as `7: Title r=reviewer a=author`. Of several requests, it is the first.
pub(super) fn bors_ng_merge(message: &str) -> Option<(u64, Option<&str>)> {
    let mut lines = message.lines();
    let mut numbers = lines.next()?.strip_prefix("Merge ")?.split(' ').map(|word| word.strip_prefix('#')?.parse().ok());
    let first: u64 = numbers.next()??;
    if numbers.any(|number| number.is_none()) {
        return None;
    }
    let title = lines.find_map(|line| line.strip_prefix(&format!("{first}: ")));
    Some((first, title.map(|title| title.rsplit_once(" r=").map_or(title, |(title, _)| title))))
}

/// Returns the title and the number in the message of a merge by Gitea: `Merge pull request 'Title' (#7) from side into
/// main`, with `!7` if the issues are on another tracker.
pub(super) fn gitea_merge(message: &str) -> Option<(&str, u64)> {
    let subject = message.lines().next()?;
    let (title, rest) = subject.strip_prefix("Merge pull request '")?.rsplit_once("' (")?;
    let (number, _) = rest.strip_prefix(['#', '!'])?.split_once(") from ")?;
    Some((title, number.parse().ok()?))
}

fn number_in_subject(commit: &CommitRef<'_>, forge: Option<Forge>) -> Option<u64> {
    let subject = commit.subject();
    let form = match forge {
        None if commit.is_merge => SquashSubject::Number,
        forge => forge.unwrap_or_default().profile().squash_subject,
    };
    match form {
        SquashSubject::None => None,
        SquashSubject::Number => last_number(subject),
        SquashSubject::PullRequest => number_after(subject, &IN_PARENTHESES),
        SquashSubject::Prefix(prefix) => Some(after_prefix(subject, prefix)?.0),
    }
}

/// Returns the number and the title in the subject of a merge or squashed commit by Azure DevOps, `Merged PR 7: Title`, or
/// by Bitbucket Data Center, `Pull request #7: Title`.
pub(super) fn prefixed_title(subject: &str) -> Option<(u64, &str)> {
    let prefix = |forge: Forge| match forge.profile().squash_subject {
        SquashSubject::Prefix(prefix) => Some(prefix),
        _ => None,
    };
    Forge::ALL.into_iter().filter_map(prefix).find_map(|prefix| after_prefix(subject, prefix))
}

fn after_prefix<'s>(subject: &'s str, prefix: &str) -> Option<(u64, &'s str)> {
    let (number, title) = subject.strip_prefix(prefix)?.split_once(": ")?;
    Some((number.parse().ok()?, title))
}

/// Returns the number in a title such as `Add search (#7)`, which a squashed commit has, or a merge if GitHub is set so.
pub(super) fn last_number(title: &str) -> Option<u64> {
    title.trim_end().strip_suffix(')')?.rsplit_once("(#")?.1.parse().ok()
}

fn leading_number(text: &str) -> Option<u64> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::testing::child;

    fn reference(parents: &[u8], message: &str, forge: impl Into<Option<Forge>>) -> Option<(Option<String>, u64)> {
        let forge = forge.into();
        let commit = child(9, parents, message).commit;
        MergeRequestReference::from_commit(&commit, forge).map(|found| (found.path, found.number))
    }

    #[test]
    fn every_form_of_a_merge_names_its_request() {
        for (message, path, number) in [
            ("Merge branch 'a' into 'b'\n\nSee merge request group/sub/app!12", Some("group/sub/app"), 12),
            ("Merge branch 'a'\n\nSee merge request !7\n\nMerged-by: Ida <i@x>", None, 7),
            ("M\n\nSee merge request https://git.example.org/g/app/-/merge_requests/3\n", Some("g/app"), 3),
            ("M\n\nSee merge request https://git.example.org/g/app/merge_requests/3.", Some("g/app"), 3),
            ("Merge pull request #45 from ida/side", None, 45),
            ("Merged in side (pull request #6)", None, 6),
            ("Auto merge of #12792 - ida:side, r=olaf\n\nShow (a) tide (#5)", None, 12792),
            ("auto merge of #34 : ida/app/side, r=olaf", None, 34),
            ("Merge #35 #36\n\n35: Show a tide r=olaf a=ida\n\n36: Mend it r=olaf a=ida", None, 35),
            ("Merge pull request 'Show (a) 'tide' (#5)' (#12) from ida/app:side into main", None, 12),
            ("Merged PR 8: Show it\n\nIn words", None, 8),
            ("Pull request #9: Show it\n\nMerge in KEY/app from side to main", None, 9),
            ("Merge pull request 'Show it' (!7) from side into main\n\nReviewed-on: https://x/7", None, 7),
        ] {
            let expected = Some((path.map(str::to_owned), number));
            assert_eq!(reference(&[1, 2], message, Forge::GitHub), expected, "{message}");
        }
    }

    #[test]
    fn a_squashed_commit_names_its_request_where_the_sign_means_one() {
        assert_eq!(reference(&[1], "Add search (#12)", Forge::GitHub), Some((None, 12)));
        assert_eq!(reference(&[1], "Add search (#12)", Forge::Gitea), Some((None, 12)));
        assert_eq!(reference(&[1, 2], "Add search (#12)\n\nIn words", Forge::GitHub), Some((None, 12)), "a merge");
        assert_eq!(reference(&[1], "Add search (#12)", Forge::GitLab), None, "an issue there");
        assert_eq!(reference(&[1, 2], "Merge branch 'a' (#12)", Forge::GitLab), None, "an issue there");
        assert_eq!(reference(&[1, 2], "Add search (#12)", None), Some((None, 12)), "a merge");
        assert_eq!(reference(&[1], "Add search (#12)", None), None, "perhaps an issue");
        assert_eq!(reference(&[1], "Add search (fixes #12)", Forge::GitHub), None);
        assert_eq!(reference(&[1], "Merged PR 12: Add search", Forge::AzureDevOps), Some((None, 12)));
        assert_eq!(reference(&[1], "Merged PR 12: Add search", Forge::GitHub), None);
        assert_eq!(reference(&[1], "Pull request #12: Add search", Forge::BitbucketDataCenter), Some((None, 12)));
        assert_eq!(
            reference(&[1], "Add it\n\nSee merge request g/app!4", Forge::GitLab),
            Some((Some("g/app".into()), 4))
        );
    }

    #[test]
    fn a_number_that_is_none_is_no_request() {
        for message in [
            "See merge request",
            "See merge request !",
            "See merge request !x",
            "Merge pull request #",
            "Merge pull request 'a' (#7)",
            "Merge pull request 'a' (#x) from b",
        ] {
            assert_eq!(reference(&[1, 2], message, Forge::GitLab), None, "{message}");
        }
    }
}
