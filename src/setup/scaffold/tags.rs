//! The naming of tags: by the default rule, with a prefix, or for several packages.

use indexmap::IndexMap;

use super::version_files::{FoundVersions, VersionSearch};
use crate::{
    config::{CHANGELOG, Package, Versioning},
    model::{TaggedCommit, name_some, pluralize},
    versions::{
        tag_families::{OwnFamily, TagFamilies, TagFamily},
        tag_shapes,
    },
};

/// The directories that packages are usually in.
const PLACES: [&str; 6] = ["", "packages/", "crates/", "apps/", "libs/", "services/"];

const FILES: [&str; 7] =
    ["CHANGELOG.md", "Changelog.md", "changelog.md", "CHANGES.md", "HISTORY.md", "NEWS.md", "RELEASES.md"];

/// How many packages are named.
const NAMED: usize = 20;

/// The names of the tags that are versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TagScheme {
    /// `v1.2.0` or `1.2.0`.
    Default,
    /// A text before the version.
    Prefixed(String),
    /// Tags that only a regular expression reads as versions.
    Regex(String),
    /// Tags of each package, by its name.
    Packages(IndexMap<String, DetectedPackage>),
}

/// A part of the repository that is released by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DetectedPackage {
    /// The text before the version in its tags.
    pub prefix: String,
    /// Its directory, and the directories of other packages in it as exclusions.
    pub paths: Vec<String>,
    /// Its changelog file, if it is not the `CHANGELOG.md` in the first of its paths.
    pub file: Option<String>,
    /// The scheme of its versions, if they are dates.
    pub(super) versioning: Option<String>,
    pub(super) versions: FoundVersions,
}

impl DetectedPackage {
    /// Returns the package as the configuration has it.
    pub(crate) fn into_config(self) -> Package {
        Package {
            file: self
                .file
                .clone()
                .or_else(|| self.paths.first().map(|path| format!("{path}/{CHANGELOG}")))
                .unwrap_or_else(|| CHANGELOG.to_owned()),
            tag_prefix: self.prefix,
            versioning: self.versioning.and_then(|scheme| Versioning::parse(&scheme).ok()),
            version_files: self.versions.files,
            paths: self.paths,
        }
    }
}

/// The scheme of a repository's tags, and what else they show.
#[derive(Clone, Debug)]
pub(crate) struct DetectedTags {
    pub scheme: TagScheme,
    /// The files with the version of the repository.
    pub(super) versions: FoundVersions,
    pub(super) versioning: Option<String>,
    /// A sentence about the tags that the scheme does not cover.
    pub(super) uncovered: Option<String>,
}

/// A family of tags, and the directory of the package that it releases.
struct Candidate<'a> {
    family: &'a TagFamily<'a>,
    name: String,
    directory: String,
}

impl DetectedTags {
    /// Detects the scheme of tags, those of the newest commit first; `repository` is the name of the repository, if it is
    /// known.
    pub(super) fn detect(tags: &[TaggedCommit], search: &VersionSearch, repository: Option<&str>) -> Self {
        let families = TagFamilies::new(tags);
        let mut candidates: Vec<Candidate> = Vec::new();
        for family in families.all.iter().filter(|family| !families.is_outdated(family)) {
            let found = candidate(family, search, repository);
            candidates.extend(found.filter(|new| candidates.iter().all(|known| known.directory != new.directory)));
        }
        let own = candidates.iter().filter(|candidate| !candidate.family.name.is_empty());
        // One package beside the repository itself counts if both have recent releases.
        let is_recent = |family: &TagFamily| family.recent > 0 && family.tags.len() > 1;
        let bare = families.all.iter().find(|family| family.name.is_empty());
        let has_packages = match own.count() {
            0 => false,
            1 => bare.is_some_and(is_recent) && candidates.iter().all(|candidate| is_recent(candidate.family)),
            _ => true,
        };
        let covered: Vec<&str>;
        let mut detected = if has_packages {
            covered = candidates.iter().map(|candidate| candidate.family.name).collect();
            Self::packages(&candidates, &families.all, search)
        } else {
            let main = main_family(&families, repository);
            covered = main.iter().map(|family| family.name).collect();
            Self::from_family(main, search)
        };
        let is_top_package = candidates.iter().any(|candidate| candidate.directory.is_empty());
        let uncovered = families.all.iter().filter(|family| {
            let is_repository = family.name.is_empty() && has_packages && !is_top_package && family.recent > 0;
            !covered.contains(&family.name) && !is_repository
        });
        detected.uncovered = describe_uncovered(&uncovered.collect::<Vec<_>>());
        if families.all.is_empty() {
            let regex = tag_shapes::propose_regex(tags.iter().flat_map(|commit| &commit.tags).map(String::as_str));
            detected.scheme = regex.map_or(detected.scheme, TagScheme::Regex);
        }
        detected
    }

