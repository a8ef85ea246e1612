//! `tidings batch`: many repositories in one run.

mod fields;
mod item;
mod journal;
mod list;
mod outcome;
mod shard;
mod workers;

use std::{
    io::Write as _,
    num::NonZero,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anstyle::{AnsiColor, Style};

use self::{item::Item, journal::Journal, outcome::ResultLine, shard::Shard};
use super::{GlobalArgs, Session, session::input::variable};
use crate::model::{Problem, ProblemKind, printable_json};

pub use outcome::{ErrorReport, ItemOutcome};

/// Run a list of commands on many repositories in parallel.
///
/// Each prints one line of JSON.
///
/// FILE has an object a line, or is a YAML list of such. What stands in it: `command` ("show", "repo tree"), one of
/// `repo`
/// (a path), `url` or `project`, `version` or a list of `arguments`, `options` by their long names (`first-release:
/// true`), and an `id` to know the result by. A failure of one never stops the rest; what concerns one repository is
/// done in the order of the list.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The list; `-` is stdin.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of repositories to process in parallel [default: the number of CPUs].
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Skip the items that FILE, the results of an earlier run, records as done, and append new results to it.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Process only shard N of M; `auto` reads both from the CI job, `auto/M` reads N from the indexed Kubernetes job.
    #[arg(long, value_name = "N/M")]
    shard: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tidings batch releases.jsonl -o results.jsonl
  tidings batch releases.yml --resume results.jsonl   only what is not done yet
  tidings batch releases.yml --shard 3/10             a tenth of it
  tidings batch releases.yml --shard auto             the part of a CI job

  {\"command\": \"show\", \"repo\": \"../api\", \"options\": {\"format\": \"json\"}}
  {\"command\": \"add\", \"repo\": \"../web\", \"version\": \"2.0.0\", \"id\": \"web\"}

Global options given to `batch` hold for every item that does not set them.
Exits with code 1 if any item failed. An item with nothing to do (code 5) is
neither failed nor done.";

const FAILED: Style = AnsiColor::Red.on_default().bold();

/// Runs one command line, the program's name aside, under options of the whole run.
pub type Runner<'a> = &'a (dyn Fn(&[String], &GlobalArgs) -> ItemOutcome + Sync);

/// Runs `tidings batch`, each item by `runner`.
///
/// # Errors
///
/// Where the list cannot be read, or [`ProblemKind::PartialFailure`] where an item failed.
pub fn run(args: &Args, runner: Runner, session: &mut Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut journal = args.resume.as_deref().map(|path| Journal::open(path, session)).transpose()?;
    let (items, mut tally) = args.select(journal.as_ref())?;
    let (total, global) = (items.len() as u64, session.global.clone());
    let work = |item: &Item| {
        let start = Instant::now();
        (runner(&item.command_line(), &global), start.elapsed())
    };
    let progress = session.progress();
    workers::run(&item::queues(items), args.jobs(), work, |item, (outcome, elapsed)| {
        tally.count(&outcome);
        progress.suspend(|| report(item, &outcome, elapsed, journal.as_mut(), session))?;
        progress.items("items", tally.finished() as u64, Some(total));
        Ok(())
    })?;
    progress.finish();
    session.note(&format!("{} in {:.1} s", tally.sentence(), start.elapsed().as_secs_f64()));
    tally.verdict()
}

impl Args {
    /// The items of this part of the list that are not done yet.
    fn select(&self, journal: Option<&Journal>) -> anyhow::Result<(Vec<Item>, Tally)> {
        let shard = self.shard.as_deref().map(|text| Shard::parse(text, &variable)).transpose()?;
        let mut items = list::load(&self.file)?;
        items.retain(|item| shard.is_none_or(|shard| shard.has(item.index)));
        let of_part = items.len();
        items.retain(|item| journal.is_none_or(|journal| !journal.is_done(&item.key())));
        let tally = Tally { items: of_part, skipped: of_part - items.len(), ..Tally::default() };
        Ok((items, tally))
    }

    fn jobs(&self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}

/// Writes a result as soon as it is there: whoever stops the run keeps what was done.
fn report(
    item: &Item,
    outcome: &ItemOutcome,
    elapsed: Duration,
    journal: Option<&mut Journal>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let line = printable_json(&serde_json::to_string(&ResultLine::new(item, outcome, elapsed))?);
    if let Some(journal) = journal {
        journal.add(&line)?;
    }
    writeln!(session.out, "{line}")?;
    session.out.flush()?;
    if let Some(trouble) = outcome.failure() {
        session.note(&format!("{FAILED}failed{FAILED:#}: {}: {}", item.name(), trouble.message));
    }
    Ok(())
}

/// What became of the items, counted.
#[derive(Debug, Default)]
struct Tally {
    items: usize,
    skipped: usize,
    done: usize,
    idle: usize,
    failed: usize,
}

impl Tally {
    fn count(&mut self, outcome: &ItemOutcome) {
        match outcome.kind() {
            None => self.done += 1,
            Some(ProblemKind::NothingToDo) => self.idle += 1,
            Some(_) => self.failed += 1,
        }
    }

    fn finished(&self) -> usize {
        self.done + self.idle + self.failed
    }

    fn sentence(&self) -> String {
        let parts = [(self.failed, "failed"), (self.idle, "had nothing to do"), (self.skipped, "done before")];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{} of {} items done{}", self.done, self.items, parts.collect::<String>())
    }

    fn verdict(&self) -> anyhow::Result<()> {
        if self.failed == 0 {
            return Ok(());
        }
        Err(Problem::new(format!("{} of {} items failed", self.failed, self.items))
            .kind(ProblemKind::PartialFailure)
            .into())
    }
}
