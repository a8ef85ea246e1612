//! Ctrl-C leaves no folder behind.

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, atomic::AtomicBool, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};

/// How often the watch looks for a signal.
const WATCH: Duration = Duration::from_millis(25);
/// How long folders that other threads still write into are tried to be removed.
const PATIENCE: Duration = Duration::from_secs(2);
/// The exit code of a program that was interrupted (128 and the number of the signal).
const INTERRUPTED: i32 = 130;

static SIGNAL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
static STOP: AtomicBool = AtomicBool::new(false);
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static WATCHED: Mutex<bool> = Mutex::new(false);

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is removed when this is dropped, and when the program is interrupted.
#[derive(Debug)]
pub(super) struct Transient(PathBuf);

impl Transient {
    /// Makes a folder in the system's place for such.
    pub(super) fn new() -> Result<Self> {
        watch()?;
        let folder = tempfile::Builder::new().prefix("tidings-").tempdir().context("cannot make a temporary folder")?;
        // From here on the folder is ours to remove.
        let path = folder.keep();
        lock(&FOLDERS).push(path.clone());
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Transient {
    fn drop(&mut self) {
        // What failed because of an interrupt is no failure to report: the watch removes the folder and ends the program.
        while SIGNAL.load(Ordering::Relaxed) {
            thread::park();
        }
        // What cannot be removed is left to the system's own tidying.
        let _ = fs::remove_dir_all(&self.0);
        lock(&FOLDERS).retain(|folder| *folder != self.0);
    }
}

/// Set where a folder cannot be removed while others use it, for gix to see.
pub(super) fn flag() -> &'static AtomicBool {
    &STOP
}

/// Whether to go on.
pub(super) fn flow() -> ControlFlow<()> {
    if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Starts the watch, once. A thread does what a signal handler may not, and does so while another waits for the network.
pub(super) fn watch() -> Result<()> {
    let mut watched = lock(&WATCHED);
    if !*watched {
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&SIGNAL)).context("cannot watch for interrupts")?;
        }
        thread::Builder::new().name("interrupt".to_owned()).spawn(wait).context("cannot watch for interrupts")?;
        *watched = true;
    }
    Ok(())
}

fn wait() {
    while !SIGNAL.load(Ordering::Relaxed) {
        thread::sleep(WATCH);
    }
    let start = Instant::now();
    gix::tempfile::registry::cleanup_tempfiles();
    while !remove_all() && start.elapsed() < PATIENCE {
        STOP.store(true, Ordering::Relaxed);
        thread::sleep(WATCH);
    }
    process::exit(INTERRUPTED);
}

fn remove_all() -> bool {
    lock(&FOLDERS).iter().all(|folder| fs::remove_dir_all(folder).is_ok() || !folder.exists())
}
