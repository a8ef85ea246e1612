//! Whether git would run something of the user's when it commits (githooks(5)).

use std::path::Path;

use anyhow::Result;

use crate::git::{Repo, hooks};

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

/// Whether there is a hook, as a program or in the settings.
pub(super) fn are_there(repo: &Repo) -> Result<bool> {
    let settings = repo.gix().config_snapshot();
    let configured = settings.plumbing().sections_by_name("hook").is_some_and(|mut hooks| hooks.next().is_some());
    let folder = hooks::folder(repo)?;
    Ok(configured || HOOKS.iter().any(|hook| is_program(&folder.join(hook))))
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
