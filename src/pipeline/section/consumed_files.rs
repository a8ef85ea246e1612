//! The change files that a section consumes when it goes into the changelog file.

use std::path::Path;

use super::changelog::Changelog;
use crate::{
    document::InsertOptions,
    model::Oid,
    pipeline::scope::changelog_file,
    sources::change_files::{ConsumingRelease, Consumption},
};

impl Changelog<'_> {
    /// Plans what happens to the change files that the section lists when a commit on top of `tip` inserts it into a
    /// file: nothing if the section is that of an earlier commit.
    pub(crate) fn consumption(&self, tip: Oid, file: &Path, options: &InsertOptions) -> anyhow::Result<Consumption> {
        let (history, section) = (&self.history, &self.section);
        let files = history.changes.as_ref().and_then(|changes| Some((changes, changes.files.as_ref()?)));
        let (Some((changes, files)), Ok(version)) = (files, section.version.parse()) else {
            return Ok(Consumption::default());
        };
        if history.scope.to != tip {
            return Ok(Consumption::default());
        }
        let path = history.config().paths.iter().find(|path| !path.starts_with(['!', ':']));
        let directory = path.map(|path| path.trim_end_matches(['*', '/']));
        let text = if files.keeps_sections() { self.inserted_text(tip, file, options)? } else { String::new() };
        let release = ConsumingRelease { version: &version, directory, section: &text };
        Ok(Consumption::plan(files, &changes.waiting, release))
    }

    /// Returns the text of the section as the file has it after the insertion.
    fn inserted_text(&self, tip: Oid, file: &Path, options: &InsertOptions) -> anyhow::Result<String> {
        let mut document = changelog_file::read(self.history.scope.repo, tip, file)?;
        document.insert(&self.section, file, options)?;
        let span = document.section_span(&self.section.version);
        let text = span.map(|span| &document.as_bytes()[span.heading.start..span.body.end]).unwrap_or_default();
        Ok(String::from_utf8_lossy(text).replace("\r\n", "\n").trim_end().to_owned() + "\n")
    }
}
