//! The plan of a release and the result of its execution, as JSON and as text.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::{
    git::{commit::FileChange, remote::Upstream},
    model::{self, Problem, ProblemKind},
    pipeline::release::{PublishPlan, ReleasePlan, ReleaseReport, StepState},
};

/// Fails with all blockers of the plan, if it has any.
pub(super) fn fail_if_blocked(plan: &ReleasePlan, kind: ProblemKind) -> anyhow::Result<()> {
    if plan.blockers.is_empty() {
        return Ok(());
    }
    let causes = plan.blockers.iter().map(cause).collect::<Vec<_>>().join("\n");
    let details = causes.lines().map(|line| format!("  {line}"));
    let problem = Problem::new(format!("{} cannot be released yet", plan.version)).details(details);
    let is_refused = plan.blockers.iter().any(|blocker| model::problem_kind(blocker) == ProblemKind::AccessDenied);
    let kind = if is_refused { ProblemKind::AccessDenied } else { kind };
    let hints = plan.blockers.iter().flat_map(model::hints);
    Err(hints.fold(problem.kind(kind), Problem::hint).into())
}

/// Returns a blocker with its causes, a line each.
fn cause(blocker: &anyhow::Error) -> String {
    blocker.chain().map(|cause| cause.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// Returns a plan and the result of its execution as JSON; `message` is that of the commit.
pub(super) fn document(plan: &ReleasePlan, report: &ReleaseReport, message: &str) -> Value {
    let undo = plan.undo(report);
    let diff: Vec<u8> = plan.changes.iter().flat_map(FileChange::diff).collect();
    json!({
        "version": plan.version.to_string(),
        "tag": plan.tag,
        "package": plan.package,
        "previous_tag": plan.previous_tag,
        "branch": plan.branch,
        "commit": report.commit,
        "finished": report.states.are_finished(),
        "title": plan.notes.title,
        "notes": plan.notes.body,
        "steps": {
            "commit": {
                "state": report.states.commit,
                "files": files(plan),
                "removed": removed(plan),
                "diff": String::from_utf8_lossy(&diff),
                "message": plan.states.commit.is_planned().then_some(message),
                "undo": undo.commit,
            },
            "tag": { "state": report.states.tag, "message": plan.notes.message(), "undo": undo.tag },
            "push": {
                "state": report.states.push,
                "remote": plan.push.upstream.as_ref().map(Upstream::display_name),
                "refs": plan.refspecs(&report.released_commit()),
                "undo": undo.push,
            },
            "forge_release": publish_document(plan, report),
        },
        "hooks": { "before": plan.hooks.before, "after": plan.hooks.after, "env": plan.hooks.env },
        "blockers": plan.blockers.iter().map(cause).collect::<Vec<_>>(),
    })
}

fn files(plan: &ReleasePlan) -> Vec<&str> {
    plan.changes.iter().map(|change| change.file.as_str()).collect()
}

/// Returns the change files that the commit deletes.
fn removed(plan: &ReleasePlan) -> Vec<&str> {
    plan.changes.iter().filter(|change| change.after.is_none()).map(|change| change.file.as_str()).collect()
}

fn publish_document(plan: &ReleasePlan, report: &ReleaseReport) -> Value {
    let state = report.states.publish;
    let Some(publish) = &plan.publish else { return json!({ "state": state }) };
    json!({
        "state": state,
        "requests": publish.requests,
        "undo": [publish.undo],
        "url": report.published.as_ref().and_then(|published| published.url.as_deref()),
        "assets": report.published.as_ref().map(|published| &published.assets),
    })
}

/// Prints every step of a plan, with what it would do.
pub(super) fn print_plan(plan: &ReleasePlan, out: &mut impl Write) -> io::Result<()> {
    if plan.states.are_finished() && plan.blockers.is_empty() {
        return writeln!(out, "{}", describe_finished(plan, &plan.report()));
    }
    let report = plan.report();
    let (states, undo) = (plan.states, plan.undo(&report));
    writeln!(out, "release {} of {} as {}", plan.version, plan.branch, plan.tag)?;
    hooks(out, "before", if states.write_here() { &plan.hooks.before } else { &[] })?;
    let written: Vec<_> = plan.changes.iter().filter(|change| change.after.is_some()).collect();
    let names: Vec<&str> = written.iter().map(|change| change.file.as_str()).collect();
    print_step(out, "commit", states.commit, &names.join(", "))?;
    written.iter().try_for_each(|change| print_indented(out, &String::from_utf8_lossy(&change.diff())))?;
    removed(plan).iter().try_for_each(|path| print_indented(out, &format!("delete {path}")))?;
    undo_commands(out, &undo.commit)?;
    print_step(out, "tag", states.tag, &plan.tag)?;
    if states.tag.is_planned() {
        print_indented(out, &plan.notes.message())?;
    }
    undo_commands(out, &undo.tag)?;
    let remote = plan.push.upstream.as_ref().map(Upstream::display_name);
    print_step(out, "push", states.push, &format!("to {}", remote.unwrap_or_default()))?;
    if states.push.is_planned() {
        print_indented(out, &plan.refspecs(&report.released_commit()).join("\n"))?;
    }
    undo_commands(out, &undo.push)?;
    let on = |publish: &PublishPlan| format!("on {}", publish.location);
    print_step(out, "forge release", states.publish, &plan.publish.as_ref().map(on).unwrap_or_default())?;
    if let Some(publish) = plan.publish.as_ref().filter(|_| states.publish.is_planned()) {
        publish.requests.iter().try_for_each(|request| writeln!(out, "    {} {}", request.method, request.url))?;
        undo_commands(out, std::slice::from_ref(&publish.undo))?;
    }
    hooks(out, "after", &plan.hooks.after)?;
    hooks(out, "env", &plan.hooks.env)
}

fn hooks(out: &mut impl Write, name: &str, lines: &[String]) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nhooks {name}:")?;
    print_indented(out, &lines.join("\n"))
}

/// Returns in words what was done, or that there was nothing to do.
pub(super) fn describe_done(plan: &ReleasePlan, report: &ReleaseReport) -> String {
    let states = report.states;
    let states = [states.commit, states.tag, states.push, states.publish];
    let steps = states.iter().zip(["committed", "tagged", "pushed", "published"]);
    let done: Vec<_> = steps.filter(|(state, _)| **state == StepState::Done).map(|(_, done)| done).collect();
    match done.as_slice() {
        [] => describe_finished(plan, report),
        steps => format!("released {} as {}: {}", plan.version, plan.tag, steps.join(", ")),
    }
}

fn describe_finished(plan: &ReleasePlan, report: &ReleaseReport) -> String {
    let ReleasePlan { version, tag, branch, .. } = plan;
    if plan.push.has_tag {
        return format!("{version} is already released as {tag}: commit {} on {branch}", report.commit.short());
    }
    let states = [report.states.commit, report.states.tag, report.states.push];
    let steps = states.iter().zip(["commit", "tag", "push"]);
    let skipped: Vec<_> = steps.filter(|(state, _)| **state == StepState::Skipped).map(|(_, step)| step).collect();
    format!("nothing left to do for {version}; skipped: {}", skipped.join(", "))
}

fn print_step(out: &mut impl Write, name: &str, state: StepState, what: &str) -> io::Result<()> {
    let state = match state {
        StepState::Planned => what,
        StepState::Blocked => "blocked",
        StepState::Done => "done",
        StepState::AlreadyDone => "already done",
        StepState::Skipped => "skipped",
    };
    writeln!(out, "\n{name}: {state}")
}

/// Prints the commands that undo a step.
fn undo_commands(out: &mut impl Write, commands: &[String]) -> io::Result<()> {
    commands
        .iter()
        .zip(["undo:"].into_iter().chain(std::iter::repeat("     ")))
        .try_for_each(|(command, mark)| writeln!(out, "  {mark} {command}"))
}

fn print_indented(out: &mut impl Write, text: &str) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "{}", format!("    {line}").trim_end()))
}
