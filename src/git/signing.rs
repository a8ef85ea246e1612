//! Signatures: whether git is asked for one, and what failed where there is none (git-config(1), `gpg.format`).

use std::path::Path;

use anyhow::{Context as _, Result};
use gix::{
    error::MetadataValue,
    objs::{Commit, signature::Format},
};

use super::Repo;
use crate::model::Problem;

/// What asks for signed commits.
pub const COMMIT: &str = "commit.gpgSign";
/// What asks for signed tags.
pub const TAG: &str = "tag.gpgSign";

/// Whether a setting of git asks for signatures.
///
/// # Errors
/// Where it is neither true nor false; git refuses that too, and whoever set it wants to know.
pub fn is_enabled(repo: &Repo, key: &str) -> Result<bool> {
    let settings = repo.gix().config_snapshot();
    let unclear = || {
        let value = settings.string(key).unwrap_or_default();
        Problem::new(format!("the git setting `{key}` is `{value}`, which is neither true nor false"))
            .hint(format!("`git config {key} true` asks for signatures, `git config {key} false` for none"))
    };
    Ok(settings.plumbing().boolean(key).map_err(|_| unclear())?.unwrap_or_default())
}

/// Signs a commit as the settings of git say; `wished` tells that the command line asks for it.
pub(super) fn sign(repo: &Repo, commit: Commit, wished: bool) -> Result<Commit> {
    let failed = || with_hints(Problem::new("the commit could not be signed; nothing was changed"), COMMIT, wished);
    let options = repo.gix().commit_signing_options().with_context(failed)?;
    let (program, key) = (options.program.clone(), program_key(options.format));
    let why = |error: gix::Error| reason(&error, &format!("`{}` (`{key}`)", Path::new(&program).display()));
    commit.sign(options).map_err(why).with_context(failed)
}

/// Adds what to do where a signature failed, that `key` or the command line asked for.
pub(super) fn with_hints(problem: Problem, key: &str, wished: bool) -> Problem {
    let problem = problem.hint("`git config --get-regexp 'gpg|sign'` shows which program signs, and with which key");
    if wished {
        return problem.hint("without `--sign` it is signed only where the settings of git ask for that");
    }
    problem.hint(format!("`git config {key} false` turns signing off in this repository"))
}

fn program_key(format: Format) -> &'static str {
    match format {
        Format::OpenPgp => "gpg.program",
        Format::X509 => "gpg.x509.program",
        Format::Ssh => "gpg.ssh.program",
    }
}

/// What the signing program said, else how it ended, else why it did not run.
fn reason(error: &gix::Error, program: &str) -> anyhow::Error {
    let told = error.metadata_merged();
    let Some(MetadataValue::String(status)) = told.get("exit_status") else {
        return anyhow::anyhow!("{program}: {}", error.probable_cause());
    };
    let said = match told.get("stderr") {
        Some(MetadataValue::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    };
    // What gpg tells programs is no message for people.
    let lines: Vec<_> = said.lines().map(str::trim_end).filter(|line| !line.starts_with("[GNUPG:]")).collect();
    anyhow::anyhow!("{}", format!("{program} ended with {status}\n{}", lines.join("\n")).trim_end())
}
