//! The labels of merge requests, which only the forge knows: they decide on the category of what merge requests list.

use std::collections::HashMap;

use super::{bots::is_of_bot, classification::Classification, classified_commit::ClassifiedCommit};
use crate::{
    config::{CHANGES, LabelRules, LabelVerdict},
    model::{Commit, MergedRequest, Project},
};

/// Returns the numbers of the listed merge requests whose category is not known yet, each once.
pub(crate) fn undecided_requests(commits: &[ClassifiedCommit], project: &Project) -> Vec<u64> {
    let mut numbers: Vec<u64> = commits.iter().filter_map(|commit| undecided_request(commit, project)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn undecided_request(classified: &ClassifiedCommit, project: &Project) -> Option<u64> {
    let request = classified.merge_request().filter(|_| classified.classification.categories() == [CHANGES])?;
    let is_own = request.path.as_ref().is_none_or(|path| path == project.path());
    is_own.then_some(request.number)
}

/// Classifies the commits of merge requests by their labels, and gives them the titles and authors that the forge has.
pub(crate) fn classify(
    commits: &mut [ClassifiedCommit],
    requests: &HashMap<u64, MergedRequest>,
    rules: &LabelRules,
    project: &Project,
) {
    for classified in commits {
        let Some(number) = undecided_request(classified, project) else { continue };
        let Some(commit) = classified.commit.as_deref() else { continue };
        let request = requests.get(&number);
        let classification = match request.map_or(LabelVerdict::Unlabelled, |request| rules.judge(request)) {
            LabelVerdict::Category(name) => Some(Classification::Listed(vec![name.to_owned()])),
            LabelVerdict::LeftOut(why) => Some(Classification::Skipped(format!("`{why}` of the merge request").into())),
            LabelVerdict::Unlabelled => {
                is_of_bot(commit).then(|| Classification::Skipped("the commit of a bot".into()))
            }
        };
        if let Some(request) = request {
            let message = message(commit, request);
            let mentions = classified.mentions.get_or_insert_default();
            mentions.messages = vec![message];
            mentions.request_author = request.author.as_deref().map(Into::into);
        }
        classified.classification = classification.unwrap_or(classified.classification.clone());
    }
}

/// Returns the message of a commit with the title that the merge request has on the forge.
fn message(commit: &Commit, request: &MergedRequest) -> Box<str> {
    let title = request.title.trim();
    if title.is_empty() {
        return (*commit.message).into();
    }
    // The subject of a merge names branches, and its body begins with the title.
    let body = if commit.is_merge { "" } else { &commit.message[commit.subject().len()..] };
    format!("{title}{body}").into()
}
