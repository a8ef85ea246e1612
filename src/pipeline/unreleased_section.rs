//! The section of what is unreleased, and what it was when the changelog file was brought up to date the last time.

use std::path::Path;

use super::{Changelog, ChangelogRequest, ForgeLookup, History, Scope, SectionInputs};
use crate::{
    git::{commit_record, file::path_in_tree},
    model::{Oid, Project},
};

/// The key of the trailer of commits that bring the text below `Unreleased` up to date. Its value is the changelog file.
const UNRELEASED_TRAILER: &str = "Tidings-Unreleased";

/// What belongs below `Unreleased`.
#[derive(Debug)]
pub(crate) struct UnreleasedSection<'r> {
    pub(crate) changelog: Changelog<'r>,
    /// The body that was generated the last time; empty if that is not known.
    pub(crate) body_before: String,
}

impl<'r> UnreleasedSection<'r> {
    /// Makes the section of a range for a file, and again that of the last update in the range: what differs from the
    /// text in the file is the work of people.
    pub(crate) fn make(
        inputs: SectionInputs<'r>,
        file: &Path,
        lookup: Option<&dyn ForgeLookup>,
    ) -> anyhow::Result<Self> {
        let before = last_update(&inputs.history, file)?;
        let body_before = match before.filter(|parent| Some(*parent) != inputs.history.start.commit()) {
            Some(parent) => {
                let scope = &inputs.history.scope;
                let mut request: ChangelogRequest = scope.request.clone();
                request.range.to = parent.to_string();
                let changelog = SectionInputs::read(Scope::open(scope.repo, request)?)?.changelog(lookup)?;
                changelog.body_of_entries().to_owned()
            }
            None => String::new(),
        };
        Ok(Self { changelog: inputs.changelog(lookup)?, body_before })
    }
}

impl Changelog<'_> {
    /// Returns the body; empty if it has no entries.
    pub(crate) fn body_of_entries(&self) -> &str {
        if self.release.categories.is_empty() { "" } else { &self.section.body }
    }
}

/// Adds the trailer to the message of a commit that brings the file up to date.
pub(crate) fn update_message(title: &str, file: &Path) -> String {
    format!("{title}\n\n{UNRELEASED_TRAILER}: {}\n", path_in_tree(file))
}

/// Returns the commit that the last update of the file in the range was made from.
fn last_update(history: &History, file: &Path) -> anyhow::Result<Option<Oid>> {
    let file = path_in_tree(file);
    for id in history.commit_ids() {
        let record = commit_record::load(history.scope.repo, id, &Project::default())?;
        let files = record.extended_trailers.get(UNRELEASED_TRAILER);
        if files.is_some_and(|files| files.contains(&file)) {
            return Ok(record.parent_ids.first().and_then(|parent| parent.parse().ok()));
        }
    }
    Ok(None)
}
