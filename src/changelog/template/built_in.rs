//! The templates that come with the program.

use crate::model::SourceText;

/// The name of the default.
pub(super) const SECTION: &str = "section";

/// Their names.
pub const BUILT_IN: [&str; 1] = [SECTION];

/// The template of this name.
pub(super) fn find(name: &str) -> Option<SourceText> {
    let text = match name {
        SECTION => include_str!("../../../templates/section.tpl"),
        _ => return None,
    };
    Some(SourceText::new(name, text))
}
