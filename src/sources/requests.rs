//! Merge requests as a source: each is a change, with the title of its merge or squashed commit.

use std::collections::HashSet;

use super::{
    bots::is_of_bot,
    classification::Classification,
    classified_commit::ClassifiedCommit,
    merge_request_reference::MergeRequestReference,
    reverted::RevertedCommits,
    source_profile::{MISSING_CATEGORY, NAME_THE_REQUEST, SourceProfile},
};
use crate::{
    config::{CHANGES, Config},
    model::{CommitRef, Forge},
};

pub(super) const SOURCE: SourceProfile = SourceProfile {
    classify: |commit, config, forge| classify(commit, config, forge).into(),
    property: "merge or pull request in its message",
    short_property: "merge or pull request",
    rule: MISSING_CATEGORY,
    rule_hint: NAME_THE_REQUEST,
    unlisted_hint: Some(
        "set `forge` if numbers in titles such as `(#12)` are those of pull requests, or `source: titles` to list every \
         title",
    ),
};

/// Classifies a commit by the merge request that it names as its own. Labels may list what bots did.
fn classify(commit: &CommitRef<'_>, config: &Config, forge: Option<Forge>) -> Classification {
    match MergeRequestReference::from_own_message(commit, forge) {
        None => Classification::NoCategory,
        Some(_) if config.labels.is_empty() && is_of_bot(commit) => {
            Classification::Skipped("the commit of a bot".into())
        }
        Some(_) => Classification::Listed(vec![CHANGES.to_owned()]),
    }
}

/// Lists a merge request once, by the newest commit that names it: by its merge rather than by a squashed commit. A
/// merge request that only reverts another one of the range is not listed.
pub(super) fn list_once(commits: &mut [ClassifiedCommit], reverted: &RevertedCommits) {
    let mut seen = HashSet::new();
    for classified in commits.iter_mut().filter(|classified| classified.classification.is_listed()) {
        if !classified.merge_request().cloned().is_none_or(|request| seen.insert(request)) {
            classified.classification = Classification::NoCategory;
        } else if classified.merge_request().is_some_and(|request| reverted.reverting.contains(request)) {
            classified.classification = Classification::Revert;
        }
    }
}
