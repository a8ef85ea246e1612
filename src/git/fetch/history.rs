//! Brings the commits of a range.

use anyhow::Result;
use gix::ObjectId;

use super::{Extent, Fetched, folder, server::Wanted};
use crate::{
    git::object_id,
    model::{Range, Warning},
};

impl Fetched {
    /// Fetches the commits of a range that are not here yet, into the repository of the history. Warns, once, where more
    /// came over than commits.
    pub(in crate::git) fn bring_range(&self, history: &gix::Repository, range: Range) -> Result<Option<Warning>> {
        let (from, to) = (range.from.map(object_id), object_id(range.to));
        let plan = Extent::plan(self.extent.borrow().as_ref(), history, from, to);
        if plan.wants.is_empty() {
            return Ok(None);
        }
        let wanted = Wanted { ids: &plan.wants, haves: &plan.haves, ..Wanted::default() };
        self.server.borrow_mut().fetch(wanted, &folder::pack_folder(history.git_dir()))?;
        let extent = Extent { floor: plan.extent.floor.filter(|floor| !history.has_object(floor)), ..plan.extent };
        extent.write(&self.folder.extent())?;
        *self.extent.borrow_mut() = Some(extent);
        Ok(self.unfiltered())
    }

    /// Fetches everything that leads to a commit.
    pub(super) fn bring_all(&self, history: &gix::Repository, to: ObjectId) -> Result<()> {
        self.bring_range(history, Range { from: None, to: crate::git::oid(&to) }).map(drop)
    }

    fn unfiltered(&self) -> Option<Warning> {
        if self.server.borrow().can_filter() || self.has_warned.replace(true) {
            return None;
        }
        let message = format!("`{}` cannot leave files out, so they came over with the commits", self.url);
        Some(
            Warning::new(message)
                .hint("`uploadpack.allowFilter=true` in the configuration of the server makes this small"),
        )
    }
}
