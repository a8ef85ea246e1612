//! Brings the commits of a range.

use std::{collections::BTreeSet, fs, rc::Rc};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    FetchPhase, KnownHistory, LazyRemote, clone::Published, known_history::FetchPlan, request::FetchRequest,
    server::FetchSummary, storage,
};
use crate::{
    git::{Repo, object_id},
    interrupt::TemporaryDirectory,
    model::{Oid, Range},
};

impl LazyRemote {
    /// Fetches the commits of a range that are not here yet, into the repository of the history; into an excerpt of
    /// their own if what is here begins after the range.
    pub(in crate::git) fn fetch_range(&self, history: &gix::Repository, range: Range) -> Result<Option<Rc<Repo>>> {
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
        let Published { tips, own } = self.published(to)?;
        let mut plan = KnownHistory::plan(self.extent.borrow().as_ref(), history, from, &tips);
        if !plan.wants.is_empty() {
            let received = self.fetch_history(history, &mut plan)?;
            cut_history_off(history, received.shallow_boundary)?;
            let boundary = plan.extent.boundary.filter(|boundary| !history.has_object(boundary));
            let extent = KnownHistory { boundary, ..plan.extent };
            extent.write(&self.folder.extent())?;
            *self.extent.borrow_mut() = Some(extent);
        }
        self.copy_own(&own, history)?;
        Ok(None)
    }

    /// Whether the repository of the history can take a range that starts there. What is kept in a cache takes any.
    fn continues_at(&self, history: &gix::Repository, from: ObjectId) -> Result<bool> {
        let is_covered = self.extent.borrow().as_ref().is_none_or(|known| known.covers(history, from));
        Ok((is_covered || self.folder.is_kept()) && self.published(from)?.own.is_empty())
    }

    /// A repository of commits and their ancestors of so many generations, themselves included.
    pub(in crate::git) fn newest(&self, tips: &[ObjectId], generations: u32) -> Result<Repo> {
        let excerpt = self.empty_excerpt()?;
        self.fetch_excerpt(&excerpt, FetchRequest { ids: tips, generations, ..FetchRequest::default() })?;
        Ok(excerpt)
    }

    fn empty_excerpt(&self) -> Result<Repo> {
        let folder = TemporaryDirectory::new().context("cannot make a temporary folder")?;
        let path = storage::init(folder.path().join("excerpt.git"), self.files.gix().object_hash())?;
        Repo::excerpt(&path, folder)
    }

    fn fetch_excerpt(&self, excerpt: &Repo, wanted: FetchRequest) -> Result<()> {
        let packs = storage::pack_folder(excerpt.git_dir());
        let received = self.server.borrow_mut().fetch(FetchPhase::Commits, wanted, &packs)?;
        cut_history_off(excerpt.gix(), received.shallow_boundary)
    }

    /// A repository of the commits that are in the history of `tips` and not in that of `hidden`.
    pub(in crate::git) fn excerpt(&self, hidden: ObjectId, tips: &[ObjectId]) -> Result<Repo> {
        let excerpt = self.empty_excerpt()?;
        let (haves, mut wants, mut own) = (self.published(hidden)?, Vec::new(), Vec::new());
        for tip in tips {
            let published = self.published(*tip)?;
            wants.extend(published.tips);
            own.extend(published.own.into_iter().filter(|id| !haves.own.contains(id)));
        }
        wants.sort_unstable();
        wants.dedup();
        if !wants.is_empty() {
            let wanted = FetchRequest { ids: &wants, haves: &haves.tips, ..FetchRequest::default() };
            self.fetch_excerpt(&excerpt, wanted)?;
        }
        self.copy_own(&own, excerpt.gix())?;
        Ok(excerpt)
    }

    /// Fetches everything that leads to a commit.
    pub(super) fn fetch_ancestors(&self, history: &gix::Repository, to: ObjectId) -> Result<()> {
        self.fetch_range(history, Range { from: None, to: crate::git::oid(&to) }).map(drop)
    }

    fn fetch_history(&self, history: &gix::Repository, plan: &mut FetchPlan) -> Result<FetchSummary> {
        let packs = storage::pack_folder(history.git_dir());
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

    /// Whether a commit is an ancestor of another: then the server has nothing to send that the other does not have.
    pub(in crate::git) fn is_ancestor(&self, ancestor: Oid, of: Oid) -> Result<bool> {
        let Published { tips, own } = self.published(object_id(ancestor))?;
        let haves = self.published(object_id(of))?.tips;
        let wanted = FetchRequest { ids: &tips, haves: &haves, ..FetchRequest::default() };
        Ok(own.is_empty() && self.fetch_files(FetchPhase::Commits, wanted)?.objects == 0)
    }
}

/// Notes where the server's own history ends: it may be a shallow clone itself (gitrepository-layout(5), `shallow`).
fn cut_history_off(history: &gix::Repository, at: Vec<ObjectId>) -> Result<()> {
    let known = history.shallow_commits().context("cannot read where the history ends")?;
    let all: BTreeSet<_> = known.iter().flat_map(|known| known.iter().copied()).chain(at).collect();
    if all.is_empty() {
        return Ok(());
    }
    let lines = all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    fs::write(history.shallow_file()?, lines).context("cannot note where the history ends")
}
