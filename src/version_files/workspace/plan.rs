//! The edits that give members of a workspace a version: in manifests, in requirements for them, in lock files.

use std::collections::HashSet;

use semver::Version as SemanticVersion;

use super::{
    ManifestFile, Workspace, cargo,
    edit::{Dependent, RaisedRequirements, Replacement, WorkspaceEdit},
    last_requirements,
    manifest::{Manifest, ManifestError},
    npm, parse, read,
};
use crate::{
    config::WorkspaceKind,
    model::{Problem, Version, closest},
    version_files::file_tree::{FileTree, join_path},
};

/// Stands for every member in the list of those that get a version.
const EVERY_MEMBER: &str = "*";

impl Workspace {
    /// Plans a version for the members of these names; without names for all that share the workspace's version, and with
    /// [`EVERY_MEMBER`] for all that have one. They require others as `required` says.
    pub(crate) fn edit(
        &self,
        names: &[String],
        version: &str,
        required: &RaisedRequirements,
        tree: &dyn FileTree,
    ) -> anyhow::Result<WorkspaceEdit> {
        let selected = self.select_files(names)?;
        let mut edit = WorkspaceEdit {
            kind: self.kind,
            root: self.directory().to_owned(),
            version: semantic(version).ok_or_else(|| self.not_a_semantic_version(version))?,
            sets_shared_version: names.is_empty() || selected.iter().any(|file| file.manifest.inherits_version),
            members: selected.iter().map(|file| self.planned_member(file)).collect(),
            keeps_requirements: !names.is_empty() && names != [EVERY_MEMBER],
            dependents: Vec::new(),
            foreign: HashSet::new(),
            required: required.clone(),
            raised: required.dependents.iter().filter_map(|name| self.directory_of(name)).map(str::to_owned).collect(),
            paths: Vec::new(),
        };
        for file in &self.files {
            let all = file.manifest.name.as_deref().map(|name| self.all_dependencies(name)).unwrap_or_default();
            let last = last_requirements(&all);
            for dependency in &file.manifest.dependencies {
                let text = dependency.requirement.as_ref().map_or("", |found| &found.value);
                let raised = required.find(&dependency.table, &dependency.name, text);
                let is_raised = edit.raises_in(&file.directory) && raised.is_some();
                if edit.member(&dependency.name).is_none() && !is_raised {
                    continue;
                }
                if !is_raised && !self.is_linked(&dependency.name, &last, required.only_protocol) {
                    edit.foreign.insert((file.directory.clone(), dependency.name.clone()));
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
        self.check_binary_lock(tree)?;
        for name in lock_files(self.kind) {
            let path = join_path(&edit.root, name).unwrap_or_default();
            let Some(text) = read(tree, &path)? else { continue };
            if edit.apply(&path, &text)? != text {
                edit.paths.push(path);
            }
        }
        Ok(edit)
    }

    /// Returns the directory of a member, its name and the version that it has.
    fn planned_member(&self, file: &ManifestFile) -> (String, (Option<String>, Option<SemanticVersion>)) {
        let version = self.version_of(file).and_then(|version| SemanticVersion::parse(version).ok());
        (file.directory.clone(), (file.manifest.name.clone(), version))
    }

    fn not_a_semantic_version(&self, version: &str) -> Problem {
        let root = &self.files[0].path;
        Problem::new(format!("`{version}` cannot be set in `{root}`: it is not a semantic version"))
            .hint("use versions of at most three numbers, such as those of `versioning: YYYY.0M.MICRO`")
    }

    /// Refuses the old lock file of Bun, which is not text, unless the new one takes precedence.
    fn check_binary_lock(&self, tree: &dyn FileTree) -> anyhow::Result<()> {
        let path = |name: &str| join_path(self.directory(), name).unwrap_or_default();
        if self.kind == WorkspaceKind::Cargo
            || tree.read(&path("bun.lockb"))?.is_none()
            || tree.read(&path("bun.lock"))?.is_some()
        {
            return Ok(());
        }
        Err(Problem::new(format!("`{}` is binary, so the versions in it cannot be set", path("bun.lockb")))
            .hint("run `bun install --save-text-lockfile --lockfile-only`, and commit `bun.lock` in its place")
            .into())
    }

    fn select_files(&self, names: &[String]) -> anyhow::Result<Vec<&ManifestFile>> {
        let root = &self.files[0];
        if names == [EVERY_MEMBER] {
            let members = self.files.iter().skip(usize::from(root.manifest.members.is_some()));
            return Ok(members.filter(|file| self.version_of(file).is_some()).collect());
        }
        let shared = self.version();
        if let Some(name) = names.iter().find(|name| self.file(name).is_none()) {
            let problem = Problem::new(format!("the workspace of `{}` has no member `{name}`", root.path));
            let hint = closest(name, self.members()).map_or_else(
                || "name members in `members:` of `version_files:` as their manifests do".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(problem.hint(hint).into());
        }
        let (selected, others): (Vec<_>, Vec<_>) = self.files.iter().partition(|file| match &file.manifest.name {
            Some(name) if !names.is_empty() => names.contains(name),
            _ => names.is_empty() && self.version_of(file).is_some_and(|version| Some(version) == shared),
        });
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

/// Returns a version as manifests have it, without leading zeros and with three numbers.
fn semantic(version: &str) -> Option<SemanticVersion> {
    version.parse::<Version>().ok()?.to_semantic()
}

fn lock_files(kind: WorkspaceKind) -> &'static [&'static str] {
    match kind {
        WorkspaceKind::Cargo => &["Cargo.lock"],
        WorkspaceKind::Npm => &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"],
    }
}

impl WorkspaceEdit {
    /// Returns the text of a file with the version set.
    pub(crate) fn apply(&self, path: &str, text: &str) -> anyhow::Result<String> {
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
            "yarn.lock" => npm::yarn_lock(text, self),
            "bun.lock" => npm::bun_lock(text, self),
            _ => self.in_manifest(directory, parse(self.kind, text, directory)?),
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
        let raises = self.raises_in(directory);
        for dependency in manifest.dependencies {
            let is_member = dependency.directory.is_none_or(|directory| self.members.contains_key(&directory));
            let (table, name) = (&dependency.table, &dependency.name);
            let Some(found) = dependency.requirement else { continue };
            if !raises && self.foreign.contains(&(directory.to_owned(), name.clone())) {
                continue;
            }
            if is_member || raises && self.required.find(table, name, &found.value).is_some() {
                list.extend(self.requirement(table, name, found, raises)?);
            }
        }
        Ok(list)
    }
}
