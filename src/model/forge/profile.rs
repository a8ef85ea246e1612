//! What differs from one forge to the other.

use std::time::Duration;

/// The properties of a forge that the program needs.
#[derive(Debug)]
pub(crate) struct ForgeProfile {
    /// The name, as the makers of the forge write it.
    pub name: &'static str,
    /// The name in configurations and options.
    pub word: &'static str,
    /// Parts of host names that it is recognized by.
    pub host_names: &'static [&'static str],
    /// Hosts that are there for SSH alone and have no pages, each with the one that has them.
    pub ssh_hosts: &'static [(&'static str, &'static str)],
    pub merge_request_noun: &'static str,
    /// The sign between the path of a project and the number of its merge request.
    pub merge_request_sign: char,
    /// The paths of its pages.
    pub links: LinkShapes,
    /// How the subject of a squashed commit names its merge request.
    pub squash_subject: SquashSubject,
    /// The REST API, if the program speaks it.
    pub api: Option<ApiProfile>,
}

/// The pages of a project. Names of pages are those below the project's own page; functions get its address.
#[derive(Debug)]
pub(crate) struct LinkShapes {
    /// Returns the path of the project's page for the path in the address of its remote.
    pub project: fn(&str) -> String,
    /// The page of a commit, before its ID.
    pub commit: &'static str,
    /// The page of a merge request, before its number; `None` if the forge has no merge requests.
    pub merge_request: Option<&'static str>,
    /// Returns the address of an issue, before its number; `None` if the forge has no issues.
    pub issues: fn(&str) -> Option<String>,
    /// Returns the address of the comparison of two refs, the older first, from their merge base.
    pub compare: fn(&str, &str, &str) -> Option<String>,
    /// The page that compares the refs themselves, before the refs.
    pub straight_compare: Option<&'static str>,
}

/// How the subject of a squashed commit names its merge request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SquashSubject {
    /// The subject does not name one: `(#7)` is an issue.
    None,
    /// `Title (#7)`.
    Number,
    /// `Title (pull request #7)`.
    PullRequest,
    /// `Merged PR 7: Title`, with what is before the number.
    Prefix(&'static str),
}

/// The environment variables of a CI job.
#[derive(Debug)]
pub(crate) struct CiVariables {
    /// The path of the project.
    pub project: &'static str,
    /// The address of the server that runs the job.
    pub server_url: &'static str,
    /// The address of its API.
    pub api_url: &'static str,
    /// The address of the API outside of a job; `None` if a token of the job may go to any server then.
    pub default_api_url: Option<&'static str>,
}

/// A REST API.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each says what a forge has")]
pub(crate) struct ApiProfile {
    /// The server that the forge's name stands for; any other gets no token unless the user or a CI job names it.
    pub home: &'static str,
    /// The path of the API below the address of a server.
    pub root: &'static str,
    /// The path that files are uploaded to.
    pub uploads_root: &'static str,
    /// Hosts, or the ends of host names from a dot on, that have `api.` and `uploads.` hosts instead of these paths.
    pub cloud_hosts: &'static [&'static str],
    /// The headers of every request.
    pub headers: &'static [(&'static str, &'static str)],
    /// The variables of its CI jobs.
    pub ci: CiVariables,
    /// The variables that may hold a token, most specific first, `TIDINGS_TOKEN` with the scheme of other tokens.
    pub token_variables: &'static [TokenVariable],
    /// The user that git names beside a token over HTTPS.
    pub token_user: &'static str,
    /// The user that git names beside the token of a CI job.
    pub job_token_user: &'static str,
    /// The pause that its own cloud asks for between requests that write.
    pub write_pause: Duration,
    /// How many rows of a list a page has.
    pub page_size: PageSize,
    /// Who may open, change and comment on merge requests.
    pub request_writers: &'static str,
    /// The refs of merge requests, before the number and `/head`.
    pub request_refs: &'static str,
    /// The page of a file on a branch, before the branch.
    pub branch_file: &'static str,
    /// The longest release notes, in characters.
    pub max_release_notes: Option<usize>,
    /// The longest description of a merge request, in characters, with some room.
    pub max_request_description: usize,
    /// Whether an empty file can be attached to a release.
    pub takes_empty_files: bool,
    /// Whether a release can be a draft.
    pub has_drafts: bool,
    /// Whether it opens a discussion about a release.
    pub has_discussions: bool,
    /// Whether a release can say that it is, or is not, the latest.
    pub has_latest_mark: bool,
}

/// The query parameter for the rows of a page, and the most that a server puts on one.
#[derive(Debug)]
pub(crate) struct PageSize {
    pub parameter: &'static str,
    pub largest: u32,
}

/// An environment variable that holds a token.
#[derive(Debug)]
pub(crate) struct TokenVariable {
    pub name: &'static str,
    pub scheme: AuthScheme,
    /// Whether the token is meant only for the server that runs the CI job.
    pub is_of_job: bool,
}

/// How a token is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AuthScheme {
    /// `PRIVATE-TOKEN: t`, for personal, project and group access tokens.
    #[default]
    PrivateToken,
    /// `Authorization: Bearer t`, for the same and for OAuth tokens.
    Bearer,
    /// `JOB-TOKEN: t`, for the token of a CI job.
    JobToken,
    /// `?private_token=t`; such a URL ends up in logs, so this is for servers that accept nothing else.
    Query,
}

impl ApiProfile {
    /// Returns how a token is sent if its source does not say.
    pub(crate) fn default_auth_scheme(&self) -> AuthScheme {
        self.token_variables.first().map_or_else(AuthScheme::default, |variable| variable.scheme)
    }

    /// Returns the variables to suggest to a user who has no token set.
    pub(crate) fn suggested_token_variables(&self) -> String {
        let names = self.token_variables.iter().take(2).map(|variable| format!("`{}`", variable.name));
        names.collect::<Vec<_>>().join(" or ")
    }

    /// Whether a host has hosts of its own for the API and for uploads.
    pub(crate) fn is_cloud(&self, host: &str) -> bool {
        self.cloud_hosts.iter().any(|cloud| host == *cloud || cloud.starts_with('.') && host.ends_with(cloud))
    }
}
