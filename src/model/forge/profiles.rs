//! The profile of each forge.

use std::time::Duration;

use super::profile::{
    ApiProfile, AuthScheme, CiVariables, ForgeProfile, LinkShapes, PageSize, SquashSubject, TokenVariable,
};
use crate::model::Oid;

/// GitLab (docs.gitlab.com).
pub(super) const GITLAB: ForgeProfile = ForgeProfile {
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

pub(super) const GITLAB_API: ApiProfile = ApiProfile {
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
    token_user: "oauth2",
    job_token_user: "gitlab-ci-token",
    write_pause: Duration::ZERO,
    page_size: PageSize { parameter: "per_page", largest: 100 },
    request_writers: "an access token with the scope `api` of somebody with the role Developer and up; the token of a job \
                      may read merge requests, and not write them",
    request_refs: "refs/merge-requests",
    branch_file: "-/blob",
    max_release_notes: None,
    max_request_description: 1_000_000,
    takes_empty_files: true,
    has_drafts: false,
    has_discussions: false,
    has_latest_mark: false,
};

/// GitHub, in the cloud and as an Enterprise Server (docs.github.com).
pub(super) const GITHUB: ForgeProfile = ForgeProfile {
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
        token_user: "oauth2",
        job_token_user: "x-access-token",
        write_pause: Duration::from_secs(1),
        page_size: PageSize { parameter: "per_page", largest: 100 },
        request_writers: "`permissions: pull-requests: write` in a workflow, and the setting \"Allow GitHub Actions to create \
                          and approve pull requests\" of the repository",
        request_refs: "refs/pull",
        branch_file: "blob",
        max_release_notes: Some(125_000),
        max_request_description: 60_000,
        takes_empty_files: false,
        has_drafts: true,
        has_discussions: true,
        has_latest_mark: true,
    }),
};

/// Gitea, and Forgejo with the same links and the same API (docs.gitea.com, forgejo.org/docs).
pub(super) const GITEA: ForgeProfile = ForgeProfile {
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
        token_user: "oauth2",
        job_token_user: "x-access-token",
        write_pause: Duration::ZERO,
        page_size: PageSize { parameter: "limit", largest: 50 },
        request_writers: "a token with the scopes `write:repository` and `write:issue`, or the permissions `contents`, \
                          `pull-requests` and `issues` in a workflow",
        request_refs: "refs/pull",
        branch_file: "src/branch",
        max_release_notes: None,
        max_request_description: 1_000_000,
        takes_empty_files: false,
        has_drafts: true,
        has_discussions: false,
        has_latest_mark: false,
    }),
};

/// Bitbucket Cloud (support.atlassian.com).
pub(super) const BITBUCKET: ForgeProfile = ForgeProfile {
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
pub(super) const BITBUCKET_DATA_CENTER: ForgeProfile = ForgeProfile {
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
pub(super) const AZURE_DEVOPS: ForgeProfile = ForgeProfile {
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
pub(super) const SOURCEHUT: ForgeProfile = ForgeProfile {
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
