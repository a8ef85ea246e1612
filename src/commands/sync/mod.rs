//! What a server has, brought into line with a file: a plan that is shown, and then carried out.
//!
//! A file that was carried out changes nothing the second time.

mod plan;
mod show;

use std::{io::Write as _, path::PathBuf};

use clap::Args;
use serde_json::Value;

use self::plan::Plan;
use super::{Session, confirm::confirm, failures::Failures, input};
use crate::{
    api,
    config::{Field, Inventory, Item},
    model::{Problem, closest},
};

/// How a file is carried out.
#[derive(Args, Clone, Debug)]
pub(super) struct SyncArgs {
    /// The YAML file with the list; `-` is stdin. The JSON that `list` prints will do too.
    file: PathBuf,
    /// Delete what is not in the file.
    #[arg(long)]
    prune: bool,
    /// Print the plan, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before something is deleted.
    #[arg(short, long)]
    yes: bool,
}

/// Things of a kind, in one place of a server.
pub(super) trait Kind {
    /// A thing as the file wants it.
    type Wanted;
    /// A thing as the server has it.
    type Present;
    /// What one is called.
    const NOUN: &'static str;
    /// Whether the server cannot change one, so that it is deleted and made anew.
    const REMADE: bool;

    /// Whose they are, for the question before a loss.
    fn place(&self) -> String;
    fn read(&self, item: &Item<'_>) -> anyhow::Result<Self::Wanted>;
    fn list(&self, session: &Session) -> anyhow::Result<Vec<Self::Present>>;
    fn wanted_name(wanted: &Self::Wanted) -> &str;
    fn present_name(present: &Self::Present) -> &str;
    /// Why one is left as it is, whatever the file says.
    fn kept(present: &Self::Present) -> Option<&'static str>;
    /// What the file says of a thing and the server does not; all of it where there is none yet.
    fn differences(wanted: &Self::Wanted, present: Option<&Self::Present>) -> Vec<Difference>;
    fn create(&self, wanted: &Self::Wanted) -> anyhow::Result<Value>;
    fn change(&self, wanted: &Self::Wanted, present: &Self::Present) -> anyhow::Result<Value>;
    fn delete(&self, present: &Self::Present) -> anyhow::Result<Value>;
}

/// A field that is not as the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) field: &'static str,
    /// `null` for nothing.
    pub(super) from: Value,
    pub(super) to: Value,
}

impl Difference {
    /// The difference, if there is one.
    pub(super) fn between(field: &'static str, from: impl Into<Value>, to: impl Into<Value>) -> Option<Self> {
        let (from, to) = (from.into(), to.into());
        (from != to).then_some(Self { field, from, to })
    }
}

/// A text as it is compared: without spaces at its end, and nothing where that is all of it.
pub(super) fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim_end).filter(|text| !text.is_empty())
}

/// A refusal of a key that means nothing, with the known one most like it.
pub(super) fn unknown(field: &Field<'_>, known: &[&str]) -> Problem {
    field.unknown().hint(match closest(field.key(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    })
}

/// Plans, shows, asks where something would be lost, and carries out.
pub(super) fn run<K: Kind>(kind: &K, args: &SyncArgs, session: &mut Session) -> anyhow::Result<()> {
    let list = Inventory::parse(&input::read(&args.file)?, &input::name(&args.file))?;
    let wanted = plan::read(kind, &list)?;
    let plan = Plan::of(wanted, kind.list(session)?, args.prune)?;
    if !session.json() {
        show::plan(&plan, &mut session.out)?;
        session.out.flush()?;
    }
    if args.dry_run || plan.changes() == 0 {
        let rows: Vec<Value> = plan.steps.iter().map(|step| show::row(step, step.prospect(), &Value::Null)).collect();
        return session.answer(&rows, |_| Ok(()));
    }
    if let Some(deed) = plan.loss(&kind.place()).filter(|_| !args.yes) {
        confirm(&deed, &session.messages)?;
    }
    carry_out(kind, &plan, session)
}

/// Takes one step after the other; one that is refused does not keep the others from being tried.
fn carry_out<K: Kind>(kind: &K, plan: &Plan<K>, session: &mut Session) -> anyhow::Result<()> {
    let (mut rows, mut failures, mut within_reach) = (Vec::new(), Failures::default(), true);
    for step in &plan.steps {
        match step.take(kind, within_reach) {
            Ok((outcome, answer)) => rows.push(show::row(step, outcome, &answer)),
            Err(error) => {
                within_reach = !is_out_of_reach(&error);
                rows.push(show::failed(step, &error));
                failures.push(format!("{} `{}`", K::NOUN, step.name()), error);
            }
        }
    }
    session.answer(&rows, |out| show::done(&rows, out))?;
    failures.end(session, |failed| format!("{failed} of {} changes failed", plan.changes()))
}

/// Whether it is of no use to ask on.
fn is_out_of_reach(error: &anyhow::Error) -> bool {
    error.downcast_ref::<api::Error>().is_some_and(|error| error.status().is_none())
}
