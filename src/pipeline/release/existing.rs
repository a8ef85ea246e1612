//! A tag of the release's name: made by a former run, or for something else.

use super::{ReleaseRequest, notes, obstacle::tag_is_taken, version::ResolvedVersion};
use crate::{
    git::{
        Repo, merge_base,
        tag::{self, Tag},
    },
    model::Oid,
};

/// The tag of this release, where a former run made it: on a commit of the branch that has the section.
///
/// # Errors
///
/// Where a tag of the name stands for something else.
pub(super) fn find(
    repo: &Repo,
    request: &ReleaseRequest,
    chosen: &ResolvedVersion,
    (branch, tip): (&str, Oid),
) -> anyhow::Result<Option<Tag>> {
    let Some(found) = tag::find(repo, &chosen.tag)? else { return Ok(None) };
    let refuse = |on: &str, why: &str| Err(tag_is_taken(&chosen.tag, on, why).into());
    let Some(commit) = found.commit else { return refuse(&found.object.short(), "which is no commit") };
    let on = format!("commit {}", commit.short());
    if !merge_base::is_ancestor(repo, commit, tip)? {
        return refuse(&on, &format!("which is not on `{branch}`"));
    }
    if request.steps.commit && notes::find(repo, commit, &chosen.file, &chosen.version)?.is_none() {
        let file = chosen.file.display();
        return refuse(&on, &format!("whose `{file}` has no section of {}", chosen.version));
    }
    Ok(Some(found))
}
