//! The authors of a history: `git log --no-merges`, grouped by e-mail address.

use std::cmp::Ordering;

use anyhow::Result;
use indexmap::IndexMap;

use super::{
    Repo,
    decode::RawCommit,
    revision,
    walk::{Ancestors, CommitHeader},
};
use crate::model::{
    Person,
    repository::{Contributor, ContributorOrder, ContributorsRequest},
};

/// How many commits GitLab counts, newest first.
const NEWEST: usize = 2000;

/// The authors of the newest 2000 commits without merges, in the requested order; `.mailmap` is not applied.
///
/// # Errors
/// If the ref is unknown or a commit cannot be read.
pub fn contributors(repo: &Repo, request: &ContributorsRequest) -> Result<Vec<Contributor>> {
    let tip = revision::resolve_or_head(repo, request.reference.as_deref())?;
    repo.ensure_history(tip)?;
    let limit = if request.all_commits { usize::MAX } else { NEWEST };
    let is_merge = |commit: &Result<CommitHeader>| commit.as_ref().is_ok_and(|commit| commit.parents.len() > 1);
    let authors = Ancestors::of(repo, tip)?.filter(|commit| !is_merge(commit)).take(limit);
    let mut by_email = IndexMap::new();
    for commit in authors {
        count(&mut by_email, &RawCommit::parse(&commit?.object).author().unwrap_or_default());
    }
    let mut contributors: Vec<_> = by_email.into_values().collect();
    contributors.sort_by(|a, b| {
        let order = compare(a, b, request.order);
        if request.descending { order.reverse() } else { order }
    });
    Ok(contributors)
}

/// Counts a commit for its author, whose name is the first one that is not blank: that of the newest commit.
fn count(by_email: &mut IndexMap<String, Contributor>, author: &Person) {
    let contributor = by_email.entry(author.email.to_string()).or_insert_with_key(|email| Contributor {
        name: String::new(),
        email: email.clone(),
        commits: 0,
        additions: 0,
        deletions: 0,
    });
    contributor.commits += 1;
    if contributor.name.trim().is_empty() {
        contributor.name = author.name.to_string();
    }
}

fn compare(a: &Contributor, b: &Contributor, order: ContributorOrder) -> Ordering {
    match order {
        ContributorOrder::Commits => a.commits.cmp(&b.commits),
        ContributorOrder::Name => a.name.to_ascii_lowercase().cmp(&b.name.to_ascii_lowercase()),
        ContributorOrder::Email => a.email.to_ascii_lowercase().cmp(&b.email.to_ascii_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_takes_its_newest_name_that_is_not_blank() {
        let mut by_email = IndexMap::new();
        for name in [" ", "Ida", "Old Ida"] {
            count(&mut by_email, &Person { name: name.into(), email: "ida@harbor.example".into() });
        }
        let ida = &by_email["ida@harbor.example"];
        assert_eq!((ida.name.as_str(), ida.commits), ("Ida", 3));
    }
}
