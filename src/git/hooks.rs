//! The hooks of a repository: their directory, whether `git commit` would run one, and the message that a commit-msg
//! hook gets (githooks(5)).

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use anyhow::Result;

use super::{Repo, trailers::SCISSORS};

const HOOKS: [&str; 7] = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
];

/// Returns the directory from which git runs hooks: `core.hooksPath`, relative to the work tree, or `hooks`.
pub(crate) fn directory(repo: &Repo) -> Result<PathBuf> {
    repo.check_owner()?;
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath")?;
    let top = repo.work_tree().unwrap_or(repo.git_dir());
    Ok(set.map_or_else(|| common_dir(repo).join("hooks"), |set| top.join(set)))
}

/// Returns the directory out of which a link must not lead when a hook is written; `None` if `core.hooksPath` is set,
/// which may be anywhere.
pub(crate) fn root(repo: &Repo) -> Option<PathBuf> {
    let set = repo.gix().config_snapshot().trusted_path("core.hooksPath");
    set.ok().flatten().is_none().then(|| common_dir(repo).into_owned())
}

/// Returns the directory that all work trees share, without the `..` that gix's path has in a linked work tree.
fn common_dir(repo: &Repo) -> Cow<'_, Path> {
    let common = repo.gix().common_dir();
    gix::path::normalize(common.into(), repo.gix().current_dir()).unwrap_or(Cow::Borrowed(common))
}

/// Returns the message that a commit-msg hook gets as git will keep it (git-commit(1), `--cleanup`): without comments if
/// they are removed, and without what is below the scissors.
pub(crate) fn kept_message(repo: &Repo, text: &str, is_edited: bool) -> String {
    let settings = repo.gix().config_snapshot();
    let string = |key: &str| Some(settings.string(key)?.to_string());
    let has_comments = match string("commit.cleanup").as_deref() {
        Some("strip") => true,
        Some("verbatim" | "whitespace" | "scissors") => false,
        _ => is_edited,
    };
    let mut kept: Vec<&str> = text.lines().take_while(|line| !line.contains(SCISSORS)).collect();
    let set = string("core.commentString").or_else(|| string("core.commentChar"));
    let mark = match set.as_deref().unwrap_or("#") {
        // git chose a character that begins no line of the message; the last lines are its own.
        "auto" => kept.iter().rfind(|line| !line.is_empty()).and_then(|line| line.get(..1)).unwrap_or("#"),
        set => set,
    };
    kept.retain(|line| !has_comments || !line.starts_with(mark));
    kept.join("\n").trim_start_matches('\n').to_owned()
}

/// Whether `git commit` would run a hook: a program, or a command in the git settings.
pub(super) fn has_any(repo: &Repo) -> Result<bool> {
    let settings = repo.gix().config_snapshot();
    let configured = settings.plumbing().sections_by_name("hook").is_some_and(|mut hooks| hooks.next().is_some());
    let directory = directory(repo)?;
    Ok(configured || HOOKS.iter().any(|hook| is_program(&directory.join(hook))))
}

/// Whether the hook of this name exists and can be executed.
pub(super) fn has_hook(repo: &Repo, hook: &str) -> Result<bool> {
    Ok(is_program(&directory(repo)?.join(hook)))
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
