//! A release that the branch holds and that has no tag yet: the request of a release was merged, or somebody committed
//! the section by hand.
//!
//! The branch alone says so, however it was merged: its changelog file has a section above the last release, and a
//! commit that was made for a release introduced it. That commit is tagged, and not the tip: what came after it is not
//! in the section.

use std::path::{Path, PathBuf};

use super::{ReleaseContext, edits::has_released};
use crate::{
    git::{self, Repo, commit_record, file::path_in_tree, revision},
    model::{Oid, Project, Version, compare_versions, repository::CommitRecord},
    pipeline::{
        base::{last_release::last_release, tags::Tags},
        scope::{Scope, changelog_file, loaded_config::CommitFiles},
    },
    sources::titles,
    version_files::{VersionEdits, workspace::RaisedRequirements},
};

/// The key of the trailer that commits of a release request have. Its value is the version, after the package if there
/// is one.
pub(crate) const RELEASE_TRAILER: &str = "Tidings-Release";

/// The key of the trailer with a version that people chose by editing the heading.
pub(super) const CHOSEN_TRAILER: &str = "Release-As";

/// A version whose section the branch has, and the commit to tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MergedRelease {
    pub(super) version: Version,
    pub(super) commit: Oid,
}

impl MergedRelease {
    /// Finds the release; `is_asked` says whether a version may be meant.
    pub(super) fn find(
        context: &ReleaseContext,
        scope: &Scope,
        file: &Path,
        is_asked: impl Fn(&Version) -> bool,
    ) -> anyhow::Result<Option<Self>> {
        let (repo, tip) = (scope.repo, scope.to);
        let tags = Tags::load(scope)?;
        let newest = changelog_file::read(repo, tip, file)?;
        let candidates = newest.released_versions();
        let candidates = candidates.iter().filter_map(|version| version.parse::<Version>().ok());
        let mut untagged = candidates.filter(|version| tags.tag_of(version).is_none()).peekable();
        if untagged.peek().is_none() {
            return Ok(None);
        }
        let Ok(tags) = tags.clone().narrow_to_family(scope) else { return Ok(None) };
        let base = last_release(repo, &tags, tip)?;
        // Several may be releases that nobody tagged.
        let mut above = untagged.filter(|version| {
            base.as_ref().is_none_or(|base| compare_versions(&version.to_string(), &base.version).is_gt())
        });
        let (Some(version), None) = (above.next(), above.next()) else { return Ok(None) };
        if !is_asked(&version) {
            return Ok(None);
        }
        let files = ReleaseFiles::new(context, scope, file)?;
        let commit = files.find_commit(base.map(|base| base.commit), &version)?;
        Ok(commit.map(|commit| Self { version, commit }))
    }
}

/// The files that releases change.
struct ReleaseFiles<'a> {
    scope: &'a Scope<'a>,
    file: &'a Path,
    /// The changelog files of all packages, which one commit may release.
    changelogs: Vec<PathBuf>,
}

impl<'a> ReleaseFiles<'a> {
    fn new(context: &ReleaseContext, scope: &'a Scope<'a>, file: &'a Path) -> anyhow::Result<Self> {
        let mut changelogs = vec![file.to_owned()];
        for name in context.scope.config().packages.keys() {
            changelogs.extend(context.scope.package(name)?.changelog_file().ok().map(PathBuf::from));
        }
        Ok(Self { scope, file, changelogs })
    }

