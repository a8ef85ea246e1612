//! The templates that come with the program.

use crate::model::SourceText;

/// The name of the default.
pub(super) const SECTION: &str = "section";

/// Their names.
pub const BUILT_IN: [&str; 4] = [SECTION, "keep-a-changelog", "compact", "github-release"];

/// The template of this name.
///
/// The default is in the service's language, which is ready at once; `section.hbs` is the same for people to start from.
pub(super) fn find(name: &str) -> Option<SourceText> {
    let (file, text) = match name {
        SECTION => ("section", include_str!("../../../templates/section.tpl")),
        "keep-a-changelog" => ("keep-a-changelog.hbs", include_str!("../../../templates/keep-a-changelog.hbs")),
        "compact" => ("compact.hbs", include_str!("../../../templates/compact.hbs")),
        "github-release" => ("github-release.hbs", include_str!("../../../templates/github-release.hbs")),
        _ => return None,
    };
    Some(SourceText::new(file, text))
}
