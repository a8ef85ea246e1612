//! Who wrote a repository.

use serde::{Deserialize, Serialize};

use super::Extra;

/// An author and the number of their commits, merges not counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contributor {
    /// The name of their newest commit that has one.
    pub name: String,
    /// Their e-mail address, by which commits are put together.
    pub email: String,
    /// How many commits they wrote.
    pub commits: u64,
    /// Always zero: the service stopped counting lines, and so its answers stay comparable.
    pub additions: u64,
    /// Always zero, as `additions`.
    pub deletions: u64,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}
