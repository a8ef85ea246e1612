//! The change files of a range: those that the release of its version consumed, else those that wait for a release.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use super::{
    history::History,
    listed_changes::{self, ListedChanges},
};
use crate::{
    config::{Config, EntrySource, ForeignConfig},
    git::{
        self, Repo,
        file_history::{DeletingCommit, deleting_commits},
    },
    model::{Commit, Oid, Version, Warning},
    pipeline::scope::{
        Scope,
        loaded_config::CommitFiles,
        parsed_changes::{AddingCommits, ParsedChanges, file_name},
    },
    sources::{
        change_files::{AddedChange, Change, ChangeFiles, ListedFile, Target, file_id, is_of_neighbor},
        classified_commit::Classification,
        merge_request_reference::MergeRequestReference,
    },
    version_files::FileTree as _,
    versions::tag_names,
};

impl Scope<'_> {
    /// Leaves the source of entries open for a range that ends before change files were in use: none are configured at
    /// its end, but at `HEAD` they are. So its section is the one without a configuration.
    pub(super) fn before_change_files(self) -> anyhow::Result<Self> {
        let config = self.config();
        if config.source != EntrySource::Files || self.change_files()?.is_some() {
            return Ok(self);
        }
        let Ok(head) = git::revision::resolve(self.repo, "HEAD") else { return Ok(self) };
        let Some(files) = listed_changes::find(self.repo, head)? else { return Ok(self) };
        let mut config = Config { source: EntrySource::Auto, ..Config::clone(config) };
        if config.categories == files.categories {
            config.categories.clear();
        }
        Ok(self.with_config(config))
    }
}

impl History<'_> {
    /// Reads the changes that files describe, if they are listed. A commit that adds such a file is described by it, and
    /// is not listed by itself.
    pub(super) fn with_change_files(mut self) -> anyhow::Result<Self> {
        if !self.config().lists_change_files() {
            return Ok(self);
        }
        let (repo, to) = (self.scope.repo, self.scope.to);
        let files = self.scope.change_files()?.ok_or_else(|| listed_changes::not_configured(to))?;
        let files = match &self.scope.request.version {
            Some(version) => Rc::new(ChangeFiles::clone(&files).of_release(&version.to_string())),
            None => files,
        };
        if self.config().categories.is_empty() && !self.config().adds_change_files {
            let config = Config { categories: files.categories.clone(), ..Config::clone(self.config()) };
            self.scope = self.scope.with_config(config);
        }
        let mut list = Reader { repo, files: &files, history: &self }.read()?;
        self.warnings.append(&mut list.1);
        let described: HashMap<Oid, &str> = list.0.changes.iter().filter_map(AddedChange::described_commit).collect();
        for classified in &mut self.range.commits {
            if classified.classification.is_listed()
                && let Some(path) = described.get(&classified.id)
            {
                classified.classification = Classification::Skipped(format!("described by `{path}`").into());
            }
        }
        self.changes = Some(list.0);
        Ok(self)
    }
}

struct Reader<'a> {
    repo: &'a Repo,
    files: &'a Rc<ChangeFiles>,
    history: &'a History<'a>,
}

