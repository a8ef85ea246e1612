//! The description of a tool that each file of this module has: its name, its files, and how these are converted.

use super::outcome::{Migration, ReadBeside, find_field};
use crate::config::Field;

/// A tool whose configuration can be taken over.
pub(super) struct ForeignTool {
    pub(super) name: &'static str,
    /// The files that it looks for at the top of a repository.
    pub(super) files: &'static [&'static str],
    /// The files of other programs, each with the path of the table in which its configuration may be.
    pub(super) tables: &'static [(&'static str, &'static str)],
    /// Whether a file of this name and with these keys is its configuration.
    pub(super) recognizes: fn(&str, &[Field]) -> bool,
    /// Takes over its configuration.
    pub(super) convert: fn(&mut Migration, &[Field], ReadBeside) -> anyhow::Result<()>,
}

impl ForeignTool {
    /// Returns the keys of its table in a file of another program.
    pub(super) fn table<'a>(&self, name: &str, fields: &[Field<'a>]) -> Option<Vec<Field<'a>>> {
        let mut paths = self.tables.iter().filter(|(file, _)| *file == name);
        paths.find_map(|(_, path)| find_field(fields, path)?.fields().ok())
    }

    /// Whether a file with these keys is its configuration and has a name that it looks for.
    pub(super) fn is_named(&self, name: &str, fields: &[Field]) -> bool {
        self.files.iter().any(|file| file.rsplit('/').next() == Some(name)) && (self.recognizes)(name, fields)
    }
}
