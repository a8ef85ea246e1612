//! Makes the resources on a server match a file: prints a plan, and then applies it. Applied again, the file changes
//! nothing.

mod plan;
mod resource;
mod show;

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use serde_json::Value;

use self::plan::SyncPlan;
pub(super) use self::resource::{Desired, Difference, LOST, SyncContext, SyncResource, description, unknown_key};
use super::{
    Session,
    session::{Failures, confirm, input},
};
use crate::{api, config::ResourceList};

/// The arguments of `sync`.
#[derive(Args, Clone, Debug)]
pub(super) struct SyncArgs {
    /// YAML file with the list, or the JSON that `list` prints; `-` is stdin.
    file: PathBuf,
    /// Delete what is not in the file.
    #[arg(long)]
    prune: bool,
    /// Print the plan, and change nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Do not ask for confirmation before something is deleted.
    #[arg(short, long)]
    yes: bool,
}

/// Prints the plan, asks if it deletes something, and applies it.
pub(super) fn sync(resource: &dyn SyncResource, args: &SyncArgs, session: &mut Session) -> anyhow::Result<()> {
    let list = ResourceList::parse(&input::read(&args.file)?, &input::name(&args.file))?;
    let desired = plan::read(resource, &list)?;
    let plan = SyncPlan::new(resource, desired, resource.list()?, args.prune)?;
    if !session.json() {
        show::plan(&plan, &mut session.out)?;
        session.out.flush()?;
    }
    if args.dry_run || plan.changes() == 0 {
        let rows: Vec<Value> =
            plan.steps.iter().map(|step| show::row(step, step.planned_outcome(), &Value::Null)).collect();
        return session.answer(&rows, |_| Ok(()));
    }
    if let Some(action) = plan.deletions().filter(|_| !args.yes) {
        confirm(&action, &session.messages)?;
    }
    execute(&plan, session)
}

/// Applies one step after another, also if one of them is refused.
fn execute(plan: &SyncPlan<'_>, session: &mut Session) -> anyhow::Result<()> {
    let (mut rows, mut failures, mut is_available) = (Vec::new(), Failures::default(), true);
    for step in &plan.steps {
        match plan.apply(step, is_available) {
            Ok((outcome, response)) => rows.push(show::row(step, outcome, &response)),
            Err(error) => {
                is_available = !is_unavailable(&error);
                rows.push(show::failed(step, &error));
                failures.push(format!("{} `{}`", plan.resource.noun(), step.name), error);
            }
        }
    }
    session.answer(&rows, |out| show::done(&rows, out))?;
    failures.end(&session.messages, |failed| format!("{failed} of {} changes failed", plan.changes()))
}

/// Whether the server is unavailable, so that further requests are pointless.
fn is_unavailable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<api::Error>().is_some_and(|error| error.status().is_none())
}
