//! A request as messages of merges are made of it.

/// A merge or pull request that is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReviewedRequest {
    pub(crate) number: u64,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) url: Option<String>,
    /// The short name of the branch that is merged.
    pub(crate) source: String,
    /// The short name of the branch that it is merged into.
    pub(crate) target: String,
    /// A commit of the target branch, for a clone that does not have the branch.
    pub(crate) base: Option<String>,
    /// The last commit of the source branch.
    pub(crate) head: Option<String>,
    /// Whether the request says that its commits become one; `None` if that is decided later.
    pub(crate) squashes: Option<bool>,
    /// Who opened it: a name on GitLab, elsewhere a login.
    pub(crate) author: Option<String>,
    /// The path of the project that the source branch is in; `None` if it is not known to be another one.
    pub(crate) source_project: Option<String>,
    /// The ID of that project, on GitLab.
    pub(crate) source_project_id: Option<u64>,
}

/// A commit of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestCommit {
    pub(crate) message: String,
    /// As `Name <address>`.
    pub(crate) author: String,
}
