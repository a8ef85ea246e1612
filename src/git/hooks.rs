//! Where a repository's hooks lie.

use std::path::PathBuf;

use anyhow::Result;

use super::Repo;

/// The folder that git runs hooks from: `core.hooksPath`, seen from the work tree, else `hooks` (githooks(5)).
///
/// # Errors
/// Where the setting is no path.
pub fn folder(repo: &Repo) -> Result<PathBuf> {
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath")?;
    let top = repo.work_tree().unwrap_or(repo.git_dir());
    Ok(set.map_or_else(|| repo.gix().common_dir().join("hooks"), |set| top.join(set)))
}
