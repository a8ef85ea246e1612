//! The messages on stderr: notes, questions, the failures of several items, and progress bars for longer work.

use std::{
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    commands::global_args::GlobalArgs,
    git::Repo,
    model::{Problem, clean_between_styles, hints, printable_message, problem_kind},
};

const NOTE: Style = AnsiColor::Green.on_default().bold();

/// The target of notes, warnings, questions and progress. Clones share it.
#[derive(Clone)]
pub(crate) struct Messages {
    /// The text that captures the messages, without colours; `None` if they go to stderr.
    captured: Option<Arc<Mutex<String>>>,
    quiet: bool,
    progress: Arc<Progress>,
}

impl Messages {
    /// Creates the messages of a run. Progress is shown only in a terminal, and not with `--quiet` or `--no-progress`.
    pub(super) fn new(global: &GlobalArgs, is_captured: bool) -> Self {
        let shown = !global.quiet && !global.no_progress && !is_captured && io::stderr().is_terminal();
        let progress = Arc::new(Progress { shown, current: Mutex::default() });
        Self { captured: is_captured.then(Arc::default), quiet: global.quiet, progress }
    }

    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Prints a line, unless `--quiet` is given.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.print_line(text);
        }
    }

    /// Prints a remark on what was read, unless `--quiet` is given.
    pub(crate) fn remark(&self, text: &str) {
        self.note(&format!("{NOTE}note{NOTE:#}: {text}"));
    }

    /// Prints a line, which may have the program's own styles, after making it safe to show.
    fn print_line(&self, text: &str) {
        let text = clean_between_styles(text, printable_message);
        match &self.captured {
            // If stderr is closed, the error cannot be reported.
            None => drop(writeln!(anstream::stderr(), "{text}")),
            Some(captured) => {
                let mut captured = captured.lock().unwrap_or_else(PoisonError::into_inner);
                captured.push_str(&strip_str(&text).to_string());
                captured.push('\n');
            }
        }
    }

    /// Whether the messages go to a terminal, so that questions are possible.
    pub(crate) fn is_terminal(&self) -> bool {
        self.captured.is_none() && io::stderr().is_terminal()
    }

    pub(super) fn is_captured(&self) -> bool {
        self.captured.is_some()
    }

    /// Returns the captured text; empty if messages go to stderr.
    pub(crate) fn captured(&self) -> String {
        self.captured
            .as_ref()
            .map(|captured| captured.lock().unwrap_or_else(PoisonError::into_inner).clone())
            .unwrap_or_default()
    }
}

/// Asks for confirmation, and fails without it or without a terminal.
pub(crate) fn confirm(action: &str, messages: &Messages) -> anyhow::Result<()> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !messages.is_terminal() {
        return Err(Problem::usage(format!("refusing to {action} without confirmation"))
            .hint("use `--yes` to confirm")
            .into());
    }
    write!(anstream::stderr(), "{}? [y/N] ", printable_message(action))?;
    let mut reply = String::new();
    stdin.lock().read_line(&mut reply)?;
    if matches!(reply.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Problem::new("nothing was done").into())
}

/// The failures of several items, with the name of each.
#[derive(Default)]
pub(crate) struct Failures(Vec<(String, anyhow::Error)>);

impl Failures {
    pub(crate) fn push(&mut self, name: String, error: anyhow::Error) {
        self.0.push((name, error));
    }

    /// Prints every failure, and fails with the kind of the first and the hints of all.
    pub(crate) fn end(&self, messages: &Messages, message: impl FnOnce(usize) -> String) -> anyhow::Result<()> {
        let Some((_, first)) = self.0.first() else { return Ok(()) };
        let mut unique: Vec<&str> = Vec::new();
        for (name, error) in &self.0 {
            messages.print_line(&format!("{name}: {error:#}"));
            for hint in hints(error) {
                if !unique.contains(&hint) {
                    unique.push(hint);
                }
            }
        }
        let problem = Problem::new(message(self.0.len())).kind(problem_kind(first));
        Err(problem.with_hints(unique).into())
    }
}

/// The time after which work gets a bar.
const SHOW_DELAY: Duration = Duration::from_secs(1);

/// The interval between two images of a spinner.
const TICK: Duration = Duration::from_millis(100);

const BYTES: &str = "{msg} {bar:30} {decimal_bytes} of {decimal_total_bytes} ({decimal_bytes_per_sec})";
const MANY_BYTES: &str = "{msg} {spinner} {decimal_bytes} ({decimal_bytes_per_sec})";
const ROWS: &str = "{msg} {bar:30} {pos} of {len}";
const MANY_ROWS: &str = "{msg} {spinner} {pos}";

/// The bar on stderr, which appears after a delay and is removed at the end.
pub(crate) struct Progress {
    shown: bool,
    current: Mutex<Option<Work>>,
}

/// The work that the bar shows. Consecutive work of the same name counts as one.
struct Work {
    name: &'static str,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Drop for Work {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Progress {
    /// Reports that `done` of `total` bytes are done.
    pub(crate) fn bytes(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [BYTES, MANY_BYTES]);
    }

    /// Reports that `done` of `total` rows, commits or other items are done.
    pub(crate) fn items(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [ROWS, MANY_ROWS]);
    }

    /// Shows a spinner while a history is read; the fetch from a server has a bar of its own.
    pub(crate) fn while_reading<T>(&self, repo: &Repo, read: impl FnOnce() -> T) -> T {
        if repo.asks_server() { read() } else { self.spin("reading commits", read) }
    }

    pub(crate) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Shows a spinner during work that cannot be counted.
    fn spin<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        if !self.shown {
            return work();
        }
        let delay = SHOW_DELAY.saturating_sub(begin(&mut self.lock(), name).since.elapsed());
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            scope.spawn(move || {
                if is_done.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                    let bar = ProgressBar::new_spinner().with_message(name);
                    bar.enable_steady_tick(TICK);
                    // This returns when the sender is dropped.
                    let _ = is_done.recv();
                    bar.finish_and_clear();
                }
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// Hides the bar while something is printed.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match self.lock().as_ref().and_then(|work| work.bar.as_ref()) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn finish(&self) {
        *self.lock() = None;
    }

    fn set(&self, name: &'static str, done: u64, total: Option<u64>, [known, unknown]: [&str; 2]) {
        if !self.shown {
            return;
        }
        let mut current = self.lock();
        let work = begin(&mut current, name);
        if work.since.elapsed() < SHOW_DELAY {
            return;
        }
        let bar = work.bar.get_or_insert_with(|| {
            let template = if total.is_some() { known } else { unknown };
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style).with_message(name)
        });
        bar.set_position(done);
        if total == Some(done) {
            *current = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Work>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the work of this name; work of another name ends.
fn begin<'a>(current: &'a mut Option<Work>, name: &'static str) -> &'a mut Work {
    if current.as_ref().is_some_and(|work| work.name != name) {
        *current = None;
    }
    current.get_or_insert_with(|| Work { name, since: Instant::now(), bar: None })
}
