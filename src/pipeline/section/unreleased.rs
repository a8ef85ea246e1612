//! The section of what is unreleased, and what it was when the changelog file was brought up to date the last time.

use std::path::Path;

use super::{changelog::Changelog, inputs::SectionInputs};
use crate::{
    git::{commit_record, file::path_in_tree},
    model::{Oid, Project},
    pipeline::{
        changes::history::History,
        scope::{changelog_file, request::ChangelogRequest},
    },
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
    pub(crate) fn make(inputs: SectionInputs<'r>, file: &Path) -> anyhow::Result<Self> {
        let body_before = generated_before(&inputs.history, file)?.unwrap_or_default();
        Ok(Self { changelog: inputs.changelog()?, body_before })
    }
}

/// Generates what the last update in the range wrote below `Unreleased`; `None` if there was none.
fn generated_before(history: &History, file: &Path) -> anyhow::Result<Option<String>> {
    let before = last_update(history, file)?.filter(|parent| Some(*parent) != history.start.commit());
    let Some(parent) = before else { return Ok(None) };
    let scope = &history.scope;
    let mut request = ChangelogRequest { version: None, updates: Vec::new(), ..scope.request.clone() };
    request.range.to = parent.to_string();
    let changelog = SectionInputs::read(scope.clone().with_request(request)?)?.changelog()?;
    Ok(Some(changelog.body_of_entries().to_owned()))
}

impl Changelog<'_> {
    /// Lets the insertion take the text that updates generated below `Unreleased` of a file at a commit, as people left
    /// it: nothing stands twice, and what people struck out does not come back.
    pub(crate) fn take_generated(&mut self, tip: Oid, file: &Path) -> anyhow::Result<()> {
        let is_kept = self.history.config().keeps_unreleased;
        if !is_kept && changelog_file::read(self.history.scope.repo, tip, file)?.has_unreleased_heading() {
            self.insertion.generated = generated_before(&self.history, file)?;
        }
        Ok(())
    }

    /// Whether the text below `Unreleased` goes into a section that is added without a release: where the configuration
    /// says so, and where else an entry would stand twice.
    pub(crate) fn moves_into_added(&self, tip: Oid, file: &Path) -> anyhow::Result<bool> {
        let config = self.history.config();
        if config.keeps_unreleased || config.adds_unreleased || self.insertion.generated.is_some() {
            return Ok(!config.keeps_unreleased);
        }
        let document = changelog_file::read(self.history.scope.repo, tip, file)?;
        Ok(document.has_unreleased_entry_of(&self.section))
    }

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
