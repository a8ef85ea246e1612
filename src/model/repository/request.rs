//! Requests for the content of a repository, and the failures for what a repository lacks.

use serde::Serialize;

use super::TreeEntry;
use crate::model::{Problem, name_in};

/// A request for the entries of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeRequest {
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

/// A page of a tree, whose JSON is the list of its entries.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct TreePage {
    /// The entries of this page.
    pub items: Vec<TreeEntry>,
    /// The token of the next page; `None` on the last page.
    #[serde(skip)]
    pub next: Option<String>,
}

/// A request for an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArchiveRequest {
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
pub(crate) enum ArchiveFormat {
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
    pub(crate) const NAMES: [(&str, Self); 10] = [
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

    /// Returns the preferred name.
    pub(crate) fn name(self) -> &'static str {
        name_in(&Self::NAMES, &self)
    }
}

/// A request for a comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompareRequest {
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
pub(crate) struct ContributorsRequest {
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
pub(crate) enum ContributorOrder {
    /// By name, ignoring the case of ASCII letters.
    Name,
    /// By e-mail address, ignoring the case of ASCII letters.
    Email,
    /// By the number of commits.
    #[default]
    Commits,
}

impl ContributorOrder {
    /// Every order with its name.
    pub(crate) const NAMES: [(&str, Self); 3] =
        [("name", Self::Name), ("email", Self::Email), ("commits", Self::Commits)];

    pub(crate) fn name(self) -> &'static str {
        name_in(&Self::NAMES, &self)
    }
}

/// Returns the failure for refs that name no commit. The failures here read the same for local and hosted repositories.
pub(crate) fn unknown_revisions(names: &[String]) -> Problem {
    let quoted = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let is_one = names.len() == 1;
    let what = if is_one { format!("unknown revision {quoted}") } else { format!("{quoted} are unknown revisions") };
    Problem::new(what).hint("name a branch, a tag or a commit of this repository")
}

/// Returns the failure for a repository without commits.
pub(crate) fn no_commits() -> Problem {
    Problem::new("the repository has no commits yet").hint("create the first one with `git commit`")
}

/// Returns the failure for a directory that the commit does not have.
pub(crate) fn no_directory(path: &str) -> Problem {
    Problem::new(format!("directory `{path}` not found")).hint("run `tidings repo tree --recursive` to list every path")
}

/// Returns the failure for an ID that does not name a blob.
pub(crate) fn no_blob(id: &str) -> Problem {
    Problem::new(format!("blob `{id}` not found")).hint("run `tidings repo tree` to list the IDs of blobs")
}

/// Returns the failure for commits without a common ancestor.
pub(crate) fn no_merge_base() -> Problem {
    Problem::new("no merge base: these refs have no common ancestor")
}

/// Returns the failure for a missing ref, or a missing path of an archive.
pub(crate) fn nothing_to_archive(why: &str) -> Problem {
    Problem::new(format!("nothing to archive: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_unknown_refs_are_named_at_once() {
        let unknown = |names: &[&str]| unknown_revisions(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(unknown(&["x"]).to_string(), "unknown revision `x`");
        assert_eq!(unknown(&["x", "y"]).to_string(), "`x`, `y` are unknown revisions");
    }
}
