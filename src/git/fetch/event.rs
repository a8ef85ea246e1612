//! What happens while something is fetched, for whoever tells people.

use std::{fmt, path::Path, rc::Rc};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Something is coming over.
    Receiving {
        /// What it is.
        part: Part,
        /// Its bytes until now.
        bytes: u64,
    },
    /// Something came over.
    Received {
        /// What it was.
        part: Part,
        /// Its bytes.
        bytes: u64,
        /// All bytes until now.
        total: u64,
    },
    /// Another run uses this folder of the cache; we wait until it is done.
    Waiting(&'a Path),
}

/// What listens to events.
pub type Observer = Rc<dyn Fn(Event<'_>)>;

/// What comes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The names of tags and branches.
    References,
    /// The commits of a range.
    Commits,
    /// The configuration and other files.
    Files,
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::References => "references",
            Self::Commits => "commits",
            Self::Files => "files",
        })
    }
}
