//! What the merge of a request would add to the changelog: the unreleased entries and the next version with the merge,
//! compared with those without it.

use crate::pipeline::{
    changes::history::History,
    next::{
        next_version::{NextVersion, next_version},
        version_counter::BumpOptions,
    },
    packages::dependents::PackageDependencies,
    scope::Scope,
    section::changelog,
};
use crate::{
    check::{Finding, Message, Rules, TrailerPolicy},
    git::{
        self, Repo,
        merge::{SimulatedMerge, simulate},
    },
    model::{
        Commit, Oid, Problem,
        merge_text::{MergeMethod, MergeSettings, MergeText, RequestCommit, ReviewedRequest},
    },
};

/// An entry of the changelog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreviewedEntry {
    /// The package, if the configuration has packages.
    pub package: Option<String>,
    pub category: String,
    /// The heading that it is below.
    pub heading: String,
    pub title: String,
}

/// The next version of the repository or of a package, without the merge and with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreviewedVersion {
    pub package: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// What the merge of a request changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergePreview {
    pub adds: Vec<PreviewedEntry>,
    pub removes: Vec<PreviewedEntry>,
    pub versions: Vec<PreviewedVersion>,
    /// The message of the commit that the merge makes; `None` if it makes none.
    pub message: Option<String>,
    /// Whether the request merges without a conflict.
    pub is_clean: bool,
    /// What `check` finds in the commits, or in the message of the squash commit.
    pub findings: Vec<Finding>,
}

/// The unreleased state of the repository, or of a package.
struct Unreleased {
    package: Option<String>,
    version: Option<String>,
    entries: Vec<PreviewedEntry>,
}

impl MergePreview {
    /// Merges `head` into the tip of the target branch, the end of the scope, without moving a branch.
    ///
    /// # Errors
    /// If a range cannot be read, or the tags belong to packages that no configuration names.
    pub(crate) fn make(
        target: Scope,
        head: Oid,
        request: &ReviewedRequest,
        method: MergeMethod,
        settings: &MergeSettings,
        require: TrailerPolicy,
    ) -> anyhow::Result<Self> {
        let mut commits = target.clone();
        commits.request.range.from = Some(target.to.to_string());
        let commits = History::read_for_check(commits.ending_at(head))?;
        let whole: Vec<_> = commits.whole(commits.commits().iter())?.collect::<anyhow::Result<_>>()?;
        let own: Vec<RequestCommit> = whole.iter().rev().filter_map(|(_, commit)| request_commit(commit)).collect();
        let template = match method {
            MergeMethod::Squash => Some(&settings.squash_template),
            MergeMethod::Merge => Some(&settings.merge_template),
            MergeMethod::Rebase => None,
        };
        let text = MergeText { request, commits: &own, project: target.project().path() };
        let message = template.map(|template| text.fill(template));
        let text = message.as_deref().unwrap_or("Merge");
        let merged = simulate(target.repo, target.to, head, text, method == MergeMethod::Squash);
        let SimulatedMerge { commit, is_clean } = merged.map_err(|error| with_shallow_hint(target.repo, error))?;
        let mut preview = Self { message, is_clean, ..Self::default() };
        let after = unreleased(target.clone().ending_at(commit))?;
        for (before, after) in unreleased(target)?.into_iter().zip(after) {
            preview.compare(before, after);
        }
        preview.findings = match (&preview.message, method) {
            (Some(message), MergeMethod::Squash) => preview.check_squash(&commits, message, require),
            _ => rules(&commits, require).check(commits.commits(), whole.into_iter().map(Ok))?,
        };
        Ok(preview)
    }

    /// Whether the merge changes nothing that the preview tells.
    pub(crate) fn is_empty(&self) -> bool {
        self.adds.is_empty()
            && self.removes.is_empty()
            && self.findings.is_empty()
            && self.versions.iter().all(|version| version.before == version.after)
    }

    fn compare(&mut self, before: Unreleased, after: Unreleased) {
        let mut gone = before.entries;
        for entry in after.entries {
            match gone.iter().position(|known| *known == entry) {
                Some(known) => drop(gone.remove(known)),
                None => self.adds.push(entry),
            }
        }
        self.removes.extend(gone);
        self.versions.push(PreviewedVersion { package: after.package, before: before.version, after: after.version });
    }

    /// Checks the message of the squash commit, which is all that stays of the messages of the commits.
    fn check_squash(&self, commits: &History, message: &str, require: TrailerPolicy) -> Vec<Finding> {
        let is_lost = commits.listed_len() > 0 && self.adds.is_empty() && self.removes.is_empty();
        let policy = match require {
            _ if is_lost => TrailerPolicy::None,
            TrailerPolicy::Any => TrailerPolicy::Each,
            other => other,
        };
        let trailers = git::trailers::parse(message.as_bytes());
        let message = Message { text: message, trailers: &trailers, is_merge: false };
        let mut findings = rules(commits, policy).message(message, self.adds.is_empty());
        if is_lost {
            findings.push(Finding::lost_in_squash(commits.listed_len()));
        }
        findings
    }
}

/// Says of a shallow clone that it may lack what is merged: git merges only what is here.
fn with_shallow_hint(repo: &Repo, error: anyhow::Error) -> anyhow::Error {
    if !repo.is_shallow() {
        return error;
    }
    error.context(Problem::new("this clone is shallow and lacks what a preview merges").hint(repo.unshallow_hint()))
}

fn rules<'h>(history: &'h History, require: TrailerPolicy) -> Rules<'h> {
    Rules::new(history.config(), history.config().trailer(), require, None)
}

fn request_commit(commit: &Commit) -> Option<RequestCommit> {
    let author = || format!("{} <{}>", commit.author.name, commit.author.email);
    (!commit.is_merge).then(|| RequestCommit { message: commit.message.to_string(), author: author() })
}

/// Returns the unreleased entries and the next version at the end of a scope, of each package if there are any.
fn unreleased(scope: Scope) -> anyhow::Result<Vec<Unreleased>> {
    let options = BumpOptions::default();
    if scope.config().packages.is_empty() || scope.package_name().is_some() {
        let (next, history) = next_version(scope.clone(), &PackageDependencies::new(&scope), &options)?;
        return Ok(vec![Unreleased::new(&next, history)?]);
    }
    let versions = scope.packages()?.next_versions(&options);
    versions.map(|found| found.and_then(|(_, (next, history))| Unreleased::new(&next, history))).collect()
}

impl Unreleased {
    fn new(next: &NextVersion, mut history: History) -> anyhow::Result<Self> {
        let package = history.scope.package_name().map(str::to_owned);
        let mut entries = Vec::new();
        for category in changelog::release(&mut history)?.categories {
            for entry in category.entries {
                let (package, heading) = (package.clone(), category.title.clone());
                entries.push(PreviewedEntry { package, category: entry.category, heading, title: entry.title });
            }
        }
        Ok(Self { package, version: next.version.as_ref().map(ToString::to_string), entries })
    }
}
