//! The handles through which commits, trees and files are read. A repository gives them out after it fetched what a
//! shallow clone or a repository by URL lacks, so that nothing can be read that somebody forgot to fetch.

use std::{cell::RefCell, collections::HashMap, ops::Deref, rc::Rc};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{Origin, RemoteSource, Repo};
use crate::{
    git::{
        known_trees::KnownTrees,
        object_id,
        walk::{CommitTable, HeaderReader, Store},
    },
    model::{Oid, Range},
};

/// A repository with the commits that it was asked for. Those of a clone end at its boundary if no remote completes it.
pub(in crate::git) struct FetchedCommits<'r>(CommitsRepo<'r>);

enum CommitsRepo<'r> {
    Whole(&'r Repo),
    /// It has only the commits of a range.
    Excerpt(Rc<Repo>),
}

/// A repository with the trees and blobs that it was asked for.
#[derive(Clone, Copy)]
pub(in crate::git) struct FetchedObjects<'r>(&'r Repo);

impl Deref for FetchedCommits<'_> {
    type Target = Repo;

    fn deref(&self) -> &Repo {
        match &self.0 {
            CommitsRepo::Whole(repo) => repo,
            CommitsRepo::Excerpt(repo) => repo,
        }
    }
}

impl Deref for FetchedObjects<'_> {
    type Target = Repo;

    fn deref(&self) -> &Repo {
        self.0
    }
}

impl FetchedCommits<'_> {
    fn excerpt(repo: Repo) -> Self {
        Self(CommitsRepo::Excerpt(Rc::new(repo)))
    }

    /// Returns the table of commits that earlier walks have read, for the next walk.
    pub(in crate::git) fn history(&self) -> &RefCell<Option<Box<CommitTable>>> {
        &self.history.table
    }

    /// Returns the object store of the commits.
    pub(in crate::git) fn store(&self) -> &Store {
        self.history.store(&self.inner)
    }

    /// Returns a reader of single commits, with the parents that they have in this repository.
    pub(in crate::git) fn header_reader(&self) -> Result<HeaderReader> {
        Ok(HeaderReader::new(self.store(), self.grafts()?, self.is_excerpt()))
    }

    /// Makes an empty table of commits. It can use the commit-graph only `with_graph`.
    pub(in crate::git) fn commit_table(&self, with_graph: bool) -> Result<CommitTable> {
        Ok(CommitTable::new(&self.inner, self.store(), self.header_reader()?, with_graph))
    }
}

impl<'r> FetchedObjects<'r> {
    pub(in crate::git) fn gix(self) -> &'r gix::Repository {
        &self.0.inner
    }

    /// Returns the trees of directories that were looked up, by the tree that the path starts at.
    pub(in crate::git) fn directories(self) -> &'r RefCell<HashMap<ObjectId, HashMap<String, ObjectId>>> {
        &self.0.directories
    }

    /// Returns the entries of large trees that were looked at.
    pub(in crate::git) fn known_trees(self) -> &'r RefCell<KnownTrees> {
        &self.0.known_trees
    }

    /// Whether this is the repository itself, and not another one into which its objects were fetched.
    pub(in crate::git) fn are_of(self, repo: &Repo) -> bool {
        std::ptr::eq(self.0, repo)
    }
}

