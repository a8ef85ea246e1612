//! The commands of the configuration that run before and after a release.

use std::{
    io,
    process::{Command, Stdio},
};

use anyhow::Context as _;

use super::{ReleaseContext, ReleasePlan, ReleaseRequest};
use crate::{
    config::ReleaseHooks,
    git::{Repo, commit},
    model::{Oid, Problem},
};

/// Returns the hooks of a release.
///
/// # Errors
///
/// If they come from another place than the work tree of the branch that is released: they were written for that.
pub(super) fn select(context: &ReleaseContext, request: &ReleaseRequest) -> anyhow::Result<ReleaseHooks> {
    let hooks = &context.config.config.hooks;
    if !request.steps.hooks || *hooks == ReleaseHooks::default() {
        return Ok(ReleaseHooks::default());
    }
    let checked_out = commit::branch(context.repo, None).ok().and_then(|head| head.name);
    let is_here = checked_out.as_deref() == Some(&context.branch) && context.repo.work_tree().is_some();
    if is_here && request.changelog.settings.revision.is_none() {
        return Ok(hooks.clone());
    }
    Err(Problem::new(format!(
        "the hooks cannot run, as `{}` and its configuration are not checked out",
        context.branch
    ))
    .hint(format!("run the command where `{}` is checked out, or skip the hooks with `--no-hooks`", context.branch))
    .into())
}

/// Runs a command with the release in its environment; its output goes to stderr.
fn run(repo: &Repo, command: &str, plan: &ReleasePlan, commit: Option<Oid>) -> anyhow::Result<()> {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(shell);
    shell.arg(option).arg(command).stdin(Stdio::null()).stdout(io::stderr());
    shell.current_dir(repo.work_tree().context("there is no work tree")?);
    shell.envs(environment(plan)).envs(commit.map(|commit| ("TIDINGS_COMMIT", commit.to_string())));
    let status = shell.status().with_context(|| format!("cannot run `{command}`"))?;
    if status.success() { Ok(()) } else { Err(Problem::new(status.to_string()).into()) }
}

fn environment(plan: &ReleasePlan) -> Vec<(&'static str, String)> {
    let package = plan.package.as_ref().map(|package| ("TIDINGS_PACKAGE", package.clone()));
    let version = ("TIDINGS_VERSION", plan.version.to_string());
    [version, ("TIDINGS_TAG", plan.tag.clone()), ("TIDINGS_BRANCH", plan.branch.clone())]
        .into_iter()
        .chain(package)
        .collect()
}

/// Runs a hook before anything is written.
pub(super) fn run_before(repo: &Repo, command: &str, plan: &ReleasePlan) -> anyhow::Result<()> {
    run(repo, command, plan, None).with_context(|| {
        Problem::new(format!("the hook `{command}` failed; {} is not released", plan.version))
            .hint("nothing was written: fix the cause and run the same command again")
    })
}

/// Runs the hooks after a release. The release is complete, so that a later run does not come to them again.
pub(super) fn run_after(repo: &Repo, plan: &ReleasePlan, commit: Oid) -> anyhow::Result<()> {
    for (index, command) in plan.hooks.after.iter().enumerate() {
        run(repo, command, plan, Some(commit)).with_context(|| {
            let set: Vec<_> = environment(plan).iter().map(|(name, value)| format!("{name}={value}")).collect();
            let left = plan.hooks.after[index..].join("`, `");
            Problem::new(format!("{} is released, but the hook `{command}` failed", plan.version))
                .hint(format!("run it by hand, with {} set: `{left}`", set.join(" ")))
        })?;
    }
    Ok(())
}
