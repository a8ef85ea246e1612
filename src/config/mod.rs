//! The configuration file: parsed, checked, and with defaults. [`Config::default`] is used if there is no file.
//!
//! Other YAML files are parsed here too: lists of commands ([`list()`]) and of the resources of a server
//! ([`ResourceList`]).

mod entry_rule;
mod field;
mod keys;
mod list;
mod mappings;
mod package;
mod pattern;
mod re2;
mod scalar;
mod version_files;
mod versioning;
mod yaml;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{BumpLevel, Position, Problem, Source, SourceText, VersionFile, Warning};

pub use entry_rule::{EntryRule, RuleMatch};
pub use field::Field;
pub use list::{ResourceItem, ResourceList, list};
pub use package::Package;
pub use pattern::{LinkRule, Pattern, Skip};
pub use versioning::{CalendarPart, Versioning};

/// The paths of the file; the first one that exists is read. GitLab reads the last two as well.
pub const PATHS: [&str; 4] =
    ["tidings.yml", ".tidings.yml", ".service/changelog_config.yml", ".gitlab/changelog_config.yml"];

/// Whether a path ends with one of those that GitLab reads as well, so that its rules hold to the letter.
#[must_use]
pub fn is_gitlab_path(path: &str) -> bool {
    let path = path.replace('\\', "/");
    PATHS[2..].iter().any(|own| path.ends_with(own))
}

/// The default changelog file.
pub const CHANGELOG: &str = "CHANGELOG.md";

/// The JSON schema of the file.
pub const SCHEMA: &str = include_str!("schema.json");

/// The largest file that is read, in bytes: room for thousands of packages.
pub const MAX_BYTES: usize = 1 << 20;

/// The configuration of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Trailer value to title; its order is the order of the section.
    pub categories: IndexMap<String, String>,
    /// An inline template in GitLab's language.
    pub template: Option<SourceText>,
    /// The path of a template (`.hbs` is Handlebars), or the name of a built-in one.
    pub template_file: Option<String>,
    /// The date of the header, as Ruby's `strftime` takes it.
    pub date_format: String,
    /// What names the category of a commit.
    pub source: EntrySource,
    /// Conventional type in lower case to category, over the default rule; `None` lists no such commit.
    pub types: IndexMap<String, Option<String>>,
    /// The rules that list or skip a commit before its source is asked; the first one that matches is used.
    pub rules: Vec<EntryRule>,
    /// The category of commits that nothing else lists; `None` does not list them.
    pub other: Option<String>,
    /// Where in a message the category trailer counts.
    pub trailers_in: TrailerPlacement,
    /// The commits to skip.
    pub skip: Skip,
    /// The rules for references in titles; the first one that matches is used.
    pub links: Vec<LinkRule>,
    /// The pattern of tags that are versions, in RE2's syntax; `None` is GitLab's rule.
    pub tag_regex: Option<String>,
    /// The prefix of version tags; the rest is read as without it.
    pub tag_prefix: Option<String>,
    /// The pathspecs (gitglossary(7)) of which a commit must change one to be listed; empty for all.
    pub paths: Vec<String>,
    /// The changelog file, from the top of the repository; `None` is the one that is found.
    pub file: Option<String>,
    /// The heading of a new section.
    pub heading: HeadingRule,
    /// Whether the text below `Unreleased` moves into a new section.
    pub moves_unreleased: bool,
    /// The packages of the repository, by name.
    pub packages: Arc<IndexMap<String, Package>>,
    /// Full paths of groups whose members are credited.
    pub include_groups: Vec<String>,
    /// E-mail address in lower case to the author.
    pub authors: IndexMap<String, AuthorRule>,
    /// What a commit with several category trailers gives.
    pub repeated_trailers: RepeatedTrailers,
    /// Trailer value to bump level, over the default rule.
    pub bump: IndexMap<String, BumpLevel>,
    /// Whether GitLab reads the file too, so that its rules apply exactly.
    pub is_gitlab_file: bool,
    /// How the next version is made.
    pub versioning: Versioning,
    /// The files that a release sets the version in.
    pub version_files: Vec<VersionFile>,
    /// Whether a package is released when its requirement does not allow the version of another one.
    pub dependents: bool,
    /// The commands that run around a release.
    pub hooks: ReleaseHooks,
    /// Maximum length of a title that `check` accepts, in characters; 0 means no limit.
    pub max_title: usize,
}

/// Shell commands that run around a release, from the top of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseHooks {
    /// Before anything is written.
    pub before: Vec<String>,
    /// After everything is done.
    pub after: Vec<String>,
}