    /// Finds the commit to tag: that which introduced the section or made it again, or the last of the commits that edited
    /// only the files of the release right after it, as a rebased request leaves them. `None` if no commit after `base`
    /// was made for the release.
    fn find_commit(&self, base: Option<Oid>, version: &Version) -> anyhow::Result<Option<Oid>> {
        let (repo, tip) = (self.scope.repo, self.scope.to);
        let mut line = vec![tip];
        let mut at = tip;
        while let Some(parent) = revision::first_parent(repo, at)? {
            if !has_released(repo, parent, self.file, version)? || self.is_section_of(at, version)? {
                break;
            }
            if Some(parent) == base {
                return Ok(None);
            }
            line.push(parent);
            at = parent;
        }
        // A root commit introduced everything.
        if revision::first_parent(repo, at)?.is_none() {
            return Ok(None);
        }
        let Some(edits) = self.version_edits(at, version)? else { return Ok(None) };
        let mut paths: Vec<String> = self.changelogs.iter().map(|path| path_in_tree(path)).collect();
        paths.extend(edits.paths().map(|path| path_in_tree(Path::new(path))));
        if !is_made_for(repo, at, version, &edits, &paths)? {
            return Ok(None);
        }
        for next in line.iter().rev().skip(1) {
            if !is_trailed(repo, *next)? && !changes_only(repo, *next, &paths)? {
                break;
            }
            at = *next;
        }
        Ok(Some(at))
    }

    /// Whether a commit says that it made the section of the version, and changes nothing but changelog files.
    fn is_section_of(&self, commit: Oid, version: &Version) -> anyhow::Result<bool> {
        let paths: Vec<String> = self.changelogs.iter().map(|path| path_in_tree(path)).collect();
        Ok(names_release(self.scope.repo, commit, version)? && changes_only(self.scope.repo, commit, &paths)?)
    }

    /// Returns the edits of version files at a commit; `None` if the files do not have the version.
    fn version_edits(&self, commit: Oid, version: &Version) -> anyhow::Result<Option<VersionEdits>> {
        let repo = self.scope.repo;
        let files = CommitFiles { repo, commit: Some(commit) };
        let planned = VersionEdits::plan(
            &self.scope.config().version_files,
            &version.to_string(),
            &RaisedRequirements::default(),
            &files,
        );
        let Ok(edits) = planned else { return Ok(None) };
        for path in edits.paths() {
            let content = git::file::read_at_commit(repo, commit, path)?.unwrap_or_default();
            if edits.apply(path, &content).ok().is_none_or(|new| new != content) {
                return Ok(None);
            }
        }
        Ok(Some(edits))
    }
}

/// Whether a commit was made for the release: by what it says, by the version files, or because it changes nothing
/// but changelog files.
fn is_made_for(
    repo: &Repo,
    commit: Oid,
    version: &Version,
    edits: &VersionEdits,
    paths: &[String],
) -> anyhow::Result<bool> {
    if names_release(repo, commit, version)? || is_trailed(repo, commit)? {
        return Ok(true);
    }
    Ok(edits.paths().next().is_some() || changes_only(repo, commit, paths)?)
}

/// Whether a line of a commit's message is the title of the version's release.
fn names_release(repo: &Repo, commit: Oid, version: &Version) -> anyhow::Result<bool> {
    let record = commit_record::load(repo, commit, &Project::default())?;
    let version = version.to_string();
    let mut lines = record.message.lines().map(str::trim);
    Ok(lines.any(|line| line.contains(&version) && titles::is_release(line.split(" (#").next().unwrap_or(line))))
}

/// Whether a commit was made for a release request.
fn is_trailed(repo: &Repo, commit: Oid) -> anyhow::Result<bool> {
    let record = commit_record::load(repo, commit, &Project::default())?;
    // The second parent of a merge is the request's own commit.
    let merged = record.parent_ids.get(1).and_then(|parent| {
        let parent = parent.parse::<Oid>().ok();
        parent.and_then(|parent| commit_record::load(repo, parent, &Project::default()).ok())
    });
    let has = |record: &CommitRecord| record.extended_trailers.contains_key(RELEASE_TRAILER);
    Ok(has(&record) || merged.is_some_and(|merged| has(&merged)))
}

/// Whether a commit changes something of these paths, and nothing else.
fn changes_only(repo: &Repo, commit: Oid, paths: &[String]) -> anyhow::Result<bool> {
    let parent = revision::first_parent(repo, commit)?;
    let changes = |paths: &[String]| anyhow::Ok(git::paths::find_changes(repo, [(commit, parent)], paths)? == [true]);
    let others: Vec<String> =
        [".".to_owned()].into_iter().chain(paths.iter().map(|path| format!(":!{path}"))).collect();
    Ok(changes(paths)? && !changes(&others)?)
}
