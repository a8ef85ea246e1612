//! A remote repository that is fetched as far as it is read: the primitives that bring commits, trees and blobs.

use std::{cell::RefCell, collections::BTreeSet, fmt, fs, rc::Rc};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    hashtable::HashSet,
    objs::{Kind, Write as _},
};

use super::{
    clone::LocalClone,
    known_history::{FetchPlan, KnownHistory},
    options::FetchPhase,
    references::References,
    request::{FetchRequest, ObjectFilter},
    server::{FetchSummary, RemoteServer},
    storage::{self, Storage},
    url::RepoUrl,
};
use crate::{
    git::{Repo, object_id, oid},
    interrupt::TemporaryDirectory,
    model::{Problem, Range},
};

/// The server of a repository, and what was fetched from it so far.
pub(super) struct LazyRemote {
    pub(super) url: RepoUrl,
    pub(super) server: RefCell<RemoteServer>,
    pub(super) references: RefCell<References>,
    /// The repository of trees and blobs.
    pub(super) files: Repo,
    pub(super) extent: RefCell<Option<KnownHistory>>,
    /// Ranges that the history cannot take, each with the repository that has it.
    pub(super) excerpts: RefCell<Vec<(Range, Rc<Repo>)>>,
    pub(super) clone: Option<LocalClone>,
    /// Last, so that it is removed when nothing reads it any more.
    pub(super) storage: Storage,
}

impl fmt::Debug for LazyRemote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LazyRemote").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The history of a commit, by where it is.
#[derive(Default)]
pub(super) struct Published {
    /// The newest commits of it that the server has.
    pub(super) tips: Vec<ObjectId>,
    /// The commits that only the clone has.
    pub(super) own: Vec<ObjectId>,
}

/// Commits.
impl LazyRemote {
    /// Fetches the commits of a range that are not present, into the repository of the history; into an excerpt of their
    /// own if the history begins after the range.
    pub(super) fn fetch_commits(&self, history: &gix::Repository, range: Range) -> Result<Option<Rc<Repo>>> {
        let (from, to) = (range.from.map(object_id), object_id(range.to));
        if let Some(known) = self.excerpts.borrow().iter().find(|(of, _)| *of == range) {
            return Ok(Some(Rc::clone(&known.1)));
        }
        if let Some(from) = from
            && !self.continues_at(history, from)?
        {
            let excerpt = Rc::new(self.fetch_beside(from, &[to])?);
            self.excerpts.borrow_mut().push((range, Rc::clone(&excerpt)));
            return Ok(Some(excerpt));
        }
        self.extend(history, from, self.published(to)?)?;
        Ok(None)
    }

    /// Fetches all ancestors of several commits at once into the repository of the history: each fetch leaves a pack.
    pub(super) fn fetch_histories(&self, history: &gix::Repository, commits: &[ObjectId]) -> Result<()> {
        let mut all = Published::default();
        for commit in commits {
            let Published { tips, own } = self.published(*commit)?;
            all.tips.extend(tips);
            all.own.extend(own);
        }
        all.tips.sort_unstable();
        all.tips.dedup();
        self.extend(history, None, all)
    }

    /// Fetches what is reachable from some commits and not from another one into the repository of the history.
    fn extend(&self, history: &gix::Repository, from: Option<ObjectId>, to: Published) -> Result<()> {
        let Published { tips, own } = to;
        let mut plan = KnownHistory::plan(self.extent.borrow().as_ref(), history, from, &tips);
        if !plan.wants.is_empty() {
            let received = self.fetch_planned(history, &mut plan)?;
            extend_shallow_boundary(history, received.shallow_boundary)?;
            let boundary = plan.extent.boundary.filter(|boundary| !history.has_object(boundary));
            let extent = KnownHistory { boundary, ..plan.extent };
            extent.write(&self.storage.extent())?;
            *self.extent.borrow_mut() = Some(extent);
        }
        self.copy_own(&own, history)
    }

    /// Whether the repository of the history can take a range that starts there. What is kept in a cache takes any.
    fn continues_at(&self, history: &gix::Repository, from: ObjectId) -> Result<bool> {
        let is_covered = self.extent.borrow().as_ref().is_none_or(|known| known.covers(history, from));
        Ok((is_covered || self.storage.is_kept()) && self.published(from)?.own.is_empty())
    }

