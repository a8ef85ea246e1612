//! The forges, and what differs from one to the other, as data.
//!
//! Each forge has a variant of [`Forge`], a place in [`Forge::ALL`], a profile, and a line in [`Forge::profile`]. The
//! requests to the API of a forge are in `api/resources`.

/// The kind of software a host runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forge {
    /// GitLab, which is assumed if the name of the host says nothing.
    #[default]
    GitLab,
    /// GitHub, of the cloud or an Enterprise Server.
    GitHub,
    /// Gitea, and Forgejo with the same links and API.
    Gitea,
    /// Bitbucket Cloud.
    Bitbucket,
}

impl Forge {
    /// Every forge.
    pub const ALL: [Self; 4] = [Self::GitHub, Self::Gitea, Self::Bitbucket, Self::GitLab];

    /// Returns every forge with its name in configurations and options.
    pub(crate) fn words() -> [(&'static str, Self); 4] {
        Self::ALL.map(|forge| (forge.profile().word, forge))
    }

    /// Returns the profile of the forge.
    pub(crate) fn profile(self) -> &'static ForgeProfile {
        match self {
            Self::GitLab => &GITLAB,
            Self::GitHub => &GITHUB,
            Self::Gitea => &GITEA,
            Self::Bitbucket => &BITBUCKET,
        }
    }

    /// Guesses the forge from the name of a host; `None` if the name says nothing.
    pub(crate) fn named_by(host: &str) -> Option<Self> {
        let host = host.to_ascii_lowercase();
        let is_named = |forge: &Self| forge.profile().host_names.iter().any(|name| host.contains(name));
        Self::ALL.into_iter().find(is_named)
    }

    /// Whether the program speaks the API of the forge.
    pub(crate) fn has_api(self) -> bool {
        self.profile().api.is_some()
    }

    /// Returns the API of the forge; GitLab's, which many servers imitate, if the forge's own is not supported.
    pub(crate) fn api(self) -> &'static ApiProfile {
        self.profile().api.as_ref().unwrap_or(&GITLAB_API)
    }
}

/// GitLab (docs.gitlab.com).
const GITLAB: ForgeProfile = ForgeProfile {
    name: "GitLab",
    word: "gitlab",
    host_names: &["gitlab"],
    ssh_host: Some(("altssh.gitlab.com", "gitlab.com")),
    merge_request_noun: "merge request",
    merge_request_sign: '!',
    links: LinkShapes {
        commit: "-/commit",
        merge_request: "-/merge_requests",
        issue: "-/issues",
        compare: "-/compare",
        compare_refs: |from, to| format!("{from}...{to}"),
        straight_compare: "-/compare",
    },
    squash_subject: SquashSubject::None,
    api: Some(GITLAB_API),
};

const GITLAB_API: ApiProfile = ApiProfile {
    home: "https://gitlab.com",
    root: "/api/v4",
    uploads_root: "/api/v4",
    cloud_hosts: &[],
    headers: &[],
    ci: CiVariables {
        project: "CI_PROJECT_PATH",
        server_url: "CI_SERVER_URL",
        api_url: "CI_API_V4_URL",
        default_api_url: None,
    },
    token_variables: &[
        TokenVariable { name: "TIDINGS_TOKEN", scheme: AuthScheme::PrivateToken, is_of_job: false },
        TokenVariable { name: "GITLAB_TOKEN", scheme: AuthScheme::PrivateToken, is_of_job: false },
        TokenVariable { name: "CI_JOB_TOKEN", scheme: AuthScheme::JobToken, is_of_job: true },
    ],
    page_size: PageSize { parameter: "per_page", largest: 100 },
    request_writers: "an access token with the scope `api` of somebody with the role Developer and up; the token of a job \
                      may read merge requests, and not write them",
    max_release_notes: None,
    max_request_description: 1_000_000,
    takes_empty_files: true,
    has_drafts: false,
    has_latest_mark: false,
};

/// GitHub, in the cloud and as an Enterprise Server (docs.github.com).
const GITHUB: ForgeProfile = ForgeProfile {
    name: "GitHub",
    word: "github",
    host_names: &["github"],
    ssh_host: Some(("ssh.github.com", "github.com")),
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        commit: "commit",
        merge_request: "pull",
        issue: "issues",
        compare: "compare",
        compare_refs: |from, to| format!("{from}...{to}"),
        straight_compare: "compare",
    },
    squash_subject: SquashSubject::Number,
    api: Some(ApiProfile {
        home: "https://github.com",
        root: "/api/v3",
        uploads_root: "/api/uploads",
        cloud_hosts: &["github.com", ".ghe.com"],
        headers: &[("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")],
        ci: CiVariables {
            project: "GITHUB_REPOSITORY",
            server_url: "GITHUB_SERVER_URL",
            api_url: "GITHUB_API_URL",
            default_api_url: Some("https://api.github.com"),
        },
        token_variables: &[
            TokenVariable { name: "TIDINGS_TOKEN", scheme: AuthScheme::Bearer, is_of_job: false },
            TokenVariable { name: "GITHUB_TOKEN", scheme: AuthScheme::Bearer, is_of_job: true },
        ],
        page_size: PageSize { parameter: "per_page", largest: 100 },
        request_writers: "`permissions: pull-requests: write` in a workflow, and the setting \"Allow GitHub Actions to create \
                          and approve pull requests\" of the repository",
        max_release_notes: Some(125_000),
        max_request_description: 60_000,
        takes_empty_files: false,
        has_drafts: true,
        has_latest_mark: true,
    }),
};

