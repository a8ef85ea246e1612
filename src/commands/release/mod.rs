//! `tidings release`: plans commit, tag, push and publish, and executes them in one run.

mod args;
mod by_request;
mod comments;
mod place;
mod planner;
mod publish;
mod report;

use std::io::Write as _;

use serde_json::Value;

pub(crate) use self::args::Args;
use self::planner::{Planner, ReleaseRun};
use super::{Format, Session};
use crate::{
    model::ProblemKind,
    pipeline::release::{ReleasePlan, joint_message},
};

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.request {
        return by_request::run(args, session);
    }
    let repo = if args.execute { session.repo_to_commit() } else { session.local_repo() }?;
    let request = args.request(session)?;
    let request = match &args.from_tag {
        Some(tag) => request.for_tag(&repo, tag)?,
        None => request,
    };
    let planner = Planner { args, session };
    let mut releases = planner.plan_all(&repo, &request)?;
    let (reports, failure) = if args.execute {
        planner.execute(&repo, &mut releases)
    } else {
        (releases.iter().map(|release| release.plan.report()).collect(), None)
    };
    if args.execute {
        comments::tell(&releases, &reports, session)?;
    }
    let done = releases.iter().zip(&reports).map(|(release, report)| (&release.plan, report));
    let text = if args.execute {
        done.clone().map(|(plan, report)| report::describe_done(plan, report) + "\n").collect::<String>().into_bytes()
    } else {
        plans(args, &releases)?
    };
    let document = |(plan, report)| report::document(plan, report, &commit_message(args, plan, &releases));
    let documents: Vec<Value> = done.clone().map(document).collect();
    // What was done before a step failed is on stderr already, and a machine reads it in the document.
    let is_told = failure.is_none() || session.global.format == Format::Json;
    if is_told || !documents.is_empty() && done.clone().all(|(_, report)| report.states.are_finished()) {
        match documents.as_slice() {
            [document] if !args.all_packages => session.answer(document, |out| out.write_all(&text))?,
            documents => session.answer(&documents, |out| out.write_all(&text))?,
        }
    }
    if args.execute {
        return failure.map_or(Ok(()), Err);
    }
    releases.iter().try_for_each(|release| release.fail_if_blocked(args, ProblemKind::CheckFailed))?;
    if !releases.iter().all(|release| release.plan.states.are_finished()) {
        session.note("this is only a plan; run again with `--execute` (`-x`) to release");
    }
    Ok(())
}

/// Returns the plans as they are printed.
fn plans(args: &Args, releases: &[ReleaseRun]) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    for ReleaseRun { plan, .. } in releases {
        text.extend_from_slice(if text.is_empty() { b"" } else { b"\n" });
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
    Ok(text)
}

/// Returns the message of the commit that a plan is part of.
fn commit_message(args: &Args, plan: &ReleasePlan, releases: &[ReleaseRun]) -> String {
    if args.separate {
        return joint_message(&[plan]);
    }
    let together = releases.iter().map(|release| &release.plan).filter(|plan| plan.states.commit.is_planned());
    joint_message(&together.collect::<Vec<_>>())
}
