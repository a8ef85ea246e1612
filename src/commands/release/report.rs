//! What is told of a release: the plan, what stands in its way, and what was done.

use serde_json::{Value, json};

use super::release_run::ReleaseRun;
use crate::{
    commands::Session,
    git::{commit::FileChange, upstream::Upstream},
    model::{self, Problem, ProblemKind},
    pipeline::release::ReleasePlan,
};

/// Says that a plan is no more than that.
pub(super) fn note(is_finished: bool, session: &Session) {
    if !is_finished {
        session.note("this is only a plan; run again with `--execute` (`-x`) to release");
    }
}

/// Fails with all that stands in the way.
pub(super) fn fail_if_blocked(plan: &ReleasePlan, kind: ProblemKind) -> anyhow::Result<()> {
    if plan.blockers.is_empty() {
        return Ok(());
    }
    let causes = plan.blockers.iter().map(cause).collect::<Vec<_>>().join("\n");
    let details = causes.lines().map(|line| format!("  {line}"));
    let problem = Problem::new(format!("{} cannot be released yet", plan.version)).details(details);
    let hints = plan.blockers.iter().flat_map(model::hints);
    Err(hints.fold(problem.kind(kind), Problem::hint).into())
}

/// An obstacle with what caused it.
fn cause(obstacle: &anyhow::Error) -> String {
    obstacle.chain().map(|cause| cause.to_string().trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A plan, and what was done of it, for machines.
pub(super) fn document(flow: &ReleaseRun) -> Value {
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
            "tag": { "state": plan.tag_state, "message": plan.notes.message() },
            "push": {
                "state": plan.push.state,
                "remote": plan.push.upstream.as_ref().map(Upstream::shown),
                "refs": plan.refs(),
            },
            "host_release": host_release(flow),
        },
        "obstacles": plan.blockers.iter().map(cause).collect::<Vec<_>>(),
    })
}

fn commit(plan: &ReleasePlan) -> Value {
    let diff: Vec<u8> = plan.changes.iter().flat_map(FileChange::diff).collect();
    let files: Vec<_> = plan.changes.iter().map(|change| change.file.as_str()).collect();
    json!({ "state": plan.commit_state, "files": files, "diff": String::from_utf8_lossy(&diff) })
}

fn host_release(flow: &ReleaseRun) -> Value {
    let step = match &flow.host {
        Ok(step) => step,
        Err(state) => return json!({ "state": state }),
    };
    let published = step.published.as_ref();
    json!({
        "state": step.state,
        "requests": step.requests(),
        "url": published.and_then(|published| published.url.as_deref()),
        "assets": published.map(|published| &published.assets),
    })
}
