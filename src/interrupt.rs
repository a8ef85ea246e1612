//! Handling of interrupts: before the program ends, temporary files are removed, and a commit in progress is finished
//! or undone.

use std::{
    fs,
    ops::{ControlFlow, Deref, DerefMut},
    path::{Path, PathBuf},
    process,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use signal_hook::consts::TERM_SIGNALS;
use tempfile::{Builder, NamedTempFile, PersistError};

use crate::model::none_if_missing;

/// The interval at which the watching thread looks for a signal.
const WATCH: Duration = Duration::from_millis(25);
/// The maximum time for repeated removal of files that other threads still write to.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(2);
/// The signal of a closed terminal, watched only while interrupts are deferred, so that nohup(1) works otherwise.
#[cfg(unix)]
const HANGUP: &[i32] = &[signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const HANGUP: &[i32] = &[];

/// The signal that came and was not handled yet; 0 if there is none.
static SIGNAL: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<State> = Mutex::new(State::new());

/// The state of the watching thread.
struct State {
    /// The signals that are watched; the thread runs if there are any.
    signals: Vec<i32>,
    /// The number of [`DeferInterrupt`] values that exist.
    holds: usize,
    /// The number of interrupts since the first of these values was created.
    interrupts: usize,
    cleanups: Vec<(u64, Box<dyn FnMut() -> bool + Send>)>,
    next: u64,
}

impl State {
    const fn new() -> Self {
        Self { signals: Vec::new(), holds: 0, interrupts: 0, cleanups: Vec::new(), next: 0 }
    }
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the state. If an interrupt is about to end the program, this waits for the end, so that no work begins, and
/// no failure because of the interrupt is reported.
fn state() -> MutexGuard<'static, State> {
    loop {
        let state = lock();
        if state.holds > 0 || SIGNAL.load(Ordering::Relaxed) == 0 {
            return state;
        }
        drop(state);
        thread::sleep(WATCH);
    }
}

/// An action for an interrupt that comes while this value lives.
#[derive(Debug)]
pub(crate) struct Cleanup(u64);

impl Cleanup {
    /// Makes a value and registers the function that removes it, which returns whether it is gone. No interrupt comes
    /// in between.
    pub(crate) fn new<T, C: FnMut() -> bool + Send + 'static>(
        make: impl FnOnce() -> Result<(T, C)>,
    ) -> Result<(T, Self)> {
        let mut state = state();
        watch(&mut state, TERM_SIGNALS)?;
        let (value, clean) = make()?;
        let number = state.next;
        state.next += 1;
        state.cleanups.push((number, Box::new(clean)));
        Ok((value, Self(number)))
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        state().cleanups.retain(|(number, _)| *number != self.0);
    }
}

/// Defers the first interrupt while this value lives, for work that checks [`is_interrupted`] and ends by itself; the
/// second interrupt ends the program.
#[derive(Debug)]
pub(crate) struct DeferInterrupt(());

impl DeferInterrupt {
    pub(crate) fn new() -> Result<Self> {
        let mut state = state();
        watch(&mut state, TERM_SIGNALS)?;
        watch(&mut state, HANGUP)?;
        state.holds += 1;
        Ok(Self(()))
    }
}

impl Drop for DeferInterrupt {
    fn drop(&mut self) {
        let mut state = lock();
        state.holds -= 1;
        if state.holds == 0 {
            // The work that deferred the interrupt has reacted to it.
            state.interrupts = 0;
            SIGNAL.store(0, Ordering::Relaxed);
        }
    }
}

pub(crate) fn is_interrupted() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0 || lock().interrupts > 0
}

/// Returns a flag that is set if something cannot be removed while it is in use; gix stops its work when it is set.
pub(crate) fn flag() -> &'static AtomicBool {
    &STOP
}

