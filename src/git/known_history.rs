//! What is known of a history, and how several handles on one repository share it.

use std::{
    cell::{OnceCell, RefCell},
    fmt,
    path::{Path, PathBuf},
    rc::Rc,
};

use super::{
    grafts::Grafts,
    walk::{CommitTable, Store},
};

/// What the walks so far have learnt of the history.
#[derive(Default)]
pub(super) struct KnownHistory {
    /// The commits that they met.
    pub(super) table: RefCell<Option<Box<CommitTable>>>,
    store: OnceCell<Store>,
}

/// What one handle on a repository learns of its history, for the next: no commit is read twice, as long as they fit into
/// 16 MiB.
#[derive(Clone, Debug, Default)]
pub struct HistoryCache(Rc<RefCell<Option<CachedHistory>>>);

/// A history, and what it is the history of.
#[derive(Debug)]
struct CachedHistory {
    objects: PathBuf,
    grafts: Grafts,
    history: Rc<KnownHistory>,
}

impl fmt::Debug for KnownHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownHistory").finish_non_exhaustive()
    }
}

impl KnownHistory {
    /// The objects of its commits.
    pub(super) fn store(&self, repo: &gix::Repository) -> &Store {
        self.store.get_or_init(|| Store::of(repo))
    }
}

impl HistoryCache {
    /// What is known of the history of the repository with these objects, from now on shared with the next handle on it:
    /// nothing yet if the one before was of another repository, or commits have other parents now.
    pub(super) fn history_of(&self, objects: &Path, grafts: Grafts, store: impl FnOnce() -> Store) -> Rc<KnownHistory> {
        let objects = objects.canonicalize().unwrap_or_else(|_| objects.to_owned());
        let mut cached = self.0.borrow_mut();
        if let Some(cached) = cached.as_ref().filter(|cached| cached.objects == objects && cached.grafts == grafts) {
            return Rc::clone(&cached.history);
        }
        let history = Rc::new(KnownHistory { store: OnceCell::from(store().keeping()), ..KnownHistory::default() });
        *cached = Some(CachedHistory { objects, grafts, history: Rc::clone(&history) });
        history
    }
}