/// The rule for the heading of a new section and where it is inserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HeadingRule {
    /// The style of the changelog file.
    #[default]
    File,
    /// GitLab's rule: `## VERSION (DATE)` among such headings, else at the end.
    GitLab,
    /// GitLab's rule in a file with such headings, else the style of the file.
    GitLabFirst,
    /// This text, with `{version}` and `{date}`, placed as in the style of the file.
    Text(String),
}

/// An entry of `authors`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthorRule {
    /// `@name`, as it is written.
    pub reference: Option<String>,
    /// Whether the section credits them as a contributor.
    pub contributor: bool,
}

/// What lists a commit and names its category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntrySource {
    /// The first that the history has: trailers, types, merge requests, titles. Until that is known it reads trailers.
    #[default]
    Auto,
    /// Its trailer.
    Trailers,
    /// The type in its title (conventionalcommits.org).
    Conventional,
    /// Its trailer, else the type in its title.
    Both,
    /// Every merge request is a change, with the title of its merge or squashed commit.
    MergeRequests,
    /// Every commit but merges is a change.
    Titles,
}

impl EntrySource {
    /// The words of the configuration.
    pub const NAMES: [(&str, Self); 6] = [
        ("auto", Self::Auto),
        ("trailers", Self::Trailers),
        ("conventional", Self::Conventional),
        ("both", Self::Both),
        ("merge-requests", Self::MergeRequests),
        ("titles", Self::Titles),
    ];

    /// Parses a word of the configuration.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|(_, source)| *source)
    }

    /// The word in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, source)| *source == self).map_or("auto", |(name, _)| name)
    }

    /// Whether trailers count.
    #[must_use]
    pub fn has_trailers(self) -> bool {
        matches!(self, Self::Auto | Self::Trailers | Self::Both)
    }

    /// Whether nothing but trailers counts, at least for now.
    #[must_use]
    pub fn has_only_trailers(self) -> bool {
        matches!(self, Self::Auto | Self::Trailers)
    }

    /// The same if it reads trailers or types, else both of them.
    #[must_use]
    pub fn or_both(self) -> Self {
        if self.has_trailers() || self.has_types() { self } else { Self::Both }
    }

    /// Whether the types in titles count.
    #[must_use]
    pub fn has_types(self) -> bool {
        matches!(self, Self::Conventional | Self::Both)
    }
}

/// Where in a message the category trailer counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrailerPlacement {
    /// In the last paragraph, as for git.
    #[default]
    Last,
    /// On any line after the title, if the last paragraph does not have it.
    Any,
}

impl TrailerPlacement {
    /// Its words in the configuration.
    pub(super) const NAMES: [(&str, Self); 2] = [("last", Self::Last), ("any", Self::Any)];
}

/// What a commit with several category trailers gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepeatedTrailers {
    /// One entry, from the last of them.
    #[default]
    Last,
    /// An entry each.
    All,
}

impl RepeatedTrailers {
    /// The words of the configuration.
    pub(super) const NAMES: [(&str, Self); 2] = [("last", Self::Last), ("all", Self::All)];
}

impl Default for Config {
    fn default() -> Self {
        Self {
            categories: IndexMap::new(),
            template: None,
            template_file: None,
            date_format: "%Y-%m-%d".to_owned(),
            source: EntrySource::default(),
            types: IndexMap::new(),
            rules: Vec::new(),
            other: None,
            trailers_in: TrailerPlacement::default(),
            skip: Skip::default(),
            links: Vec::new(),
            tag_regex: None,
            tag_prefix: None,
            paths: Vec::new(),
            file: None,
            heading: HeadingRule::default(),
            moves_unreleased: false,
            packages: Arc::default(),
            include_groups: Vec::new(),
            authors: IndexMap::new(),
            repeated_trailers: RepeatedTrailers::default(),
            bump: IndexMap::new(),
            is_gitlab_file: false,
            versioning: Versioning::default(),
            version_files: Vec::new(),
            dependents: true,
            hooks: ReleaseHooks::default(),
            max_title: 72,
        }
    }
}

/// Parses a configuration; errors name it `path`.
///
/// # Errors
/// If the text is too large, not valid UTF-8 or YAML, not a mapping, or a value has the wrong type; the message has path,
/// line, column and the line itself.
pub fn parse(text: impl AsRef<[u8]>, path: &str) -> anyhow::Result<(Config, Vec<Warning>)> {
    let bytes = text.as_ref();
    if bytes.len() > MAX_BYTES {
        let message = format!("`{path}` has {} bytes, more than the limit of {MAX_BYTES}", bytes.len());
        return Err(Problem::new(message)
            .hint("move a long template to another file and set `template_file: PATH`")
            .into());
    }
    keys::read(Source::new(path, decode(bytes, path)?))
}

/// The text, without a byte-order mark.
fn decode<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(bytes);
        Source::new(name, &text).problem(Position::of(&text, error.valid_up_to()), "invalid UTF-8")
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

#[cfg(test)]
mod tests;
