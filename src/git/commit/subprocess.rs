//! Committing through `git commit --only`: hooks, filters and signatures as the user has them.

use std::ffi::OsString;

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _};

use super::{file_path::FilePath, plan::CommitPlan, replace::PendingFile, replace::RestoreGuard, worktree_check};
use crate::{
    git::{
        Repo,
        git_command::{self, GitCommand},
        signing,
    },
    model::Problem,
};

/// Writes the files and has git commit them; whatever fails, they are as they were before.
///
/// They have to be there before the hooks run, which look at them. A kill while they do leaves them behind as edits that
/// the next run takes up. Gives the commit, and what git and the hooks said.
pub(super) fn commit(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<(ObjectId, String)> {
    let top = repo.work_tree().context("there is no work tree")?;
    let waiting = PendingFile::stage_all(repo, top, &plan.parts)?;
    let files = waiting.into_iter().map(PendingFile::persist).collect::<Result<Vec<_>>>()?;
    let introduced: Vec<_> = plan.parts.iter().filter(|part| part.base.is_none()).map(|part| &part.file).collect();
    if !introduced.is_empty() {
        run(repo, &["add", "--force", "--intent-to-add", "--"], &introduced, "").with_context(refused)?;
    }
    let signed: &[&str] = if sign { &["--gpg-sign"] } else { &[] };
    let arguments = [&["commit", "--quiet", "--cleanup=whitespace", "--file=-"], signed, &["--only", "--"]].concat();
    let all: Vec<_> = plan.parts.iter().map(|part| &part.file).collect();
    match run(repo, &arguments, &all, message) {
        Ok(output) => {
            files.into_iter().for_each(RestoreGuard::disarm);
            let head = repo.gix().head_id().context("cannot read the commit that git made")?;
            Ok((head.detach(), output))
        }
        Err(error) => {
            if !introduced.is_empty() {
                // Git's own failure is what the user has to hear of.
                let _ = run(repo, &["rm", "--cached", "--quiet", "--force", "--"], &introduced, "");
            }
            let unsigned = git_command::is_fatal(&error) && (sign || signing::is_enabled(repo, signing::COMMIT)?);
            let why = if unsigned { signing::with_hints(refused(), signing::COMMIT, sign) } else { refused() };
            Err(error.context(why))
        }
    }
}

/// The content of a file that only git can compare with its commit; edits of the user are refused.
pub(super) fn read_clean(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    let top = repo.work_tree().context("there is no work tree")?;
    let arguments = ["--no-optional-locks", "status", "--porcelain", "--ignored", "--untracked-files=all", "--"];
    if run(repo, &arguments, &[file], "").with_context(refused)?.is_empty() {
        return worktree_check::read(top, file);
    }
    Err(worktree_check::edited(file))
}

/// Runs git in the work tree on these files, with a text on its stdin, and gives what it said.
fn run(repo: &Repo, arguments: &[&str], files: &[&FilePath], input: &str) -> Result<String> {
    let git = GitCommand::of(repo).args(arguments).args(files.iter().map(|file| literal(file)));
    Ok(git.run(input)?.all())
}

fn refused() -> Problem {
    Problem::new("git did not make the commit; nothing was changed")
}

/// The file as a pathspec in which nothing is special.
fn literal(file: &FilePath) -> OsString {
    let mut spec = OsString::from(":(top,literal)");
    spec.push(file.as_bstr().to_os_str_lossy());
    spec
}
