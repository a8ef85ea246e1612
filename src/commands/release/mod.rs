//! `tidings release`: commit, tag, push and publish in one run, planned first.

mod publish;
mod release_run;
mod report;

use std::{io::Write as _, path::PathBuf};

use serde_json::Value;

use self::release_run::{Planner, ReleaseRun};
use super::{BumpArgs, ChangelogArgs, Session, args::candidates};
use crate::{
    model::{Problem, ProblemKind, Version},
    pipeline::release::{ReleasePlan, ReleaseReport, ReleaseRequest, StepSelection, joint_message},
};

/// Release a version: changelog, tag, push, and the release on a forge.
///
/// It commits the section, tags the commit, pushes both atomically, and creates the release on GitLab or GitHub.
/// Without --execute it only shows the plan. What a former run did is found in the repository and on the remote, so that
/// a release that broke off goes on where it stopped, and a finished one is left alone.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("to", |to| to.hide(true)))]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Args {
    /// The version; default: what `tidings next` gives.
    #[arg(value_name = "VERSION", conflicts_with_all = ["level", "pre", "build", "initial"])]
    version: Option<String>,
    /// Release each package of the configuration that has something new, in one commit and one push.
    #[arg(long, conflicts_with_all = ["version", "package", "tag", "file"])]
    all_packages: bool,
    /// With `--all-packages`, make a commit and a push for each package.
    #[arg(long, requires = "all_packages")]
    separate: bool,
    /// Execute the plan.
    #[arg(short = 'x', long)]
    execute: bool,
    /// Show the plan and do nothing; this is the default.
    #[arg(short = 'n', long, conflicts_with = "execute")]
    dry_run: bool,
    /// Release what this tag is of: its version and package by the configuration; exits with code 5 for other tags.
    #[arg(long, value_name = "TAG", conflicts_with_all = ["version", "all_packages", "package", "tag", "level", "pre", "build", "initial"])]
    from_tag: Option<String>,
    /// Release from this branch; default: the one that is checked out.
    #[arg(long, value_name = "BRANCH", add = candidates::branches())]
    branch: Option<String>,
    /// The changelog file, from the top of the repository; default: `file` of the settings, else the only
    /// file that is named like a changelog, else `CHANGELOG.md`.
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Replace an existing section of a version that is not tagged yet.
    #[arg(long, conflicts_with = "no_commit")]
    replace: bool,
    /// The message of the commit; default: `Release VERSION`.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Name of the tag [default: the version with the prefix of the last stable tag].
    #[arg(long, value_name = "NAME")]
    tag: Option<String>,
    /// Sign the commit and the tag, also where `commit.gpgSign` and `tag.gpgSign` do not ask for it.
    #[arg(short = 'S', long)]
    sign: bool,
    /// Push to this remote; default: the one the branch is pushed to.
    #[arg(long, value_name = "NAME|URL")]
    remote: Option<String>,
    /// Tag the current commit; do not commit a changelog section.
    #[arg(long, conflicts_with = "message")]
    no_commit: bool,
    /// Leave the version files as they are.
    #[arg(long)]
    no_version_files: bool,
    /// Do not run the hooks of the configuration.
    #[arg(long)]
    no_hooks: bool,
    /// Do not create a tag.
    #[arg(long)]
    no_tag: bool,
    /// Do not push.
    #[arg(long, conflicts_with = "remote")]
    no_push: bool,
    /// Do not create a release on GitLab or GitHub.
    #[arg(long, conflicts_with = "asset")]
    no_host_release: bool,
    /// Attach a file to the release on GitLab or GitHub; can be repeated.
    #[arg(long, value_name = "FILE[=NAME]")]
    asset: Vec<String>,
    #[command(flatten)]
    wish: BumpArgs,
    #[command(flatten)]
    options: ChangelogArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings release                      only the plan, of the next version
  tidings release -x                   carry it out, or go on where it stopped
  tidings release 2.0.0 -x             a version of your own
  tidings release --pre rc -x          1.3.0-rc.1, then 1.3.0-rc.2
  tidings release -x --no-push         commit and tag, to be looked at first
  tidings release -x --no-commit       for projects without a changelog file
  tidings release -x --all-packages    each package that has something new,
                                       in one commit and one push

