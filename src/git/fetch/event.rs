//! What happens while something is fetched, for whoever tells people.

use std::{fmt, path::Path, rc::Rc};

use crate::model::Warning;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchEvent<'a> {
    /// Something is coming over.
    Receiving {
        /// What it is.
        part: FetchPhase,
        /// Its bytes until now.
        bytes: u64,
    },
    /// Something came over.
    Received {
        /// What it was.
        part: FetchPhase,
        /// Its bytes.
        bytes: u64,
        /// All bytes until now.
        total: u64,
    },
    /// Something is odd: more came over than was needed, or the server cannot be reached.
    Warning(&'a Warning),
    /// Another run uses this folder of the cache; we wait until it is done.
    Waiting(&'a Path),
}

/// What listens to events.
pub type FetchObserver = Rc<dyn Fn(FetchEvent<'_>)>;

/// What comes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchPhase {
    /// The names of tags and branches.
    References,
    /// The commits of a range.
    Commits,
    /// The configuration and other files.
    Files,
}

impl fmt::Display for FetchPhase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::References => "references",
            Self::Commits => "commits",
            Self::Files => "files",
        })
    }
}
