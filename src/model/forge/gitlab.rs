//! GitLab (docs.gitlab.com).

use super::profile::{ApiProfile, AuthScheme, CiVariables, ForgeProfile, LinkShapes, SquashSubject, TokenVariable};

pub(super) const PROFILE: ForgeProfile = ForgeProfile {
    name: "GitLab",
    word: "gitlab",
    host_names: &["gitlab"],
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
    api: Some(API),
};

pub(super) const API: ApiProfile = ApiProfile {
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
        TokenVariable::new("TIDINGS_TOKEN", AuthScheme::PrivateToken),
        TokenVariable::new("GITLAB_TOKEN", AuthScheme::PrivateToken),
        TokenVariable::of_job("CI_JOB_TOKEN", AuthScheme::JobToken),
    ],
    max_release_notes: None,
};
