//! The commands of the configuration that run before and after a release.

use std::{
    io,
    process::{Command, Stdio},
};

use anyhow::Context as _;

use super::plan::ReleasePlan;
use crate::{
    git::Repo,
    model::{Oid, Problem},
};

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

/// Runs the hooks after releases. They are complete, so that a later run does not come to their hooks again.
pub(super) fn run_after(repo: &Repo, released: &[(&ReleasePlan, Oid)]) -> anyhow::Result<()> {
    for (position, (plan, commit)) in released.iter().enumerate() {
        for (index, command) in plan.hooks.after.iter().enumerate() {
            run(repo, command, plan, Some(*commit)).with_context(|| {
                let problem = Problem::new(format!("{} is released, but the hook `{command}` failed", plan.version))
                    .hint(format!("run it by hand, {}", by_hand(plan, index)));
                let others = released[position + 1..].iter().filter(|(plan, _)| !plan.hooks.after.is_empty());
                others.fold(problem, |problem, (plan, _)| problem.hint(format!("then, {}", by_hand(plan, 0))))
            })?;
        }
    }
    Ok(())
}

/// Names the environment and the commands that are left.
fn by_hand(plan: &ReleasePlan, first: usize) -> String {
    let set: Vec<_> = environment(plan).iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("with {} set: `{}`", set.join(" "), plan.hooks.after[first..].join("`, `"))
}
