//! GitHub, in the cloud and as an Enterprise Server (docs.github.com).

use super::profile::{ApiProfile, AuthScheme, CiVariables, ForgeProfile, LinkShapes, SquashSubject, TokenVariable};

pub(super) const PROFILE: ForgeProfile = ForgeProfile {
    name: "GitHub",
    word: "github",
    host_names: &["github"],
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
            TokenVariable::new("TIDINGS_TOKEN", AuthScheme::Bearer),
            TokenVariable::of_job("GITHUB_TOKEN", AuthScheme::Bearer),
        ],
        max_release_notes: Some(125_000),
    }),
};
