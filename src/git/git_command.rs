//! The git program, for what it alone can do: hooks, filters, signatures, and speaking to remotes with the user's keys.

use std::{
    ffi::OsStr,
    io::{self, Read, Write as _},
    path::Path,
    process::{ChildStdin, Command, Stdio},
    thread,
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

/// Whether another process had the index when git wanted it.
pub(in crate::git) fn is_locked(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|failure: &GitFailure| failure.said.contains("index.lock"))
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
    pub(in crate::git) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    /// Removes a variable of its environment.
    pub(in crate::git) fn env_remove(mut self, name: &str) -> Self {
        self.0.env_remove(name);
        self
    }

    /// Runs it with a text on its stdin; what it said is the cause of its failure.
    pub(in crate::git) fn run(self, input: impl AsRef<[u8]>) -> Result<GitOutput> {
        self.run_fed(|stdin| stdin.write_all(input.as_ref()))
    }

    /// Runs it and has `feed` write to its stdin as git reads it.
    pub(in crate::git) fn run_fed(mut self, feed: impl FnOnce(&mut ChildStdin) -> io::Result<()>) -> Result<GitOutput> {
        let not_there = |error: io::Error| {
            Problem::new(format!("git did not start: {error}")).hint("install git, or add its folder to `PATH`")
        };
        let mut child = self.0.spawn().map_err(not_there)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = thread::scope(|scope| {
            let readers = (scope.spawn(|| read(stdout)), scope.spawn(|| read(stderr)));
            if let Some(mut stdin) = stdin {
                // Where git has gone away before it read this, its exit says why.
                let _ = feed(&mut stdin);
            }
            (readers.0.join(), readers.1.join())
        });
        let output = (stdout.unwrap_or_default(), stderr.unwrap_or_default());
        let status = child.wait().context("cannot wait for git")?;
        let text = |bytes: &[u8]| mask_credentials(bytes.to_str_lossy().trim_end());
        let said = GitOutput { stdout: text(&output.0), stderr: text(&output.1) };
        if status.success() {
            return Ok(said);
        }
        let mut why = said.all();
        if why.is_empty() {
            why = format!("git ended with {status}");
        }
        Err(GitFailure { said: why, code: status.code() }.into())
    }
}

/// Everything that comes through a pipe.
fn read(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before a failure is worth showing.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
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
