//! Files that hold the version of the package in their directory.

use semver::Version;

use super::directories::{Directories, UNRELEASED};
use crate::{
    config::{VersionFile, VersionLocator, WorkspaceKind},
    version_files::{self, FileTree, present::is_placeholder, workspace::Workspace},
};

enum VersionProbe {
    Key(&'static str),
    Regex(&'static str),
    /// The version after a package's name; the other file has name and version of the package in this table.
    Package(&'static str, &'static str),
}

/// The version files to look for besides workspaces.
const PROBES: [(&str, VersionProbe); 13] = [
    ("lerna.json", VersionProbe::Key("version")),
    ("deno.json", VersionProbe::Key("version")),
    ("pyproject.toml", VersionProbe::Key("project.version")),
    ("pyproject.toml", VersionProbe::Key("tool.poetry.version")),
    ("uv.lock", VersionProbe::Package("pyproject.toml", "project")),
    ("setup.cfg", VersionProbe::Regex(r"^version *= *(\d\S*)")),
    ("composer.json", VersionProbe::Key("version")),
    ("pubspec.yaml", VersionProbe::Key("version")),
    ("mix.exs", VersionProbe::Regex(r#"^ *version: "(.*)""#)),
    ("gradle.properties", VersionProbe::Regex(r"^version *= *(\d\S*)")),
    ("Chart.yaml", VersionProbe::Key("version")),
    ("galaxy.yml", VersionProbe::Key("version")),
    ("VERSION", VersionProbe::Regex(r"^v?(\d\S*)$")),
];

/// The files with a version below a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FoundVersions {
    /// The files whose version is that of the last tag.
    pub(super) files: Vec<VersionFile>,
    /// The paths of files with another version, and that version.
    pub(super) others: Vec<(String, String)>,
}

impl FoundVersions {
    /// Keeps the version in one of several manifests.
    pub(super) fn only_of(mut self, manifest: WorkspaceKind) -> Self {
        let is_of =
            |file: &VersionFile| matches!(file.locator, VersionLocator::Workspace { kind, .. } if kind == manifest);
        self.files.retain(is_of);
        self.others.retain(|(path, _)| path.ends_with(manifest.manifest()));
        self
    }
}

pub(super) struct VersionSearch<'a> {
    tree: &'a dyn FileTree,
    workspaces: Vec<(WorkspaceKind, Workspace)>,
    directories: Directories<'a>,
}

impl<'a> VersionSearch<'a> {
    pub(super) fn new(tree: &'a dyn FileTree) -> Self {
        let workspaces = [WorkspaceKind::Cargo, WorkspaceKind::Npm]
            .into_iter()
            .filter_map(|kind| Some((kind, Workspace::load(kind, kind.manifest(), tree).ok()?)))
            .collect();
        Self { tree, workspaces, directories: Directories::new(tree) }
    }

    pub(super) fn tree(&self) -> &dyn FileTree {
        self.tree
    }

    pub(super) fn directory_of(&self, name: &str) -> Option<String> {
        self.workspaces.iter().find_map(|(_, workspace)| workspace.directory_of(name).map(str::to_owned))
    }

    /// Returns the directory of a member with this last part, if it is the only one.
    pub(super) fn directory_ending_with(&self, last: &str) -> Option<String> {
        let members = self.workspaces.iter().flat_map(|(_, workspace)| workspace.directories());
        let mut found = members
            .filter(|directory| !directory.split('/').any(|part| UNRELEASED.contains(&part)))
            .filter(|directory| directory.rsplit('/').next() == Some(last));
        found.next().filter(|_| found.next().is_none()).map(str::to_owned)
    }

    /// Returns the directory of a package that is not a member of a workspace: by the name in its manifest, else, if
    /// there is no workspace, by its own name.
    pub(super) fn find_directory(&self, name: &str, last: &str) -> Option<String> {
        self.directories
            .named(name)
            .or_else(|| if self.workspaces.is_empty() { self.directories.called(last) } else { None })
    }

    /// Returns the name and directory of the package of tags without a name: the one at the top with this version, the
    /// one with the name of the repository, which may have the next version already, or the only one with this version.
    pub(super) fn main_package(&self, last: Option<&Version>, repository: Option<&str>) -> Option<(String, String)> {
        let version = last?;
        let last = version.to_string();
        self.workspaces.iter().find_map(|(_, workspace)| {
            let top = workspace.member_in("").filter(|name| workspace.member_version(name) == Some(&last));
            let named = repository.and_then(|name| Some((name, workspace.member_version(name)?)));
            let name = match (top, named) {
                (Some(top), _) => top,
                // Another one has this version by chance.
                (None, Some((name, own))) => {
                    Version::parse(own).is_ok_and(|own| follows(version, &own)).then_some(name)?
                }
                (None, None) => {
                    let same: Vec<&str> = workspace.members_at(&last).collect();
                    same.first().copied().filter(|_| same.len() == 1)?
                }
            };
            Some((name.to_owned(), workspace.directory_of(name)?.to_owned()))
        })
    }

    /// Finds the files below a directory (empty for the top) with the version of the last tag, or one that follows it.
    ///
    /// Beside packages with tags the one at the top is named, since another package may have its version by chance.
    pub(super) fn find(&self, directory: &str, last: Option<&Version>, is_beside_packages: bool) -> FoundVersions {
        self.find_if(directory, last, is_beside_packages, |version| !is_placeholder(version))
    }

    /// Finds the files below a directory with a version, whichever that is; 0.0.0 is one if it `may_be_placeholder`.
    pub(super) fn find_in_manifests(&self, directory: &str, may_be_placeholder: bool) -> FoundVersions {
        self.find_if(directory, None, false, |version| may_be_placeholder || !is_placeholder(version))
    }

    fn find_if(
        &self,
        directory: &str,
        last: Option<&Version>,
        is_beside_packages: bool,
        is_set: impl Fn(&Version) -> bool,
    ) -> FoundVersions {
        let search = Search { directory, tree: self.tree, workspaces: &self.workspaces };
        let workspaces = [WorkspaceKind::Cargo, WorkspaceKind::Npm];
        let workspaces = workspaces.into_iter().filter_map(|kind| search.workspace(kind, last, is_beside_packages));
        let files = PROBES.iter().filter_map(|(name, probe)| {
            let file = search.resolve(name, probe)?;
            let value = search.values(&file)?.pop()?;
            Some((file, value))
        });
        let mut found = FoundVersions::default();
        for (file, value) in workspaces.chain(files) {
            match Version::parse(value.strip_prefix('v').unwrap_or(&value)) {
                Ok(version) if !is_set(&version) => {}
                Ok(version) if last.is_none_or(|last| follows(last, &version)) => found.files.push(file),
                Ok(_) => found.others.push((search.shown_path(file), value)),
                Err(_) => {}
            }
        }
        found
    }
}

struct Search<'a> {
    directory: &'a str,
    tree: &'a dyn FileTree,
    workspaces: &'a [(WorkspaceKind, Workspace)],
}

impl Search<'_> {
    /// Returns the workspace of which the directory is the root or a member, and its version.
    fn workspace(&self, kind: WorkspaceKind, last: Option<&Version>, is_named: bool) -> Option<(VersionFile, String)> {
        let locate = |path: String, members: &[&str]| {
            let members = members.iter().map(|&name| name.to_owned()).collect();
            VersionFile { path, locator: VersionLocator::Workspace { kind, members } }
        };
        let top = self.workspaces.iter().find(|(known, _)| *known == kind).map(|(_, workspace)| workspace);
        if self.directory.is_empty() {
            let top = top?;
            let last = last.map(ToString::to_string);
            let of_last: Vec<_> = last.iter().flat_map(|last| top.members_at(last)).collect();
            let version = top.version()?;
            let is_other = last.as_ref().is_some_and(|last| last != version) && !of_last.is_empty();
            let value = last.clone().filter(|_| is_other).unwrap_or_else(|| version.to_owned());
            let members = top.member_in("").filter(|name| top.member_version(name) == Some(&value));
            let named = match members {
                Some(root) if is_named && !top.has_shared_version() => vec![root],
                _ if is_named || is_other => of_last,
                _ => Vec::new(),
            };
            return Some((locate(kind.manifest().to_owned(), &named), value));
        }
        if let Some((top, name)) = top.and_then(|top| Some((top, top.member_in(self.directory)?))) {
            return Some((locate(kind.manifest().to_owned(), &[name]), top.member_version(name)?.to_owned()));
        }
        let path = self.sibling_path(kind.manifest());
        let version = Workspace::load(kind, &path, self.tree).ok()?.version()?.to_owned();
        Some((locate(path, &[]), version))
    }

