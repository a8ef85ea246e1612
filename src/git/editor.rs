//! The user's editor, as git starts it (git-var(1), `GIT_EDITOR`).

use std::{
    fs,
    process::{Command, Stdio},
};

use anyhow::{Context as _, Result};
use gix::command::prepare;

use super::{Repo, git_command::GitCommand};
use crate::{interrupt::TemporaryFile, model::Problem};

/// Opens a text in the user's editor, and returns it as it was left.
///
/// # Errors
/// If the editor does not start or fails, or the text is not UTF-8.
pub(crate) fn edit(repo: &Repo, text: &str) -> Result<String> {
    let file = TemporaryFile::new_in(repo.git_dir()).context("cannot create a file for the editor")?;
    fs::write(file.path(), text).context("cannot write the file for the editor")?;
    let editor = GitCommand::new(repo).args(["var", "GIT_EDITOR"]).run("")?.stdout;
    let prepared = prepare(editor).command_may_be_shell_script().arg(file.path());
    let prepared = prepared.stdin(Stdio::inherit()).stdout(Stdio::inherit()).stderr(Stdio::inherit());
    let not_started = || Problem::new("the editor did not start").hint("set git's `core.editor`");
    let status = Command::try_from(prepared).with_context(not_started)?.status().with_context(not_started)?;
    if !status.success() {
        return Err(Problem::new(format!("the editor ended with {status}; nothing was changed")).into());
    }
    let edited = fs::read(file.path()).context("cannot read the file of the editor")?;
    String::from_utf8(edited).map_err(|_| Problem::usage("the text of the editor is not UTF-8").into())
}
