//! Whether what was fetched is connected, as git checks after a fetch (`check_connected`).

use anyhow::{Context as _, Result};
use gix::{ObjectId, hashtable::HashSet};

use super::{lazy_remote::LazyRemote, options::FetchPhase, request::FetchRequest};
use crate::model::Problem;

impl LazyRemote {
    /// Checks that all ancestors of `tips` are in a repository that was just fetched into, but for those of `haves`,
    /// which were reported to the server as present. The server is asked whether the missing ones are such ancestors.
    pub(super) fn check_connected(&self, into: &gix::Repository, tips: &[ObjectId], haves: &[ObjectId]) -> Result<()> {
        let missing = missing_ancestors(into, tips, haves)?;
        let Some(first) = missing.first().copied() else { return Ok(()) };
        if haves.is_empty() {
            return Err(self.incomplete(first).into());
        }
        // A server of the old protocol answers questions about its references only.
        if !self.server.borrow().is_v2() {
            return Ok(());
        }
        let sends = |ids: &[ObjectId], haves: &[ObjectId]| {
            let wanted = FetchRequest { ids, haves, ..FetchRequest::default() };
            Ok::<_, anyhow::Error>(!ids.is_empty() && self.fetch_files(FetchPhase::Commits, wanted)?.objects > 0)
        };
        let (own, others): (Vec<ObjectId>, Vec<ObjectId>) = missing.into_iter().partition(|id| tips.contains(id));
        // That a tip was not sent means that it is an ancestor of `haves`. Then they are no ancestors of it.
        if sends(&others, haves)? || !(own.is_empty() || sends(haves, &own)?) {
            return Err(self.incomplete(first).into());
        }
        Ok(())
    }

    fn incomplete(&self, missing: ObjectId) -> Problem {
        Problem::new(format!("`{}` sent a history without the commit `{missing}`, which belongs to it", self.url))
            .hint("try again, and run `git fsck` in the repository on the server if it stays so")
    }
}

/// Returns the tips and ancestors of tips that are missing and not one of `haves`.
fn missing_ancestors(repo: &gix::Repository, tips: &[ObjectId], haves: &[ObjectId]) -> Result<Vec<ObjectId>> {
    let boundary = repo.shallow_commits().context("cannot read the list of shallow commits")?;
    let ends: HashSet<ObjectId> = boundary.iter().flat_map(|commits| commits.iter().copied()).collect();
    let mut met: HashSet<ObjectId> = haves.iter().copied().collect();
    let mut pending: Vec<ObjectId> = tips.iter().copied().filter(|tip| met.insert(*tip)).collect();
    let (mut missing, mut buffer) = (Vec::new(), Vec::new());
    while let Some(id) = pending.pop() {
        let found = gix::objs::Find::try_find(&repo.objects, &id, &mut buffer);
        let Some(object) = found.map_err(|error| anyhow::anyhow!("cannot read the commit `{id}`: {error}"))? else {
            missing.push(id);
            continue;
        };
        if !ends.contains(&id) {
            let parents = gix::objs::CommitRefIter::from_bytes(object.data, repo.object_hash()).parent_ids();
            pending.extend(parents.filter(|parent| met.insert(*parent)));
        }
    }
    Ok(missing)
}