impl Reader<'_> {
    fn read(&self) -> anyhow::Result<(ListedChanges, Vec<Warning>)> {
        let shared = self.shared()?;
        let parsed = shared.clone().map_or_else(|| self.parse().map(Rc::new), Ok)?;
        let ParsedChanges { changes, waiting, warnings, broken, .. } = &*parsed;
        let mut list = ListedChanges { broken: broken.clone(), ..ListedChanges::default() };
        let own = self.own_packages()?;
        let packages = || changes.iter().flat_map(|(_, change)| &change.targets).map(|target| &target.package);
        list.names_packages = own.is_none() && packages().collect::<HashSet<_>>().len() > 1;
        let is_foreign = own.as_ref().is_some_and(|own| !packages().flatten().any(|name| own.contains(name)));
        let is_whole = is_foreign && self.history.config().paths.is_empty();
        let is_own = |target: &&Target| match (&own, &target.package) {
            (Some(own), Some(name)) => is_whole || own.contains(name),
            _ => true,
        };
        let listed = changes.iter().map(|(commit, change)| {
            (*commit, change, change.targets.iter().filter(is_own).cloned().collect::<Vec<_>>())
        });
        let listed: Vec<_> = listed.filter(|(_, _, targets)| !targets.is_empty()).collect();
        let mut warnings = warnings.clone();
        list.changes = self.with_commits(listed, shared.as_deref(), &mut warnings);
        list.waiting = if let Some(own) = own.as_ref().filter(|_| !is_whole) {
            let mut targets: HashMap<&str, Vec<&Target>> = HashMap::new();
            for (_, change) in changes {
                targets.entry(&change.path).or_default().extend(&change.targets);
            }
            let waiting = waiting.iter().filter_map(|file| {
                let targets = targets.get(file.path.as_str()).map_or(&[][..], Vec::as_slice);
                listed_file(targets, own, file)
            });
            waiting.collect()
        } else {
            waiting.clone()
        };
        self.keep_unreleased(changes, &mut list.waiting)?;
        list.lane = own.iter().flatten().find_map(|name| self.files.lane(name));
        list.files = Some(Rc::clone(self.files));
        Ok((list, warnings))
    }

    /// Takes the files out that name only packages with the bump `none`, of which the tool never releases one: they stay.
    fn keep_unreleased(&self, changes: &[(Oid, Change)], waiting: &mut Vec<ListedFile>) -> anyhow::Result<()> {
        let without_bump =
            changes.iter().filter(|(_, change)| change.targets.is_empty() && !change.unbumped.is_empty());
        let without_bump: Vec<&Change> = without_bump.map(|(_, change)| change).collect();
        if without_bump.is_empty() {
            return Ok(());
        }
        let scope = &self.history.scope;
        let released = self.files.packages(&CommitFiles { repo: self.repo, commit: Some(scope.to) })?;
        let released: HashSet<&str> = released.iter().map(|package| package.name.as_str()).collect();
        let is_released = |name: &String| released.is_empty() || released.contains(name.as_str());
        let kept = without_bump.iter().filter(|change| !change.unbumped.iter().all(is_released));
        let kept: HashSet<&str> = kept.map(|change| change.path.as_str()).collect();
        waiting.retain(|file| !kept.contains(file.path.as_str()));
        Ok(())
    }

    fn parse(&self) -> anyhow::Result<ParsedChanges> {
        ParsedChanges::read(self.repo, self.files, self.history.scope.to, self.paths()?)
    }

    /// Returns the changes that wait for a release, if packages share a range: they wait for all of them alike.
    fn shared(&self) -> anyhow::Result<Option<Rc<ParsedChanges>>> {
        let scope = &self.history.scope;
        if scope.shared.is_none() || scope.request.version.is_some() || self.files.selected.is_some() {
            return Ok(None);
        }
        let mut known = scope.known.waiting.borrow_mut();
        if let Some((commit, parsed)) = known.as_ref()
            && *commit == scope.to
        {
            return Ok(Some(Rc::clone(parsed)));
        }
        let parsed = Rc::new(self.parse()?);
        *known = Some((scope.to, Rc::clone(&parsed)));
        Ok(Some(parsed))
    }

    /// Returns the change files, in the order of their names, each with the commit that has its text.
    fn paths(&self) -> anyhow::Result<Vec<(Oid, String)>> {
        let mut paths = match &self.history.scope.request.version {
            Some(version) if self.files.selected.is_none() => match self.of_pre_release(version)? {
                None => self.consumed(version)?,
                found => found,
            },
            _ => None,
        };
        if paths.is_none() {
            let mut waiting = self.waiting()?;
            waiting.retain(|(_, path)| !self.is_of_earlier_pre_release(path));
            if let Some(selected) = &self.files.selected {
                waiting.extend(self.deleted()?);
                waiting.retain(|(_, path)| selected.iter().any(|change| change.file == file_id(path)));
            }
            paths = Some(waiting);
        }
        let mut paths = paths.unwrap_or_default();
        paths.retain(|(_, path)| self.files.has(file_name(path)));
        paths.sort_by(|(_, left), (_, right)| file_id(left).cmp(file_id(right)).then_with(|| left.cmp(right)));
        // A file that moved in the range is the same file.
        paths.dedup_by(|(_, left), (_, right)| file_id(left) == file_id(right));
        // What pre-releases had comes after the rest, as changesets reads it.
        paths.sort_by_key(|(_, path)| self.is_below_another(path));
        Ok(paths)
    }

    /// Whether a file is in a directory within another one that has change files.
    fn is_below_another(&self, path: &str) -> bool {
        let rest = |directory: &String| path.strip_prefix(directory.as_str())?.strip_prefix('/');
        self.files.directories.iter().filter_map(rest).any(|rest| rest.contains('/'))
    }

    /// Returns the files at the end of the range.
    fn waiting(&self) -> anyhow::Result<Vec<(Oid, String)>> {
        let to = self.history.scope.to;
        let found = listed_changes::paths_at(self.repo, to, self.files)?;
        Ok(found.into_iter().map(|path| (to, path)).collect())
    }

    /// Returns the files that commits of the range deleted, each with the commit before.
    fn deleted(&self) -> anyhow::Result<Vec<(Oid, String)>> {
        let deleting = deleting_commits(self.repo, &self.history.ordinary_commits(), &self.files.directories)?;
        let files = |one: DeletingCommit| one.files.into_iter().map(move |file| (one.parent, file));
        Ok(deleting.into_iter().flat_map(files).collect())
    }

    /// Finds the files that pre-releases had since the start of the range; `None` if it does not end with the release of
    /// one.
    fn of_pre_release(&self, version: &Version) -> anyhow::Result<Option<Vec<(Oid, String)>>> {
        let pre_release = self.files.pre_release.as_ref().filter(|pre| version.is_pre_release() && !pre.is_ending);
        let Some(pre_release) = pre_release else { return Ok(None) };
        if !self.is_tagged(&version.to_string())? {
            return Ok(None);
        }
        let had_at = |commit: Oid| -> anyhow::Result<HashSet<String>> {
            let Some(files) = listed_changes::find(self.repo, commit)? else { return Ok(HashSet::new()) };
            let Some(then) = &files.pre_release else { return Ok(HashSet::new()) };
            if !pre_release.had.is_empty() {
                return Ok(then.had.clone());
            }
            let paths = listed_changes::paths_at(self.repo, commit, &files)?;
            Ok(paths.iter().filter(|path| pre_release.has_had(path)).map(|path| file_id(path).to_owned()).collect())
        };
        let mut had = had_at(self.history.scope.to)?;
        if let Some(start) = self.history.start.commit() {
            let before = had_at(start)?;
            had.retain(|id| !before.contains(id));
        }
        let mut files = self.waiting()?;
        files.extend(self.deleted()?);
        files.retain(|(_, path)| had.contains(file_id(path)));
        Ok(Some(files))
    }

    /// Finds the files that the release of a version consumed; `None` if the range does not end with that release.
    ///
    /// A release deletes the files in the commit that adds the heading of the version to the changelog. Where no commit
    /// does that and the version is tagged, every deletion that goes with a change of the changelog counts, else every
    /// deletion.
    fn consumed(&self, version: &Version) -> anyhow::Result<Option<Vec<(Oid, String)>>> {
        let commits = self.history.ordinary_commits();
        let deleting = deleting_commits(self.repo, &commits, &self.files.directories)?;
        let changelog = self.changelog()?;
        let (mut with_heading, mut with_changelog) = (Vec::new(), Vec::new());
        let version = version.to_string();
        for one in &deleting {
            let text = |commit| git::file::read_at_commit(self.repo, commit, &changelog);
            let (before, after) = (text(one.parent)?.unwrap_or_default(), text(one.commit)?.unwrap_or_default());
            if before != after {
                with_changelog.push(one);
            }
            // Packages that share a changelog may have had the same version before.
            if headings(&after, &version) > headings(&before, &version) {
                with_heading.push(one);
            }
        }
        let files = |commits: &[&DeletingCommit]| {
            let files = commits.iter().flat_map(|one| one.files.iter().map(|file| (one.parent, file.clone())));
            Some(files.collect::<Vec<_>>())
        };
        if !with_heading.is_empty() {
            return Ok(files(&with_heading));
        }
        if !self.is_tagged(&version)? {
            return Ok(None);
        }
        let all: Vec<&DeletingCommit> = deleting.iter().collect();
        Ok(files(if with_changelog.is_empty() { &all } else { &with_changelog }))
    }

    /// Whether a file is in the section of an earlier pre-release: the tool lists it again in the stable release only.
    fn is_of_earlier_pre_release(&self, path: &str) -> bool {
        let pre_release = self.files.pre_release.as_ref().filter(|pre| !pre.is_ending);
        let version = self.history.scope.request.version.as_ref();
        pre_release.is_some_and(|pre| pre.has_had(path)) && version.is_none_or(Version::is_pre_release)
    }

    fn changelog(&self) -> anyhow::Result<String> {
        match &self.files.changelog {
            Some(changelog) if self.history.config().file.is_none() => Ok(changelog.clone()),
            _ => self.history.scope.changelog_file(),
        }
    }

    /// Whether the range ends at a tag of the version.
    fn is_tagged(&self, version: &str) -> anyhow::Result<bool> {
        let tags = self.history.scope.tag_names()?;
        for tag in tags.iter().filter(|tag| tag.ends_with(version)) {
            if git::tags::peel(self.repo, tag)? == Some(self.history.scope.to) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the names of the package that the configuration is of; `None` if it is of the whole repository.
    fn own_packages(&self) -> anyhow::Result<Option<HashSet<String>>> {
        let config = self.history.config();
        let prefix = config.tag_prefix.as_deref().unwrap_or_default();
        if prefix.trim_end_matches('v').is_empty() && config.paths.is_empty() {
            return Ok(None);
        }
        let key = self.history.scope.package_name().unwrap_or_default();
        let of_tags = tag_names::name_in_prefix(prefix);
        let mut names: HashSet<String> =
            [of_tags, key].into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let tree = CommitFiles { repo: self.repo, commit: Some(self.history.scope.to) };
        for path in config.paths.iter().filter(|path| !path.starts_with(['!', ':'])) {
            let directory = path.trim_end_matches(['*', '/']);
            names.extend(self.files.listed_packages_in(directory).map(str::to_owned));
            for (file, table) in [("package.json", ""), ("Cargo.toml", "package"), ("pyproject.toml", "project")] {
                let path = if directory == "." { file.to_owned() } else { format!("{directory}/{file}") };
                let Some(bytes) = tree.read(&path)? else { continue };
                names.extend(manifest_name(&bytes, file, table));
            }
        }
        names.retain(|name| !is_of_neighbor(&config.packages, key, name));
        Ok(Some(names))
    }

    /// Adds the commit that added each file, and the request that brought it in. Of changes that packages share, all
    /// these commits are found at once.
    fn with_commits(
        &self,
        changes: Vec<(Oid, &Change, Vec<Target>)>,
        shared: Option<&ParsedChanges>,
        warnings: &mut Vec<Warning>,
    ) -> Vec<AddedChange> {
        let own;
        let found = if let Some(shared) = shared.filter(|_| !changes.is_empty()) {
            shared.adding(self.repo, self.history.scope.to, &self.files.directories)
        } else {
            own = self.adding(&changes);
            &own
        };
        warnings.extend(found.warnings.iter().cloned());
        let forge = self.history.project().forge_of_messages();
        let request = |commit: &Commit| MergeRequestReference::from_own_message(&commit.as_commit_ref(), forge);
        changes
            .into_iter()
            .map(|(_, change, targets)| {
                let adding = found.commits.get(file_name(&change.path));
                let of_merge = adding.and_then(|adding| request(adding.merge.as_ref()?));
                AddedChange {
                    change: change.clone(),
                    targets,
                    request: of_merge.or_else(|| request(&adding?.commit)),
                    commit: adding.map(|adding| Box::new(adding.commit.clone())),
                }
            })
            .collect()
    }

    /// Finds the commits that added the files of these changes, by the names of the files.
    fn adding(&self, changes: &[(Oid, &Change, Vec<Target>)]) -> AddingCommits {
        let is_partly_here = self.repo.asks_server() || self.repo.is_shallow();
        let part = is_partly_here.then(|| self.history.known_part());
        let mut found = AddingCommits::default();
        let tips: HashSet<Oid> = changes.iter().map(|(tip, _, _)| *tip).collect();
        for tip in tips {
            let own = changes.iter().filter(|(other, _, _)| *other == tip);
            let names = own.map(|(_, change, _)| file_name(&change.path).to_owned()).collect();
            found.find(self.repo, tip, &self.files.directories, names, part.as_ref());
        }
        found
    }
}

/// Returns a file that waits if it has changes of these packages, or none at all; with the packages if it has others too.
fn listed_file(targets: &[&Target], own: &HashSet<String>, file: &ListedFile) -> Option<ListedFile> {
    let named: Vec<&String> = targets.iter().filter_map(|target| target.package.as_ref()).collect();
    if named.len() < targets.len() || named.iter().all(|name| own.contains(*name)) {
        return Some(file.clone());
    }
    let packages: Vec<String> = named.into_iter().filter(|name| own.contains(*name)).cloned().collect();
    (!packages.is_empty()).then(|| ListedFile { packages: Some(packages), ..file.clone() })
}

fn manifest_name(bytes: &[u8], file: &str, table: &str) -> Option<String> {
    let config = ForeignConfig::parse(bytes, file).ok()?;
    let fields = config.fields().ok()?;
    let of = |fields: &[crate::config::Field<'_>]| {
        fields.iter().find(|field| field.key() == "name").and_then(|field| field.filled().ok())
    };
    if table.is_empty() {
        return of(&fields);
    }
    of(&fields.iter().find(|field| field.key() == table)?.fields().ok()?)
}

/// Counts the short lines of a changelog, in any markup, that name a version.
fn headings(changelog: &[u8], version: &str) -> usize {
    const MOST_WORDS: usize = 8;
    let is_heading = |line: &&str| {
        let mut words = line.split(|sign: char| sign.is_whitespace() || "[]()@".contains(sign));
        !line.starts_with(['-', '*', ' ', '\t'])
            && line.split_whitespace().count() <= MOST_WORDS
            && words
                .any(|word| word.trim_start_matches(['v', '\\', '`', '*']).trim_end_matches(['`', '*', ':']) == version)
    };
    String::from_utf8_lossy(changelog).lines().filter(is_heading).count()
}
