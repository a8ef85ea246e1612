//! How an entry is written, in all categories or in some, as plain data.

use indexmap::IndexMap;

use crate::model::Source;

/// The Handlebars templates of entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EntryTemplates {
    /// The template of the categories that have none of their own; `None` is the usual form.
    pub default: Option<Source>,
    /// The templates by category.
    pub by_category: IndexMap<String, Source>,
}

impl EntryTemplates {
    /// The key of the template of all other categories.
    pub(crate) const DEFAULT: &str = "default";

    /// Whether entries are written in the usual form.
    pub(crate) fn is_empty(&self) -> bool {
        self.default.is_none() && self.by_category.is_empty()
    }
}
