//! What became of commits, in words.

use std::collections::HashMap;

use crate::{
    changelog::{
        check::{Finding, Rules, TrailerPolicy},
        classified_commit::{Classification, ClassifiedCommit},
        conventional::{BREAKING, ConventionalCommit, breaking_line},
    },
    commands::verdict_counts::what_names_a_category,
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
