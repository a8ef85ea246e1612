//! People and merge requests that only a server knows.

use crate::{
    changelog::lookup,
    model::{LookupRequest, LookupResult, Project, Release, Warning},
};

/// Where people and merge requests are looked up.
pub trait ForgeLookup {
    /// Finds what there is about a project; what cannot be found out is a warning, and the section goes on without it.
    ///
    /// # Errors
    /// If it cannot be asked at all, as it is not known whom to ask.
    fn look_up(&self, project: &Project, request: &LookupRequest) -> anyhow::Result<(LookupResult, Vec<Warning>)>;
}

/// Adds what a directory knows to a release.
pub(super) fn complete(
    release: &mut Release,
    directory: &dyn ForgeLookup,
    project: &Project,
    groups: &[String],
) -> anyhow::Result<Vec<Warning>> {
    let request = lookup::lookup_request(release, groups);
    if request.is_empty() {
        return Ok(Vec::new());
    }
    let (findings, warnings) = directory.look_up(project, &request)?;
    lookup::apply_lookup(release, &findings, project);
    Ok(warnings)
}
