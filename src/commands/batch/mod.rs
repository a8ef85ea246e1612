//! `tidings batch`: runs a list of commands on many repositories.

mod list;
mod outcome;

use std::{
    io::Write as _,
    num::NonZero,
    path::PathBuf,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;

pub(crate) use self::outcome::ItemOutcome;
use self::{
    list::{Item, Shard},
    outcome::{Journal, result_line},
};
use super::{GlobalArgs, Session, session::variable};
use crate::{
    git::HistoryCache,
    model::{Problem, ProblemKind, printable_json},
};

/// Run a list of commands on many repositories in parallel.
///
/// Each prints one line of JSON.
///
/// FILE has one JSON object per line, or is a YAML list of items. An item has a `command` ("show", "repo tree"), one of
/// `repo` (a path), `url` or `project`, a `version` or a list of `arguments`, `options` with long names
/// (`first-release: true`), and an `id` as the name of its result. A failure does not stop other items; items of one
/// repository run in the order of the list.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with the list; `-` is stdin.
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
  tidings batch releases.yml --resume results.jsonl  only what is not done yet
  tidings batch releases.yml --shard 3/10            the third tenth of the list
  tidings batch releases.yml --shard auto            the shard of a CI job

  {\"command\": \"show\", \"repo\": \"../api\", \"options\": {\"format\": \"json\"}}
  {\"command\": \"add\", \"repo\": \"../web\", \"version\": \"2.0.0\", \"id\": \"web\"}

Global options given to `batch` apply to every item that does not set them.
Exits with code 1 if any item failed. An item with nothing to do (code 5) is
neither failed nor done.";

const FAILED: Style = AnsiColor::Red.on_default().bold();

/// The function that runs one command line, without the program's name, with the global options of the batch. Items of
/// one repository share a cache of its history.
pub(crate) type Runner<'a> = &'a (dyn Fn(&[String], &GlobalArgs, Option<&HistoryCache>) -> ItemOutcome + Sync);

pub(crate) fn run(args: &Args, runner: Runner, session: &mut Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut journal = args.resume.as_deref().map(|path| Journal::open(path, session)).transpose()?;
    let (items, mut tally) = args.select(journal.as_ref())?;
    let (total, global) = (items.len() as u64, session.global.clone());
    let work = |item: &Item, history: Option<&HistoryCache>| {
        let start = Instant::now();
        (runner(&item.command_line(), &global, history), start.elapsed())
    };
    let messages = session.messages.clone();
    let progress = messages.progress();
    run_queues(&list::queues(items), args.jobs(), work, |item, (outcome, elapsed)| {
        tally.count(&outcome);
        progress.suspend(|| report(item, &outcome, elapsed, journal.as_mut(), session))?;
        progress.items("items", tally.count_finished() as u64, Some(total));
        Ok(())
    })?;
    progress.finish();
    session.note(&format!("{} in {:.1} s", tally.sentence(), start.elapsed().as_secs_f64()));
    tally.to_result()
}

impl Args {
    /// Loads the items of this shard that are not done yet.
    fn select(&self, journal: Option<&Journal>) -> anyhow::Result<(Vec<Item>, Tally)> {
        let shard = self.shard.as_deref().map(|text| Shard::parse(text, &variable)).transpose()?;
        let mut items = list::load(&self.file)?;
        items.retain(|item| shard.is_none_or(|shard| shard.contains(item.index)));
        let count = items.len();
        items.retain(|item| journal.is_none_or(|journal| !journal.is_done(&item.key())));
        let tally = Tally { items: count, skipped: count - items.len(), ..Tally::default() };
        Ok((items, tally))
    }

    fn jobs(&self) -> usize {
        self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get)
    }
}

/// Writes a result at once, so that an interrupted run keeps the results so far.
fn report(
    item: &Item,
    outcome: &ItemOutcome,
    elapsed: Duration,
    journal: Option<&mut Journal>,
    session: &mut Session,
) -> anyhow::Result<()> {
    let line = printable_json(&result_line(item, outcome, elapsed).to_string());
    if let Some(journal) = journal {
        journal.add(&line)?;
    }
    writeln!(session.out, "{line}")?;
    session.out.flush()?;
    if let Some(error) = outcome.failure() {
        session.note(&format!("{FAILED}failed{FAILED:#}: {}: {}", item.name(), error.message));
    }
    Ok(())
}

#[derive(Default)]
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

    fn count_finished(&self) -> usize {
        self.done + self.idle + self.failed
    }

    fn sentence(&self) -> String {
        let parts = [(self.failed, "failed"), (self.idle, "had nothing to do"), (self.skipped, "done before")];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{} of {} items done{}", self.done, self.items, parts.collect::<String>())
    }

    fn to_result(&self) -> anyhow::Result<()> {
        if self.failed == 0 {
            return Ok(());
        }
        Err(Problem::new(format!("{} of {} items failed", self.failed, self.items))
            .kind(ProblemKind::PartialFailure)
            .into())
    }
}

/// The stack of a thread, in bytes: that of a main thread on most systems, which a command has outside of a batch.
const STACK: usize = 8 << 20;

/// Processes each queue in its order, `jobs` queues in parallel, and calls `each` with every result. If a queue has
/// several items, `work` gets a value that they share. Fails if a thread cannot be started, or with the first error of
/// `each`, after which no further item is started.
fn run_queues<T: Sync, S: Default, R: Send>(
    queues: &[Vec<T>],
    jobs: usize,
    work: impl Fn(&T, Option<&S>) -> R + Sync,
    mut each: impl FnMut(&T, R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (results, finished) = mpsc::channel();
        for _ in 0..jobs.min(queues.len()) {
            let (next, work, results) = (&next, &work, results.clone());
            let worker = move || {
                let mut queues = std::iter::from_fn(|| queues.get(next.fetch_add(1, Ordering::Relaxed)));
                // The receiver is gone if `each` failed.
                let _ = queues.try_for_each(|queue| {
                    let shared = (queue.len() > 1).then(S::default);
                    queue.iter().try_for_each(|item| results.send((item, work(item, shared.as_ref()))))
                });
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).context("cannot start a thread")?;
        }
        drop(results);
        finished.into_iter().try_for_each(|(item, result)| each(item, result))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn every_item_is_done_once_and_a_queue_in_its_order() {
        let queues: Vec<Vec<(usize, usize)>> =
            (0..20).map(|queue| (0..5).map(|index| (queue, index)).collect()).collect();
        let mut seen = vec![Vec::new(); 20];
        run_queues(
            &queues,
            4,
            |item, done: Option<&Cell<usize>>| (*item, done.map(|done| done.replace(done.get() + 1))),
            |_, ((queue, index), before)| {
                assert_eq!(before, Some(index), "what the items of a queue share");
                seen[queue].push(index);
                Ok(())
            },
        )
        .unwrap();
        assert!(seen.iter().all(|indexes| *indexes == [0, 1, 2, 3, 4]), "{seen:?}");
    }

    #[test]
    fn an_error_of_the_callback_ends_the_work() {
        let queues: Vec<Vec<usize>> = (0..1_000).map(|number| vec![number]).collect();
        let alone = |_: &usize, shared: Option<&()>| assert!(shared.is_none());
        assert!(run_queues(&queues, 2, alone, |_, ()| anyhow::bail!("no room")).is_err());
        assert!(run_queues(&[] as &[Vec<usize>], 2, alone, |_, ()| Ok(())).is_ok());
    }
}
