//! What goes to stderr: notes, questions, the failures of several items, and progress bars for work of more than a second.

use std::{
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use anstream::adapter::strip_str;
use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    commands::global_args::GlobalArgs,
    git::Repo,
    model::{Problem, between_styles, hints, kind, message},
};

/// Where notes, warnings and questions are printed. Clones share it.
#[derive(Clone, Default)]
pub(crate) enum Messages {
    /// To stderr.
    #[default]
    Stderr,
    /// Into a text, without colours.
    Captured(Arc<Mutex<String>>),
}

impl Messages {
    /// Prints a line that may have the program's own styles, made safe to show.
    pub(crate) fn say(&self, text: &str) {
        let text = between_styles(text, message);
        match self {
            // If stderr is closed, that cannot be reported.
            Self::Stderr => drop(writeln!(anstream::stderr(), "{text}")),
            Self::Captured(captured) => {
                let mut captured = captured.lock().unwrap_or_else(PoisonError::into_inner);
                captured.push_str(&strip_str(&text).to_string());
                captured.push('\n');
            }
        }
    }

    /// Whether they go to a terminal, so that progress and questions are possible.
    pub(crate) fn is_terminal(&self) -> bool {
        match self {
            Self::Stderr => io::stderr().is_terminal(),
            Self::Captured(_) => false,
        }
    }

    /// The captured text; empty for stderr.
    pub(crate) fn captured(&self) -> String {
        match self {
            Self::Stderr => String::new(),
            Self::Captured(captured) => captured.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
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
    write!(anstream::stderr(), "{}? [y/N] ", message(action))?;
    let mut reply = String::new();
    stdin.lock().read_line(&mut reply)?;
    if matches!(reply.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Problem::new("nothing was done").into())
}

/// Failures with the names of what failed.
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
            messages.say(&format!("{name}: {error:#}"));
            for hint in hints(error) {
                if !unique.contains(&hint) {
                    unique.push(hint);
                }
            }
        }
        let problem = Problem::new(message(self.0.len())).kind(kind(first));
        Err(unique.into_iter().fold(problem, Problem::hint).into())
    }
}

/// Shorter work has no bar.
const SHOW_DELAY: Duration = Duration::from_secs(1);

/// The interval between two images of a spinner.
const TICK: Duration = Duration::from_millis(100);

const BYTES: &str = "{msg} {bar:30} {decimal_bytes} of {decimal_total_bytes} ({decimal_bytes_per_sec})";
const MANY_BYTES: &str = "{msg} {spinner} {decimal_bytes} ({decimal_bytes_per_sec})";
const ROWS: &str = "{msg} {bar:30} {pos} of {len}";
const MANY_ROWS: &str = "{msg} {spinner} {pos}";

/// One bar on stderr, which appears late and is removed.
pub(crate) struct Progress {
    shown: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    since: Option<(&'static str, Instant)>,
    bar: Option<ProgressBar>,
}

impl State {
    fn since(&mut self, what: &'static str) -> Instant {
        self.since.get_or_insert_with(|| (what, Instant::now())).1
    }

    fn is_for_other_work(&self, what: &str) -> bool {
        self.since.is_some_and(|(current, _)| current != what)
    }
}

impl Progress {
    /// A bar for this run: only in a terminal, and not with `--quiet` or `--no-progress`.
    pub(super) fn new(global: &GlobalArgs, messages: &Messages) -> Self {
        let shown = !global.quiet && !global.no_progress && messages.is_terminal();
        Self { shown, state: Mutex::default() }
    }

    /// Reports that `done` of `total` bytes are done.
    pub(crate) fn bytes(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [BYTES, MANY_BYTES]);
    }

    /// Reports that `done` of `total` rows, commits or other items are done.
    pub(crate) fn items(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [ROWS, MANY_ROWS]);
    }

    /// Reads a history; one that is fetched from a server has another bar.
    pub(crate) fn while_reading<T>(&self, repo: &Repo, read: impl FnOnce() -> T) -> T {
        if repo.asks_server() { read() } else { self.spin("reading commits", read) }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Shows a spinner during work that cannot be counted. The delay is that of all work of the same name together.
    fn spin<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        if !self.shown {
            return work();
        }
        let delay = SHOW_DELAY.saturating_sub(self.lock().since(what).elapsed());
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            scope.spawn(move || {
                if is_done.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                    let bar = ProgressBar::new_spinner().with_message(what);
                    bar.enable_steady_tick(TICK);
                    // It ends when the sender is dropped.
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
        match &self.lock().bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    pub(crate) fn finish(&self) {
        let state = std::mem::take(&mut *self.lock());
        if let Some(bar) = state.bar {
            bar.finish_and_clear();
        }
    }

    fn set(&self, what: &'static str, done: u64, total: Option<u64>, [known, unknown]: [&str; 2]) {
        if !self.shown {
            return;
        }
        let mut state = self.lock();
        if state.is_for_other_work(what) {
            drop(state);
            return self.finish();
        }
        if state.since(what).elapsed() < SHOW_DELAY {
            return;
        }
        let bar = state.bar.get_or_insert_with(|| {
            let template = if total.is_some() { known } else { unknown };
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            total.map_or_else(ProgressBar::new_spinner, ProgressBar::new).with_style(style).with_message(what)
        });
        bar.set_position(done);
        if total == Some(done) {
            drop(state);
            self.finish();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
