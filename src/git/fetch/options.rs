//! How a remote repository is fetched, and what is reported in the meantime.

use std::{fmt, path::Path, path::PathBuf, rc::Rc, time::Duration};

use super::{credential::GitCredential, http::HttpClient};
use crate::model::Warning;

/// How a remote repository is fetched.
#[derive(Clone, Default)]
pub struct Options {
    /// The directory in which what is fetched is kept, so that only what is new is fetched next time; without one, nothing is
    /// kept.
    pub cache: Option<PathBuf>,
    /// What sends requests to http and https URLs.
    pub http: Option<Rc<dyn HttpClient>>,
    /// Receives the events.
    pub observer: Option<FetchObserver>,
    /// How long a server may take to answer, and be silent during a download; the client for http and https has its own
    /// limits.
    pub timeout: Option<Duration>,
    /// The credentials for the host of the URL; for other hosts, git's credential helpers are asked.
    pub login: Option<GitCredential>,
}

impl Options {
    pub(super) fn report(&self, event: FetchEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options").field("cache", &self.cache).field("login", &self.login).finish_non_exhaustive()
    }
}

/// What happens during a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchEvent<'a> {
    /// Something is being received.
    Receiving {
        /// What it is.
        part: FetchPhase,
        /// The number of its bytes so far.
        bytes: u64,
    },
    /// Something was received.
    Received {
        /// What it was.
        part: FetchPhase,
        /// The number of its bytes.
        bytes: u64,
        /// The number of all bytes so far.
        total: u64,
    },
    /// More was received than was needed, or the server cannot be reached.
    Warning(&'a Warning),
    /// A program on the way to the server prints a message.
    Said {
        /// Its name.
        program: &'static str,
        /// A line, as it came.
        line: &'a str,
    },
    /// Another run uses this directory of the cache, and this one waits for it.
    Waiting(&'a Path),
}

/// Receives the events of a fetch.
pub type FetchObserver = Rc<dyn Fn(FetchEvent<'_>)>;

/// What is received.
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
