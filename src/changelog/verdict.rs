//! Which commits of a range are listed, and why the others are not.

use std::collections::HashSet;

use super::{
    conventional::{Conventional, Place},
    reverts::reverts,
};
use crate::{
    config::{Config, EntrySource, RepeatedTrailers},
    cores,
    model::{Commit, Oid, OidMap},
};

/// What becomes of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Listed, an entry for each of these categories; there is one at least.
    Listed(Vec<String>),
    /// Nothing about it names a category.
    NoCategory,
    /// Its conventional type is one that is not listed.
    UnlistedType(String),
    /// All it does is take back an older commit of the range.
    TakesBack,
    /// A newer commit of the range takes it back.
    RevertedBy(Oid),
    /// It changes none of the paths of the settings.
    OtherPaths,
    /// The settings leave it out, for this reason.
    Skipped(String),
}

impl Verdict {
    /// The categories it is listed under.
    #[must_use]
    pub fn categories(&self) -> &[String] {
        match self {
            Self::Listed(categories) => categories,
            _ => &[],
        }
    }

    /// Whether it is listed.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// The commit that takes it back.
    #[must_use]
    pub fn reverter(&self) -> Option<Oid> {
        match self {
            Self::RevertedBy(by) => Some(*by),
            _ => None,
        }
    }

    /// Whether the section is about other commits than this one, so that nothing is asked of it.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        matches!(self, Self::RevertedBy(_) | Self::OtherPaths | Self::Skipped(_))
    }
}

/// What commits are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Criteria<'a> {
    /// The exact name of the category trailer.
    pub trailer: &'a str,
    /// The settings.
    pub config: &'a Config,
    /// Which commits, by their place in the walk, change the paths of the settings; `None` where there are no paths.
    pub changed: Option<&'a [bool]>,
}

impl Criteria<'_> {
    /// Judges every commit of a walk, newest first.
    ///
    /// A revert counts only where it is walked before what it reverts, and one that is itself reverted is not read: so a
    /// revert of a revert brings the first commit back.
    #[must_use]
    pub fn judge(&self, commits: &[Commit]) -> Vec<Verdict> {
        let alone = cores::map(commits, |commit| self.alone(commit));
        let mut reverted: OidMap<Oid> = OidMap::default();
        let verdict = |((place, commit), alone): ((usize, &Commit), Alone)| {
            if let Some(by) = reverted.get(&commit.id) {
                return Verdict::RevertedBy(*by);
            }
            if let Some(target) = alone.reverts {
                reverted.insert(*target, commit.id);
            }
            match self.changed {
                Some(changed) if !changed[place] => Verdict::OtherPaths,
                _ => alone.verdict,
            }
        };
        let mut verdicts: Vec<Verdict> = commits.iter().enumerate().zip(alone).map(verdict).collect();
        if self.config.source.has_types() {
            self.leave_reverts_out(commits, &mut verdicts);
        }
        verdicts
    }

    fn alone(&self, commit: &Commit) -> Alone {
        let verdict = self.config.skip.reason(commit).map_or_else(|| self.listing(commit), Verdict::Skipped);
        Alone { verdict, reverts: reverts(commit).map(Box::new) }
    }

    fn listing(&self, commit: &Commit) -> Verdict {
        let source = self.config.source;
        let categories = if source.has_trailers() { self.named_by_trailers(commit) } else { Vec::new() };
        if !categories.is_empty() {
            return Verdict::Listed(categories);
        }
        let Some(title) = source.has_types().then(|| Conventional::of(commit)).flatten() else {
            return Verdict::NoCategory;
        };
        match title.place(self.config) {
            Some(Place::Category(category)) => Verdict::Listed(vec![category.to_owned()]),
            Some(Place::Nowhere) => Verdict::UnlistedType(title.kind),
            None => Verdict::NoCategory,
        }
    }

    fn named_by_trailers(&self, commit: &Commit) -> Vec<String> {
        let values = commit.trailers_named(self.trailer).map(str::to_owned);
        match self.config.repeated_trailers {
            RepeatedTrailers::Last => values.last().into_iter().collect(),
            RepeatedTrailers::All => values.collect(),
        }
    }

    /// Where a commit and its revert are both in the range, neither is news; a revert with a trailer was meant to be.
    fn leave_reverts_out(&self, commits: &[Commit], verdicts: &mut [Verdict]) {
        let reverts: HashSet<Oid> = verdicts.iter().filter_map(Verdict::reverter).collect();
        for (commit, verdict) in commits.iter().zip(verdicts) {
            let is_meant = || self.config.source.has_trailers() && commit.trailer(self.trailer).is_some();
            if verdict.is_listed() && reverts.contains(&commit.id) && !is_meant() {
                *verdict = Verdict::TakesBack;
            }
        }
    }
}

/// What a commit tells by itself.
struct Alone {
    /// What becomes of it as far as no other commit and no path matters.
    verdict: Verdict,
    /// What it takes back; boxed, as few do and all take the room.
    reverts: Option<Box<Oid>>,
}