The plan exits with code 3 if it is blocked, and with code 5 if there is nothing
to release. `git push` does the pushing, with your credentials, hooks and git
settings; in CI it never asks.";

/// Runs `tidings release`.
///
/// # Errors
///
/// If the release cannot be planned, something blocks it, or a step fails.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.local_repo()?;
    let request = args.request()?;
    let request = match &args.from_tag {
        Some(tag) => request.for_tag(&repo, tag)?,
        None => request,
    };
    let planner = Planner::new(args, session);
    let mut releases = planner.plan_all(&repo, &request)?;
    let reports = if args.execute { Some(planner.execute(&repo, &mut releases)?) } else { None };
    drop(planner);
    match reports {
        Some(reports) => print_reports(args, &releases, &reports, session),
        None => print_plans(args, &releases, session),
    }
}

fn print_reports(
    args: &Args,
    releases: &[ReleaseRun],
    reports: &[ReleaseReport],
    session: &mut Session,
) -> anyhow::Result<()> {
    let (mut documents, mut text) = (Vec::new(), Vec::new());
    for (ReleaseRun { plan, .. }, report) in releases.iter().zip(reports) {
        documents.push(report::document(plan, report, &args.commit_message(plan, releases)));
        writeln!(text, "{}", report::done(plan, report))?;
    }
    answer(args, session, &documents, &text)
}

fn print_plans(args: &Args, releases: &[ReleaseRun], session: &mut Session) -> anyhow::Result<()> {
    let (mut documents, mut text) = (Vec::new(), Vec::new());
    for ReleaseRun { plan, .. } in releases {
        text.extend_from_slice(if documents.is_empty() { b"" } else { b"\n" });
        documents.push(report::document(plan, &plan.report(), &args.commit_message(plan, releases)));
        report::print_plan(plan, &mut text)?;
    }
    let planned = releases.iter().filter(|release| release.plan.states.commit.is_planned());
    if let [ReleaseRun { plan, .. }, _, ..] = planned.collect::<Vec<_>>()[..]
        && !args.separate
    {
        let message = args.commit_message(plan, releases);
        let title = message.lines().next().unwrap_or_default();
        writeln!(text, "\ntogether: one commit `{title}`, and one push of the branch and all tags")?;
    }
    answer(args, session, &documents, &text)?;
    releases.iter().try_for_each(|release| release.fail_if_blocked(args, ProblemKind::CheckFailed))?;
    if !releases.iter().all(|release| release.plan.states.are_finished()) {
        session.note("this is only a plan; run again with `--execute` (`-x`) to release");
    }
    Ok(())
}

/// Prints one document, or with `--all-packages` a list of them.
fn answer(args: &Args, session: &mut Session, documents: &[Value], text: &[u8]) -> anyhow::Result<()> {
    match documents {
        [document] if !args.all_packages => session.answer(document, |out| out.write_all(text)),
        documents => session.answer(&documents, |out| out.write_all(text)),
    }
}

impl Args {
    /// The message of the commit that a plan is part of.
    fn commit_message(&self, plan: &ReleasePlan, releases: &[ReleaseRun]) -> String {
        if self.separate {
            return joint_message(&[plan]);
        }
        let together = releases.iter().map(|release| &release.plan).filter(|plan| plan.states.commit.is_planned());
        joint_message(&together.collect::<Vec<_>>())
    }

    fn request(&self) -> anyhow::Result<ReleaseRequest> {
        if let Some(to) = &self.options.range.to {
            let problem =
                Problem::usage(format!("`--to {to}` does not go with a release, which ends where its branch does"));
            return Err(problem.hint("`--branch` names the branch").into());
        }
        let steps = StepSelection {
            commit: !self.no_commit,
            version_files: !self.no_version_files,
            tag: !self.no_tag,
            push: !self.no_push,
            hooks: !self.no_hooks,
        };
        Ok(ReleaseRequest {
            version: self.version.as_deref().map(str::parse::<Version>).transpose()?,
            bump: self.wish.options(),
            changelog: self.options.request(None)?,
            tag: self.tag.clone(),
            branch: self.branch.clone(),
            file: self.file.clone(),
            message: self.message.clone(),
            replace: self.replace,
            sign: self.sign,
            remote: self.remote.clone(),
            steps,
        })
    }
}