/// Commits.
impl Repo {
    /// Returns the commits that the repository has itself. Nothing is fetched.
    pub(in crate::git) fn own_commits(&self) -> FetchedCommits<'_> {
        FetchedCommits(CommitsRepo::Whole(self))
    }

    /// Fetches the missing commits of a range.
    pub(in crate::git) fn with_range(&self, range: Range) -> Result<FetchedCommits<'_>> {
        let excerpt = self.server().map_or(Ok(None), |server| server.fetch_range(&self.inner, range))?;
        Ok(excerpt.map_or_else(|| self.own_commits(), |excerpt| FetchedCommits(CommitsRepo::Excerpt(excerpt))))
    }

    /// Fetches the missing ancestors of a commit.
    pub(in crate::git) fn with_history(&self, commit: Oid) -> Result<FetchedCommits<'_>> {
        self.with_range(Range { from: None, to: commit })
    }

    /// Fetches the missing ancestors of several commits at once.
    pub(in crate::git) fn with_histories(&self, commits: &[Oid]) -> Result<FetchedCommits<'_>> {
        let repo = self.origin_of_missing(commits.iter().copied()).unwrap_or(self);
        let ids: Vec<ObjectId> = commits.iter().map(|commit| object_id(*commit)).collect();
        repo.server().map_or(Ok(()), |server| server.fetch_histories(&repo.inner, &ids))?;
        Ok(repo.own_commits())
    }

    /// Fetches the missing ancestors of several commits at once, which later reads would fetch one by one.
    pub(crate) fn fetch_histories(&self, commits: &[Oid]) -> Result<()> {
        self.with_histories(commits).map(drop)
    }

    /// Fetches what git-describe(1) reads: the ancestors of a commit, and all tags.
    pub(in crate::git) fn fetch_described(&self, commit: Oid) -> Result<()> {
        self.server().map_or(Ok(()), RemoteSource::fetch_tags)?;
        self.with_history(commit).map(drop)
    }

    /// Fetches the commits that are reachable from `tips` and not from `end`, from a remote repository only these.
    pub(in crate::git) fn with_commits_beside(&self, end: Oid, tips: &[Oid]) -> Result<FetchedCommits<'_>> {
        let Some(server) = self.server() else { return Ok(self.own_commits()) };
        let tips: Vec<ObjectId> = tips.iter().map(|tip| object_id(*tip)).collect();
        server.excerpt(object_id(end), &tips).map(FetchedCommits::excerpt)
    }

    /// Fetches commits and their newest ancestors, up to a number of generations with themselves. `None` if there is no
    /// server to fetch them from.
    pub(in crate::git) fn with_newest(
        &self,
        tips: &[ObjectId],
        generations: u32,
    ) -> Result<Option<FetchedCommits<'static>>> {
        let server = self.origin().unwrap_or(self).server();
        server.map(|server| server.newest(tips, generations).map(FetchedCommits::excerpt)).transpose()
    }

    /// Fetches those objects that are missing, commits without ancestors; `None` if none can be fetched.
    pub(in crate::git) fn with_missing<'a>(
        &self,
        ids: impl Iterator<Item = &'a ObjectId>,
    ) -> Result<Option<FetchedCommits<'static>>> {
        let mut missing: Vec<ObjectId> = ids.copied().filter(|id| !self.inner.has_object(*id)).collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() { Ok(None) } else { self.with_newest(&missing, 1) }
    }

    /// Fetches a commit without its ancestors if it is missing.
    pub(in crate::git) fn with_commit(&self, commit: Oid) -> Result<FetchedCommits<'_>> {
        Ok(self.with_missing([object_id(commit)].iter())?.unwrap_or_else(|| self.own_commits()))
    }
}

/// Trees and blobs.
impl Repo {
    /// Returns the objects that the repository has itself. Nothing is fetched.
    pub(in crate::git) fn own_objects(&self) -> FetchedObjects<'_> {
        FetchedObjects(self)
    }

    /// Fetches a file of a commit, with the trees that lead to it.
    pub(in crate::git) fn with_file(&self, commit: Oid, path: &str) -> Result<FetchedObjects<'_>> {
        let server = self.origin_of_missing([commit].into_iter()).unwrap_or(self).server();
        server.map_or(Ok(self), |server| server.with_file(commit, path)).map(FetchedObjects)
    }

    /// Fetches the trees of these commits.
    pub(in crate::git) fn with_trees(&self, mut commits: Vec<ObjectId>) -> Result<FetchedObjects<'_>> {
        if let Some(server) = self.server() {
            return server.with_trees(commits).map(FetchedObjects);
        }
        commits.retain(|commit| !self.inner.has_object(*commit));
        match &self.origin {
            Some(origin) if !commits.is_empty() => self.with_trees_of_origin(origin, commits).map(FetchedObjects),
            _ => Ok(self.own_objects()),
        }
    }

    fn with_trees_of_origin<'a>(&'a self, origin: &'a Origin, commits: Vec<ObjectId>) -> Result<&'a Self> {
        let server = self.origin().and_then(Self::server).context("`origin` cannot be asked for trees")?;
        let fetched = server.with_trees(commits)?;
        if origin.with_trees.get().is_none() {
            let _ = origin.with_trees.set(self.with_objects_of(fetched)?);
        }
        origin.with_trees.get().context("it was just set")
    }

    /// Fetches the trees and blobs of a commit.
    pub(in crate::git) fn with_blobs(&self, commit: Oid) -> Result<FetchedObjects<'_>> {
        self.server().map_or(Ok(self), |server| server.with_blobs(commit)).map(FetchedObjects)
    }

    /// Fetches the blob `name`. Returns its name there, too.
    pub(in crate::git) fn with_blob(&self, name: &str) -> Result<(FetchedObjects<'_>, String)> {
        let (repo, name) =
            self.server().map_or_else(|| Ok((self, name.to_owned())), |server| server.with_blob(self, name))?;
        Ok((FetchedObjects(repo), name))
    }
}