/// Gitea, and Forgejo with the same links and the same API (docs.gitea.com, forgejo.org/docs).
const GITEA: ForgeProfile = ForgeProfile {
    name: "Gitea",
    word: "gitea",
    host_names: &["gitea", "forgejo", "codeberg"],
    ssh_host: None,
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        commit: "commit",
        merge_request: "pulls",
        issue: "issues",
        compare: "compare",
        compare_refs: |from, to| format!("{from}...{to}"),
        straight_compare: "compare",
    },
    squash_subject: SquashSubject::Number,
    api: Some(ApiProfile {
        home: "https://gitea.com",
        root: "/api/v1",
        uploads_root: "/api/v1",
        cloud_hosts: &[],
        headers: &[],
        ci: CiVariables {
            project: "GITHUB_REPOSITORY",
            server_url: "GITHUB_SERVER_URL",
            api_url: "GITHUB_API_URL",
            default_api_url: Some("https://gitea.com/api/v1"),
        },
        token_variables: &[
            TokenVariable { name: "TIDINGS_TOKEN", scheme: AuthScheme::Bearer, is_of_job: false },
            TokenVariable { name: "GITEA_TOKEN", scheme: AuthScheme::Bearer, is_of_job: true },
            TokenVariable { name: "FORGEJO_TOKEN", scheme: AuthScheme::Bearer, is_of_job: true },
            TokenVariable { name: "GITHUB_TOKEN", scheme: AuthScheme::Bearer, is_of_job: true },
        ],
        page_size: PageSize { parameter: "limit", largest: 50 },
        request_writers: "a token with the scopes `write:repository` and `write:issue`, or the permissions `contents`, \
                          `pull-requests` and `issues` in a workflow",
        max_release_notes: None,
        max_request_description: 1_000_000,
        takes_empty_files: false,
        has_drafts: true,
        has_latest_mark: false,
    }),
};

/// Bitbucket Cloud (support.atlassian.com).
const BITBUCKET: ForgeProfile = ForgeProfile {
    name: "Bitbucket",
    word: "bitbucket",
    host_names: &["bitbucket"],
    ssh_host: Some(("altssh.bitbucket.org", "bitbucket.org")),
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        commit: "commits",
        merge_request: "pull-requests",
        issue: "issues",
        compare: "branches/compare",
        compare_refs: |from, to| format!("{to}..{from}"),
        straight_compare: "compare",
    },
    squash_subject: SquashSubject::PullRequest,
    api: None,
};

/// The properties of a forge that the program needs.
#[derive(Debug)]
pub(crate) struct ForgeProfile {
    /// The name, as the makers of the forge write it.
    pub name: &'static str,
    /// The name in configurations and options.
    pub word: &'static str,
    /// Parts of host names that it is recognized by.
    pub host_names: &'static [&'static str],
    /// The host for SSH over the port of HTTPS, which has no pages, and the one that has them.
    pub ssh_host: Option<(&'static str, &'static str)>,
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

/// The paths of a project's pages, each below the project's own page.
#[derive(Debug)]
pub(crate) struct LinkShapes {
    /// The page of a commit, before its ID.
    pub commit: &'static str,
    /// The page of a merge request, before its number.
    pub merge_request: &'static str,
    /// The page of an issue, before its number.
    pub issue: &'static str,
    /// The page that compares two refs from their merge base, before the refs.
    pub compare: &'static str,
    /// Writes the refs of a comparison, given with the older one first.
    pub compare_refs: fn(&str, &str) -> String,
    /// The page that compares the refs themselves.
    pub straight_compare: &'static str,
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
    /// How many rows of a list a page has.
    pub page_size: PageSize,
    /// Who may open, change and comment on merge requests.
    pub request_writers: &'static str,
    /// The longest release notes, in characters.
    pub max_release_notes: Option<usize>,
    /// The longest description of a merge request, in characters, with some room.
    pub max_request_description: usize,
    /// Whether an empty file can be attached to a release.
    pub takes_empty_files: bool,
    /// Whether a release can be a draft.
    pub has_drafts: bool,
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
