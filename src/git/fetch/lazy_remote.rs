//! A remote repository that is fetched as far as it is read: the source behind a [`Repo`], and the fetches of commits,
//! trees and blobs.

use std::{
    cell::{Cell, RefCell},
    fmt,
    rc::Rc,
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    objs::{Kind, Write as _},
};

use super::{
    extent::{FetchPlan, HistoryExtent},
    local_clone::{LocalClone, PublishedHistory},
    options::FetchPhase,
    references::References,
    request::{FetchRequest, FetchSummary, ObjectFilter},
    server::RemoteServer,
    storage::{self, Storage},
    url::RepoUrl,
};
use crate::{
    git::{RemoteSource, Repo, object_id, oid, revision},
    interrupt::TemporaryDirectory,
    model::{Oid, Problem, Range},
};

/// The server of a repository, and everything that was fetched from it.
pub(super) struct LazyRemote {
    pub(super) url: RepoUrl,
    pub(super) server: RefCell<RemoteServer>,
    pub(super) references: RefCell<References>,
    /// The repository of trees and blobs.
    pub(super) files: Repo,
    pub(super) extent: RefCell<Option<HistoryExtent>>,
    /// Ranges that cannot extend the history, each with the repository of its commits.
    pub(super) excerpts: RefCell<Vec<(Range, Rc<Repo>)>>,
    /// Whether a fetch brought less than it should have, so that what is here of the history proves nothing.
    pub(super) is_damaged: Cell<bool>,
    pub(super) clone: Option<LocalClone>,
    /// The last field, so that it is removed when nothing reads it any more.
    pub(super) storage: Storage,
}

impl fmt::Debug for LazyRemote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LazyRemote").field("url", &self.url).finish_non_exhaustive()
    }
}

impl RemoteSource for LazyRemote {
    fn url(&self) -> gix::Url {
        self.url.gix().clone()
    }

    fn bytes(&self) -> u64 {
        self.server.borrow().bytes()
    }

    fn tag(&self, name: &str) -> Option<Oid> {
        self.references.borrow().tag(name).map(|commit| oid(&commit))
    }

    fn resolve(&self, history: &Repo, spec: &str) -> Result<Oid> {
        let (name, suffix) = spec.split_at(spec.find(['~', '^']).unwrap_or(spec.len()));
        let name = if ["", "@"].contains(&name) { "HEAD" } else { name };
        let revision = match ObjectId::from_hex(name.as_bytes()) {
            Ok(id) => self.check_commit(id).map(|()| id)?,
            Err(_) => match self.find_named(name)? {
                Some(id) => id,
                None if revision::is_abbreviated(name) => return self.search(history, name, spec),
                None => return Err(self.unknown_revision(name).into()),
            },
        };
        if ["", "^{}", "^{commit}", "^0"].contains(&suffix) {
            return Ok(oid(&revision));
        }
        let named = format!("{revision}{suffix}");
        let context = || self.unknown_revision(spec);
        if let Some(steps) = revision::steps_back(suffix) {
            return revision::commit(&self.newest(&[revision], steps + 1)?, &named).with_context(context);
        }
        self.fetch_histories(history.gix(), &[revision])?;
        revision::commit(history, &named).with_context(context)
    }

    /// Requests the ancestor as if the other commit were present: if it is an ancestor, the server sends no objects.
    fn is_ancestor(&self, ancestor: Oid, of: Oid) -> Result<bool> {
        let PublishedHistory { tips, own } = self.published_history(object_id(ancestor))?;
        let haves = self.published_history(object_id(of))?.tips;
        let wanted = FetchRequest { ids: &tips, haves: &haves, ..FetchRequest::default() };
        Ok(own.is_empty() && self.fetch_files(FetchPhase::Commits, wanted)?.objects == 0)
    }

