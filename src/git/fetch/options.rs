//! The options of fetching a remote repository, and the events that are reported during a fetch.

use std::{fmt, path::Path, path::PathBuf, rc::Rc, time::Duration};

use super::{credential::GitCredential, http::HttpClient};
use crate::model::Warning;

/// The options of fetching a remote repository.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// The cache directory, which keeps what was fetched, so that the next run fetches only what is new; `None` if
    /// nothing is kept.
    pub cache: Option<PathBuf>,
    /// The client that sends requests to http and https URLs.
    pub http: Option<Rc<HttpClient>>,
    /// The function that receives the events.
    pub observer: Option<FetchObserver>,
    /// How long a server may take to respond, and may pause during a download. The client for http and https has
    /// timeouts of its own.
    pub timeout: Option<Duration>,
    /// The most bytes of a response; `None` is the usual limit, which is higher for a pack than for references.
    pub max_response: Option<u64>,
    /// The credentials for the server of the URL; for other hosts, git's credential helpers are asked.
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

/// An event during a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchEvent<'a> {
    /// Something is being received.
    Receiving {
        /// What is being received.
        part: FetchPhase,
        /// The number of bytes of it so far.
        bytes: u64,
    },
    /// Something was received.
    Received {
        /// What was received.
        part: FetchPhase,
        /// The number of bytes of it.
        bytes: u64,
        /// The number of all bytes so far.
        total: u64,
    },
    /// A warning, such as that more was received than necessary, or that the server cannot be reached.
    Warning(&'a Warning),
    /// A program that connects to the server, such as ssh, printed a line.
    Said {
        /// The name of the program.
        program: &'static str,
        /// The line that it printed.
        line: &'a str,
    },
    /// This run waits for another one that uses this directory of the cache.
    Waiting(&'a Path),
}

/// A function that receives the events of a fetch.
pub(crate) type FetchObserver = Rc<dyn Fn(FetchEvent<'_>)>;

/// The part of a repository that a fetch receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchPhase {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_printed_without_the_secret() {
        let (origin, user, secret) = ("https://h.example".to_owned(), "ida".to_owned(), "s3cret".to_owned());
        let options = Options { login: Some(GitCredential { origin, user, secret }), ..Options::default() };
        assert_eq!(
            format!("{options:?}"),
            "Options { cache: None, login: Some(GitCredential(ida at https://h.example)), .. }"
        );
    }
}
