//! Progress bars for work of more than a second, if stderr is a terminal.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use super::Messages;
use crate::{commands::args::GlobalArgs, git::Repo};

/// Shorter work has no bar.
const SHOW_DELAY: Duration = Duration::from_secs(1);

/// The interval between two images of a spinner.
const TICK: Duration = Duration::from_millis(100);

const BYTES: &str = "{msg} {bar:30} {decimal_bytes} of {decimal_total_bytes} ({decimal_bytes_per_sec})";
const MANY_BYTES: &str = "{msg} {spinner} {decimal_bytes} ({decimal_bytes_per_sec})";
const ROWS: &str = "{msg} {bar:30} {pos} of {len}";
const MANY_ROWS: &str = "{msg} {spinner} {pos}";

/// One bar on stderr, which appears late and is removed.
pub(in crate::commands) struct Progress {
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
    #[must_use]
    pub(super) fn new(global: &GlobalArgs, messages: &Messages) -> Self {
        let shown = !global.quiet && !global.no_progress && messages.is_terminal();
        Self { shown, state: Mutex::default() }
    }

    /// Reports that `done` of `total` bytes are done.
    pub(in crate::commands) fn bytes(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [BYTES, MANY_BYTES]);
    }

    /// Reports that `done` of `total` rows, commits or other items are done.
    pub(in crate::commands) fn items(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, done, total, [ROWS, MANY_ROWS]);
    }

    /// Reads a history; one that is fetched from a server has another bar.
    pub(in crate::commands) fn while_reading<T>(&self, repo: &Repo, read: impl FnOnce() -> T) -> T {
        if repo.asks_server() { read() } else { self.spin("reading commits", read) }
    }

    /// Whether bars are shown.
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
    pub(in crate::commands) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.lock().bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(in crate::commands) fn finish(&self) {
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

impl fmt::Debug for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Progress").field("shown", &self.shown).finish_non_exhaustive()
    }
}
