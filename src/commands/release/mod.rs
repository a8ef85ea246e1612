//! `tidings release`: commit, tag, push and publish in one run, planned first.

mod args;
mod publish;
mod release_run;
mod report;

use std::io::Write as _;

use serde_json::Value;

pub use self::args::Args;
use self::release_run::{Planner, ReleaseRun};
use super::Session;
use crate::{
    model::ProblemKind,
    pipeline::release::{ReleasePlan, ReleaseReport, joint_message},
};

/// Runs `tidings release`.
///
/// # Errors
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
        documents.push(report::document(plan, report, &commit_message(args, plan, releases)));
        writeln!(text, "{}", report::done(plan, report))?;
    }
    answer(args, session, &documents, &text)
}

fn print_plans(args: &Args, releases: &[ReleaseRun], session: &mut Session) -> anyhow::Result<()> {
    let (mut documents, mut text) = (Vec::new(), Vec::new());
    for ReleaseRun { plan, .. } in releases {
        text.extend_from_slice(if documents.is_empty() { b"" } else { b"\n" });
        documents.push(report::document(plan, &plan.report(), &commit_message(args, plan, releases)));
        report::print_plan(plan, &mut text)?;
    }
    let planned = releases.iter().filter(|release| release.plan.states.commit.is_planned());
    if let [ReleaseRun { plan, .. }, _, ..] = planned.collect::<Vec<_>>()[..]
        && !args.separate
    {
        let message = commit_message(args, plan, releases);
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

/// The message of the commit that a plan is part of.
fn commit_message(args: &Args, plan: &ReleasePlan, releases: &[ReleaseRun]) -> String {
    if args.separate {
        return joint_message(&[plan]);
    }
    let together = releases.iter().map(|release| &release.plan).filter(|plan| plan.states.commit.is_planned());
    joint_message(&together.collect::<Vec<_>>())
}
