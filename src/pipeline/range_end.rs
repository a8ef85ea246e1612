//! The end of the section of a version that is released: its tag, unless GitLab's rule applies, or an end is given.

use super::{ChangelogRequest, LoadedConfig, tags::Tags};
use crate::git::{self, Repo};

/// Lets the range of a request end at the tag of its version, if there is one and the request leaves the end open.
pub(super) fn end_at_tag(repo: &Repo, loaded: &LoadedConfig, request: &mut ChangelogRequest) -> anyhow::Result<()> {
    let is_open = request.range.is_end_open && !loaded.config.is_gitlab_file;
    let Some(version) = request.version.as_ref().filter(|_| is_open) else { return Ok(()) };
    let wanted = version.to_string();
    if loaded.tags(repo)?.iter().any(|tag| tag.ends_with(&wanted)) {
        let end = git::revision::resolve(repo, &request.range.to)?;
        if let Some(tag) = Tags::for_range(repo, loaded, Some(version), end)?.named_after(version) {
            request.range.to = format!("refs/tags/{tag}");
        }
    }
    request.range.is_end_open = false;
    Ok(())
}
