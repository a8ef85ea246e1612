//! The types of the configuration, as plain data.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{
    LabelRules,
    entries::{EntriesPerCommit, EntryOrder, EntrySource},
    entry_templates::EntryTemplates,
    rules::{EntryRule, LinkRule, Skip, TitleReplacement},
    version_group::VersionGroup,
    versioning::Versioning,
};
use crate::model::{BumpLevel, Forge, LatestMark, Problem, Source, closest, name_in};

/// The common categories of changelogs, which apply if the configuration has none.
pub(crate) const COMMON_CATEGORIES: [&str; 8] =
    ["added", "fixed", "changed", "deprecated", "removed", "security", "performance", "other"];

/// The category of all entries if the history does not distinguish kinds of changes.
pub(crate) const CHANGES: &str = "changes";

/// The trailer that names the category of a commit, unless the configuration names another.
pub(crate) const DEFAULT_TRAILER: &str = "Changelog";

/// The configuration of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(crate) struct Config {
    /// The titles by trailer value, in the order of the section.
    pub categories: IndexMap<String, String>,
    /// An inline template in GitLab's language.
    pub template: Option<Source>,
    /// The path of a template (`.hbs` is Handlebars), or the name of a built-in one.
    pub template_file: Option<String>,
    /// How entries are written, unless there is a template.
    pub entry_templates: EntryTemplates,
    /// The body of the section of a first release, a Handlebars template in place of the other one.
    pub first_release: Option<Source>,
    /// The format of the header's date, if it is not the default.
    pub date_format: Option<String>,
    /// Whether long titles are cut; `None` is GitLab's rule for trailers, and no cut for what GitLab does not read.
    pub cuts_titles: Option<bool>,
    /// Whether an entry has the body of its message.
    pub has_bodies: bool,
    /// The order of the entries of a section.
    pub entry_order: EntryOrder,
    /// Whether the headings of a section are scopes instead of categories.
    pub groups_by_scope: bool,
    /// How the labels of merge requests decide on their categories; without rules no forge is asked.
    pub(crate) labels: LabelRules,
    /// The replacements in titles, one after the other, before anything is read from them.
    pub replacements: Vec<TitleReplacement>,
    /// The source of a commit's category.
    pub source: EntrySource,
    /// Whether change files are listed beside what the source lists.
    pub adds_change_files: bool,
    /// The categories by conventional type in lower case, over the default rule; `None` does not list the type.
    pub types: IndexMap<String, Option<String>>,
    /// The rules that list or skip a commit before its source is read; the first one that matches is used.
    pub rules: Vec<EntryRule>,
    /// The category of commits that nothing else lists; `None` does not list them.
    pub other: Option<String>,
    /// The trailer that names the category, if it is not the usual one.
    pub trailer: Option<String>,
    /// Whether the category trailer counts on any line after the title, if the last paragraph does not have it.
    pub trailers_in_any_line: bool,
    /// The commits to skip.
    pub skip: Skip,
    /// The rules for references in titles; the first one that matches is used.
    pub links: Vec<LinkRule>,
    /// Whether the changes of submodules are listed too, each as a group.
    pub lists_submodules: bool,
    /// The forge that the host of the repository runs; `None` means that the name of the host shows it.
    pub forge: Option<Forge>,
    /// The pattern of tags that are versions, in RE2's syntax; `None` is GitLab's rule.
    pub tag_regex: Option<String>,
    /// The prefix of version tags; the rest of a tag is read as if it had none.
    pub tag_prefix: Option<String>,
    /// The pathspecs (gitglossary(7)) of which a commit must change one to be listed; empty for all.
    pub paths: Vec<String>,
    /// The changelog file, from the top of the repository; `None` means the one that is found.
    pub file: Option<String>,
    /// The heading of a new section.
    pub heading: HeadingRule,
    /// Whether the text below `Unreleased` stays there, and does not move into a new section.
    pub keeps_unreleased: bool,
    /// Whether `add` moves that text too: only a release does so by default.
    pub adds_unreleased: bool,
    /// The packages of the repository, by name.
    pub packages: Arc<IndexMap<String, Package>>,
    /// The packages whose versions move together. Each package has a configuration of its own, which shares them.
    pub groups: Arc<Vec<VersionGroup>>,
    /// Whether the forge completes the people and merge requests that the repository does not know.
    pub asks_people: bool,
    /// Whether each pre-release has a section of its own.
    pub has_pre_releases: bool,
    /// Full paths of groups whose members are credited.
    pub include_groups: Vec<String>,
    /// The authors by e-mail address in lower case.
    pub authors: IndexMap<String, AuthorRule>,
    /// Whether each of several category trailers makes an entry, and not only the last one.
    pub takes_repeated_trailers: bool,
    /// Which of the changes that a message lists are entries, if types name the categories.
    pub entries_per_commit: EntriesPerCommit,
    /// The bump levels by trailer value, which override the default rule.
    pub bump: IndexMap<String, BumpLevel>,
    /// Whether it was read from a file.
    pub has_file: bool,
    /// Whether the file is one of GitLab, so that its rules apply exactly.
    pub is_gitlab_file: bool,
    /// The scheme of the next version.
    pub versioning: Versioning,
    /// The files that a release sets the version in.
    pub version_files: Vec<VersionFile>,
    /// Whether a package stays unchanged if its requirement does not allow the new version of another package.
    pub ignores_dependents: bool,
    /// Whether a package is released with each package that it requires, whatever its requirement allows.
    pub raises_all_dependents: bool,
    /// The commands that run around a release.
    pub hooks: ReleaseHooks,
    /// Maximum length of a title that `check` accepts, in characters, if it is not the default; 0 means no limit.
    pub max_title: Option<usize>,
    /// What `release` does unless its options say otherwise.
    pub release: ReleaseDefaults,
    /// Whether releases on the forge stay drafts until people publish them.
    pub drafts_release: bool,
    /// Which release the forge shows as its latest.
    pub latest: LatestMark,
}

