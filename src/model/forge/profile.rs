//! What differs from forge to forge, as data.

/// A forge as the program needs to know it.
#[derive(Debug)]
pub struct ForgeProfile {
    /// Its name, as its makers write it.
    pub name: &'static str,
    /// Its name in configurations and options.
    pub word: &'static str,
    /// Parts of host names that it is recognized by.
    pub host_names: &'static [&'static str],
    /// What it calls a merge request.
    pub merge_request_noun: &'static str,
    /// What is between the path of a project and the number of its merge request.
    pub merge_request_sign: char,
    /// Where its pages are.
    pub links: LinkShapes,
    /// How the subject of a squashed commit names its merge request.
    pub squash_subject: SquashSubject,
    /// Its REST API, if the program speaks it.
    pub api: Option<ApiProfile>,
}

/// The pages of a project, each below the project's own page.
#[derive(Debug)]
pub struct LinkShapes {
    /// Of a commit, before its ID.
    pub commit: &'static str,
    /// Of a merge request, before its number.
    pub merge_request: &'static str,
    /// Of an issue, before its number.
    pub issue: &'static str,
    /// Of a comparison of two refs from their merge base, before the refs.
    pub compare: &'static str,
    /// The refs of a comparison, the older one given first.
    pub compare_refs: fn(&str, &str) -> String,
    /// Of a comparison of the refs themselves.
    pub straight_compare: &'static str,
}

/// How the subject of a squashed commit names its merge request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquashSubject {
    /// Not at all: `(#7)` is an issue.
    None,
    /// `Title (#7)`.
    Number,
    /// `Title (pull request #7)`.
    PullRequest,
}

/// The environment variables of a CI job.
#[derive(Debug)]
pub struct CiVariables {
    /// The path of the project.
    pub project: &'static str,
    /// The address of the server that runs the job.
    pub server_url: &'static str,
    /// The address of its API.
    pub api_url: &'static str,
    /// That address outside of a job; `None` if a token of the job may go to any server then.
    pub default_api_url: Option<&'static str>,
}

/// A REST API.
#[derive(Debug)]
pub struct ApiProfile {
    /// The server that everybody means by the name; any other gets no token unless the user or a CI job names it.
    pub home: &'static str,
    /// The path of the API below the address of a server.
    pub root: &'static str,
    /// The path that files are uploaded to.
    pub uploads_root: &'static str,
    /// Hosts, or the ends of their names after a dot, that have `api.` and `uploads.` hosts in place of these paths.
    pub cloud_hosts: &'static [&'static str],
    /// The headers of every request.
    pub headers: &'static [(&'static str, &'static str)],
    /// What its CI jobs know.
    pub ci: CiVariables,
    /// Where a token is looked for, the most specific first, `TIDINGS_TOKEN` with the scheme of other tokens.
    pub token_variables: &'static [TokenVariable],
    /// The longest release notes, in characters.
    pub max_release_notes: Option<usize>,
}

/// An environment variable that holds a token.
#[derive(Debug)]
pub struct TokenVariable {
    /// Its name.
    pub name: &'static str,
    /// How the token is sent.
    pub scheme: AuthScheme,
    /// Whether it is meant only for the server that runs the CI job.
    pub is_of_job: bool,
}

/// How a token is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthScheme {
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

impl TokenVariable {
    /// A variable whose token is meant for any server.
    #[must_use]
    pub const fn new(name: &'static str, scheme: AuthScheme) -> Self {
        Self { name, scheme, is_of_job: false }
    }

    /// A variable that a CI job sets for its own server.
    #[must_use]
    pub const fn of_job(name: &'static str, scheme: AuthScheme) -> Self {
        Self { name, scheme, is_of_job: true }
    }
}

impl ApiProfile {
    /// How a token is sent if its source does not say.
    #[must_use]
    pub fn default_auth_scheme(&self) -> AuthScheme {
        self.token_variables.first().map_or_else(AuthScheme::default, |variable| variable.scheme)
    }

    /// The variables to suggest to a user who has no token set.
    #[must_use]
    pub fn suggested_token_variables(&self) -> String {
        let names = self.token_variables.iter().take(2).map(|variable| variable.name);
        names.collect::<Vec<_>>().join(" or ")
    }

    /// Whether a host has hosts of its own for the API and for uploads.
    #[must_use]
    pub fn is_cloud(&self, host: &str) -> bool {
        self.cloud_hosts.iter().any(|cloud| host == *cloud || cloud.starts_with('.') && host.ends_with(cloud))
    }
}