    fn from_family(main: Option<&TagFamily>, search: &VersionSearch) -> Self {
        let scheme = match main {
            Some(family) if !family.name.is_empty() => TagScheme::Prefixed(family.prefix()),
            _ => TagScheme::Default,
        };
        let last = main.and_then(TagFamily::last_version);
        let versions = search.find("", last.as_ref(), false);
        Self { scheme, versions, versioning: main.and_then(TagFamily::versioning), uncovered: None }
    }

    fn packages(candidates: &[Candidate], families: &[TagFamily], search: &VersionSearch) -> Self {
        let mut packages = IndexMap::new();
        for candidate in candidates {
            let Candidate { family, directory, .. } = candidate;
            let versions = search.find(directory, family.last_version().as_ref(), directory.is_empty());
            let inner = candidates
                .iter()
                .filter(|other| {
                    let rest = other.directory.strip_prefix(directory.as_str());
                    rest.is_some_and(|rest| !rest.is_empty() && (directory.is_empty() || rest.starts_with('/')))
                })
                .map(|other| format!("!{}", other.directory));
            let top = if directory.is_empty() { ".".to_owned() } else { directory.clone() };
            let package = DetectedPackage {
                prefix: family.prefix(),
                paths: std::iter::once(top).chain(inner).collect(),
                file: changelog(directory, search),
                versioning: family.versioning(),
                versions,
            };
            packages.insert(candidate.key(candidates), package);
        }
        // Tags without the name of a package are those of the repository itself, unless a package has them.
        let is_of_package =
            candidates.iter().any(|candidate| candidate.directory.is_empty() || candidate.family.name.is_empty());
        let top = families.iter().find(|family| family.name.is_empty() && family.recent > 0 && !is_of_package);
        let versions = top.map(|top| search.find("", top.last_version().as_ref(), true)).unwrap_or_default();
        Self { scheme: TagScheme::Packages(packages), versions, versioning: None, uncovered: None }
    }
}

/// Returns the family of the repository itself, if one clearly is.
fn main_family<'a>(families: &'a TagFamilies<'a>, repository: Option<&str>) -> Option<&'a TagFamily<'a>> {
    let OwnFamily::Named(name) = families.own(repository) else { return None };
    families.all.iter().find(|family| family.name == name)
}

impl Candidate<'_> {
    /// Returns the key of the package: the last part of its name, or the whole name if another one ends like that.
    fn key(&self, all: &[Self]) -> String {
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let is_shared = all.iter().filter(|other| last(&other.name) == last(&self.name)).count() > 1;
        if is_shared { self.name.clone() } else { last(&self.name) }
    }
}

/// Finds the package that the tags of a family release, if a directory or a member of a workspace shows it.
fn candidate<'a>(family: &'a TagFamily<'a>, search: &VersionSearch, repository: Option<&str>) -> Option<Candidate<'a>> {
    let released = family.released_name();
    if released.is_empty() {
        let (name, directory) = search.main_package(family.last_version().as_ref(), repository)?;
        return Some(Candidate { family, name, directory });
    }
    let last = released.rsplit('/').next().unwrap_or(released);
    // The repository itself is released under its name, and a directory may be called like it.
    if repository.is_some_and(|name| name.eq_ignore_ascii_case(released)) {
        let directory = search.directory_of(released)?;
        return Some(Candidate { family, name: released.to_owned(), directory });
    }
    let is_directory = |directory: &String| search.tree().has_directory(directory);
    let directory = search
        .directory_of(released)
        .or_else(|| Some(released.to_owned()).filter(is_directory))
        .or_else(|| PLACES.iter().map(|place| format!("{place}{last}")).find(is_directory))
        .or_else(|| search.directory_ending_with(last))
        .or_else(|| search.find_directory(released, last))?;
    Some(Candidate { family, name: released.to_owned(), directory })
}

/// Returns the changelog file of a package, if the configuration must name it.
pub(super) fn changelog(directory: &str, search: &VersionSearch) -> Option<String> {
    let path = |file: &&str| if directory.is_empty() { (*file).to_owned() } else { format!("{directory}/{file}") };
    let found = FILES.iter().map(&path).find(|path| search.tree().read(path).is_ok_and(|text| text.is_some()));
    match found {
        None if directory.is_empty() => Some(FILES[0].to_owned()),
        Some(found) if directory.is_empty() || found != path(&FILES[0]) => Some(found),
        _ => None,
    }
}