/// What `release` does unless its options say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ReleaseDefaults {
    /// The message of the commit, with `{version}`.
    pub message: Option<String>,
    /// The name of the tag, with `{version}`.
    pub tag: Option<String>,
    /// The branch of the request for a release.
    pub request_branch: Option<String>,
    /// The version of a first release.
    pub initial: Option<semver::Version>,
    /// The remote that is pushed to.
    pub remote: Option<String>,
    /// Whether commit and tag are signed, whatever git's configuration says.
    pub signs: bool,
    /// The files that are attached to the release on the forge, as `FILE` or `FILE=NAME`.
    pub assets: Vec<String>,
    /// Whether the requests and issues that the notes name are told.
    pub comments: bool,
    /// Whether the release on the forge is marked as a pre-release, whatever its version is.
    pub prerelease: bool,
    /// Whether the forge makes the commits, which it signs.
    pub commits_through_api: bool,
    /// The category of the discussion that GitHub opens about the release.
    pub discussion_category: Option<String>,
}

/// Shell commands that run around a release, from the top of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReleaseHooks {
    /// The commands before anything is written.
    pub before: Vec<String>,
    /// The commands after everything is done.
    pub after: Vec<String>,
    /// The variables with a token of this program that the commands get nevertheless.
    pub env: Vec<String>,
}

/// The rule for the heading of a new section and where it is inserted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum HeadingRule {
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
pub(crate) struct AuthorRule {
    /// The reference of the author, `@name`, as it is written.
    pub reference: Option<String>,
    /// Whether the section credits them as a contributor.
    pub contributor: bool,
}

impl Config {
    /// Whether commits are skipped of which a release of another line has a copy already.
    pub(crate) fn skips_released(&self) -> bool {
        self.skip.released.unwrap_or(!self.is_gitlab_file)
    }

    /// Returns the hint to set something in the configuration; without one, `tidings init` writes it.
    pub(crate) fn init_or(&self, setting: &str) -> String {
        if self.has_file { setting.to_owned() } else { format!("run `tidings init`, or {setting}") }
    }

    /// Whether change files are listed.
    pub(crate) fn lists_change_files(&self) -> bool {
        self.adds_change_files || self.source == EntrySource::Files
    }

    /// Returns the trailer that names the category.
    pub(crate) fn trailer(&self) -> &str {
        self.trailer.as_deref().unwrap_or(DEFAULT_TRAILER)
    }

    /// Returns the format of the header's date, for Ruby's `strftime`.
    pub(crate) fn date_format(&self) -> &str {
        self.date_format.as_deref().unwrap_or("%Y-%m-%d")
    }

    /// Returns the configuration of a package: that of the repository, with the paths, tags and files of the package.
    pub(crate) fn package(&self, name: &str) -> Result<Self, Problem> {
        let package = self.packages.get(name).ok_or_else(|| self.unknown_package(name))?;
        let Package { paths, tag_prefix, file, versioning, version_files } = package.clone();
        Ok(Self {
            // One name cannot be that of the tags of several packages.
            release: ReleaseDefaults { tag: None, ..self.release.clone() },
            paths,
            tag_prefix: Some(tag_prefix),
            tag_regex: None,
            file: Some(file),
            versioning: versioning.unwrap_or_else(|| self.versioning.clone()),
            version_files,
            ..self.clone()
        })
    }

    /// Returns the package of a tag, by its prefix; `None` if this is the configuration of a package already.
    pub(crate) fn package_of(&self, tag: &str) -> Option<&str> {
        let of = self.packages.iter().filter(|(_, package)| tag.starts_with(&package.tag_prefix));
        // The package that is the repository itself has the shortest prefix, or none.
        let most = of.max_by_key(|(_, package)| package.tag_prefix.len());
        most.filter(|_| self.tag_prefix.is_none()).map(|(name, _)| name.as_str())
    }

