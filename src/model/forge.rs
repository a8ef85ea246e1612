//! The forges, and what differs from one to the other, as data.
//!
//! Each forge has a variant of [`Forge`], a place in [`Forge::ALL`], a profile, and a line in [`Forge::profile`]. The
//! requests to the API of a forge are in `api/resources`.

use super::Oid;

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
    /// Bitbucket Data Center, the server that a company runs itself.
    BitbucketDataCenter,
    /// Azure DevOps.
    AzureDevOps,
    /// SourceHut.
    SourceHut,
}

impl Forge {
    /// Every forge.
    pub const ALL: [Self; 7] = [
        Self::GitHub,
        Self::Gitea,
        Self::Bitbucket,
        Self::BitbucketDataCenter,
        Self::AzureDevOps,
        Self::SourceHut,
        Self::GitLab,
    ];

    /// Returns every forge with its name in configurations and options.
    pub(crate) fn words() -> [(&'static str, Self); 7] {
        Self::ALL.map(|forge| (forge.profile().word, forge))
    }

    /// Returns the profile of the forge.
    pub(crate) fn profile(self) -> &'static ForgeProfile {
        match self {
            Self::GitLab => &GITLAB,
            Self::GitHub => &GITHUB,
            Self::Gitea => &GITEA,
            Self::Bitbucket => &BITBUCKET,
            Self::BitbucketDataCenter => &BITBUCKET_DATA_CENTER,
            Self::AzureDevOps => &AZURE_DEVOPS,
            Self::SourceHut => &SOURCEHUT,
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
    ssh_hosts: &[("altssh.gitlab.com", "gitlab.com")],
    merge_request_noun: "merge request",
    merge_request_sign: '!',
    links: LinkShapes {
        project: str::to_owned,
        commit: "-/commit",
        merge_request: Some("-/merge_requests"),
        issues: |project| Some(format!("{project}/-/issues")),
        compare: |project, from, to| Some(format!("{project}/-/compare/{from}...{to}")),
        straight_compare: Some("-/compare"),
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
    ssh_hosts: &[("ssh.github.com", "github.com")],
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        project: str::to_owned,
        commit: "commit",
        merge_request: Some("pull"),
        issues: |project| Some(format!("{project}/issues")),
        compare: |project, from, to| Some(format!("{project}/compare/{from}...{to}")),
        straight_compare: Some("compare"),
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
    ssh_hosts: &[],
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        project: str::to_owned,
        commit: "commit",
        merge_request: Some("pulls"),
        issues: |project| Some(format!("{project}/issues")),
        compare: |project, from, to| Some(format!("{project}/compare/{from}...{to}")),
        straight_compare: Some("compare"),
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
    host_names: &["bitbucket.org"],
    ssh_hosts: &[("altssh.bitbucket.org", "bitbucket.org")],
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        project: str::to_owned,
        commit: "commits",
        merge_request: Some("pull-requests"),
        issues: |project| Some(format!("{project}/issues")),
        compare: |project, from, to| Some(format!("{project}/branches/compare/{to}..{from}")),
        straight_compare: None,
    },
    squash_subject: SquashSubject::PullRequest,
    api: None,
};

/// Bitbucket Data Center, formerly Bitbucket Server (confluence.atlassian.com/bitbucketserver). Its issues are in Jira.
const BITBUCKET_DATA_CENTER: ForgeProfile = ForgeProfile {
    name: "Bitbucket Data Center",
    word: "bitbucket-data-center",
    host_names: &["bitbucket"],
    ssh_hosts: &[],
    merge_request_noun: "pull request",
    merge_request_sign: '#',
    links: LinkShapes {
        project: |path| {
            // `scm/key/app` over HTTP, perhaps below a path of the server's own, and `key/app` over SSH.
            let (server, path) = path.rsplit_once("scm/").unwrap_or(("", path));
            let Some((owner, name)) = path.split_once('/') else { return format!("{server}{path}") };
            match owner.strip_prefix('~') {
                Some(user) => format!("{server}users/{user}/repos/{name}"),
                None => format!("{server}projects/{owner}/repos/{name}"),
            }
        },
        commit: "commits",
        merge_request: Some("pull-requests"),
        issues: |_| None,
        compare: |project, from, to| Some(format!("{project}/compare/commits?targetBranch={from}&sourceBranch={to}")),
        straight_compare: None,
    },
    squash_subject: SquashSubject::Prefix("Pull request #"),
    api: None,
};

/// Azure DevOps (learn.microsoft.com/azure/devops/repos/git).
const AZURE_DEVOPS: ForgeProfile = ForgeProfile {
    name: "Azure DevOps",
    word: "azure-devops",
    host_names: &["dev.azure.com", "visualstudio.com"],
    ssh_hosts: &[("ssh.dev.azure.com", "dev.azure.com"), ("vs-ssh.visualstudio.com", "dev.azure.com")],
    merge_request_noun: "pull request",
    merge_request_sign: '!',
    links: LinkShapes {
        project: |path| {
            // Over SSH the path is `v3/organization/project/repository`.
            let over_ssh = path.strip_prefix("v3/").and_then(|path| path.rsplit_once('/'));
            over_ssh.map_or_else(|| path.to_owned(), |(project, name)| format!("{project}/_git/{name}"))
        },
        commit: "commit",
        merge_request: Some("pullrequest"),
        issues: |project| Some(format!("{}/_workitems/edit", project.rsplit_once("/_git/")?.0)),
        compare: |project, from, to| {
            let version = |name: &str| format!("{}{name}", if name.parse::<Oid>().is_ok() { "GC" } else { "GT" });
            Some(format!("{project}/branchCompare?baseVersion={}&targetVersion={}", version(from), version(to)))
        },
        straight_compare: None,
    },
    squash_subject: SquashSubject::Prefix("Merged PR "),
    api: None,
};

/// SourceHut (man.sr.ht), where changes come by mail and trackers are on a host of their own.
const SOURCEHUT: ForgeProfile = ForgeProfile {
    name: "SourceHut",
    word: "sourcehut",
    host_names: &["sr.ht", "sourcehut"],
    ssh_hosts: &[],
    merge_request_noun: "patch",
    merge_request_sign: '#',
    links: LinkShapes {
        project: str::to_owned,
        commit: "commit",
        merge_request: None,
        issues: |project| project.contains("://git.").then(|| project.replacen("://git.", "://todo.", 1)),
        compare: |_, _, _| None,
        straight_compare: None,
    },
    squash_subject: SquashSubject::None,
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
