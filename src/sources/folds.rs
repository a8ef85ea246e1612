//! Fixes of what is not released yet: they are folded into the commit that they mend, since whoever upgrades never met
//! what was broken.

use std::{cell::LazyCell, collections::HashMap, ops::Deref};

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
    let targets = LazyCell::new(|| Targets::new(commits));
    let mut folded = Vec::new();
    for (index, classified) in commits.iter().enumerate().filter(|(_, one)| one.classification.is_listed()) {
        let Some(commit) = classified.commit.as_deref() else { continue };
        if takes_none && commit.as_commit_ref().trailers_named(trailer).last() == Some(NONE) {
            folded.push((index, Classification::Skipped(format!("`{trailer}: {NONE}`").into())));
        } else if let Some(into) = mended(commit, index, &targets) {
            folded.push((index, Classification::FoldedInto(Box::new(commits[into].id))));
        }
    }
    for (index, classification) in folded {
        commits[index].classification = classification;
    }
}

/// Returns the index of the older commit that a commit mends: by its title, else by its trailers, of which all must name
/// one.
fn mended(commit: &Commit, index: usize, targets: &impl Deref<Target = Targets>) -> Option<usize> {
    let subject = commit.as_commit_ref().subject().to_owned();
    if let Some(mut title) = SQUASHED.iter().find_map(|words| subject.strip_prefix(words)) {
        // A commit that mends a fix-up has its words twice.
        while let Some(rest) = SQUASHED.iter().find_map(|words| title.strip_prefix(words)) {
            title = rest;
        }
        return digits(title)
            .and_then(|digits| targets.by_id(digits, index))
            .or_else(|| targets.by_title(title, index));
    }
    let mut fixes = commit.trailers.iter().filter(|trailer| trailer.key.eq_ignore_ascii_case(FIXES));
    let mut first = None;
    fixes.try_for_each(|trailer| {
        let target = targets.by_id(digits(&trailer.value)?, index)?;
        first.get_or_insert(target);
        Some(())
    })?;
    first
}

/// The commits of a range by what a fix may name. Both lists are sorted, so that many fixes take little more than one.
struct Targets {
    ids: Vec<(Oid, usize)>,
    titles: HashMap<String, Vec<usize>>,
}

impl Targets {
    fn new(commits: &[ClassifiedCommit]) -> Self {
        let mut ids: Vec<(Oid, usize)> = commits.iter().map(|classified| classified.id).zip(0..).collect();
        ids.sort_unstable();
        let mut titles: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, classified) in commits.iter().enumerate() {
            if let Some(commit) = classified.commit.as_deref() {
                titles.entry(commit.as_commit_ref().subject().to_owned()).or_default().push(index);
            }
        }
        Self { ids, titles }
    }

    /// Finds the only commit after an index, which is older, whose ID begins with these digits.
    fn by_id(&self, digits: &str, index: usize) -> Option<usize> {
        let start = self.ids.partition_point(|(id, _)| id.to_string().as_str() < digits);
        let found = self.ids[start..].iter().take_while(|(id, _)| id.starts_with(digits));
        let mut older = found.map(|(_, found)| *found).filter(|found| *found > index);
        older.next().filter(|_| older.next().is_none())
    }

    /// Finds the newest commit after an index, which is older, with this title.
    fn by_title(&self, title: &str, index: usize) -> Option<usize> {
        let indices = self.titles.get(title)?;
        indices.get(indices.partition_point(|found| *found <= index)).copied()
    }
}

/// Returns the commit ID that a text begins with.
fn digits(text: &str) -> Option<&str> {
    let digits = text.split([' ', '(', ',']).next()?;
    let is_id = digits.len() >= FEWEST_DIGITS
        && digits.bytes().all(|digit| digit.is_ascii_digit() || matches!(digit, b'a'..=b'f'));
    is_id.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{
        reverted::RevertedCommits,
        testing::{classifier, commit, listed, oid, read_by},
    };

    fn folded(messages: &[&str], settings: &str) -> Vec<Classification> {
        let config = crate::config::parse(settings, "tidings.yml").unwrap().0;
        let commits: Vec<_> = (1..=9).zip(messages.iter().rev()).map(|(id, text)| commit(id, text)).rev().collect();
        let classifier = classifier(config);
        let mut read = read_by(&classifier, &commits);
        classifier.classify(&mut read, &RevertedCommits::default(), None);
        fold(&mut read, &classifier.config, "Changelog");
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
