//! Committing through `git commit --only`: hooks, filters and signatures as the user has them.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Output, Stdio},
};

use anyhow::{Context as _, Result, anyhow};
use gix::{ObjectId, bstr::ByteSlice as _};

use super::{clean, file_path::FilePath, plan::Plan, put::Put};
use crate::{git::Repo, model::Problem};

/// Writes the file and has git commit it; whatever fails, the file is as it was before.
///
/// The file has to be there before the hooks run, for they look at it. A kill while they do leaves it behind as an edit
/// which the next run takes up. Gives the commit, and what git and the hooks said.
pub(super) fn commit(
    repo: &Repo,
    plan: &Plan,
    content: Vec<u8>,
    message: &str,
    sign: bool,
) -> Result<(ObjectId, String)> {
    let top = repo.work_tree().context("there is no work tree")?;
    let put = Put::stage(repo, top, &plan.file, content)?.into_place()?;
    let introduced = plan.base.is_none();
    if introduced {
        checked(git(repo, top, &["add", "--force", "--intent-to-add", "--"], &plan.file).output())?;
    }
    let committed = run(repo, top, plan, message, sign);
    match committed {
        Ok(output) => {
            put.keep();
            let head = repo.gix().head_id().context("cannot read the commit that git made")?;
            Ok((head.detach(), output))
        }
        Err(error) => {
            if introduced {
                // Git's own failure is what the user has to hear of.
                let _ = git(repo, top, &["rm", "--cached", "--quiet", "--force", "--"], &plan.file).output();
            }
            Err(error)
        }
    }
}

fn run(repo: &Repo, top: &Path, plan: &Plan, message: &str, sign: bool) -> Result<String> {
    let signed: &[&str] = if sign { &["--gpg-sign"] } else { &[] };
    let arguments = [&["commit", "--quiet", "--cleanup=whitespace", "--file=-"], signed, &["--only", "--"]].concat();
    let mut command = git(repo, top, &arguments, &plan.file);
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(not_there)?;
    if let Some(mut stdin) = child.stdin.take() {
        // Where git has gone away before it read the message, its exit says why.
        let _ = stdin.write_all(message.as_bytes());
    }
    checked(child.wait_with_output())
}

/// The content of a file that only git can compare with its commit; edits of the user are refused.
pub(super) fn read_clean(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    let top = repo.work_tree().context("there is no work tree")?;
    let arguments = ["--no-optional-locks", "status", "--porcelain", "--ignored", "--untracked-files=all", "--"];
    if checked(git(repo, top, &arguments, file).output())?.is_empty() {
        return clean::read(top, file);
    }
    Err(clean::edited(file))
}

/// Git in the work tree, about one file. Only where the work tree does not lead to the repository it is named, since
/// hooks would inherit the name.
fn git(repo: &Repo, top: &Path, arguments: &[&str], file: &FilePath) -> Command {
    let mut command = Command::new("git");
    command.current_dir(top).args(arguments).arg(literal(file)).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if std::env::var_os("GIT_DIR").is_some() || !top.join(".git").exists() {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        command.env("GIT_DIR", absolute(repo.git_dir())).env("GIT_WORK_TREE", absolute(top));
    }
    command
}

/// The file as a pathspec in which nothing is special.
fn literal(file: &FilePath) -> std::ffi::OsString {
    let mut spec = std::ffi::OsString::from(":(top,literal)");
    spec.push(file.as_bstr().to_os_str_lossy());
    spec
}

/// What a run of git said, both streams; its failure with that as the cause.
fn checked(output: std::io::Result<Output>) -> Result<String> {
    let output = output.map_err(not_there)?;
    let said = [output.stdout, output.stderr].concat().to_str_lossy().trim_end().to_owned();
    if output.status.success() {
        return Ok(said);
    }
    let cause = if said.is_empty() { anyhow!("it ended with {}", output.status) } else { anyhow!(said) };
    Err(cause.context(Problem::new("git did not make the commit; nothing was changed")))
}

fn not_there(error: std::io::Error) -> anyhow::Error {
    let problem = Problem::new("the hooks and filters of this repository need git, which did not start");
    anyhow::Error::from(error).context(problem.hint("install git, or add its folder to `PATH`"))
}
