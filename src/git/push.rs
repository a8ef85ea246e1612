//! Pushing, and what the other side has: the git program does it, with the user's keys, helpers and hooks
//! (git-push(1), git-ls-remote(1)).

use std::{collections::HashMap, io::IsTerminal as _};

use anyhow::{Context as _, Result, anyhow};

use super::{Repo, git_command::GitCommand};
use crate::model::{Oid, Problem, mask_credentials};

/// The branches and tags of a remote by their full names, with what they point at.
///
/// # Errors
/// If the remote cannot be reached.
pub fn ls_remote(repo: &Repo, remote: &str) -> Result<HashMap<String, Oid>> {
    let git = speaking(repo).args(["ls-remote", "--heads", "--tags", "--refs", "--", remote]);
    let unreachable = || {
        Problem::new(format!("cannot reach the remote `{}`", mask_credentials(remote)))
            .hint("`git remote -v` shows where it is, `git ls-remote` whether git gets there")
    };
    git.run("").with_context(unreachable)?.stdout.lines().map(listed).collect()
}

fn listed(line: &str) -> Result<(String, Oid)> {
    let listed = line.split_once('\t').and_then(|(id, name)| Some((name.to_owned(), id.parse().ok()?)));
    listed.ok_or_else(|| anyhow!("`{line}` is no line of `git ls-remote`"))
}

/// Pushes references, all of them or none, and gives what git, its hooks and the remote said.
///
/// # Errors
/// Where the remote cannot be reached, or refuses.
pub fn push(repo: &Repo, remote: &str, refspecs: &[String]) -> Result<String> {
    let git = speaking(repo).args(["push", "--atomic", "--", remote]).args(refspecs);
    let refused = || {
        Problem::new(format!("the push to `{}` failed; nothing was changed there", mask_credentials(remote)))
            .hint("the local commit and tag are kept: fix the cause and run the same command again")
    };
    Ok(git.run("").with_context(refused)?.all())
}

/// Git that asks nobody where nobody is there to answer.
fn speaking(repo: &Repo) -> GitCommand {
    let git = GitCommand::of(repo);
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if std::io::stdin().is_terminal() && !is_set("CI") {
        return git;
    }
    let git = git.env("GIT_TERMINAL_PROMPT", "0").env("GCM_INTERACTIVE", "never");
    let is_configured = repo.gix().config_snapshot().string("core.sshCommand").is_some();
    if is_configured || is_set("GIT_SSH_COMMAND") || is_set("GIT_SSH") {
        return git;
    }
    git.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
}
