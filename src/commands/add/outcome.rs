//! The outcome of `tidings add` for the changelog files, as text and as JSON.

use std::io::Write as _;

use serde_json::{Value, json};

use crate::{
    commands::Session,
    document::{Document, InsertOptions},
    git::commit::{CommitResult, FileChange},
    model::Section,
};

/// The result for the changelog file.
pub(super) enum AddOutcome {
    Nothing,
    /// Too much to write it without a question.
    Planned,
    Previewed(Vec<FileChange>),
    Written(Vec<FileChange>),
    Committed(CommitResult),
}

impl AddOutcome {
    /// Returns the section that was added to a file, with the text that was moved into it.
    pub(super) fn printed_section(&self, file: &str, section: &Section, options: &InsertOptions) -> Section {
        let change = self.changes().iter().find(|change| change.file == file);
        let before = change.filter(|_| options.moves_unreleased);
        let before = before.and_then(|change| change.before.clone()).unwrap_or_default();
        Document::parse(before).move_unreleased(section, options.generated.as_deref()).1
    }

    /// Returns the changes of the files; empty if there are none.
    pub(super) fn changes(&self) -> &[FileChange] {
        match self {
            Self::Nothing | Self::Planned => &[],
            Self::Previewed(changes) | Self::Written(changes) => changes,
            Self::Committed(committed) => &committed.changes,
        }
    }

    /// Adds the result for the file to the JSON output.
    pub(super) fn describe(&self, file: &str, document: &mut Value) {
        let (status, committed) = match self {
            Self::Nothing => ("unchanged", None),
            Self::Planned => ("planned", None),
            Self::Previewed(_) => ("shown", None),
            Self::Written(_) => ("written", None),
            Self::Committed(committed) => ("committed", Some(committed)),
        };
        document["file"] = file.into();
        document["status"] = status.into();
        let removed = self.changes().iter().filter(|change| change.after.is_none());
        document["removed"] = removed.map(|change| change.file.as_str()).collect();
        document["commit"] = json!(committed.map(|committed| committed.id));
        document["branch"] = json!(committed.and_then(|committed| committed.branch.as_deref()));
        document["diff"] =
            json!((!self.changes().is_empty()).then(|| String::from_utf8_lossy(&self.diff()).into_owned()));
    }

    fn diff(&self) -> Vec<u8> {
        self.changes().iter().map(FileChange::diff).collect::<Vec<_>>().concat()
    }

    /// Prints the change for `--dry-run`, else a sentence. Relays the output of git and hooks about the commit, and
    /// reports if no branch has it. The document repeats the section and the change, so it is only made for JSON.
    pub(super) fn answer(
        &self,
        document: impl FnOnce() -> Value,
        text: &str,
        session: &mut Session,
    ) -> anyhow::Result<()> {
        if let Self::Committed(committed) = self {
            session.relay(&committed.output);
            if committed.branch.is_none() {
                let id = committed.id.short();
                session.note(&format!(
                    "`HEAD` is detached, so no branch has commit {id}; push it to one with `git push origin HEAD:BRANCH`"
                ));
            }
        }
        let answered = match self {
            _ if session.json() => session.out.json(&document()),
            Self::Previewed(changes) => {
                let mut out = session.out.bytes();
                changes.iter().try_for_each(|change| Ok(out.write_all(&change.diff())?))
            }
            _ => writeln!(session.out, "{text}").map_err(Into::into),
        };
        answered.map_err(|error| match self {
            Self::Committed(made) => {
                error.context(format!("commit {} was created, but the output cannot be written", made.id.short()))
            }
            _ => error,
        })
    }
}
