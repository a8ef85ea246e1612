//! Where a repository's hooks lie.

use std::{borrow::Cow, path::PathBuf};

use anyhow::Result;

use super::Repo;

/// The folder that git runs hooks from: `core.hooksPath`, seen from the work tree, else `hooks` (githooks(5)).
///
/// # Errors
/// Where the setting is no path.
pub fn folder(repo: &Repo) -> Result<PathBuf> {
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath")?;
    let top = repo.work_tree().unwrap_or(repo.git_dir());
    // The way to it from a linked work tree leads up again.
    let common = repo.gix().common_dir();
    let common = gix::path::normalize(common.into(), repo.gix().current_dir()).unwrap_or(Cow::Borrowed(common));
    Ok(set.map_or_else(|| common.join("hooks"), |set| top.join(set)))
}
