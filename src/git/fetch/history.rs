//! Brings the commits of a range.

use std::{collections::BTreeSet, fs};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    FetchPhase, KnownHistory, LazyRemote, known_history::FetchPlan, request::FetchRequest, server::FetchSummary,
    storage,
};
use crate::{
    git::object_id,
    model::{Oid, Range},
};

impl LazyRemote {
    /// Fetches the commits of a range that are not here yet, into the repository of the history.
    pub(in crate::git) fn fetch_range(&self, history: &gix::Repository, range: Range) -> Result<()> {
        let (from, to) = (range.from.map(object_id), object_id(range.to));
        let mut plan = KnownHistory::plan(self.extent.borrow().as_ref(), history, from, to);
        if plan.wants.is_empty() {
            return Ok(());
        }
        let received = self.fetch_history(history, &mut plan)?;
        cut_history_off(history, received.shallow_boundary)?;
        let extent =
            KnownHistory { boundary: plan.extent.boundary.filter(|floor| !history.has_object(floor)), ..plan.extent };
        extent.write(&self.folder.extent())?;
        *self.extent.borrow_mut() = Some(extent);
        Ok(())
    }

    /// Fetches everything that leads to a commit.
    pub(super) fn fetch_ancestors(&self, history: &gix::Repository, to: ObjectId) -> Result<()> {
        self.fetch_range(history, Range { from: None, to: crate::git::oid(&to) })
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
        self.has_nothing_beside(of, &[ancestor])
    }

    /// Whether all of `tips` are in the history of `end`: then the server has nothing to send for them.
    pub(in crate::git) fn has_nothing_beside(&self, end: Oid, tips: &[Oid]) -> Result<bool> {
        let tips: Vec<ObjectId> = tips.iter().map(|tip| object_id(*tip)).collect();
        let wanted = FetchRequest { ids: &tips, haves: &[object_id(end)], ..FetchRequest::default() };
        Ok(self.fetch_files(FetchPhase::Commits, wanted)?.objects == 0)
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
