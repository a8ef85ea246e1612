//! What became of commits, in words and numbers.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::{
    changelog::{
        check::{Finding, Rules, TrailerPolicy},
        classification::Classification,
        classified_commit::ClassifiedCommit,
        conventional::{BREAKING, ConventionalCommit, breaking_line},
    },
    config::{Config, EntrySource},
    model::Oid,
    pipeline::History,
};

/// What `tidings check` finds in the messages of a history, titles aside.
pub(super) struct Findings<'h> {
    config: &'h Config,
    of_commits: HashMap<Oid, Vec<Finding>>,
}

impl<'h> Findings<'h> {
    pub(super) fn of(history: &'h History, trailer: &str) -> Self {
        let config = &history.settings.config;
        // If titles are entries as they are, a misspelt trailer may be why.
        let looked_for = Config { source: config.source.or_both(), ..Config::clone(config) };
        let found = Rules::of(&looked_for, trailer, TrailerPolicy::None, Some(0)).check(history.commits());
        let mut of_commits: HashMap<Oid, Vec<Finding>> = HashMap::new();
        for finding in found.into_iter().filter(|finding| finding.rule != "title") {
            if let Some(id) = finding.commit {
                of_commits.entry(id).or_default().push(finding);
            }
        }
        Self { config, of_commits }
    }

    /// What was found in the message of a commit.
    pub(super) fn about(&self, commit: &ClassifiedCommit) -> &[Finding] {
        self.of_commits.get(&commit.id).map_or(&[], Vec::as_slice)
    }

    /// What counts in a commit though it is easily missed, and what was meant and does not count.
    pub(super) fn remarks(&self, commit: &ClassifiedCommit) -> Vec<String> {
        let unread = |by: Oid| format!("{} reverts it in a form that GitLab does not read", by.short());
        let noted = commit.is_noted().then(|| "as noted".to_owned());
        let remarks =
            [breaking(commit, self.config), commit.unread_revert().map(unread), commit.release_remark(), noted];
        remarks.into_iter().flatten().collect()
    }

    /// Why a commit is listed where it is, or is not, and what looks like a mistake in it.
    pub(super) fn reason(&self, commit: &ClassifiedCommit) -> String {
        let mut reasons = vec![match (&commit.verdict, unknown_type(commit, self.config.source)) {
            (Classification::NoCategory, Some(kind)) => format!("type `{kind}` is unknown"),
            (verdict, _) => reason(verdict, self.config),
        }];
        reasons.extend(self.remarks(commit));
        reasons.extend(self.about(commit).iter().map(|finding| format!("{}; {}", finding.message, finding.hint)));
        reasons.join(": ")
    }
}

/// The type of a title that has one, if types name categories and no trailer could.
fn unknown_type(commit: &ClassifiedCommit, source: EntrySource) -> Option<String> {
    let kind = |commit| Some(ConventionalCommit::of(commit)?.commit_type);
    (source == EntrySource::Conventional).then(|| kind(commit.commit.as_deref()?)).flatten()
}

/// Why a commit is listed where it is, or is not.
fn reason(verdict: &Classification, config: &Config) -> String {
    match verdict {
        Classification::Listed(categories) => {
            let titled = |category: &String| match config.categories.get(category) {
                Some(title) => format!("{category}: {title}"),
                None => category.clone(),
            };
            categories.iter().map(titled).collect::<Vec<_>>().join(", ")
        }
        Classification::NoCategory => format!("no {}", what_names_a_category(config.source)),
        Classification::UnlistedType(kind) => format!("type `{kind}` is not listed"),
        Classification::Revert => "reverts another commit of the range".to_owned(),
        Classification::RevertedBy(by) => format!("reverted by {}", by.short()),
        Classification::OutsidePaths => "other paths".to_owned(),
        Classification::Skipped(reason) => format!("skipped: {reason}"),
    }
}

/// The line of the message that makes a listed commit a breaking change, if its title does not.
fn breaking(commit: &ClassifiedCommit, config: &Config) -> Option<String> {
    let is_breaking = commit.verdict.categories().iter().any(|category| category == BREAKING);
    let line =
        breaking_line(&commit.commit.as_deref()?.message).filter(|_| is_breaking && config.source.has_types())?;
    Some(format!("because of `{line}`"))
}

fn what_names_a_category(source: EntrySource) -> &'static str {
    match source {
        EntrySource::Auto | EntrySource::Trailers => "trailer",
        EntrySource::Conventional => "known type",
        EntrySource::Both => "trailer or known type",
        EntrySource::MergeRequests => "merge or pull request",
        EntrySource::Titles => "title of its own",
    }
}

/// How many commits met which fate.
#[derive(Default)]
pub(super) struct Counts<'a> {
    pub(super) listed: usize,
    pub(super) categories: BTreeMap<&'a str, usize>,
    reverted: usize,
    no_category: usize,
    /// Those that only some settings bring about.
    others: [usize; 4],
}

impl<'a> Counts<'a> {
    pub(super) fn of(commits: &'a [ClassifiedCommit]) -> Self {
        let mut counts = Self::default();
        for verdict in commits.iter().map(|judged| &judged.verdict) {
            for category in verdict.categories() {
                *counts.categories.entry(category).or_default() += 1;
            }
            *match verdict {
                Classification::Listed(_) => &mut counts.listed,
                Classification::RevertedBy(_) => &mut counts.reverted,
                Classification::NoCategory => &mut counts.no_category,
                Classification::UnlistedType(_) => &mut counts.others[0],
                Classification::Revert => &mut counts.others[1],
                Classification::OutsidePaths => &mut counts.others[2],
                Classification::Skipped(_) => &mut counts.others[3],
            } += 1;
        }
        counts
    }

    /// How many are out, by reason.
    pub(super) fn out(&self, source: EntrySource) -> Vec<String> {
        let mut out = vec![
            format!("{} reverted", self.reverted),
            format!("{} without a {}", self.no_category, what_names_a_category(source)),
        ];
        let words = ["of other types", "taking back others", "of other paths", "skipped"];
        let others = self.others.iter().zip(words).filter(|(count, _)| **count > 0);
        out.extend(others.map(|(count, words)| format!("{count} {words}")));
        out
    }

    pub(super) fn document(&self) -> Value {
        let [unlisted_type, takes_back, other_paths, skipped] = self.others;
        let out = self.reverted + self.no_category + self.others.iter().sum::<usize>();
        json!({
            "commits": self.listed + out,
            "listed": self.listed,
            "categories": self.categories,
            "reverted": self.reverted,
            "no_trailer": self.no_category,
            "unlisted_type": unlisted_type,
            "takes_back": takes_back,
            "other_paths": other_paths,
            "skipped": skipped,
        })
    }
}
