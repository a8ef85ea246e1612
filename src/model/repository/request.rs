//! What a repository is asked.

/// What to list of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeRequest {
    /// A branch, tag or commit; the default branch where it is absent.
    pub reference: Option<String>,
    /// The folder; empty for the root.
    pub path: String,
    /// Whether to descend into folders.
    pub recursive: bool,
    /// How many entries at most; all where it is absent.
    pub per_page: Option<usize>,
    /// The token that came with the page before.
    pub page_token: Option<String>,
}

/// A part of a list, and how to ask for the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct KeysetPage<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// The token of the next page; `None` on the last one.
    pub next: Option<String>,
}

/// What to put into an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArchiveRequest {
    /// A commit id, tag or branch; the default branch where it is absent.
    pub reference: Option<String>,
    /// The file or folder to archive; empty for everything.
    pub path: String,
    /// Files and folders to leave out.
    pub exclude: Vec<String>,
    /// How to pack.
    pub format: ArchiveFormat,
    /// Whether large files are put in place of the pointers to them.
    pub lfs: bool,
}

/// How an archive is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArchiveFormat {
    /// An uncompressed tape archive.
    Tar,
    /// A tape archive, compressed with gzip.
    #[default]
    TarGz,
    /// A tape archive, compressed with bzip2.
    TarBz2,
    /// A ZIP file.
    Zip,
}

impl ArchiveFormat {
    /// Every name of a format that the service takes, the usual one first.
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

    /// The format of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// The end of a file's name without the leading dot.
    #[must_use]
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Tar => "tar",
            Self::TarGz => "tar.gz",
            Self::TarBz2 => "tar.bz2",
            Self::Zip => "zip",
        }
    }
}

/// What to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareRequest {
    /// Where the comparison starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// The number of the project that has `from`, where it is another one.
    pub from_project_id: Option<u64>,
    /// Whether to compare the two trees themselves instead of the merge base's tree with that of `to`.
    pub straight: bool,
    /// Whether hunks come with the two header lines of a unified diff.
    pub unidiff: bool,
    /// Whether to go beyond the service's limits.
    pub unlimited: bool,
}

/// Whose commits to count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContributorsRequest {
    /// A branch, tag or commit; the default branch where it is absent.
    pub reference: Option<String>,
    /// What to order by.
    pub order: ContributorOrder,
    /// Whether to begin with the highest.
    pub descending: bool,
    /// Whether to count beyond the newest 2000 commits.
    pub all_commits: bool,
}

/// What contributors are ordered by. Equal ones stay in the order of their newest commits, newest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContributorOrder {
    /// By name; the case of ASCII letters does not count.
    Name,
    /// By e-mail address; the case of ASCII letters does not count.
    Email,
    /// By the number of commits.
    #[default]
    Commits,
}
