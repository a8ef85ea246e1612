//! The packages that a tool with change files releases, beside those that tags show.

use super::{
    tags::{DetectedPackage, DetectedTags, TagScheme, changelog, describe_uncovered},
    version_files::{FoundVersions, VersionSearch},
};
use crate::{
    config::VersionGroup,
    model::TaggedCommit,
    sources::change_files::{ToolPackage, UnreleasedMember},
    version_files::{glob, present::is_placeholder},
    versions::tag_families::{TagFamilies, TagFamily},
};
use indexmap::IndexMap;

/// Returns the groups of a tool, with the names that the packages have here.
pub(super) fn groups_of_tool(
    groups: &[VersionGroup],
    listed: &[ToolPackage],
    unreleased: &[UnreleasedMember],
    packages: &IndexMap<String, DetectedPackage>,
) -> Vec<VersionGroup> {
    let group = |group: &VersionGroup| {
        let patterns: Vec<_> = group.packages.iter().filter_map(|pattern| glob(pattern).ok()).collect();
        let has = |name: &str| patterns.iter().any(|pattern| pattern.is_match(name));
        let members = listed.iter().filter(|package| has(&package.name));
        VersionGroup {
            packages: members
                .filter_map(|member| {
                    let found = packages.iter().find(|(key, known)| is_known_as(key, known, member, listed));
                    found.map(|(key, _)| key.clone())
                })
                .collect(),
            rule: group.rule,
            unreleased: unreleased.iter().filter(|member| has(&member.name)).map(|member| member.version.clone()).max(),
        }
    };
    let moves =
        |group: &VersionGroup| group.packages.len() > 1 || !group.packages.is_empty() && group.unreleased.is_some();
    groups.iter().map(group).filter(moves).collect()
}

/// Whether a detected package is this one of the tool: by its directory, and if the tool has several packages there, by
/// its name or its tags.
fn is_known_as(key: &str, known: &DetectedPackage, package: &ToolPackage, listed: &[ToolPackage]) -> bool {
    if known.paths.first() != Some(&package.directory) {
        return false;
    }
    let mut beside = listed.iter().filter(|other| other.directory == package.directory);
    let named = beside.find(|other| other.is_tagged(&known.prefix) || other.name == key);
    !package.shares_directory(listed) || named.is_none_or(|named| named == package)
}

/// Finds the versions in the manifests of a package, or in its own one if another package shares the directory.
fn versions_of(
    package: &ToolPackage,
    listed: &[ToolPackage],
    family: Option<&TagFamily>,
    search: &VersionSearch,
) -> FoundVersions {
    let last = family.and_then(TagFamily::last_version);
    let found = search.find_in_manifests(&package.directory, last.is_none_or(|last| is_placeholder(&last)));
    match package.manifest.filter(|_| package.shares_directory(listed)) {
        Some(manifest) => found.only_of(manifest),
        None => found,
    }
}

/// Returns the families of tags that are neither of a package nor of the repository itself.
fn beside_packages<'f>(
    families: &'f TagFamilies<'f>,
    packages: &IndexMap<String, DetectedPackage>,
) -> Vec<&'f TagFamily<'f>> {
    let is_of_package = |family: &TagFamily| packages.values().any(|package| package.prefix == family.prefix());
    let is_of_repository = |family: &TagFamily| family.name.is_empty() && family.recent > 0;
    families.all.iter().filter(|family| !is_of_package(family) && !is_of_repository(family)).collect()
}

impl DetectedTags {
    /// Adds the packages of a tool that have no tags yet, and leaves out those that it does not release any more. The
    /// manifests have the versions that the tool counts from.
    pub(super) fn with_packages_of_tool(
        mut self,
        listed: &[ToolPackage],
        unreleased: &[UnreleasedMember],
        tags: &[TaggedCommit],
        search: &VersionSearch,
        repository: Option<&str>,
    ) -> Self {
        if listed.is_empty() {
            return self;
        }
        let families = TagFamilies::new(tags);
        let bare = families.all.iter().find(|family| family.name.is_empty() && families.is_current(family));
        let main = bare.and_then(|bare| search.main_package(bare.last_version().as_ref(), repository));
        let mut packages = match self.scheme {
            TagScheme::Packages(packages) => packages,
            _ => IndexMap::new(),
        };
        packages.retain(|_, package| {
            let directory = package.paths.first();
            !unreleased.iter().any(|member| Some(&member.directory) == directory)
        });
        let named = |name: &str| families.all.iter().find(|family| family.released_name() == name);
        for package in listed {
            let find = |family: Option<&TagFamily>| versions_of(package, listed, family, search);
            let known = packages.iter_mut().find(|(key, known)| is_known_as(key, known, package, listed));
            if let Some((_, known)) = known {
                // Tags with the whole name came after those with the last part of it.
                let family = named(&package.name).filter(|family| families.is_current(family));
                if let Some(family) = family {
                    (known.prefix, known.versioning) = (family.prefix(), family.versioning());
                }
                known.versions = find(families.all.iter().find(|family| family.prefix() == known.prefix));
                continue;
            }
            let last = package.name.rsplit('/').next().unwrap_or_default();
            // Other packages may have had the last part of a scoped name.
            let family = named(&package.name)
                .or_else(|| named(last).filter(|family| families.is_current(family)))
                .or_else(|| bare.filter(|_| main.as_ref().is_some_and(|(name, _)| *name == package.name)));
            let new = DetectedPackage {
                prefix: family.map_or_else(|| package.tag_prefix.clone(), TagFamily::prefix),
                paths: vec![package.directory.clone()],
                file: changelog(&package.directory, search),
                versioning: family.and_then(TagFamily::versioning),
                versions: find(family),
            };
            let key = if packages.contains_key(last) { package.name.as_str() } else { last };
            packages.insert(key.to_owned(), new);
        }
        self.versions = FoundVersions::default();
        self.uncovered = describe_uncovered(&beside_packages(&families, &packages));
        self.scheme = TagScheme::Packages(packages);
        self
    }
}
