//! Progress bars for work of more than a second, if stderr is a terminal.

use std::{
    fmt,
    io::{self, Write as _},
    mem,
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use super::Messages;
use crate::{
    commands::{args::GlobalArgs, layout::human_size},
    git::Repo,
};

/// Shorter work has no bar.
const SHOW_DELAY: Duration = Duration::from_secs(1);

/// The interval between two images of a bar or spinner.
const TICK: Duration = Duration::from_millis(100);

/// The columns of a bar, and those of a line that every terminal has.
const BAR: u8 = 30;
const COLUMNS: usize = 79;

/// One bar on stderr, which appears late and is removed.
pub(in crate::commands) struct Progress {
    shown: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    since: Option<(&'static str, Instant)>,
    line: Line,
}

/// A line on stderr that is drawn over itself, with nothing that a terminal might not know.
#[derive(Default)]
struct Line {
    columns: usize,
    drawn: Option<Instant>,
    images: usize,
}

impl State {
    fn since(&mut self, what: &'static str) -> Instant {
        self.since.get_or_insert_with(|| (what, Instant::now())).1
    }

    fn is_for_other_work(&self, what: &str) -> bool {
        self.since.is_some_and(|(current, _)| current != what)
    }
}

impl Line {
    fn draw(&mut self, text: &str) {
        let text: String = text.chars().take(COLUMNS).collect();
        // If stderr is closed, nobody looks.
        let _ = write!(io::stderr().lock(), "\r{text:columns$}", columns = self.columns);
        (self.columns, self.drawn) = (text.chars().count(), Some(Instant::now()));
    }

    fn clear(&mut self) {
        if self.columns > 0 {
            let _ = write!(io::stderr().lock(), "\r{:columns$}\r", "", columns = self.columns);
            (self.columns, self.drawn) = (0, None);
        }
    }

    fn is_fresh(&self) -> bool {
        self.drawn.is_some_and(|drawn| drawn.elapsed() < TICK)
    }

    /// The next image of a spinner.
    fn spinner(&mut self) -> char {
        self.images += 1;
        ['-', '\\', '|', '/'][self.images % 4]
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
        self.set(what, (done, total), human_size);
    }

    /// Reports that `done` of `total` rows, commits or other items are done.
    pub(in crate::commands) fn items(&self, what: &'static str, done: u64, total: Option<u64>) {
        self.set(what, (done, total), |count| count.to_string());
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
                let (mut line, mut pause) = (Line::default(), delay);
                // It ends when the sender is dropped.
                while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                    let image = line.spinner();
                    line.draw(&format!("{image} {what}"));
                    pause = TICK;
                }
                line.clear();
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// Hides the bar while something is printed.
    pub(in crate::commands) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = self.lock();
        state.line.clear();
        print()
    }

    /// Removes the bar.
    pub(in crate::commands) fn finish(&self) {
        mem::take(&mut *self.lock()).line.clear();
    }

    fn set(&self, what: &'static str, (done, total): (u64, Option<u64>), shown: impl Fn(u64) -> String) {
        if !self.shown {
            return;
        }
        let mut state = self.lock();
        let is_shown = state.since(what).elapsed() >= SHOW_DELAY;
        if state.is_for_other_work(what) || (is_shown && total == Some(done)) {
            drop(state);
            return self.finish();
        }
        if !is_shown || state.line.is_fresh() {
            return;
        }
        let text = match total {
            Some(total) => format!("{what} {} {} of {}", bar(done, total), shown(done), shown(total)),
            None => format!("{what} {} {}", state.line.spinner(), shown(done)),
        };
        state.line.draw(&text);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn bar(done: u64, total: u64) -> String {
    let full = done.min(total).saturating_mul(BAR.into()) / total.max(1);
    (0..BAR.into()).map(|column| if column < full { '#' } else { '-' }).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_at_the_end_and_never_longer() {
        for (done, total, full) in [(0, 0, 0), (0, 9, 0), (1, 3, 10), (9, 9, 30), (12, 9, 30), (7, u64::MAX, 0)] {
            let bar = bar(done, total);
            assert_eq!((bar.len(), bar.matches('#').count()), (BAR.into(), full), "{done} of {total}");
        }
    }
}
