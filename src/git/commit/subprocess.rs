//! Committing with `git commit --only`, for hooks, filters and git settings.

use std::io::{self, Write as _};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, objs::tree::EntryKind};

use super::{
    index,
    journal::{CommitLock, Journal},
    plan::CommitPlan,
    work_tree,
};
use crate::{
    git::{
        Repo,
        git_command::{self, GitCommand},
        signing,
    },
    interrupt::TemporaryDirectory,
    model::Problem,
};

/// More bytes than the buffer of any pipe has: if they are written, git reads its input, and has read the branch.
const ABOVE_PIPE_BUFFER: usize = (1 << 20) + (1 << 16);

/// Writes the files and has git commit them. Hooks read the files, so they are written first.
///
/// Git reads the tip of the branch before it reads the message, and moves the branch only if it still points there. So git
/// has to wait for the message, and gets it only if the branch is still where it was when the files were read.
pub(super) fn commit(
    repo: &Repo,
    plan: &CommitPlan,
    (message, sign): (&str, bool),
    lock: &CommitLock,
) -> Result<(ObjectId, String)> {
    index::wait_until_unlocked(repo)?;
    let index = index::load(repo)?;
    let pending = plan.pending(repo, &index)?;
    let journal = lock.begin(repo, (plan.target.tip, message), pending)?;
    match journal.persist().and_then(|()| run_commit(repo, plan, message, sign)) {
        Ok(output) => finish(repo, plan, journal, output),
        Err(error) => journal.fail(error, |error| explain(repo, sign, error)),
    }
}

fn run_commit(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<String> {
    let introduced: Vec<_> = plan.files.iter().filter(|file| file.base.is_none()).map(|file| &file.file).collect();
    if !introduced.is_empty() {
        work_tree::git_on_files(repo, &["add", "--force", "--intent-to-add", "--"], &introduced).run("")?;
    }
    let signed: &[&str] = if sign { &["--gpg-sign"] } else { &[] };
    let arguments = [&["commit", "--quiet", "--cleanup=whitespace", "--file=-"], signed, &["--only", "--"]].concat();
    let all: Vec<_> = plan.files.iter().map(|file| &file.file).collect();
    let output = work_tree::git_on_files(repo, &arguments, &all).run_fed(|stdin| {
        // Git removes empty lines before the message.
        io::copy(&mut io::Read::take(io::repeat(b'\n'), ABOVE_PIPE_BUFFER as u64), stdin)?;
        // Git refuses a message with a NUL byte, whatever a hook adds to it.
        stdin.write_all(if plan.is_outdated(repo) { b"\0" } else { message.as_bytes() })
    });
    Ok(output?.all())
}

/// Finds the commit that git made: a hook may have made another one after it.
fn finish(repo: &Repo, plan: &CommitPlan, journal: Journal, mut output: String) -> Result<(ObjectId, String)> {
    let made = plan.target.child(repo)?.context("cannot find the commit that git made")?;
    if let Err(error) = journal.settle() {
        output = format!("{output}\nthe commit is made, but the index could not be written: {error:#}");
    }
    Ok((made, output))
}

fn explain(repo: &Repo, sign: bool, error: anyhow::Error) -> anyhow::Error {
    let refused = Problem::new("git did not create the commit; nothing was changed");
    let is_signed = sign || signing::is_enabled(repo, signing::COMMIT).unwrap_or_default();
    let signing_failed = git_command::is_fatal(&error) && is_signed;
    error.context(if signing_failed { signing::with_hints(refused, signing::COMMIT, sign) } else { refused })
}

/// Moves a branch that is not checked out, for hooks and git settings that only git applies.
pub(super) fn commit_on_branch(repo: &Repo, plan: &CommitPlan, (message, sign): (&str, bool)) -> Result<ObjectId> {
    let directory = TemporaryDirectory::new()?;
    let git = || GitCommand::of(repo).env("GIT_INDEX_FILE", directory.path().join("index"));
    let id = |git: GitCommand, input: &[u8]| anyhow::Ok(git.run(input)?.stdout);
    let tip = plan.target.tip.to_string();
    git().args(["read-tree", &tip]).run("")?;
    for file in &plan.files {
        let blob = id(git().args(["hash-object", "-w", "--stdin"]), &file.change.after)?;
        let mode = if file.kind() == EntryKind::BlobExecutable { "100755" } else { "100644" };
        let entry = [mode.as_bytes(), b" ", blob.as_bytes(), b"\t", file.file.as_bstr(), b"\0"].concat();
        git().args(["update-index", "--add", "-z", "--index-info"]).run(entry)?;
    }
    let tree = id(git().args(["write-tree"]), b"")?;
    let signed = sign || signing::is_enabled(repo, signing::COMMIT)?;
    let sign_option: &[&str] = if signed { &["--gpg-sign"] } else { &[] };
    let commit = git().args(["commit-tree", "-p", &tip, "-F", "-"]).args(sign_option).args([&tree]);
    let commit = id(commit, message.as_bytes()).map_err(|error| explain(repo, sign, error))?;
    let log = format!("commit: {}", message.lines().next().unwrap_or_default());
    let reference = plan.target.reference.as_bstr().to_os_str_lossy();
    git().args(["update-ref", "-m", &log]).args([reference]).args([&commit, &tip]).run("")?;
    ObjectId::from_hex(commit.as_bytes()).context("git did not name the commit it made")
}
