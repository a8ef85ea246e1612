//! What a question named and the repository does not have: the same words whether it is local or hosted.

use crate::model::Problem;

/// A missing thing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// One or more refs that name no commit.
    #[error("{}", unknown(.0))]
    Refs(Vec<String>),
    /// Any commit at all.
    #[error("the repository has no commits yet")]
    Commits,
    /// A folder that the commit does not have.
    #[error("no folder `{0}`")]
    Path(String),
    /// An id that names no blob.
    #[error("no blob `{0}`")]
    Blob(String),
    /// Commits without a common ancestor.
    #[error("no merge base: these refs have no common ancestor")]
    MergeBase,
    /// An archive that would be of nothing: its ref or one of its paths is missing.
    #[error("nothing to archive: {0}")]
    Archive(String),
}

impl NotFound {
    /// A single ref that names no commit.
    pub fn reference(name: impl Into<String>) -> Self {
        Self::Refs(vec![name.into()])
    }
}

impl From<NotFound> for Problem {
    fn from(missing: NotFound) -> Self {
        let problem = Self::new(missing.to_string());
        match missing {
            NotFound::Refs(_) => problem.hint("name a branch, a tag or a commit of this repository"),
            NotFound::Path(_) => problem.hint("`tidings repo tree --recursive` lists every path"),
            NotFound::Blob(_) => problem.hint("`tidings repo tree` lists the ids of blobs"),
            NotFound::Commits | NotFound::MergeBase | NotFound::Archive(_) => problem,
        }
    }
}

fn unknown(names: &[String]) -> String {
    match names {
        [name] => format!("unknown revision `{name}`"),
        names => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("{} are unknown revisions", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_unknown_refs_are_named_at_once() {
        assert_eq!(NotFound::reference("x").to_string(), "unknown revision `x`");
        let both = NotFound::Refs(vec!["x".into(), "y".into()]);
        assert_eq!(both.to_string(), "`x`, `y` are unknown revisions");
    }
}