    /// Fetches what a plan wants. The newest commits that are present are asked for again, which the server may refuse.
    fn fetch_planned(&self, history: &gix::Repository, plan: &mut FetchPlan) -> Result<FetchSummary> {
        let packs = storage::pack_directory(history.git_dir());
        let fetch = |ids: &[ObjectId]| {
            let wanted = FetchRequest { ids, haves: &plan.haves, ..FetchRequest::default() };
            self.server.borrow_mut().fetch(FetchPhase::Commits, wanted, &packs)
        };
        match fetch(&[plan.wants.as_slice(), &plan.old].concat()) {
            Err(_) if !plan.old.is_empty() => fetch(&plan.wants),
            fetched => {
                plan.extent.tips.append(&mut plan.old);
                fetched
            }
        }
    }

    /// Fetches a commit and all of its ancestors.
    pub(super) fn fetch_ancestors(&self, history: &gix::Repository, to: ObjectId) -> Result<()> {
        self.fetch_commits(history, Range { from: None, to: oid(&to) }).map(drop)
    }

    /// A repository of the commits that are in the history of `tips` and not in that of `hidden`.
    pub(super) fn fetch_beside(&self, hidden: ObjectId, tips: &[ObjectId]) -> Result<Repo> {
        let (haves, mut wants, mut own) = (self.published(hidden)?, Vec::new(), Vec::new());
        for tip in tips {
            let published = self.published(*tip)?;
            wants.extend(published.tips);
            own.extend(published.own.into_iter().filter(|id| !haves.own.contains(id)));
        }
        wants.sort_unstable();
        wants.dedup();
        let excerpt =
            self.fetch_excerpt(FetchRequest { ids: &wants, haves: &haves.tips, ..FetchRequest::default() })?;
        self.copy_own(&own, excerpt.gix())?;
        Ok(excerpt)
    }

    /// A repository of what is wanted alone; an empty one if nothing is.
    pub(super) fn fetch_excerpt(&self, wanted: FetchRequest) -> Result<Repo> {
        let directory = TemporaryDirectory::new().context("cannot make a temporary directory")?;
        let path = storage::init(directory.path().join("excerpt.git"), self.files.gix().object_hash())?;
        let excerpt = Repo::excerpt(&path, directory)?;
        if !wanted.ids.is_empty() {
            let packs = storage::pack_directory(excerpt.git_dir());
            let received = self.server.borrow_mut().fetch(FetchPhase::Commits, wanted, &packs)?;
            extend_shallow_boundary(excerpt.gix(), received.shallow_boundary)?;
        }
        Ok(excerpt)
    }
}

/// Commits that only a clone has.
impl LazyRemote {
    /// Finds which part of a commit's history the server has. A commit that is not in the clone came from the server.
    pub(super) fn published(&self, commit: ObjectId) -> Result<Published> {
        let whole = || Published { tips: vec![commit], own: Vec::new() };
        let Some(clone) = self.clone.as_ref().filter(|clone| clone.repo.has_object(commit)) else { return Ok(whole()) };
        let is_known = self.references.borrow().has(commit) || clone.fetched_tips()?.contains(&commit);
        if is_known
            || clone.fetched()?.contains(&commit)
            || (self.server.borrow().is_v2() && self.check_commit(commit).is_ok())
        {
            return Ok(whole());
        }
        let (mut found, mut met, mut pending) = (Published::default(), HashSet::default(), vec![commit]);
        while let Some(id) = pending.pop() {
            if clone.fetched()?.contains(&id) {
                found.tips.push(id);
            } else {
                found.own.push(id);
                pending.extend(clone.parents(id).into_iter().filter(|parent| met.insert(*parent)));
            }
        }
        Ok(found)
    }

    /// Copies commits of the clone.
    fn copy_own(&self, own: &[ObjectId], into: &gix::Repository) -> Result<()> {
        let Some(clone) = &self.clone else { return Ok(()) };
        for id in own {
            let commit = clone.repo.find_commit(*id)?;
            into.write_buf(Kind::Commit, &commit.data)
                .map_err(|error| anyhow::anyhow!("cannot copy a commit: {error}"))?;
        }
        Ok(())
    }
}

