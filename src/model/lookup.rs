//! A lookup: the users and merge or pull requests of a release's entries, as a forge knows them.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What is looked up because the repository alone does not show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupRequest {
    /// The authors, each once.
    pub authors: Vec<UnresolvedAuthor>,
    /// The IDs of commits whose merge request no merge commit names.
    pub commits: Vec<String>,
    /// Full paths of groups whose members are credited.
    pub groups: Vec<String>,
}

impl LookupRequest {
    /// Whether there is nothing to look up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.authors.is_empty() && self.commits.is_empty()
    }
}

/// An author to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedAuthor {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The user name on the forge, if known.
    pub username: Option<String>,
    /// The ID of one of their commits.
    pub commit: String,
}

/// A user of the forge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForgeUser {
    /// `@username`.
    pub reference: String,
    /// Whether the user is from outside the project and had work merged before.
    pub contributor: bool,
    /// Whether the section names them.
    pub credit: bool,
}

/// What was found; anything else is unknown to the forge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookupResult {
    /// Users by e-mail address, in lower case.
    pub people: HashMap<String, ForgeUser>,
    /// Numbers of merge requests by the ID of a commit.
    pub requests: HashMap<String, u64>,
}
