//! People and merge requests that only a server knows.

use crate::{
    changelog::inquiry,
    model::{Findings, Inquiry, Project, Release, Warning},
};

/// Where people and merge requests are looked up.
pub trait Directory {
    /// Finds what there is about a project; what cannot be found out is a warning, and the section goes on without it.
    ///
    /// # Errors
    ///
    /// Where it cannot be asked at all, as it is not known whom to ask.
    fn look_up(&self, project: &Project, inquiry: &Inquiry) -> anyhow::Result<(Findings, Vec<Warning>)>;
}

/// Adds what a directory knows to a release.
pub(super) fn complete(
    release: &mut Release,
    directory: &dyn Directory,
    project: &Project,
    groups: &[String],
) -> anyhow::Result<Vec<Warning>> {
    let inquiry = inquiry::inquire(release, groups);
    if inquiry.is_empty() {
        return Ok(Vec::new());
    }
    let (findings, warnings) = directory.look_up(project, &inquiry)?;
    inquiry::complete(release, &findings, project);
    Ok(warnings)
}
