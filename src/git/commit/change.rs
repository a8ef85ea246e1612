//! What happens to a file.

use crate::git::{compare::patch, quote::quote};

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Where it lies, from the top of the repository.
    pub file: String,
    /// Its old content; `None` where it is new.
    pub before: Option<Vec<u8>>,
    /// Its new content.
    pub after: Vec<u8>,
}

impl FileChange {
    /// The change as a unified diff that `git apply` takes.
    #[must_use]
    pub fn diff(&self) -> Vec<u8> {
        let name = |side: &str| quote(format!("{side}/{}", self.file).as_bytes());
        let old = if self.before.is_some() { name("a") } else { "/dev/null".to_owned() };
        let mut text = format!("--- {old}\n+++ {}\n", name("b")).into_bytes();
        text.extend(patch::hunks(self.before.as_deref().unwrap_or_default(), &self.after));
        text
    }
}