    /// Returns the path to show for a version file: for a member of a workspace its own manifest.
    fn shown_path(&self, file: VersionFile) -> String {
        match file.locator {
            VersionLocator::Workspace { kind, .. } if !self.directory.is_empty() => self.sibling_path(kind.manifest()),
            _ => file.path,
        }
    }

    fn resolve(&self, name: &str, probe: &VersionProbe) -> Option<VersionFile> {
        let (path, locator) = match probe {
            VersionProbe::Key(key) => (self.sibling_path(name), VersionLocator::Key((*key).to_owned())),
            VersionProbe::Regex(regex) => (self.sibling_path(name), VersionLocator::Regex((*regex).to_owned())),
            VersionProbe::Package(file, table) => {
                self.value(file, &format!("{table}.version"))?;
                let package = self.value(file, &format!("{table}.name"))?;
                // A name with a dot would mean something else in a regex.
                let is_plain = package.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
                let regex = is_plain.then(|| format!("^name = \"{package}\"\\nversion = \"(.*)\""))?;
                (self.lock(name)?, VersionLocator::Regex(regex))
            }
        };
        Some(VersionFile { path, locator })
    }

    fn sibling_path(&self, name: &str) -> String {
        if self.directory.is_empty() { name.to_owned() } else { format!("{}/{name}", self.directory) }
    }

