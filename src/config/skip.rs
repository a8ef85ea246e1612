//! Commits that the settings leave out.

use super::Pattern;
use crate::model::CommitRef;

/// What is left out, by any of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skip {
    /// Ids or their beginnings, in lower case.
    pub commits: Vec<String>,
    /// E-mail addresses of authors, in lower case.
    pub authors: Vec<String>,
    /// What is searched for in the whole message.
    pub messages: Vec<Pattern>,
}

/// The fewest digits of an id: as few as git abbreviates to (core.abbrev in git-config(1)).
pub(super) const FEWEST_DIGITS: usize = 4;

impl Skip {
    /// Why a commit is left out; `None` where it is not.
    #[must_use]
    pub fn reason(&self, commit: &CommitRef<'_>) -> Option<String> {
        if let Some(id) = self.commits.iter().find(|id| commit.id.to_string().starts_with(id.as_str())) {
            return Some(format!("commit `{id}`"));
        }
        let is_author = |email: &&String| commit.author.email.eq_ignore_ascii_case(email);
        if let Some(email) = self.authors.iter().find(is_author) {
            return Some(format!("author `{email}`"));
        }
        let pattern = self.messages.iter().find(|pattern| pattern.regex().is_match(&commit.message))?;
        Some(format!("message `{}`", pattern.text()))
    }
}
