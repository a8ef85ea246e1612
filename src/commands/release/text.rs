//! A plan as people read it.

use std::io::{self, Write};

use super::release_run::ReleaseRun;
use crate::{git::upstream::Upstream, model::StepState, pipeline::release::ReleasePlan};

/// Every step, with what it would do.
pub(super) fn plan(flow: &ReleaseRun, out: &mut impl Write) -> io::Result<()> {
    let plan = &flow.plan;
    if flow.is_finished() && plan.blockers.is_empty() {
        return writeln!(out, "{}", finished(plan));
    }
    writeln!(out, "release {} of {} as {}", plan.version, plan.branch, plan.tag)?;
    commit(plan, out)?;
    tag(plan, out)?;
    push(plan, out)?;
    host_release(flow, out)
}

/// What was done, or that there was nothing to do.
pub(super) fn done(flow: &ReleaseRun) -> String {
    let plan = &flow.plan;
    let states = [plan.commit_state, plan.tag_state, plan.push.state, flow.host_state()];
    let steps = states.iter().zip(["committed", "tagged", "pushed", "published"]);
    let done: Vec<_> = steps.filter(|(state, _)| **state == StepState::Done).map(|(_, done)| done).collect();
    match done.as_slice() {
        [] => finished(plan),
        steps => format!("released {} as {}: {}", plan.version, plan.tag, steps.join(", ")),
    }
}

/// That nothing is left to do.
fn finished(plan: &ReleasePlan) -> String {
    let ReleasePlan { version, tag, branch, .. } = plan;
    if plan.push.has_tag {
        return format!("{version} is already released as {tag}: commit {} on {branch}", plan.commit.short());
    }
    let states = [plan.commit_state, plan.tag_state, plan.push.state];
    let steps = states.iter().zip(["commit", "tag", "push"]);
    let left_out: Vec<_> = steps.filter(|(state, _)| **state == StepState::Skipped).map(|(_, step)| step).collect();
    format!("nothing left to do for {version}; skipped: {}", left_out.join(", "))
}

fn commit(plan: &ReleasePlan, out: &mut impl Write) -> io::Result<()> {
    let files: Vec<_> = plan.changes.iter().map(|change| change.file.as_str()).collect();
    step(out, "commit", plan.commit_state, &files.join(", "))?;
    plan.changes.iter().try_for_each(|change| indented(out, &String::from_utf8_lossy(&change.diff())))
}

fn tag(plan: &ReleasePlan, out: &mut impl Write) -> io::Result<()> {
    step(out, "tag", plan.tag_state, &plan.tag)?;
    if plan.tag_state.is_planned() { indented(out, &plan.notes.message()) } else { Ok(()) }
}

fn push(plan: &ReleasePlan, out: &mut impl Write) -> io::Result<()> {
    let remote = plan.push.upstream.as_ref().map(Upstream::shown);
    step(out, "push", plan.push.state, &format!("to {}", remote.unwrap_or_default()))?;
    if plan.push.state.is_planned() { indented(out, &plan.refs().join("\n")) } else { Ok(()) }
}

fn host_release(flow: &ReleaseRun, out: &mut impl Write) -> io::Result<()> {
    let place = flow.host.as_ref().map(|step| format!("on {}", step.location()));
    step(out, "host release", flow.host_state(), &place.unwrap_or_default())?;
    let Some(step) = flow.host.as_ref().ok().filter(|step| step.state.is_planned()) else { return Ok(()) };
    step.requests().iter().try_for_each(|request| writeln!(out, "    {} {}", request.method, request.url))
}

fn step(out: &mut impl Write, name: &str, state: StepState, what: &str) -> io::Result<()> {
    let state = match state {
        StepState::Planned => what,
        StepState::Blocked => "blocked",
        StepState::Done => "done",
        StepState::AlreadyDone => "already done",
        StepState::Skipped => "left out",
    };
    writeln!(out, "\n{name}: {state}")
}

fn indented(out: &mut impl Write, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("    {line}").trim_end()))
}