pub(crate) fn continue_unless_interrupted() -> ControlFlow<()> {
    if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Watches more signals, in a thread: it may do more than a signal handler, and works while another thread waits for
/// the network.
fn watch(state: &mut State, signals: &[i32]) -> Result<()> {
    let context = "cannot watch for interrupts";
    if state.signals.is_empty() {
        thread::Builder::new().name("interrupt".to_owned()).spawn(wait).context(context)?;
    }
    for signal in signals {
        if !state.signals.contains(signal) {
            let number = usize::try_from(*signal).context(context)?;
            signal_hook::flag::register_usize(*signal, &SIGNAL, number).context(context)?;
            state.signals.push(*signal);
        }
    }
    Ok(())
}

fn wait() {
    loop {
        thread::sleep(WATCH);
        let mut state = lock();
        let signal = SIGNAL.swap(0, Ordering::Relaxed);
        state.interrupts += usize::from(signal != 0);
        if state.interrupts > usize::from(state.holds > 0) {
            clean_up(&mut state);
            die(i32::try_from(signal).unwrap_or_default());
        }
    }
}

/// Removes temporary files. The state stays locked, so a thread that wants to change it waits until the program ends.
fn clean_up(state: &mut State) {
    let start = Instant::now();
    loop {
        state.cleanups.retain_mut(|(_, clean)| !clean());
        if state.cleanups.is_empty() || start.elapsed() > CLEANUP_TIMEOUT {
            return;
        }
        STOP.store(true, Ordering::Relaxed);
        thread::sleep(WATCH);
    }
}

/// Ends the program as the signal would have: a shell ends its loops only if it sees that.
fn die(signal: i32) -> ! {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    process::exit(128 + signal)
}

/// A file that is removed unless it is persisted.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    _cleanup: Cleanup,
}

impl TemporaryFile {
    /// Makes a file that others may read as far as the user's mask allows it.
    pub(crate) fn new_in(directory: &Path) -> Result<Self> {
        Self::with(&mut builder(0o666), directory)
    }

    /// Makes a file as git does for objects: read-only, with a name that `git gc` knows.
    pub(crate) fn object_in(directory: &Path) -> Result<Self> {
        Self::with(builder(0o444).prefix("tmp_obj_"), directory)
    }

    fn with(builder: &mut Builder, directory: &Path) -> Result<Self> {
        let (file, cleanup) = Cleanup::new(|| {
            let file = builder.tempfile_in(directory)?;
            let path = file.path().to_owned();
            Ok((file, move || none_if_missing(fs::remove_file(&path)).is_ok()))
        })?;
        Ok(Self { file, _cleanup: cleanup })
    }

    /// Moves the file to a path, over an existing file.
    pub(crate) fn persist(self, path: &Path) -> Result<(), PersistError> {
        self.file.persist(path).map(drop)
    }
}

impl Deref for TemporaryFile {
    type Target = NamedTempFile;

    fn deref(&self) -> &NamedTempFile {
        &self.file
    }
}

impl DerefMut for TemporaryFile {
    fn deref_mut(&mut self) -> &mut NamedTempFile {
        &mut self.file
    }
}

#[cfg(unix)]
fn builder(mode: u32) -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = Builder::new();
    builder.permissions(fs::Permissions::from_mode(mode));
    builder
}

#[cfg(not(unix))]
fn builder(_: u32) -> Builder<'static, 'static> {
    Builder::new()
}

/// A directory that is removed with all that is in it.
#[derive(Debug)]
pub(crate) struct TemporaryDirectory {
    path: PathBuf,
    _cleanup: Cleanup,
}

impl TemporaryDirectory {
    pub(crate) fn new() -> Result<Self> {
        let (path, cleanup) = Cleanup::new(|| {
            // From here on tempfile does not remove it.
            let path = Builder::new().prefix("tidings-").tempdir()?.keep();
            let known = path.clone();
            Ok((path, move || none_if_missing(fs::remove_dir_all(&known)).is_ok()))
        })?;
        Ok(Self { path, _cleanup: cleanup })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which cleans up its temporary directory.
        let _ = fs::remove_dir_all(&self.path);
    }
}