    fn fetch_range(&self, history: &gix::Repository, range: Range) -> Result<Option<Rc<Repo>>> {
        let (from, to) = (range.from.map(object_id), object_id(range.to));
        if let Some(known) = self.excerpts.borrow().iter().find(|(of, _)| *of == range) {
            return Ok(Some(Rc::clone(&known.1)));
        }
        if let Some(from) = from
            && !self.continues_at(history, from)?
        {
            let excerpt = Rc::new(self.excerpt(from, &[to])?);
            self.excerpts.borrow_mut().push((range, Rc::clone(&excerpt)));
            return Ok(Some(excerpt));
        }
        self.extend(history, from, self.published_history(to)?)?;
        Ok(None)
    }

    fn fetch_histories(&self, history: &gix::Repository, commits: &[ObjectId]) -> Result<()> {
        self.extend(history, None, self.published_all(commits)?)
    }

    fn excerpt(&self, hidden: ObjectId, tips: &[ObjectId]) -> Result<Repo> {
        let (haves, wanted) = (self.published_history(hidden)?, self.published_all(tips)?);
        let request = FetchRequest { ids: &wanted.tips, haves: &haves.tips, ..FetchRequest::default() };
        let excerpt = self.fetch_excerpt(request)?;
        let own: Vec<_> = wanted.own.into_iter().filter(|id| !haves.own.contains(id)).collect();
        self.copy_own(&own, excerpt.gix())?;
        Ok(excerpt)
    }

    fn newest(&self, tips: &[ObjectId], generations: u32) -> Result<Repo> {
        self.fetch_excerpt(FetchRequest { ids: tips, generations, ..FetchRequest::default() })
    }

    /// Servers that cannot send single objects send all trees of the commit, and all its files if the path is a file.
    fn with_file(&self, commit: Oid, path: &str) -> Result<&Repo> {
        let (commit, files) = (object_id(commit), self.files.gix());
        let mut tree = self.fetch_root(commit)?;
        for part in path.split('/') {
            let entries = files.find_tree(tree)?;
            let Some(entry) = entries.find_entry(part) else { break };
            // Submodules are commits of another repository.
            if !entry.mode().is_commit() {
                self.fetch_object_of(commit, entry.object_id())?;
            }
            if !entry.mode().is_tree() {
                break;
            }
            tree = entry.object_id();
        }
        Ok(&self.files)
    }

    fn with_trees(&self, mut commits: Vec<ObjectId>) -> Result<&Repo> {
        commits.sort_unstable();
        commits.dedup();
        if commits.len() > 1 && !self.server.borrow().can_send_any_object() {
            let problem = Problem::new(format!("`{}` cannot send the trees of single commits", self.url));
            return Err(problem.hint("clone it, and run the command in the clone").into());
        }
        self.fetch_snapshots(&commits, ObjectFilter::NoBlobs)
    }

    fn fetch_tags(&self) -> Result<()> {
        let ids = self.references.borrow().tag_objects();
        if !ids.is_empty() {
            let filter = ObjectFilter::NoTrees;
            self.fetch_files(FetchPhase::Files, FetchRequest { ids: &ids, haves: &[], filter, generations: 1 })?;
        }
        Ok(())
    }

    fn with_blobs(&self, commit: Oid) -> Result<&Repo> {
        self.fetch_snapshots(&[object_id(commit)], ObjectFilter::Unfiltered)
    }

    fn with_blob(&self, history: &Repo, name: &str) -> Result<(&Repo, String)> {
        if let Some((revision, path)) = name.split_once(':') {
            let commit = self.resolve(history, revision)?;
            self.with_file(commit, path)?;
            return Ok((&self.files, format!("{commit}:{path}")));
        }
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            self.fetch_object(id)?;
        }
        Ok((&self.files, name.to_owned()))
    }
}

/// Commits.
impl LazyRemote {
    /// Returns the commit that a reference points at; asks the server if the reference was not listed yet.
    fn find_named(&self, name: &str) -> Result<Option<ObjectId>> {
        let known = self.references.borrow().find(name);
        match known {
            Some(id) => Ok(Some(id)),
            None => self.references.borrow_mut().request(name, &mut self.server.borrow_mut()),
        }
    }

