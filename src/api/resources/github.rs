//! A repository on GitHub, and on Gitea or Forgejo, whose API differs in what a [`Dialect`] names.

use crate::{
    api::{ApiRequest, Client, Fields, Method, Path, Result},
    model::{Forge, Problem},
};

/// Who may change the contents of a repository.
pub(super) const WRITERS: &str = "the permission to write contents: `permissions: contents: write` in a workflow";

/// A repository, by its user or organization and its name.
pub(super) struct GitHub<'c> {
    pub client: &'c Client,
    pub owner: String,
    pub name: String,
    pub dialect: &'static Dialect,
}

impl<'c> GitHub<'c> {
    pub(super) fn new(client: &'c Client, path: &str) -> Result<Self, Problem> {
        let forge = client.base().forge();
        match path.split_once('/') {
            Some((owner, name)) if !owner.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { client, owner: owner.to_owned(), name: name.to_owned(), dialect: Dialect::of(forge) })
            }
            _ => Err(Problem::usage(format!("`{path}` is not a repository on {}", forge.profile().name))
                .hint("use `--project`, such as `--project owner/name`")),
        }
    }

    /// Returns a request below the path of the repository.
    pub(super) fn request(&self, method: Method, below: &str, values: &[&str]) -> ApiRequest {
        let values = [&[self.owner.as_str(), &self.name], values].concat();
        ApiRequest::new(method, Path::new(&format!("/repos/:owner/:repo{below}"), &values))
    }
}

/// What the API of GitHub and that of Gitea and Forgejo say in different ways. The paths are below the repository's.
#[expect(clippy::struct_excessive_bools, reason = "each says what a forge has")]
pub(super) struct Dialect {
    pub tag: &'static str,
    pub commit: &'static str,
    pub requests_of_commit: RequestsOfCommit,
    /// Whether the path of an attached file is below that of its release.
    pub files_are_below_releases: bool,
    /// The parameters that order pull requests by their last update, the newest first.
    pub by_update: &'static [(&'static str, &'static str)],
    /// Returns the filter for the pull requests from a source to a target branch of this owner.
    pub branches: fn(Fields, owner: &str, source: &str, target: &str) -> Fields,
    /// Whether the comments of a thread come in pages, and not all at once.
    pub has_comment_pages: bool,
    /// Whether the repository names the templates of its merge messages.
    pub has_merge_templates: bool,
    /// Whether a token may be that of an app's installation.
    pub has_installations: bool,
    /// Whether `gh`, GitHub's own client, speaks it.
    pub has_gh: bool,
}

/// The path of the pull requests that a commit belongs to.
#[derive(Clone, Copy)]
pub(super) enum RequestsOfCommit {
    List(&'static str),
    /// At most one is known.
    One(&'static str),
}

impl Dialect {
    fn of(forge: Forge) -> &'static Self {
        if forge == Forge::Gitea { &GITEA } else { &GITHUB }
    }
}

/// docs.github.com/rest.
const GITHUB: Dialect = Dialect {
    tag: "/git/ref/tags/:tag",
    commit: "/commits/:sha",
    requests_of_commit: RequestsOfCommit::List("/commits/:sha/pulls"),
    files_are_below_releases: false,
    by_update: &[("sort", "updated"), ("direction", "desc")],
    branches: |query, owner, source, target| query.add("head", &format!("{owner}:{source}")).add("base", target),
    has_comment_pages: true,
    has_merge_templates: true,
    has_installations: true,
    has_gh: true,
};

/// docs.gitea.com/api. It has no filter of the source, and that of the target only from 1.27 on.
const GITEA: Dialect = Dialect {
    tag: "/tags/:tag",
    commit: "/git/commits/:sha",
    requests_of_commit: RequestsOfCommit::One("/commits/:sha/pull"),
    files_are_below_releases: true,
    by_update: &[("sort", "recentupdate")],
    branches: |query, _, _, target| query.add("base_branch", target),
    has_comment_pages: false,
    has_merge_templates: false,
    has_installations: false,
    has_gh: false,
};
