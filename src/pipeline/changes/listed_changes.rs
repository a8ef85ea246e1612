//! What the change files of a range describe, and where change files are configured.

use std::{borrow::Cow, collections::HashSet, rc::Rc};

use crate::{
    config::Config,
    git::{self, Repo, file_history::read_files},
    model::{Oid, Problem, Range},
    pipeline::scope::{
        Scope,
        loaded_config::CommitFiles,
        parsed_changes::{self, file_name},
    },
    sources::change_files::{self, AddedChange, ChangeFiles, ListedFile, NewChange, PreRelease, bumps},
    versions::bump::CategoryBump,
};

/// The changes that files describe, and the files that cannot be read.
#[derive(Debug, Default)]
pub(crate) struct ListedChanges {
    pub changes: Vec<AddedChange>,
    /// Whether several packages are listed together, so that each change names its own.
    pub names_packages: bool,
    /// Why files cannot be read.
    pub broken: Vec<Problem>,
    /// The files that wait for a release and that are listed, and how their tool writes them.
    pub waiting: Vec<ListedFile>,
    pub files: Option<Rc<ChangeFiles>>,
    /// The pre-release that the own package makes, though others may make none.
    pub lane: Option<PreRelease>,
}

impl ListedChanges {
    /// Returns the level that each category asks for; while pre-releases go on, what an earlier one had does not count.
    pub(crate) fn bumps(&self) -> Vec<CategoryBump> {
        bumps(
            self.changes
                .iter()
                .filter(|added| self.pre_release().is_none_or(|pre| pre.is_ending || !pre.has_had(&added.change.path)))
                .filter_map(AddedChange::target),
        )
    }

    /// Returns the pre-release that the tool makes, or is to end.
    pub(super) fn pre_release(&self) -> Option<&PreRelease> {
        self.lane.as_ref().or(self.files.as_ref()?.pre_release.as_ref())
    }

    /// Returns a configuration with the titles that the tool has for its categories, as far as it has none for them.
    pub(crate) fn with_own_titles<'c>(&self, config: &'c Config) -> Cow<'c, Config> {
        let Some(files) = self.files.as_ref().filter(|_| config.adds_change_files) else {
            return Cow::Borrowed(config);
        };
        let mut categories = config.categories.clone();
        for (category, title) in &files.categories {
            categories.entry(category.clone()).or_insert_with(|| title.clone());
        }
        Cow::Owned(Config { categories, ..config.clone() })
    }

    /// Fails if a file cannot be read: a release would lose its change.
    pub(crate) fn check(&mut self) -> Result<(), Problem> {
        self.broken.drain(..).next().map_or(Ok(()), Err)
    }
}

impl Scope<'_> {
    /// Finds the change files that are configured at the end of the range. All packages share what is read for it.
    pub(crate) fn change_files(&self) -> anyhow::Result<Option<Rc<ChangeFiles>>> {
        let mut known = self.known.change_files.borrow_mut();
        if let Some((commit, files)) = known.as_ref()
            && *commit == self.to
        {
            return Ok(files.clone());
        }
        let files = find(self.repo, self.to)?.map(Rc::new);
        *known = Some((self.to, files.clone()));
        Ok(files)
    }
}

/// Finds the change files that are configured at a commit.
pub(super) fn find(repo: &Repo, commit: Oid) -> anyhow::Result<Option<ChangeFiles>> {
    change_files::find(&CommitFiles { repo, commit: Some(commit) })
}

/// Returns the paths of the change files at a commit.
pub(super) fn paths_at(repo: &Repo, commit: Oid, files: &ChangeFiles) -> anyhow::Result<Vec<String>> {
    let mut paths = Vec::new();
    for directory in &files.directories {
        let names = git::tree::files_and_links(repo, commit, directory)?.into_iter();
        paths.extend(names.filter(|name| files.has(name)).map(|name| format!("{directory}/{name}")));
    }
    Ok(paths)
}

/// The change files at a commit.
#[derive(Debug)]
pub(crate) struct FoundChangeFiles {
    pub files: ChangeFiles,
    /// The paths of those that wait for a release.
    pub waiting: Vec<String>,
    /// The packages that those name with the bump `none`.
    pub unbumped: Vec<String>,
    /// Why the others cannot be read.
    pub broken: Vec<Problem>,
}

/// Reads the change files at a commit; `None` if none are configured.
pub(crate) fn change_files_at(repo: &Repo, commit: Oid) -> anyhow::Result<Option<FoundChangeFiles>> {
    let Some(files) = find(repo, commit)? else { return Ok(None) };
    let mut found = FoundChangeFiles { files, waiting: Vec::new(), unbumped: Vec::new(), broken: Vec::new() };
    let paths = paths_at(repo, commit, &found.files)?;
    let contents = read_files(repo, commit, &paths.iter().map(String::as_str).collect::<Vec<_>>())?;
    for (path, content) in paths.into_iter().zip(contents) {
        match parsed_changes::parse(&found.files, &path, content.as_deref()) {
            Ok(changes) => {
                found.unbumped.extend(changes.into_iter().flat_map(|change| change.unbumped));
                found.waiting.push(path);
            }
            Err(problem) => found.broken.push(problem),
        }
    }
    Ok(Some(found))
}

/// Whether a range adds a change file, also one that says that there is nothing to list.
pub(crate) fn adds_change_file(repo: &Repo, range: Range) -> anyhow::Result<bool> {
    let files = find(repo, range.to)?.ok_or_else(|| not_configured(range.to))?;
    let before = range.from.map_or(Ok(Vec::new()), |from| paths_at(repo, from, &files))?;
    // A file that moved to another directory is not added.
    let before: HashSet<&str> = before.iter().map(|path| file_name(path)).collect();
    Ok(paths_at(repo, range.to, &files)?.iter().any(|path| !before.contains(file_name(path))))
}

/// Writes the file of a change into the work tree; returns its path from the top. An existing file is kept, and the new
/// one gets a number.
pub(crate) fn write_change(repo: &Repo, change: &NewChange) -> anyhow::Result<String> {
    let (path, content) = change_file(repo, change)?;
    let (stem, extension) = path.rsplit_once('.').unwrap_or((&path, ""));
    let others = (2..).map(|number| format!("{stem}-{number}.{extension}"));
    for path in std::iter::once(path.clone()).chain(others) {
        if git::file::create_in_work_tree(repo, &path, content.as_bytes())? {
            return Ok(path);
        }
    }
    Ok(path)
}

/// Returns the path and the content of the file of a change, in the form of the tool that is configured at `HEAD`.
///
/// # Errors
/// If no tool is configured, or it does not know the kind or the packages of the change.
pub(crate) fn change_file(repo: &Repo, change: &NewChange) -> anyhow::Result<(String, String)> {
    let head = git::revision::resolve(repo, "HEAD")?;
    let files = find(repo, head)?.ok_or_else(|| not_configured(head))?;
    Ok(files.write(change)?)
}

/// Returns the refusal of a source that is not there.
pub(super) fn not_configured(commit: Oid) -> Problem {
    Problem::new(format!("no change files are configured at commit `{}`", commit.short()))
        .hint("add `.changeset/config.json`, or the configuration of another tool, or set another `source`")
}
