//! The edits that give members of a workspace a version: manifests, what others require of them, lock files.

use std::collections::HashMap;

use semver::Version;

use super::{
    super::{FileTree, VersionSpan},
    ManifestFile, Workspace, cargo,
    glob::join,
    manifest::{Manifest, ManifestError},
    npm, requirement,
};
use crate::model::{Problem, WorkspaceKind, closest};

/// A text at a place, and what it becomes.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) found: VersionSpan,
    pub(super) new: String,
}

/// A manifest that requires a member whose version is set.
#[derive(Debug)]
pub(super) struct Dependent {
    /// The directory of the manifest, from the root of the workspace.
    pub(super) directory: String,
    pub(super) table: String,
    pub(super) key: String,
    pub(super) name: String,
}

/// A version for members of a workspace, to be set in each file of it.
#[derive(Debug)]
pub struct WorkspaceEdit {
    kind: WorkspaceKind,
    /// The directory of the workspace, from the top of the repository.
    root: String,
    pub(super) version: String,
    parsed: Version,
    /// The members by directory, with their names and the versions they had.
    members: HashMap<String, (Option<String>, Option<Version>)>,
    /// Whether `workspace.package.version` is theirs.
    sets_shared_version: bool,
    /// Whether requirements that allow the version stay: other members have versions of their own.
    keeps_requirements: bool,
    pub(super) dependents: Vec<Dependent>,
    /// The files that change, from the top of the repository.
    pub paths: Vec<String>,
}

impl Workspace {
    /// Plans a version for the members of these names; without names for all that share the workspace's version.
    ///
    /// # Errors
    ///
    /// If there is no such member, a version is inherited by others as well, or a requirement cannot be raised.
    pub fn edit(&self, names: &[String], version: &str, tree: &dyn FileTree) -> anyhow::Result<WorkspaceEdit> {
        let selected = self.selected(names)?;
        let member = |file: &&ManifestFile| {
            let version = self.version_of(file).and_then(|version| Version::parse(version).ok());
            (file.directory.clone(), (file.manifest.name.clone(), version))
        };
        let mut edit = WorkspaceEdit {
            kind: self.kind,
            root: self.directory().to_owned(),
            version: version.to_owned(),
            parsed: Version::parse(version)?,
            sets_shared_version: names.is_empty() || selected.iter().any(|file| file.manifest.inherits_version),
            members: selected.iter().map(member).collect(),
            keeps_requirements: !names.is_empty(),
            dependents: Vec::new(),
            paths: Vec::new(),
        };
        for file in &self.files {
            for dependency in &file.manifest.dependencies {
                if !edit.sets(&dependency.name) {
                    continue;
                }
                let directory = file.directory.strip_prefix(&edit.root).unwrap_or_default().trim_start_matches('/');
                let (table, key) = (dependency.table.clone(), dependency.key.clone());
                let (directory, name) = (directory.to_owned(), dependency.name.clone());
                edit.dependents.push(Dependent { directory, table, key, name });
            }
            if edit.apply(&file.path, &file.text)? != file.text {
                edit.paths.push(file.path.clone());
            }
        }
        for name in lock_files(self.kind) {
            let path = join(&edit.root, name).unwrap_or_default();
            let Some(text) = super::read(tree, &path)? else { continue };
            if edit.apply(&path, &text)? != text {
                edit.paths.push(path);
            }
        }
        Ok(edit)
    }

    fn selected(&self, names: &[String]) -> anyhow::Result<Vec<&ManifestFile>> {
        let root = &self.files[0];
        let shared = self.version();
        let has_shared = |file: &ManifestFile| self.version_of(file).is_some_and(|version| Some(version) == shared);
        let is_selected = |file: &ManifestFile| match &file.manifest.name {
            Some(name) if !names.is_empty() => names.contains(name),
            _ => names.is_empty() && has_shared(file),
        };
        if let Some(name) = names.iter().find(|name| !self.has_member(name)) {
            let problem = Problem::new(format!("the workspace of `{}` has no member `{name}`", root.path));
            let hint = closest(name, self.members()).map_or_else(
                || "name members in `members:` of `version_files:` as their manifests do".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(problem.hint(hint).into());
        }
        let (selected, others): (Vec<_>, Vec<_>) = self.files.iter().partition(|file| is_selected(file));
        let inherits = |file: &&&ManifestFile| file.manifest.inherits_version;
        if let (Some(one), Some(other)) = (selected.iter().find(inherits), others.iter().find(inherits)) {
            let [one, other] = [one, other].map(|file| file.manifest.name.as_deref().unwrap_or_default());
            return Err(Problem::new(format!(
                "`{one}` and `{other}` share the version `workspace.package.version` of `{}`",
                root.path
            ))
            .hint(format!("list both in `members:`, or set `version` in the manifest of `{one}`"))
            .into());
        }
        Ok(selected)
    }
}

fn lock_files(kind: WorkspaceKind) -> &'static [&'static str] {
    match kind {
        WorkspaceKind::Cargo => &["Cargo.lock"],
        WorkspaceKind::Npm => &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"],
    }
}

