//! What is told of a release: the plan, what stands in its way, and what was done.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{flow::Flow, text};
use crate::{
    commands::Session,
    git::{commit::Change, upstream::Upstream},
    model::{self, Kind, Problem, StepState},
    pipeline::release::Plan,
};

/// Shows a plan, and fails where it cannot be carried out.
pub(super) fn plan(flow: &Flow, session: &mut Session) -> anyhow::Result<()> {
    session.answer(&document(flow), |out| text::plan(flow, out))?;
    refuse(&flow.plan, Kind::Found)?;
    if !flow.is_finished() {
        session.note("this is the plan; `--execute` (`-x`) carries it out");
    }
    Ok(())
}

/// Fails with all that stands in the way.
pub(super) fn refuse(plan: &Plan, kind: Kind) -> anyhow::Result<()> {
    if plan.obstacles.is_empty() {
        return Ok(());
    }
    let causes = plan.obstacles.iter().map(|obstacle| format!("\n  {}", cause(obstacle).replace('\n', "\n  ")));
    let problem = Problem::new(format!("{} cannot be released yet{}", plan.version, causes.collect::<String>()));
    let hints = plan.obstacles.iter().flat_map(model::hints);
    Err(hints.fold(problem.kind(kind), Problem::hint).into())
}

/// Tells what was done.
pub(super) fn done(flow: &Flow, session: &mut Session) -> anyhow::Result<()> {
    let plan = &flow.plan;
    let states = [plan.committing, plan.tagging, plan.push.state, flow.host_state()];
    let steps = states.iter().zip(["committed", "tagged", "pushed", "published"]);
    let done: Vec<_> = steps.filter(|(state, _)| **state == StepState::Done).map(|(_, done)| done).collect();
    let sentence = match done.as_slice() {
        [] => text::finished(plan),
        steps => format!("released {} as {}: {}", plan.version, plan.tag, steps.join(", ")),
    };
    session.answer(&document(flow), |out| writeln!(out, "{sentence}"))
}

/// An obstacle with what caused it.
fn cause(obstacle: &anyhow::Error) -> String {
    obstacle.chain().map(|cause| cause.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn document(flow: &Flow) -> Value {
    let plan = &flow.plan;
    json!({
        "version": plan.version.to_string(),
        "tag": plan.tag,
        "branch": plan.branch,
        "commit": plan.commit,
        "finished": flow.is_finished(),
        "title": plan.notes.title,
        "notes": plan.notes.body,
        "steps": {
            "commit": commit(plan),
            "tag": { "state": plan.tagging, "message": plan.notes.message() },
            "push": {
                "state": plan.push.state,
                "remote": plan.push.upstream.as_ref().map(Upstream::shown),
                "refs": plan.refs(),
            },
            "host_release": host_release(flow),
        },
        "obstacles": plan.obstacles.iter().map(cause).collect::<Vec<_>>(),
    })
}

fn commit(plan: &Plan) -> Value {
    let diff: Vec<u8> = plan.changes.iter().flat_map(Change::diff).collect();
    let files: Vec<_> = plan.changes.iter().map(|change| change.file.as_str()).collect();
    json!({ "state": plan.committing, "files": files, "diff": String::from_utf8_lossy(&diff) })
}

fn host_release(flow: &Flow) -> Value {
    let Some(step) = &flow.host else { return json!({ "state": StepState::LeftOut }) };
    let published = step.published.as_ref();
    json!({
        "state": step.state,
        "requests": step.requests(),
        "url": published.and_then(|published| published.url.as_deref()),
        "assets": published.map(|published| &published.assets),
    })
}
