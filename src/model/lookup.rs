//! What a server is asked about the entries of a release, and what it finds.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What the repository alone does not tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupRequest {
    /// People, each once.
    pub authors: Vec<UnresolvedAuthor>,
    /// The ids of commits that no merge tells the merge request of.
    pub commits: Vec<String>,
    /// Full paths of groups whose members are credited.
    pub groups: Vec<String>,
}

impl LookupRequest {
    /// Whether there is nothing to ask.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.authors.is_empty() && self.commits.is_empty()
    }
}

/// Somebody who is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedAuthor {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name on the host, where that is known.
    pub username: Option<String>,
    /// The id of a commit of theirs.
    pub commit: String,
}

/// Somebody the server knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForgeUser {
    /// `@username`.
    pub reference: String,
    /// Whether this is somebody from outside the project whose work was merged before.
    pub contributor: bool,
    /// Whether the section shall name them.
    pub credit: bool,
}

/// What was found; who or what is missing is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupResult {
    /// E-mail address, in lower case, to the person.
    pub people: HashMap<String, ForgeUser>,
    /// Commit to the number of its merge request.
    pub requests: HashMap<String, u64>,
}
