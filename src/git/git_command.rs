//! The git program, for what it alone can do: hooks, filters, signatures, and speaking to remotes with the user's keys.

use std::{
    ffi::OsStr,
    io::{self, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result};
use gix::bstr::ByteSlice as _;

use super::Repo;
use crate::model::{Problem, mask_credentials};

/// A run of git to come.
#[derive(Debug)]
pub(in crate::git) struct GitCommand(Command);

/// What a run said; no login of a URL is in it.
#[derive(Debug)]
pub(in crate::git) struct GitOutput {
    pub(in crate::git) stdout: String,
    pub(in crate::git) stderr: String,
}

/// Why a run failed: what it said, else how it ended.
#[derive(Debug, thiserror::Error)]
#[error("{said}")]
struct GitFailure {
    said: String,
    code: Option<i32>,
}

/// Whether git itself gave up (`die` in its sources, which ends with 128); where a hook refuses it ends with 1.
pub(in crate::git) fn is_fatal(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|failure: &GitFailure| failure.code == Some(128))
}

impl GitCommand {
    /// Git at the top of the work tree, else in the bare repository. Only where that does not lead to the repository it
    /// is named, since hooks would inherit the name.
    pub(in crate::git) fn of(repo: &Repo) -> Self {
        let top = repo.work_tree();
        let mut command = Command::new("git");
        command.current_dir(top.unwrap_or(repo.git_dir()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if std::env::var_os("GIT_DIR").is_some() || top.is_none_or(|top| !top.join(".git").exists()) {
            let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            command.env("GIT_DIR", absolute(repo.git_dir()));
            if let Some(top) = top {
                command.env("GIT_WORK_TREE", absolute(top));
            }
        }
        Self(command)
    }

    /// Adds arguments.
    pub(in crate::git) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.0.args(arguments);
        self
    }

    /// Sets a variable of its environment.
    pub(in crate::git) fn env(mut self, name: &str, value: &str) -> Self {
        self.0.env(name, value);
        self
    }

    /// Runs it with a text on its stdin; what it said is the cause of its failure.
    pub(in crate::git) fn run(mut self, input: &str) -> Result<GitOutput> {
        let not_there = |error: io::Error| {
            Problem::new(format!("git did not start: {error}")).hint("install git, or add its folder to `PATH`")
        };
        let mut child = self.0.spawn().map_err(not_there)?;
        if let Some(mut stdin) = child.stdin.take() {
            // Where git has gone away before it read this, its exit says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().context("cannot read what git says")?;
        let text = |bytes: &[u8]| mask_credentials(bytes.to_str_lossy().trim_end());
        let said = GitOutput { stdout: text(&output.stdout), stderr: text(&output.stderr) };
        if output.status.success() {
            return Ok(said);
        }
        let mut why = said.all();
        if why.is_empty() {
            why = format!("git ended with {}", output.status);
        }
        Err(GitFailure { said: why, code: output.status.code() }.into())
    }
}

impl GitOutput {
    /// Both streams.
    pub(in crate::git) fn all(&self) -> String {
        [self.stdout.as_str(), &self.stderr]
            .iter()
            .filter(|text| !text.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join("\n")
    }
}
