//! What to do instead of a key that several tools have.

/// Instead of the hooks of a tool that run at other times.
pub(super) const HOOKS: &str = "hooks run before or after a release";
/// Instead of rules that read titles.
pub(super) const TITLES: &str = "titles are read by conventionalcommits.org, and `match` sorts others";
/// Instead of a template of another language.
pub(super) const TEMPLATE: &str = "`template_file` names a template in Handlebars";
/// Instead of a text above the sections.
pub(super) const HEADER: &str = "what is above the sections of the changelog file stays as it is";
/// Instead of leaving the changelog or the commit out.
pub(super) const NO_COMMIT: &str = "use `tidings release --no-commit`";
/// Instead of pre-releases.
pub(super) const PRE_RELEASE: &str = "use `tidings release --pre NAME`";