    /// Finds the lock file; several packages of one repository often share the one at the top.
    fn lock(&self, name: &str) -> Option<String> {
        let paths = [self.sibling_path(name), name.to_owned()];
        paths.into_iter().find(|path| self.tree.read(path).is_ok_and(|text| text.is_some()))
    }

    fn value(&self, name: &str, key: &str) -> Option<String> {
        self.values(&VersionFile { path: self.sibling_path(name), locator: VersionLocator::Key(key.to_owned()) })?.pop()
    }

    fn values(&self, file: &VersionFile) -> Option<Vec<String>> {
        version_files::values(&self.tree.read(&file.path).ok()??, file).ok()
    }
}

/// Whether a version is the last one, or could be the next one or a pre-release of it.
fn follows(last: &Version, version: &Version) -> bool {
    let core = (version.major, version.minor, version.patch);
    let Version { major, minor, patch, .. } = *last;
    [(major, minor, patch), (major, minor, patch + 1), (major, minor + 1, 0), (major + 1, 0, 0)].contains(&core)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(directory: &str, files: &[(&str, &str)], last: &str) -> Vec<String> {
        let tree: std::collections::BTreeMap<_, _> = files.iter().copied().collect();
        let last = Version::parse(last).ok();
        let FoundVersions { files, others } = VersionSearch::new(&tree).find(directory, last.as_ref(), false);
        let line = |file: VersionFile| match file.locator {
            VersionLocator::Key(text) | VersionLocator::Regex(text) => format!("{} {text}", file.path),
            VersionLocator::Workspace { members, .. } => format!("{} {members:?}", file.path),
        };
        files
            .into_iter()
            .map(line)
            .chain(others.into_iter().map(|(path, version)| format!("not {path} {version}")))
            .collect()
    }

    const LOCK: &str = "[[package]]\nname = \"app\"\nversion = \"1.2.0\"\n";
    const CARGO: &str = "[package]\nname = \"app\"\nversion = \"1.2.0\"\n";

    #[test]
    fn a_file_counts_if_it_has_the_version_of_the_last_tag_or_a_next_one() {
        let files =
            [("Chart.yaml", "version: 1.2.0\n"), ("VERSION", "v1.3.0-dev\n"), ("galaxy.yml", "version: 0.1.0\n")];
        let expected = ["Chart.yaml version", "VERSION ^v?(\\d\\S*)$"];
        assert_eq!(found("", &files, "1.2.0"), [expected[0], expected[1], "not galaxy.yml 0.1.0"]);
        assert_eq!(found("", &files, "").len(), 3);
        let never = [
            ("package.json", "{\"version\": \"0.0.0-development\"}"),
            ("pyproject.toml", "[project]\ndynamic = [\"version\"]\n"),
            ("Chart.yaml", "version: [\n"),
            ("VERSION", "see git\n"),
        ];
        assert!(found("", &never, "").is_empty());
    }

    #[test]
    fn a_lock_file_is_searched_by_the_name_of_the_package() {
        let project = "[project]\nname = \"app\"\nversion = \"1.2.0\"\n";
        let expected = ["x/pyproject.toml project.version", "uv.lock ^name = \"app\"\\nversion = \"(.*)\""];
        assert_eq!(found("x", &[("x/pyproject.toml", project), ("uv.lock", LOCK)], "1.2.0"), expected);
    }

    #[test]
    fn a_workspace_is_found_at_its_root_and_by_its_members() {
        assert_eq!(found("", &[("Cargo.toml", CARGO), ("Cargo.lock", LOCK)], "1.2.0"), ["Cargo.toml []"]);
        let member = [("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"), ("crates/app/Cargo.toml", CARGO)];
        assert_eq!(found("crates/app", &member, "1.2.0"), ["Cargo.toml [\"app\"]"]);
        assert_eq!(found("", &member, "1.2.0"), ["Cargo.toml []"]);
        assert_eq!(found("crates/app", &member[1..], "1.2.0"), ["crates/app/Cargo.toml []"]);
        assert_eq!(found("crates/app", &member, "3.0.0"), ["not crates/app/Cargo.toml 1.2.0"]);
        let npm = [
            ("package.json", "{\"workspaces\": [\"*\"], \"version\": \"5.0.0\"}"),
            ("a/package.json", "{\"name\": \"@x/a\", \"version\": \"1.2.0\"}"),
            ("b/package.json", "{\"name\": \"b\", \"version\": \"3.0.0\"}"),
        ];
        assert_eq!(found("", &npm, "1.2.0"), ["package.json [\"@x/a\"]"], "the root has another version");
        assert_eq!(found("", &npm, "2.0.0"), ["not package.json 5.0.0"]);
    }
}
