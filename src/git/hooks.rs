//! The hooks of a repository: where they are, and whether `git commit` would run one (githooks(5)).

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::Repo;

/// What `git commit` may run.
const HOOKS: [&str; 7] = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
];

/// The folder that git runs hooks from: `core.hooksPath`, seen from the work tree, else `hooks` (githooks(5)).
///
/// # Errors
/// Where the setting is no path.
pub fn folder(repo: &Repo) -> Result<PathBuf> {
    repo.check_owner()?;
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath")?;
    let top = repo.work_tree().unwrap_or(repo.git_dir());
    Ok(set.map_or_else(|| common_dir(repo).join("hooks"), |set| top.join(set)))
}

/// The directory that the hooks must not lead out of; `None` if the user has named one for them, which may be anywhere.
#[must_use]
pub fn root(repo: &Repo) -> Option<PathBuf> {
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath");
    set.ok().flatten().is_none().then(|| common_dir(repo).into_owned())
}

/// The repository's own directory, which all its work trees share; the way to it from a linked one leads up again.
fn common_dir(repo: &Repo) -> Cow<'_, Path> {
    let common = repo.gix().common_dir();
    gix::path::normalize(common.into(), repo.gix().current_dir()).unwrap_or(Cow::Borrowed(common))
}

/// Whether there is a hook, as a program or in the settings.
pub(super) fn are_there(repo: &Repo) -> Result<bool> {
    let settings = repo.gix().config_snapshot();
    let configured = settings.plumbing().sections_by_name("hook").is_some_and(|mut hooks| hooks.next().is_some());
    let folder = folder(repo)?;
    Ok(configured || HOOKS.iter().any(|hook| is_program(&folder.join(hook))))
}

/// Whether there is this hook, as a program.
pub(super) fn is_there(repo: &Repo, hook: &str) -> Result<bool> {
    Ok(is_program(&folder(repo)?.join(hook)))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
