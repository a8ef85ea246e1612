//! Signatures: whether the git settings require one, and why signing failed (git-config(1), `gpg.format`).

use std::path::Path;

use anyhow::{Context as _, Result};
use gix::{
    error::MetadataValue,
    objs::{Commit, signature::Format},
};

use super::Repo;
use crate::model::Problem;

/// The git setting that asks for signed commits.
pub(crate) const COMMIT: &str = "commit.gpgSign";
/// The git setting that asks for signed tags.
pub(crate) const TAG: &str = "tag.gpgSign";

/// Whether a git setting asks for signatures.
pub(crate) fn is_enabled(repo: &Repo, key: &str) -> Result<bool> {
    let settings = repo.gix().config_snapshot();
    Ok(settings
        .plumbing()
        .boolean(key)
        .map_err(|_| {
            let value = settings.string(key).unwrap_or_default();
            Problem::new(format!("the git setting `{key}` is `{value}`, which is neither true nor false"))
                .hint(format!("set it with `git config {key} true`, or with `false` instead"))
        })?
        .unwrap_or_default())
}

/// Signs a commit as git is configured; `by_option` is true if the command line asks for it.
pub(super) fn sign(repo: &Repo, commit: Commit, by_option: bool) -> Result<Commit> {
    let failed = || with_hints(Problem::new("the commit could not be signed; nothing was changed"), COMMIT, by_option);
    let options = repo.gix().commit_signing_options().with_context(failed)?;
    let (program, key) = (options.program.clone(), program_key(options.format));
    commit
        .sign(options)
        .map_err(|error| reason(&error, &format!("`{}` (`{key}`)", Path::new(&program).display())))
        .with_context(failed)
}

/// Adds hints to the error for a failed signature, which the git setting `key` or the command line asked for.
pub(super) fn with_hints(problem: Problem, key: &str, by_option: bool) -> Problem {
    let problem = problem.hint("run `git config --get-regexp 'gpg|sign'` to see the signing program and the key");
    if by_option {
        return problem.hint("omit `--sign` to sign only if git is configured for it");
    }
    problem.hint(format!("run `git config {key} false` to turn signing off in this repository"))
}

fn program_key(format: Format) -> &'static str {
    match format {
        Format::OpenPgp => "gpg.program",
        Format::X509 => "gpg.x509.program",
        Format::Ssh => "gpg.ssh.program",
    }
}

/// Returns the output and exit status of the signing program, or why it did not run.
fn reason(error: &gix::Error, program: &str) -> anyhow::Error {
    let metadata = error.metadata_merged();
    let Some(MetadataValue::String(status)) = metadata.get("exit_status") else {
        return anyhow::anyhow!("{program}: {}", error.probable_cause());
    };
    let stderr = match metadata.get("stderr") {
        Some(MetadataValue::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    };
    // gpg writes these lines for programs, not for users.
    let lines: Vec<_> = stderr.lines().map(str::trim_end).filter(|line| !line.starts_with("[GNUPG:]")).collect();
    anyhow::anyhow!("{}", format!("{program} ended with {status}\n{}", lines.join("\n")).trim_end())
}