    /// Returns the group that a package is in.
    pub(crate) fn group_of(&self, package: &str) -> Option<&VersionGroup> {
        self.groups.iter().find(|group| group.packages.iter().any(|name| name == package))
    }

    fn unknown_package(&self, name: &str) -> Problem {
        let problem = Problem::usage(format!("package `{name}` is not configured"));
        let known: Vec<&str> = self.packages.keys().map(String::as_str).collect();
        // A package of a scope is known by the last part of its name.
        let last = known.iter().copied().find(|known| name.rsplit('/').next() == Some(known));
        match last.or_else(|| closest(name, known.iter().copied())) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None if known.is_empty() => problem.hint("add it to `packages:` in the configuration"),
            None => problem.hint(format!("use one of `{}`", known.join("`, `"))),
        }
    }
}

pub(crate) const CHANGELOG: &str = "CHANGELOG.md";

/// A part of a repository that is released separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// The paths that its commits change, as in [`Config::paths`](super::Config::paths).
    pub paths: Vec<String>,
    pub tag_prefix: String,
    pub file: String,
    /// How its next version is counted; `None` if as those of the repository.
    pub versioning: Option<Versioning>,
    /// The files that its releases set the version in.
    pub version_files: Vec<VersionFile>,
}

impl Package {
    /// Returns the default package of a name: the directory of that name, tags such as `NAME/v1.2.0`, and the changelog
    /// file in that directory.
    pub(super) fn with_name(name: &str) -> Self {
        let file = format!("{name}/{CHANGELOG}");
        let (paths, tag_prefix) = (vec![name.to_owned()], format!("{name}/v"));
        Self { paths, tag_prefix, file, versioning: None, version_files: Vec::new() }
    }

    /// Returns the changelog file in the directory that the first included path names before a wildcard.
    pub(super) fn default_file(&self) -> Option<String> {
        let included = self.paths.iter().find(|path| !path.starts_with([':', '!']))?;
        let parts: Vec<_> = included.split('/').take_while(|part| !part.contains(['*', '?', '['])).collect();
        let directory = parts.join("/");
        let directory = directory.trim_end_matches('/');
        (!directory.is_empty()).then(|| format!("{directory}/{CHANGELOG}"))
    }
}

/// A file whose version `release` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionFile {
    /// The file, relative to the top of the repository; for a workspace, the manifest of its root.
    pub path: String,
    /// The locator of the version in it.
    pub locator: VersionLocator,
}

/// The way to find the version in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VersionLocator {
    /// Keys separated by dots, in a file of TOML, JSON or YAML.
    Key(String),
    /// A pattern whose one group is the version, in any text.
    Regex(String),
    /// The manifests and the lock file of a workspace.
    Workspace {
        /// The tool of the workspace.
        kind: WorkspaceKind,
        /// The members that get the version; if empty, all that share the version of the workspace.
        members: Vec<String>,
    },
}

/// The tool of a workspace, which is a set of packages in one repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WorkspaceKind {
    Cargo,
    Npm,
}

impl WorkspaceKind {
    pub(crate) const NAMES: [(&str, Self); 5] =
        [("cargo", Self::Cargo), ("npm", Self::Npm), ("pnpm", Self::Npm), ("yarn", Self::Npm), ("bun", Self::Npm)];

    pub(crate) fn name(self) -> &'static str {
        name_in(&Self::NAMES, &self)
    }

    pub(crate) fn manifest(self) -> &'static str {
        match self {
            Self::Cargo => "Cargo.toml",
            Self::Npm => "package.json",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn config() -> Config {
        let packages = ["api", "web"].map(|name| (name.to_owned(), Package::with_name(name)));
        Config { tag_regex: Some("x".to_owned()), packages: Arc::new(packages.into()), ..Config::default() }
    }

    #[test]
    fn a_package_narrows_paths_tags_and_file() {
        let api = config().package("api").unwrap();
        assert_eq!((api.paths.concat(), api.file.as_deref()), ("api".to_owned(), Some("api/CHANGELOG.md")));
        assert_eq!((api.tag_prefix.as_deref(), api.tag_regex.as_deref()), (Some("api/v"), None));
    }

    #[test]
    fn the_hint_for_an_unknown_package_is_a_similar_one() {
        let hint = |config: Config, name: &str| {
            let error = anyhow::Error::from(config.package(name).unwrap_err());
            crate::model::hints(&error).join("")
        };
        assert_eq!(hint(config(), "apis"), "did you mean `api`?");
        assert_eq!(hint(config(), "docs"), "use one of `api`, `web`");
        assert!(hint(Config::default(), "api").contains("`packages:`"));
    }
}
