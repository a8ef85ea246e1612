//! Changes that came after the section was written: the tag has them, the notes do not.

use super::{notes, version::ResolvedVersion};
use crate::{
    changelog::classifier::Retention,
    git::{Repo, revision},
    model::{Oid, Warning},
    pipeline,
};

/// Tells of changes between the commit that brought the section and the one that is released.
///
/// # Errors
///
/// Where the history cannot be read.
pub(super) fn warning(repo: &Repo, chosen: &ResolvedVersion, commit: Oid) -> anyhow::Result<Option<Warning>> {
    let brought = introducing_commit(repo, chosen, commit)?;
    if brought == commit {
        return Ok(None);
    }
    let mut asked = chosen.request.clone();
    asked.range.from = Some(brought.to_string());
    asked.range.to = commit.to_string();
    asked.range.first_release = false;
    let history = pipeline::history(repo, &asked, Retention::Listed)?;
    let listed = history.commits.iter().filter(|judged| judged.verdict.is_listed());
    let listed = listed.filter_map(|judged| judged.commit.as_deref());
    let titles: Vec<_> = listed.map(|late| format!("{} {}", late.id.short(), late.subject())).collect();
    if titles.is_empty() {
        return Ok(None);
    }
    let (file, version) = (chosen.file.display(), &chosen.version);
    let titles = titles.join("; ");
    let message = format!("the section of {version} in `{file}` was written before these changes: {titles}");
    Ok(Some(Warning::new(message).hint("`--replace` renews the section; what was edited by hand in it is lost")))
}

/// The oldest commit in a row of first parents that has the section.
fn introducing_commit(repo: &Repo, chosen: &ResolvedVersion, mut commit: Oid) -> anyhow::Result<Oid> {
    while let Ok(parent) = revision::resolve(repo, &format!("{commit}^")) {
        if notes::find(repo, parent, &chosen.file, &chosen.version)?.is_none() {
            break;
        }
        commit = parent;
    }
    Ok(commit)
}