    /// Searches the history of HEAD for an abbreviated ID.
    fn search(&self, history: &Repo, name: &str, spec: &str) -> Result<Oid> {
        let head = self.find_named("HEAD")?.ok_or_else(|| self.unknown_revision(name))?;
        self.fetch_histories(history.gix(), &[head])?;
        revision::commit(history, spec).with_context(|| self.unknown_revision(name))
    }

    /// Returns the error for a revision that the server does not have.
    fn unknown_revision(&self, name: &str) -> Problem {
        Problem::new(format!("`{name}` is not a tag, branch or commit of `{}`", self.url))
            .hint("run `git ls-remote URL` to list the tags and branches")
    }

    /// Finds which part of a commit's history the server has. A commit that the clone lacks came from the server.
    fn published_history(&self, commit: ObjectId) -> Result<PublishedHistory> {
        let whole = PublishedHistory { tips: vec![commit], own: Vec::new() };
        let Some(clone) = self.clone.as_ref().filter(|clone| clone.repo.has_object(commit)) else { return Ok(whole) };
        let is_published = self.references.borrow().contains(commit)
            || clone.is_fetched(commit)?
            || (self.server.borrow().is_v2() && self.check_commit(commit).is_ok());
        if is_published { Ok(whole) } else { clone.divide(commit) }
    }

    /// Finds which part of the history of several commits the server has.
    fn published_all(&self, commits: &[ObjectId]) -> Result<PublishedHistory> {
        let mut all = PublishedHistory::default();
        for commit in commits {
            let PublishedHistory { tips, own } = self.published_history(*commit)?;
            all.tips.extend(tips);
            all.own.extend(own);
        }
        all.tips.sort_unstable();
        all.tips.dedup();
        Ok(all)
    }

    /// Extends the repository of the history by the commits that are reachable from `to` and not from `from`.
    fn extend(&self, history: &gix::Repository, from: Option<ObjectId>, to: PublishedHistory) -> Result<()> {
        let PublishedHistory { tips, own } = to;
        let mut plan = HistoryExtent::plan(self.extent.borrow().as_ref(), history, from, &tips);
        if self.is_damaged.get() {
            return Err(Problem::new(format!("`{}` sent an incomplete history", self.url)).into());
        }
        if !plan.wants.is_empty() {
            let known = plan.haves.clone();
            let received = self.fetch_planned(history, &mut plan)?;
            self.is_damaged.set(true);
            storage::extend_shallow_boundary(history, received.shallow_boundary)?;
            let boundary = plan.extent.boundary.filter(|boundary| !history.has_object(boundary));
            let tips = plan.extent.tips.as_slice();
            let known: Vec<ObjectId> =
                known.iter().filter(|have| boundary.is_some() || tips.contains(have)).copied().collect();
            self.check_connected(history, tips, &known)?;
            let shallow = history.shallow_commits().context("cannot read the list of shallow commits")?;
            let shallow = shallow.iter().flat_map(|known| known.iter().copied()).collect();
            let packs = storage::pack_names(history.git_dir());
            let extent = HistoryExtent { boundary, shallow, packs, ..plan.extent };
            extent.write(&self.storage.extent())?;
            *self.extent.borrow_mut() = Some(extent);
            self.is_damaged.set(false);
        }
        self.copy_own(&own, history)
    }

    /// Whether a range that starts at `from` can extend the repository of the history. That of a cache is fetched again
    /// from `from` on, to be kept, if it starts later.
    fn continues_at(&self, history: &gix::Repository, from: ObjectId) -> Result<bool> {
        let boundary = match &*self.extent.borrow() {
            Some(known) if !known.covers(history, from) => known.boundary,
            _ => None,
        };
        let is_covered = match boundary {
            Some(boundary) => {
                let can_ask = self.storage.is_kept() && self.server.borrow().is_v2();
                can_ask && self.is_ancestor(oid(&from), oid(&boundary)).unwrap_or(false)
            }
            None => true,
        };
        Ok(is_covered && self.published_history(from)?.own.is_empty())
    }

    /// Executes a plan. It requests old tips again, and repeats the request without them if the server refuses.
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

