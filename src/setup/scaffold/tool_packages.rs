//! The packages that a tool with change files releases, beside those that tags show.

use indexmap::IndexMap;

use super::{
    tags::{DetectedPackage, DetectedTags, TagScheme, changelog},
    version_files::{FoundVersions, VersionSearch},
};
use crate::{
    model::TaggedCommit,
    sources::change_files::ToolPackage,
    versions::tag_families::{TagFamilies, TagFamily},
};

impl DetectedTags {
    /// Adds the packages of a tool that have no tags yet. Their manifests have the versions that the tool counts from.
    pub(super) fn with_packages_of_tool(
        mut self,
        listed: &[ToolPackage],
        tags: &[TaggedCommit],
        search: &VersionSearch,
    ) -> Self {
        if listed.is_empty() {
            return self;
        }
        let families = TagFamilies::new(tags);
        let mut packages = match self.scheme {
            TagScheme::Packages(packages) => packages,
            _ => IndexMap::new(),
        };
        for package in listed {
            let versions = search.find(&package.directory, None, false);
            let is_same = |known: &&mut DetectedPackage| known.paths.first() == Some(&package.directory);
            if let Some(known) = packages.values_mut().find(is_same) {
                known.versions = versions;
                continue;
            }
            let family = families.all.iter().find(|family| family.released_name() == package.name);
            let new = DetectedPackage {
                prefix: family.map_or_else(|| package.tag_prefix.clone(), TagFamily::prefix),
                paths: vec![package.directory.clone()],
                file: changelog(&package.directory, search),
                versions,
            };
            let last = package.name.rsplit('/').next().unwrap_or_default();
            let key = if packages.contains_key(last) { package.name.as_str() } else { last };
            packages.insert(key.to_owned(), new);
        }
        self.versions = FoundVersions::default();
        self.scheme = TagScheme::Packages(packages);
        self
    }
}
