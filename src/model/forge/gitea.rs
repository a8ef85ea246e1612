//! Gitea, and Forgejo with the same links (docs.gitea.com).

use super::profile::{ForgeProfile, LinkShapes, SquashSubject};

pub(super) const PROFILE: ForgeProfile = ForgeProfile {
    name: "Gitea",
    word: "gitea",
    host_names: &["gitea", "forgejo", "codeberg"],
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
    api: None,
};