    /// Fetches the requested commits into a new repository, which is empty if none are requested.
    fn fetch_excerpt(&self, wanted: FetchRequest) -> Result<Repo> {
        let directory = TemporaryDirectory::new().context("cannot create a temporary directory")?;
        let path = storage::init(directory.path().join("excerpt.git"), self.files.gix().object_hash())?;
        let excerpt = Repo::excerpt(&path, directory)?;
        if !wanted.ids.is_empty() {
            let packs = storage::pack_directory(excerpt.git_dir());
            let received = self.server.borrow_mut().fetch(FetchPhase::Commits, wanted, &packs)?;
            storage::extend_shallow_boundary(excerpt.gix(), received.shallow_boundary)?;
            self.check_connected(excerpt.gix(), wanted.ids, wanted.haves)?;
        }
        Ok(excerpt)
    }

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
    /// Checks that the server has a commit. With an old protocol, servers send only commits that references point at.
    fn check_commit(&self, id: ObjectId) -> Result<()> {
        let (sends_any_object, is_v2) = {
            let server = self.server.borrow();
            (server.can_send_any_object(), server.is_v2())
        };
        let context = || self.unknown_revision(&id.to_string());
        if sends_any_object {
            self.fetch_commit(id, ObjectFilter::NoTrees).with_context(context)?;
        } else if is_v2 {
            // The response is a pack without objects, or a refusal.
            let wanted = FetchRequest { ids: &[id], haves: &[id], ..FetchRequest::default() };
            self.fetch_files(FetchPhase::Commits, wanted).with_context(context)?;
        }
        Ok(())
    }

    /// Fetches a commit with its root tree. Returns the ID of the tree.
    fn fetch_root(&self, commit: ObjectId) -> Result<ObjectId> {
        let filter = match &*self.server.borrow() {
            server if server.can_send_any_object() => ObjectFilter::Roots,
            server if server.can_leave_files_out() => ObjectFilter::NoBlobs,
            _ => ObjectFilter::Unfiltered,
        };
        let tree = self.fetch_commit(commit, filter)?;
        self.fetch_object_of(commit, tree)?;
        Ok(tree)
    }

    /// Fetches an object of a commit, with all the commit's other objects if the server cannot send it alone.
    fn fetch_object_of(&self, commit: ObjectId, id: ObjectId) -> Result<()> {
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

    /// Fetches a commit without its ancestors. Returns the ID of its root tree.
    fn fetch_commit(&self, commit: ObjectId, filter: ObjectFilter) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let phase = if filter == ObjectFilter::NoTrees { FetchPhase::Commits } else { FetchPhase::Files };
            self.fetch_files(phase, FetchRequest { ids: &[commit], haves: &[], filter, generations: 1 })?;
            if filter == ObjectFilter::Unfiltered {
                self.server.borrow_mut().warn_of_size();
            }
        }
        let tree = files.find_commit(commit).and_then(|commit| Ok(commit.tree_id()?.detach()));
        tree.with_context(|| format!("`{commit}` is not a commit"))
    }

    fn fetch_object(&self, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        let wanted = FetchRequest { ids: &[id], filter: ObjectFilter::Roots, ..FetchRequest::default() };
        self.fetch_files(FetchPhase::Files, wanted).map(drop)
    }

    /// Fetches the trees and blobs of commits, without ancestors. It also fetches for a commit that is present, which
    /// may have been fetched for one of its files only.
    fn fetch_snapshots(&self, ids: &[ObjectId], filter: ObjectFilter) -> Result<&Repo> {
        if !ids.is_empty() {
            self.fetch_files(FetchPhase::Files, FetchRequest { ids, haves: &[], filter, generations: 1 })?;
        }
        Ok(&self.files)
    }

    /// Fetches into the repository of trees and blobs.
    pub(super) fn fetch_files(&self, phase: FetchPhase, wanted: FetchRequest) -> Result<FetchSummary> {
        self.server.borrow_mut().fetch(phase, wanted, &storage::pack_directory(self.files.git_dir()))
    }
}
