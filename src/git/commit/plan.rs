//! A commit thought through: everything read, checked and edited, nothing written yet.

use anyhow::Result;

use super::{
    Change, CommitRequest, Committed, Edit, by_git, clean, convert,
    file_path::FilePath,
    hooks, index, native,
    object::{self, Base},
    target::{self, Target},
};
use crate::{
    git::{Repo, oid},
    model::Problem,
};

/// What will be committed, and how.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) target: Target,
    pub(super) file: FilePath,
    pub(super) base: Option<Base>,
    pub(super) change: Change,
    way: Way,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Only the reference moves: its files are not here.
    Branch,
    /// The reference, the index and the file move together.
    WorkTree,
    /// The user's programs take part, so git does it.
    Git,
    /// Git does it, and alone knows how the file's content and the blob belong together.
    GitAndDriver,
}

impl Plan {
    /// Reads and edits; `None` where the edit changes nothing.
    pub(super) fn make(repo: &Repo, request: &CommitRequest, edit: &mut Edit) -> Result<Option<Self>> {
        let file = FilePath::parse(repo, request.file)?;
        let target = Target::resolve(repo, request.branch)?;
        let base = object::find(repo, target.tip, &file)?;
        let way = choose(repo, &target, &file)?;
        let before = match way {
            Way::GitAndDriver => by_git::read_clean(repo, &file)?,
            _ => base.as_ref().map(|base| base.bytes.clone()),
        };
        let old = before.as_deref().unwrap_or_default();
        let Some(after) = edit(old)?.filter(|after| before.is_none() || after != old) else { return Ok(None) };
        let change = Change { file: file.to_string(), before, after };
        Ok(Some(Self { target, file, base, change, way }))
    }

    /// Refuses where the work tree stands in the way.
    pub(super) fn check(&self, repo: &Repo) -> Result<()> {
        if !self.target.checked_out {
            return Ok(());
        }
        index::check_unlocked(repo)?;
        let index = index::load(repo)?;
        clean::check_operation(repo, &index)?;
        if self.way == Way::GitAndDriver {
            return Ok(());
        }
        clean::check(repo, &index, &self.file, self.base.as_ref(), &self.change.after)
    }

    /// Checks, and makes the commit.
    pub(super) fn carry_out(&self, repo: &Repo, message: &str, sign: bool) -> Result<Committed> {
        self.check(repo)?;
        let (id, output) = match self.way {
            Way::Branch => (native::commit_on_branch(repo, self, message, sign)?, String::new()),
            Way::WorkTree => (native::commit_in_work_tree(repo, self, message, sign)?, String::new()),
            Way::Git => by_git::commit(repo, self, self.content(repo)?, message, sign)?,
            Way::GitAndDriver => by_git::commit(repo, self, self.change.after.clone(), message, sign)?,
        };
        let branch = self.target.branch.as_ref().map(target::short);
        Ok(Committed { id: oid(&id), branch, change: self.change.clone(), output })
    }

    /// Whether the branch has moved since.
    pub(super) fn is_outdated(&self, repo: &Repo) -> bool {
        self.target.has_moved(repo)
    }

    /// What the work tree's file will hold.
    pub(super) fn content(&self, repo: &Repo) -> Result<Vec<u8>> {
        let index = index::load(repo)?;
        convert::Conversion::new(repo, &index, &self.file)?.smudge(&self.change.after)
    }
}

fn choose(repo: &Repo, target: &Target, file: &FilePath) -> Result<Way> {
    if !target.checked_out {
        return match convert::driver_on_branch(repo, target, file)? {
            None => Ok(Way::Branch),
            Some(driver) => {
                Err(Problem::new(format!("`{file}` has the attribute `{driver}`, which wants a work tree"))
                    .hint("check the branch out, and run the command there")
                    .into())
            }
        };
    }
    let index = index::load(repo)?;
    if convert::driver(repo, &index, file)?.is_some() {
        return Ok(Way::GitAndDriver);
    }
    Ok(if hooks::are_there(repo)? { Way::Git } else { Way::WorkTree })
}