/// What names a category, in words: behind "a" or "no".
#[must_use]
pub fn wanted(source: EntrySource, trailer: &str) -> String {
    match source {
        EntrySource::Trailers => format!("`{trailer}:` trailer"),
        EntrySource::Conventional => "known type in its title".to_owned(),
        EntrySource::Both => format!("`{trailer}:` trailer or known type in its title"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        changelog::testing::{commit, judge, listed},
        model::Person,
    };

    fn verdicts(newest_first: &[&str]) -> Vec<Verdict> {
        let commits: Vec<Commit> = newest_first.iter().zip(1..).map(|(message, id)| commit(id, message)).collect();
        judge(&commits)
    }

    fn revert(id: u8) -> String {
        format!("Revert it\n\nThis reverts commit {}.\n", commit(id, "").id)
    }

    #[test]
    fn a_revert_hides_what_it_reverts() {
        let target = commit(1, "").id;
        assert_eq!(
            verdicts(&[&revert(2), "Add it\n\nChangelog: added"]),
            [Verdict::NoCategory, Verdict::RevertedBy(target)]
        );
    }

    #[test]
    fn a_reverted_revert_is_not_read() {
        let by = commit(1, "").id;
        assert_eq!(
            verdicts(&[&revert(2), &revert(3), "Add it\n\nChangelog: added"]),
            [Verdict::NoCategory, Verdict::RevertedBy(by), listed(&["added"])]
        );
    }

    #[test]
    fn each_trailer_or_the_last_names_a_category() {
        let commits = [commit(1, "Two\n\nChangelog: fixed\nMR: x\nChangelog: added")];
        assert_eq!(judge(&commits), [listed(&["added"])]);
        let config = Config { repeated_trailers: RepeatedTrailers::All, ..Config::default() };
        let criteria = Criteria { trailer: "Changelog", config: &config, changed: None };
        assert_eq!(criteria.judge(&commits), [listed(&["fixed", "added"])]);
    }

    #[test]
    fn types_name_the_category_where_the_source_says_so() {
        let commits = ["feat: A", "feat: B\n\nChangelog: fixed", "chore: C", "C", "fix!: D"];
        let commits: Vec<Commit> = commits.iter().zip(1..).map(|(message, id)| commit(id, message)).collect();
        let of = |source| {
            let config = Config { source, ..Config::default() };
            Criteria { trailer: "Changelog", config: &config, changed: None }.judge(&commits)
        };
        let (none, chore, breaking) =
            (Verdict::NoCategory, Verdict::UnlistedType("chore".into()), listed(&["breaking"]));
        let both = [listed(&["added"]), listed(&["fixed"]), chore.clone(), none.clone(), breaking.clone()];
        assert_eq!(of(EntrySource::Both), both);
        let types = [listed(&["added"]), listed(&["added"]), chore, none.clone(), breaking];
        assert_eq!(of(EntrySource::Conventional), types);
        assert_eq!(of(EntrySource::Trailers), [none.clone(), listed(&["fixed"]), none.clone(), none.clone(), none]);
    }

    #[test]
    fn a_revert_by_its_title_is_listed_where_what_it_reverts_is_released() {
        let config = Config { source: EntrySource::Both, ..Config::default() };
        let judge =
            |commits: &[Commit]| Criteria { trailer: "Changelog", config: &config, changed: None }.judge(commits);
        let of = |id: u8, end: &str| {
            commit(9, &format!("revert: feat: A\n\nThis reverts commit {}.{end}", commit(id, "").id))
        };
        let feature = commit(1, "feat: A");
        assert_eq!(judge(&[of(7, ""), feature.clone()]), [listed(&["changed"]), listed(&["added"])]);
        let by = Verdict::RevertedBy(of(1, "").id);
        assert_eq!(judge(&[of(1, ""), feature.clone()]), [Verdict::TakesBack, by.clone()]);
        assert_eq!(judge(&[of(1, "\n\nChangelog: removed"), feature]), [listed(&["removed"]), by]);
    }

    #[test]
    fn what_changes_other_paths_is_out_and_reverts_all_the_same() {
        let commits = [commit(3, &revert(2)), commit(2, "A\n\nChangelog: added"), commit(1, "B\n\nChangelog: added")];
        let criteria =
            Criteria { trailer: "Changelog", config: &Config::default(), changed: Some(&[false, true, false]) };
        let by = commits[0].id;
        assert_eq!(criteria.judge(&commits), [Verdict::OtherPaths, Verdict::RevertedBy(by), Verdict::OtherPaths]);
    }

    #[test]
    fn the_settings_leave_commits_authors_and_messages_out() {
        let skip = "skip:\n  commits: 0101\n  authors: [BOT@harbor.example]\n  messages: ['^wip\\b', 'Skip: yes$']\n";
        let config = crate::config::parse(skip, "c.yml").unwrap().0;
        let bot = Commit { author: Person { name: "".into(), email: "bot@Harbor.example".into() }, ..commit(2, "B") };
        let commits = [commit(1, "A"), bot, commit(3, "wip C"), commit(4, "D\n\nSkip: yes"), commit(5, "E wip")];
        let verdicts = Criteria { trailer: "Changelog", config: &config, changed: None }.judge(&commits);
        let reasons = ["commit `0101`", "author `BOT@harbor.example`", r"message `^wip\b`", "message `Skip: yes$`"];
        assert_eq!(verdicts[..4], reasons.map(|reason| Verdict::Skipped(reason.to_owned())));
        assert_eq!(verdicts[4], Verdict::NoCategory);
    }
}
