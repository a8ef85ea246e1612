//! A range of history: git's `from..to`.

use super::Oid;

/// The commits reachable from `to` and not from `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Excluded, with all its ancestors; `None` takes the history whole. It need not be an ancestor of `to`.
    pub from: Option<Oid>,
    /// Included.
    pub to: Oid,
}
