//! The packages of a repository whose configuration has none, where a tool with change files says what they are.

use std::sync::Arc;

use super::configured::detected_packages;
use crate::{
    config::{Config, EntrySource},
    pipeline::{
        base::tags::{Tags, commits_before},
        scope::{Scope, loaded_config::CommitFiles},
    },
    setup::scaffold,
    versions::tag_names,
};

impl Scope<'_> {
    /// Returns the scope with the packages of a tool with change files if it says that there are several, the
    /// configuration has none, and no tag is of the repository as a whole; else `None`.
    pub(crate) fn tool_packages(&self) -> anyhow::Result<Option<Self>> {
        let config = self.config();
        if !config.packages.is_empty() || config.tag_prefix.is_some() || config.tag_regex.is_some() {
            return Ok(None);
        }
        let scope = self.clone().with_tool_packages()?;
        if scope.config().packages.is_empty() {
            return Ok(None);
        }
        let tags = Tags::load(self)?;
        let are_theirs = tags.names.iter().all(|tag| match tag_names::family(tag) {
            None => true,
            Some(family) => !family.is_empty() && scope.config().package_of(tag).is_some(),
        });
        let are_packages = are_theirs || detected_packages(self).is_ok_and(|found| !found.is_empty());
        Ok(are_packages.then_some(scope))
    }

    /// Returns the same scope with the packages that `init` would write, if the configuration has none and change files
    /// are configured for several.
    pub(crate) fn with_tool_packages(self) -> anyhow::Result<Self> {
        let config = self.config();
        let may_list = config.source == EntrySource::Auto || config.lists_change_files();
        if !config.packages.is_empty() || !may_list {
            return Ok(self);
        }
        let Some(files) = self.change_files()? else { return Ok(self) };
        let tree = CommitFiles { repo: self.repo, commit: Some(self.to) };
        if files.packages(&tree)?.is_empty() {
            return Ok(self);
        }
        let tags = commits_before(self.repo, &Tags::load(&self)?.names, self.to)?;
        let found = scaffold::packages(&tags, self.project().name(), &tree).unwrap_or_default();
        let groups = Arc::new(scaffold::version_groups(&files, &tree, &found));
        let packages = found.into_iter().map(|(name, package)| (name, package.into_config())).collect();
        let raises_all_dependents = files.raises_all_dependents;
        let config =
            Config { packages: Arc::new(packages), groups, raises_all_dependents, ..Config::clone(self.config()) };
        Ok(self.with_config(config))
    }
}
