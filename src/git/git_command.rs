//! The git program, for what only git itself can do: hooks, filters, signatures, and remotes with the user's keys.

use std::{
    ffi::OsStr,
    io::{self, Read, Write},
    path::Path,
    process::{ChildStdin, Command, ExitStatus, Stdio},
    thread,
};

use anyhow::{Context as _, Result};
use gix::bstr::ByteSlice as _;

use super::Repo;
use crate::model::{Problem, mask_credentials};

#[derive(Debug)]
pub(super) struct GitCommand {
    command: Command,
    /// The texts that are removed from its output.
    hidden: Vec<String>,
}

/// The output of git; credentials in URLs are masked.
#[derive(Debug)]
pub(super) struct GitOutput {
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// The failure of a git command: its output, or its exit status.
#[derive(Debug, thiserror::Error)]
#[error("{output}")]
struct GitFailure {
    output: String,
    code: Option<i32>,
}

/// Whether git itself failed: its `die` exits with 128, while a failed hook makes it exit with 1.
pub(super) fn is_fatal(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|failure: &GitFailure| failure.code == Some(128))
}

/// Whether git failed because another process had locked the index.
pub(super) fn is_locked(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|failure: &GitFailure| failure.output.contains("index.lock"))
}

impl GitCommand {
    /// Makes a git command that runs at the top of the work tree, or in the bare repository. `GIT_DIR` is set only if
    /// git would not find the repository from there, since hooks inherit it.
    pub(super) fn new(repo: &Repo) -> Self {
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
        if repo.is_isolated {
            let nowhere = if cfg!(windows) { "NUL" } else { "/dev/null" };
            command.env("GIT_CONFIG_GLOBAL", nowhere).env("GIT_CONFIG_NOSYSTEM", "1");
        }
        Self { command, hidden: Vec::new() }
    }

    /// Removes a secret that is in the arguments or the configuration of git from its output.
    pub(super) fn hide(mut self, secret: &str) -> Self {
        self.hidden.push(secret.to_owned());
        self
    }

    pub(super) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(super) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(super) fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub(super) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Makes the objects of another repository readable, too.
    pub(super) fn objects_of(self, repo: &Repo) -> Self {
        self.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", repo.gix().objects.store_ref().path())
    }

    /// Runs the command and writes its output as it comes. If it fails, the error is what it wrote to stderr.
    pub(super) fn run_into(mut self, out: &mut dyn Write) -> Result<()> {
        let mut child = self.command.stdin(Stdio::null()).spawn().map_err(start_error)?;
        let (mut stdout, stderr) = (child.stdout.take().context("git has no output")?, child.stderr.take());
        let (copied, stderr) = thread::scope(|scope| {
            let reader = scope.spawn(|| read(stderr));
            let copied = io::copy(&mut stdout, out);
            if copied.is_err() {
                // It would wait for ever for somebody to read.
                let _ = child.kill();
            }
            (copied, reader.join().unwrap_or_default())
        });
        let status = child.wait().context("cannot wait for git")?;
        copied.context("cannot write the output")?;
        Self::check(status, &GitOutput { stdout: String::new(), stderr: self.text(&stderr) })
    }

    /// Returns output as text, without secrets.
    fn text(&self, bytes: &[u8]) -> String {
        let text = bytes.to_str_lossy().trim_end().to_owned();
        mask_credentials(&self.hidden.iter().fold(text, |text, secret| text.replace(secret, "")))
    }

    /// Fails with the output if git failed.
    fn check(status: ExitStatus, output: &GitOutput) -> Result<()> {
        if status.success() {
            return Ok(());
        }
        let output = Some(output.all()).filter(|output| !output.is_empty());
        let output = output.unwrap_or_else(|| format!("git ended with {status}"));
        Err(GitFailure { output, code: status.code() }.into())
    }

    /// Runs the command with a text on stdin. If it fails, the error is its output.
    pub(super) fn run(self, input: impl AsRef<[u8]>) -> Result<GitOutput> {
        self.run_fed(|stdin| stdin.write_all(input.as_ref()))
    }

    /// Runs the command while `feed` writes to its stdin.
    pub(super) fn run_fed(mut self, feed: impl FnOnce(&mut ChildStdin) -> io::Result<()>) -> Result<GitOutput> {
        let mut child = self.command.spawn().map_err(start_error)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (stdout, stderr) = thread::scope(|scope| {
            let readers = (scope.spawn(|| read(stdout)), scope.spawn(|| read(stderr)));
            if let Some(mut stdin) = stdin {
                // If git ended before it read everything, its exit status is the error.
                let _ = feed(&mut stdin);
            }
            (readers.0.join(), readers.1.join())
        });
        let status = child.wait().context("cannot wait for git")?;
        let [stdout, stderr] = [stdout, stderr].map(|read| self.text(&read.unwrap_or_default()));
        let output = GitOutput { stdout, stderr };
        Self::check(status, &output).map(|()| output)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
fn start_error(error: io::Error) -> Problem {
    Problem::new(format!("git did not start: {error}")).hint("install git, or add its directory to `PATH`")
}

fn read(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Output that was read before a failure is shown.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
}

impl GitOutput {
    pub(super) fn all(&self) -> String {
        [self.stdout.as_str(), &self.stderr]
            .iter()
            .filter(|text| !text.is_empty())
            .copied()
            .collect::<Vec<_>>()
            .join("\n")
    }
}
