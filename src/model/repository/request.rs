//! Requests for the content of a repository, and what a repository may lack.

use crate::model::Problem;

/// A request for the entries of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// A branch, tag or commit [default: the default branch].
    pub reference: Option<String>,
    /// The directory; empty for the root.
    pub path: String,
    /// Whether to descend into directories.
    pub recursive: bool,
    /// The maximum number of entries [default: all].
    pub per_page: Option<usize>,
    /// The token of the previous page.
    pub page_token: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysetPage<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// The token of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// A request for an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveRequest {
    /// A commit, tag or branch [default: the default branch].
    pub reference: Option<String>,
    /// The file or directory to archive; empty for everything.
    pub path: String,
    /// Files and directories to exclude.
    pub exclude: Vec<String>,
    /// The archive format.
    pub format: ArchiveFormat,
    /// Whether Git LFS pointers are replaced by the files.
    pub lfs: bool,
}

/// The format of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// An uncompressed tar file.
    Tar,
    /// A tar file, compressed with gzip.
    #[default]
    TarGz,
    /// A tar file, compressed with bzip2.
    TarBz2,
    /// A ZIP file.
    Zip,
}

impl ArchiveFormat {
    /// Every name of a format that GitLab accepts, the preferred one first.
    pub const NAMES: [(&str, Self); 10] = [
        ("tar.gz", Self::TarGz),
        ("tgz", Self::TarGz),
        ("gz", Self::TarGz),
        ("tar.bz2", Self::TarBz2),
        ("tbz", Self::TarBz2),
        ("tbz2", Self::TarBz2),
        ("tb2", Self::TarBz2),
        ("bz2", Self::TarBz2),
        ("tar", Self::Tar),
        ("zip", Self::Zip),
    ];
}

/// A request for a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareRequest {
    /// The base: a branch, tag or commit.
    pub from: String,
    /// The head: a branch, tag or commit.
    pub to: String,
    /// The ID of the project that has `from`, if it is another one.
    pub from_project_id: Option<u64>,
    /// Whether to compare the two trees themselves, instead of the merge base's tree with that of `to`.
    pub straight: bool,
    /// Whether hunks come with the two header lines of a unified diff.
    pub unidiff: bool,
    /// Whether to exceed GitLab's limits.
    pub unlimited: bool,
}

/// A request for the authors with the number of their commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContributorsRequest {
    /// A branch, tag or commit [default: the default branch].
    pub reference: Option<String>,
    /// The order.
    pub order: ContributorOrder,
    /// Whether to reverse the order.
    pub descending: bool,
    /// Whether to count beyond the newest 2000 commits.
    pub all_commits: bool,
}

/// The order of contributors. Equal ones stay in the order of their newest commits, newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContributorOrder {
    /// By name, ignoring the case of ASCII letters.
    Name,
    /// By e-mail address, ignoring the case of ASCII letters.
    Email,
    /// By the number of commits.
    #[default]
    Commits,
}

/// What a request names and the repository does not have, in the same words for a local and a hosted repository.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// One or more refs that name no commit.
    #[error("{}", unknown(.0))]
    Refs(Vec<String>),
    /// The repository has no commits.
    #[error("the repository has no commits yet")]
    Commits,
    /// A directory that the commit does not have.
    #[error("directory `{0}` not found")]
    Path(String),
    /// An ID that does not name a blob.
    #[error("blob `{0}` not found")]
    Blob(String),
    /// Commits without a common ancestor.
    #[error("no merge base: these refs have no common ancestor")]
    MergeBase,
    /// The ref or one of the paths of an archive.
    #[error("nothing to archive: {0}")]
    Archive(String),
}

impl NotFound {
    /// A single ref that does not name a commit.
    pub(crate) fn reference(name: impl Into<String>) -> Self {
        Self::Refs(vec![name.into()])
    }
}

impl From<NotFound> for Problem {
    fn from(missing: NotFound) -> Self {
        let problem = Self::new(missing.to_string());
        match missing {
            NotFound::Refs(_) => problem.hint("name a branch, a tag or a commit of this repository"),
            NotFound::Path(_) => problem.hint("run `tidings repo tree --recursive` to list every path"),
            NotFound::Blob(_) => problem.hint("run `tidings repo tree` to list the IDs of blobs"),
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
