//! Fixes of what is not released yet: they are folded into the commit that they mend, since whoever upgrades never met
//! what was broken.

use super::classified_commit::{Classification, ClassifiedCommit};
use crate::{
    config::Config,
    model::{Commit, Oid},
};

/// The trailer that names the mended commit, as the Linux kernel writes it: `Fixes: 1a2b3c4d5e6f ("Add crane")`.
const FIXES: &str = "Fixes";

/// The fewest digits of a commit ID that are not taken for the number of an issue.
const FEWEST_DIGITS: usize = 7;

/// The beginnings of titles that git writes for a commit to be squashed into an older one.
const SQUASHED: [&str; 3] = ["fixup! ", "squash! ", "amend! "];

/// The value of the category trailer that keeps a commit out of the changelog.
pub(crate) const NONE: &str = "none";

/// Leaves out of a range, newest first, what mends an older commit of the range, and what says `Changelog: none`.
pub(crate) fn fold(commits: &mut [ClassifiedCommit], config: &Config, trailer: &str) {
    let takes_none = !config.categories.contains_key(NONE);
    for index in 0..commits.len() {
        let Some(commit) = commits[index].commit.as_deref().filter(|_| commits[index].classification.is_listed())
        else {
            continue;
        };
        let last = commit.as_commit_ref().trailers_named(trailer).last() == Some(NONE);
        let folded = if takes_none && last {
            Some(Classification::Skipped(format!("`{trailer}: {NONE}`").into()))
        } else {
            mended(commit, &commits[index + 1..]).map(|into| Classification::FoldedInto(Box::new(into)))
        };
        if let Some(folded) = folded {
            commits[index].classification = folded;
        }
    }
}

/// Returns the commit among `older` that a commit mends: by its title, else by its trailers, of which all must be there.
fn mended(commit: &Commit, older: &[ClassifiedCommit]) -> Option<Oid> {
    let subject = commit.as_commit_ref().subject().to_owned();
    if let Some(mut title) = SQUASHED.iter().find_map(|words| subject.strip_prefix(words)) {
        // A commit that mends a fix-up has its words twice.
        while let Some(rest) = SQUASHED.iter().find_map(|words| title.strip_prefix(words)) {
            title = rest;
        }
        let is_title = |classified: &&ClassifiedCommit| {
            classified.commit.as_deref().is_some_and(|older| older.as_commit_ref().subject() == title)
        };
        let by_title = || older.iter().find(is_title).map(|classified| classified.id);
        return digits(title).and_then(|digits| find(digits, older)).or_else(by_title);
    }
    let mut fixes = commit.trailers.iter().filter(|trailer| trailer.key.eq_ignore_ascii_case(FIXES));
    let mut first = None;
    fixes.try_for_each(|trailer| {
        let id = find(digits(&trailer.value)?, older)?;
        first.get_or_insert(id);
        Some(())
    })?;
    first
}

/// Returns the commit ID that a text begins with.
fn digits(text: &str) -> Option<&str> {
    let digits = text.split([' ', '(', ',']).next()?;
    let is_id = digits.len() >= FEWEST_DIGITS
        && digits.bytes().all(|digit| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f'));
    is_id.then_some(digits)
}

/// Returns the only commit whose ID begins with these digits.
fn find(digits: &str, older: &[ClassifiedCommit]) -> Option<Oid> {
    let mut found = older.iter().map(|classified| classified.id).filter(|id| id.starts_with(digits));
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{
        reverted::RevertedCommits,
        testing::{commit, criteria, listed, oid, read_by},
    };

    fn folded(messages: &[&str], settings: &str) -> Vec<Classification> {
        let config = crate::config::parse(settings, "tidings.yml").unwrap().0;
        let commits: Vec<_> = (1..=9).zip(messages.iter().rev()).map(|(id, text)| commit(id, text)).rev().collect();
        let criteria = criteria(config);
        let mut read = read_by(&criteria, &commits);
        criteria.classify(&mut read, &RevertedCommits::default(), None);
        fold(&mut read, &criteria.config, "Changelog");
        read.into_iter().map(|classified| classified.classification).collect()
    }

    fn into(id: u8) -> Classification {
        Classification::FoldedInto(Box::new(oid(id)))
    }

    #[test]
    fn a_fix_of_what_is_in_the_range_is_folded_into_it() {
        let (added, fixed) = (listed(&["added"]), listed(&["fixed"]));
        let fix = |id: &str| format!("Mend crane\n\nFixes: {id} (\"Add crane\")\nChangelog: fixed");
        let crane = "Add crane\n\nChangelog: added";
        assert_eq!(folded(&[&fix("01010101"), crane], ""), [into(1), added.clone()]);
        assert_eq!(folded(&[&fix("0202020202"), &fix("0101010"), crane], ""), [into(2), into(1), added.clone()]);
        for id in ["0505050505", "010101", "#0101010", "1234567"] {
            assert_eq!(folded(&[&fix(id), crane], ""), [fixed.clone(), added.clone()], "{id}");
        }
        let both = "Mend both\n\nFixes: 01010101 (\"Add crane\")\nFixes: 77777777 (\"Old\")\nChangelog: fixed";
        assert_eq!(folded(&[both, crane], ""), [fixed, added.clone()], "one of the two is released");
        let unlisted = folded(&[&fix("01010101"), "Tidy up"], "");
        assert_eq!(unlisted, [into(1), Classification::NoCategory]);
    }

    #[test]
    fn titles_that_git_writes_fold_too() {
        let titles = ["fixup! fixup! Add crane", "squash! 0101010", "fixup! Add mast", "Add crane"];
        let every = listed(&["changes"]);
        assert_eq!(folded(&titles, "source: titles"), [into(1), into(1), every.clone(), every]);
    }

    #[test]
    fn no_category_is_asked_for_by_its_name() {
        let none = Classification::Skipped("`Changelog: none`".into());
        assert_eq!(folded(&["Mend crane\n\nChangelog: none"], "")[0], none);
        assert_eq!(folded(&["fix: crane\n\nChangelog: none"], "source: conventional")[0], none);
        assert_eq!(folded(&["Mend crane\n\nChangelog: none"], "categories: {none: Nothing}"), [listed(&["none"])]);
    }
}
