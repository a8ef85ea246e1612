//! Bitbucket Cloud (support.atlassian.com).

use super::profile::{ForgeProfile, LinkShapes, SquashSubject};

pub(super) const PROFILE: ForgeProfile = ForgeProfile {
    name: "Bitbucket",
    word: "bitbucket",
    host_names: &["bitbucket"],
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