/// Single objects, trees and blobs.
impl LazyRemote {
    /// Makes sure that the server has a commit of this ID. Servers of the old protocol know only what their references name.
    pub(super) fn check_commit(&self, id: ObjectId) -> Result<()> {
        let (sends_any_object, is_v2) = {
            let server = self.server.borrow();
            (server.can_send_any_object(), server.is_v2())
        };
        let context = || self.unknown(&id.to_string());
        if sends_any_object {
            self.fetch_commit(id, ObjectFilter::NoTrees).with_context(context)?;
        } else if is_v2 {
            // A pack without objects, or a refusal.
            let wanted = FetchRequest { ids: &[id], haves: &[id], ..FetchRequest::default() };
            self.fetch_files(FetchPhase::Commits, wanted).with_context(context)?;
        }
        Ok(())
    }

    /// The error for a revision that the server does not have.
    pub(super) fn unknown(&self, name: &str) -> Problem {
        Problem::new(format!("`{name}` is not a tag, branch or commit of `{}`", self.url))
            .hint("run `git ls-remote URL` to list the tags and branches")
    }

    /// Fetches a commit with its root tree, and returns the tree's ID.
    pub(super) fn fetch_root(&self, commit: ObjectId) -> Result<ObjectId> {
        let filter = match &*self.server.borrow() {
            server if server.can_send_any_object() => ObjectFilter::Roots,
            server if server.can_leave_files_out() => ObjectFilter::NoBlobs,
            _ => ObjectFilter::Unfiltered,
        };
        let tree = self.fetch_commit(commit, filter)?;
        self.fetch_object_of(commit, tree)?;
        Ok(tree)
    }

    /// Fetches a single object of a commit, with all the others if the server does not send it alone.
    pub(super) fn fetch_object_of(&self, commit: ObjectId, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        if self.server.borrow().can_send_any_object() {
            return self.fetch_object(id);
        }
        self.fetch_snapshots(&[commit], ObjectFilter::Unfiltered)?;
        self.server.borrow_mut().warn_of_size();
        Ok(())
    }

    /// Fetches a commit without its ancestors, and returns the ID of its root tree.
    fn fetch_commit(&self, commit: ObjectId, depth: ObjectFilter) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let phase = if depth == ObjectFilter::NoTrees { FetchPhase::Commits } else { FetchPhase::Files };
            self.fetch_files(phase, FetchRequest { ids: &[commit], haves: &[], depth, generations: 1 })?;
            if depth == ObjectFilter::Unfiltered {
                self.server.borrow_mut().warn_of_size();
            }
        }
        let tree = files.find_commit(commit).and_then(|commit| Ok(commit.tree_id()?.detach()));
        tree.with_context(|| format!("`{commit}` is not a commit"))
    }

    /// Fetches a single object.
    pub(super) fn fetch_object(&self, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        let wanted = FetchRequest { ids: &[id], depth: ObjectFilter::Roots, ..FetchRequest::default() };
        self.fetch_files(FetchPhase::Files, wanted).map(drop)
    }

    /// Fetches what commits hold, without their ancestors. A commit that is present may have come for one of its files, so
    /// it is fetched in any case.
    pub(super) fn fetch_snapshots(&self, ids: &[ObjectId], depth: ObjectFilter) -> Result<&Repo> {
        if !ids.is_empty() {
            self.fetch_files(FetchPhase::Files, FetchRequest { ids, haves: &[], depth, generations: 1 })?;
        }
        Ok(&self.files)
    }

    /// Fetches what is not part of the history.
    pub(super) fn fetch_files(&self, phase: FetchPhase, wanted: FetchRequest) -> Result<FetchSummary> {
        self.server.borrow_mut().fetch(phase, wanted, &storage::pack_directory(self.files.git_dir()))
    }
}

/// Notes at which commits the server's own history ends: it may be a shallow clone itself (gitrepository-layout(5),
/// `shallow`).
fn extend_shallow_boundary(history: &gix::Repository, commits: Vec<ObjectId>) -> Result<()> {
    let known = history.shallow_commits().context("cannot read the list of shallow commits")?;
    let all: BTreeSet<_> = known.iter().flat_map(|known| known.iter().copied()).chain(commits).collect();
    if all.is_empty() {
        return Ok(());
    }
    let lines = all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    fs::write(history.shallow_file()?, lines).context("cannot write the list of shallow commits")
}