impl WorkspaceEdit {
    /// The text of a file with the version in it.
    ///
    /// # Errors
    ///
    /// If the file is not valid, or requires a member in a way that cannot be raised.
    pub fn apply(&self, path: &str, text: &str) -> anyhow::Result<String> {
        let mut list = self.replacements(path, text).map_err(|error| error.in_file(path, text))?;
        list.sort_by_key(|replacement| std::cmp::Reverse(replacement.found.span.start));
        let mut new = text.to_owned();
        for Replacement { found, new: value } in list {
            new.replace_range(found.span, &value);
        }
        Ok(new)
    }

    fn replacements(&self, path: &str, text: &str) -> Result<Vec<Replacement>, ManifestError> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        match name {
            "Cargo.lock" => cargo::lock(text, self),
            "package-lock.json" | "npm-shrinkwrap.json" => npm::lock(text, self),
            "pnpm-lock.yaml" => npm::pnpm_lock(text, self),
            "yarn.lock" => Ok(Vec::new()),
            _ => self.in_manifest(directory, super::parse(self.kind, text, directory)?),
        }
    }

    fn in_manifest(&self, directory: &str, manifest: Manifest) -> Result<Vec<Replacement>, ManifestError> {
        let mut list = Vec::new();
        if self.members.contains_key(directory) {
            list.extend(manifest.version.map(|found| self.set_version(found)));
        }
        if directory == self.root && self.sets_shared_version {
            list.extend(manifest.shared_version.map(|found| self.set_version(found)));
        }
        for dependency in manifest.dependencies {
            let is_member = dependency.directory.is_none_or(|directory| self.members.contains_key(&directory));
            if let Some(found) = dependency.requirement.filter(|_| is_member) {
                list.extend(self.set_requirement(&dependency.name, found)?);
            }
        }
        Ok(list)
    }

    /// The member of a name with its old version, if its version is set.
    fn member(&self, name: &str) -> Option<&(Option<String>, Option<Version>)> {
        self.members.values().find(|(member, _)| member.as_deref() == Some(name))
    }

    /// Whether the version of the member of this name is set.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// The same of the member at a place in the workspace.
    pub(super) fn sets_member(&self, place: &str) -> bool {
        join(&self.root, place).is_some_and(|directory| self.members.contains_key(&directory))
    }

    pub(super) fn set_version(&self, found: VersionSpan) -> Replacement {
        Replacement { found, new: self.version.clone() }
    }

    /// What is required of a member, raised to the version if it must be.
    pub(super) fn set_requirement(&self, name: &str, found: VersionSpan) -> Result<Option<Replacement>, ManifestError> {
        let Some((_, old)) = self.member(name) else { return Ok(None) };
        let allows = |version| requirement::allows(self.kind, &found.value, version);
        // npm installs another version from the registry if the one of the workspace is not allowed.
        let is_foreign = self.kind == WorkspaceKind::Npm && old.as_ref().and_then(allows) == Some(false);
        let Some(allows) = allows(&self.parsed).filter(|allows| !is_foreign && (!*allows || !self.keeps_requirements))
        else {
            return Ok(None);
        };
        match requirement::raise(self.kind, &found.value, &self.parsed) {
            Some(new) => Ok(Some(Replacement { found, new })),
            None if allows => Ok(None),
            None => {
                let message = format!(
                    "the requirement `{}` does not allow {} of `{name}`, and has no single version to replace",
                    found.value, self.version
                );
                Err(ManifestError::new(Some(found.span), message))
            }
        }
    }
}