pub(super) fn describe_uncovered(families: &[&TagFamily]) -> Option<String> {
    const SHOWN: usize = 5;
    let tags: usize = families.iter().map(|family| family.tags.len()).sum();
    let newest: Vec<_> = families.iter().take(SHOWN).map(|family| format!("`{}`", family.tags[0])).collect();
    let prefixes =
        if families.len() == 1 { "another prefix".to_owned() } else { format!("{} other prefixes", families.len()) };
    let verb = if tags == 1 { "is" } else { "are" };
    let more = if families.len() > SHOWN { ", ..." } else { "" };
    let names = newest.join(", ");
    (tags > 0).then(|| format!("{} of {prefixes} {verb} not covered: {names}{more}", pluralize(tags, "tag")))
}

impl TagScheme {
    /// Returns the packages by their names; `None` if the repository is released as a whole.
    pub(super) fn packages(&self) -> Option<&IndexMap<String, DetectedPackage>> {
        match self {
            Self::Packages(packages) => Some(packages),
            Self::Default | Self::Prefixed(_) | Self::Regex(_) => None,
        }
    }

    pub(super) fn reason(&self) -> Option<String> {
        match self {
            Self::Default => None,
            Self::Prefixed(prefix) => Some(format!("tags are named as `{prefix}1.2.0`")),
            Self::Regex(_) => {
                Some("no tag has the usual form of a version, so `tag_regex` reads the most common one".to_owned())
            }
            Self::Packages(packages) => {
                let names: Vec<_> = packages.keys().map(String::as_str).collect();
                Some(format!("these packages are released by themselves: {}", name_some(&names, NAMED, "")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn detected(tags: &[&str], files: &[(&str, &str)]) -> DetectedTags {
        let tree: BTreeMap<&str, &str> = files.iter().copied().collect();
        DetectedTags::detect(&TaggedCommit::for_each(tags), &VersionSearch::new(&tree), Some("harbor"))
    }

    fn scheme(tags: &[&str], directories: &[&str]) -> TagScheme {
        let files: Vec<_> = directories.iter().map(|directory| (format!("{directory}/file"), "")).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        detected(tags, &files).scheme
    }

    /// Returns the name, the prefix and the paths of each package.
    fn packages(detected: &DetectedTags) -> Vec<String> {
        let packages = detected.scheme.packages().into_iter().flatten();
        packages.map(|(name, package)| format!("{name} {} {}", package.prefix, package.paths.join(" "))).collect()
    }

    #[test]
    fn what_the_default_rule_reads_is_usual() {
        assert_eq!(scheme(&[], &[]), TagScheme::Default);
        assert_eq!(scheme(&["v1.2.0", "nightly", "app/v1.0.0"], &["app"]), TagScheme::Default);
    }

    #[test]
    fn the_prefix_of_most_of_the_newest_tags_counts() {
        let prefixed = TagScheme::Prefixed("app-".to_owned());
        assert_eq!(scheme(&["app-1.1.0", "app-1.0.0", "old_1.0.0"], &[]), prefixed);
        let old: Vec<String> = (0..60).map(|minor| format!("v0.{minor}.0")).collect();
        let new = (0..20).map(|minor| format!("app-1.{minor}.0"));
        let tags: Vec<String> = new.chain(old).collect();
        let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
        let detected = detected(&tags, &[]);
        assert_eq!(detected.scheme, prefixed);
        assert_eq!(detected.uncovered.unwrap(), "60 tags of another prefix are not covered: `v0.0.0`");
    }

    #[test]
    fn no_most_frequent_prefix_counts_before_bare_versions_and_the_name_of_the_repository() {
        let tags = ["mast-1.0.1", "mast-1.0.0", "15.2.0", "sail-0.2.0", "sail-0.1.0", "harbor-0.8.4"];
        assert_eq!(scheme(&tags, &[]), TagScheme::Default);
        let without_bare = tags.map(|tag| if tag == "15.2.0" { "boom-0.1.0" } else { tag });
        assert_eq!(scheme(&without_bare, &[]), TagScheme::Prefixed("harbor-".to_owned()));
        assert_eq!(scheme(&without_bare[..5], &[]), TagScheme::Default, "none is clearly the repository's own");
    }

    #[test]
    fn a_directory_called_like_the_repository_is_no_package() {
        let tags = ["harbor-1.5.0", "1.2.1", "harbor-1.4.0", "1.2.0"];
        assert_eq!(scheme(&tags, &["doc/harbor", "harbor"]), TagScheme::Prefixed("harbor-".to_owned()));
    }

    #[test]
    fn prefixes_of_several_directories_are_packages() {
        let directories = ["api/file", "packages/web/file"].map(|path| (path, ""));
        let found = detected(&["v1.0.0", "api/v1.0.0", "web@2.0.0", "x/v1.0.0"], &directories);
        assert_eq!(packages(&found), ["api api/v api", "web web@ packages/web"]);
        assert_eq!(found.uncovered.unwrap(), "1 tag of another prefix is not covered: `x/v1.0.0`");
    }

    #[test]
    fn members_of_a_workspace_are_packages_wherever_they_are() {
        let files = [
            ("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\", \"packages/integrations/*\"]}"),
            ("packages/harbor/package.json", "{\"name\": \"harbor\", \"version\": \"8.2.0\"}"),
            ("packages/harbor/HISTORY.md", "# History\n"),
            ("packages/create/package.json", "{\"name\": \"create-harbor\", \"version\": \"1.0.0\"}"),
            ("packages/integrations/node/package.json", "{\"name\": \"@harbor/node\", \"version\": \"9.0.0\"}"),
        ];
        let found = detected(&["v8.2.0", "create-harbor@1.0.0", "@harbor/node@9.0.0", "@harbor/gone@1.0.0"], &files);
        let node = "node @harbor/node@ packages/integrations/node";
        let expected = ["harbor v packages/harbor", "create-harbor create-harbor@ packages/create", node];
        assert_eq!(packages(&found), expected);
        assert_eq!(found.scheme.packages().unwrap()["harbor"].file.as_deref(), Some("packages/harbor/HISTORY.md"));
        assert!(found.versions.files.is_empty(), "the root has no version: {:?}", found.versions);
    }

    #[test]
    fn bare_tags_are_not_of_a_package_that_has_their_version_by_chance() {
        let manifest = |name: &str, version: &str| format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}");
        let tags = ["v7.2.1", "create-harbor@1.0.0", "v7.2.0", "create-harbor@0.9.0"];
        for (own, expected) in [
            ("7.2.2", ["harbor v packages/harbor", "create-harbor create-harbor@ packages/create"]),
            ("7.2.1", ["harbor v packages/harbor", "create-harbor create-harbor@ packages/create"]),
        ] {
            let (own, old) = (manifest("harbor", own), manifest("@harbor/old", "7.2.1"));
            let create = manifest("create-harbor", "1.0.0");
            let files = [
                ("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}"),
                ("packages/harbor/package.json", own.as_str()),
                ("packages/create/package.json", create.as_str()),
                ("packages/old/package.json", old.as_str()),
            ];
            assert_eq!(packages(&detected(&tags, &files)), expected);
        }
    }

    #[test]
    fn the_package_at_the_top_leaves_out_the_others() {
        let manifest = |name: &str, more: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.8.4\"\n{more}");
        let (top, inner) = (manifest("crane", "[workspace]\nmembers = [\"crane-hook\"]\n"), manifest("crane-hook", ""));
        let files = [("Cargo.toml", top.as_str()), ("crane-hook/Cargo.toml", inner.as_str())];
        let found = detected(&["crane-0.8.4", "crane-hook-0.8.4", "v0.6.1"], &files);
        assert_eq!(packages(&found), ["crane crane- . !crane-hook", "crane-hook crane-hook- crane-hook"]);
        assert_eq!(found.scheme.packages().unwrap()["crane"].file.as_deref(), Some("CHANGELOG.md"));
        assert_eq!(found.uncovered.unwrap(), "1 tag of another prefix is not covered: `v0.6.1`");
    }

    #[test]
    fn one_package_counts_if_it_and_the_repository_are_both_released() {
        let files = [
            ("Cargo.toml", "[package]\nname = \"harbor\"\nversion = \"1.1.0\"\n"),
            ("hook/Cargo.toml", "[package]\nname = \"hook\"\nversion = \"0.2.0\"\n"),
        ];
        let found = detected(&["v1.1.0", "hook-0.2.0", "v1.0.0", "hook-0.1.0"], &files);
        assert_eq!(packages(&found), ["harbor v . !hook", "hook hook- hook"]);
        let found = detected(&["v1.1.0", "hook-0.2.0", "v1.0.0"], &files);
        assert_eq!(found.scheme, TagScheme::Default, "released once");
    }
}
