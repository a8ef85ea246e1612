//! What is new in the submodules: between the commits that the repository has of each at the start and at the end of the
//! range. Their own repositories are read where they are checked out.

use crate::{
    config::EntrySource,
    git::{
        self,
        submodules::{Submodule, at_commit},
    },
    model::{Category, Entry, Oid, Problem, Project, Warning},
    pipeline::{
        changes::history::History,
        scope::{
            Scope,
            request::{ChangelogRequest, ConfigSource, RangeSpec},
        },
    },
    sources::{classifier::Retention, entries::has_own_words},
};

/// The category of lines about submodules, and its title.
const CATEGORY: &str = "submodules";
const TITLE: &str = "Submodules";

/// The changes of submodules, below those of the repository.
#[derive(Debug, Default)]
pub(super) struct SubmoduleChanges {
    /// A category for each submodule whose changes are listed, then one for all others.
    pub categories: Vec<Category>,
    /// Which submodules were not read, and why.
    pub warnings: Vec<Warning>,
}

impl SubmoduleChanges {
    /// Reads the changes of the submodules in the range of a history. A first release has no such changes.
    ///
    /// # Errors
    /// If `.gitmodules` or a tree of the repository cannot be read.
    pub(super) fn read(history: &History) -> anyhow::Result<Self> {
        let scope = &history.scope;
        let mut changes = Self::default();
        let Some(from) = history.start.commit() else { return Ok(changes) };
        let (before, after) = (at_commit(scope.repo, from)?, at_commit(scope.repo, scope.to)?);
        let mut lines = Vec::new();
        for submodule in &after {
            let old = before.iter().find(|old| old.path == submodule.path);
            if old.is_some_and(|old| old.commit == submodule.commit)
                || !git::paths::matches(&scope.config().paths, &submodule.path)?
            {
                continue;
            }
            let Some(old) = old else {
                lines.push(line(scope, submodule, &format!("added at {}", submodule.commit.short())));
                continue;
            };
            let entries = entries(scope, submodule, old.commit).unwrap_or_else(|error| {
                changes.warnings.push(unread(submodule, &error));
                Vec::new()
            });
            if entries.is_empty() {
                lines.push(compare_line(scope, submodule, old.commit));
            } else {
                changes.categories.push(Category::new(format!("Submodule {}", submodule.path), entries));
            }
        }
        let removed = before.iter().filter(|old| !after.iter().any(|new| new.path == old.path));
        for submodule in removed {
            if git::paths::matches(&scope.config().paths, &submodule.path)? {
                lines.push(line(scope, submodule, "removed"));
            }
        }
        if !lines.is_empty() {
            changes.categories.push(Category::new(TITLE.to_owned(), lines));
        }
        Ok(changes)
    }
}

/// Returns the entries of a submodule since a commit of it, under its own configuration.
fn entries(scope: &Scope, submodule: &Submodule, from: Oid) -> anyhow::Result<Vec<Entry>> {
    let path = &submodule.path;
    let repo = submodule.open(scope.repo).ok_or_else(|| {
        Problem::new("it is not checked out").hint(format!("run `git submodule update --init -- {path}`"))
    })?;
    if let Some(missing) = [from, submodule.commit].into_iter().find(|commit| !repo.has_object(*commit)) {
        let problem = Problem::new(format!("its commit `{}` is missing", missing.short()));
        return Err(problem.hint(format!("run `git -C {path} fetch`, with `--unshallow` in a shallow clone")).into());
    }
    let project = match git::remote::project(&repo) {
        Some(_) => None,
        None => project(scope, submodule),
    };
    let request = ChangelogRequest {
        range: RangeSpec {
            from: Some(from.to_string()),
            to: submodule.commit.to_string(),
            is_end_open: false,
            ..scope.request.range.clone()
        },
        config_source: ConfigSource {
            revision: Some(submodule.commit.to_string()),
            job: scope.request.config_source.job.clone(),
            trailer: scope.request.config_source.trailer.clone(),
            ..ConfigSource::default()
        },
        host: project.as_ref().map(|project| project.host().to_owned()),
        project_path: project.map(|project| project.path().to_owned()),
        ..ChangelogRequest::unreleased()
    };
    let read = |request| History::read(Scope::open(&repo, request)?, Retention::Listed);
    let mut history = read(request.clone())?;
    if history.changes.is_some() {
        // The files that wait now do not say what is new since a commit; those who wrote them say it in titles, too.
        let config_source = ConfigSource { source: Some(EntrySource::Both), ..request.config_source };
        history = read(ChangelogRequest { config_source, ..request })?;
    }
    let categories = super::changelog::release(&mut history)?.categories;
    let mut entries: Vec<Entry> = categories.into_iter().flat_map(|category| category.entries).collect();
    if !has_own_words(history.project(), history.config()) {
        entries.iter_mut().filter_map(|entry| entry.merge_request.as_mut()).for_each(|request| request.label = None);
    }
    Ok(entries)
}

/// Returns the project of a submodule, by its address in `.gitmodules`.
fn project(scope: &Scope, submodule: &Submodule) -> Option<Project> {
    let project = Project::from_remote(&submodule.url(scope.repo)?)?;
    let own = scope.project();
    let stated = own.stated_forge().filter(|_| project.host() == own.host());
    Some(project.with_forge(stated, scope.request.config_source.job.as_ref()))
}

fn compare_line(scope: &Scope, submodule: &Submodule, from: Oid) -> Entry {
    let entry = line(scope, submodule, &format!("{}..{}", from.short(), submodule.commit.short()));
    let page = project(scope, submodule)
        .and_then(|project| project.compare_url(&from.to_string(), &submodule.commit.to_string()));
    let mut commit = entry.commit;
    commit.web_url = page.or(commit.web_url);
    Entry { commit, ..entry }
}

/// Returns an entry with a line about a submodule, whose commit is that of the submodule.
fn line(scope: &Scope, submodule: &Submodule, text: &str) -> Entry {
    Entry {
        title: format!("{}: {text}", submodule.path),
        category: CATEGORY.to_owned(),
        commit: project(scope, submodule).unwrap_or_default().commit(submodule.commit),
        ..Entry::default()
    }
}

fn unread(submodule: &Submodule, error: &anyhow::Error) -> Warning {
    Warning::from_error(format!("the changes of submodule `{}` are not listed", submodule.path), error)
}
