//! What a server has, brought into line with a file: a plan that is shown, and then carried out.
//!
//! A file that was carried out changes nothing the second time.

mod plan;
mod resource;
mod show;

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use serde_json::Value;

use self::plan::SyncPlan;
pub(super) use self::resource::{Desired, Difference, LOST, SyncResource, description, unknown_key};
use super::{
    Session,
    session::{Failures, confirm, input},
};
use crate::{api, config::ResourceList};

/// How a file is carried out.
#[derive(Args, Clone, Debug)]
pub(super) struct SyncArgs {
    /// The YAML file with the list; `-` is stdin. The JSON that `list` prints will do too.
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

/// Plans, shows, asks where something would be lost, and carries out.
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

/// Takes one step after the other; one that is refused does not keep the others from being tried.
fn execute(plan: &SyncPlan<'_>, session: &mut Session) -> anyhow::Result<()> {
    let (mut rows, mut failures, mut within_reach) = (Vec::new(), Failures::default(), true);
    for step in &plan.steps {
        match plan.apply(step, within_reach) {
            Ok((outcome, answer)) => rows.push(show::row(step, outcome, &answer)),
            Err(error) => {
                within_reach = !is_out_of_reach(&error);
                rows.push(show::failed(step, &error));
                failures.push(format!("{} `{}`", plan.resource.noun(), step.name), error);
            }
        }
    }
    session.answer(&rows, |out| show::done(&rows, out))?;
    failures.end(&session.messages, |failed| format!("{failed} of {} changes failed", plan.changes()))
}

/// Whether it is of no use to ask on.
fn is_out_of_reach(error: &anyhow::Error) -> bool {
    error.downcast_ref::<api::Error>().is_some_and(|error| error.status().is_none())
}
