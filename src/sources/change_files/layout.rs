//! How and where the change files of a repository are written.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{
    change::{Change, file_id},
    front_matter,
    new_change::NewChange,
    packages::{PackageList, ToolPackage, UnreleasedMember},
};
use crate::{
    config::VersionGroup,
    model::{BumpLevel, Problem, Source},
    version_files::FileTree,
};

/// The usual category of changes that have no better one, and its title.
pub(crate) const CHANGED: (&str, &str) = ("changed", "changed");

/// How the change files of a repository are written, and where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of a tool")]
pub(crate) struct ChangeFiles {
    /// The file that configures them, or the directory that shows that there are some.
    pub configured_in: String,
    /// The directories that have them, without further directories.
    pub directories: Vec<String>,
    /// The titles of the categories in the order of a section.
    pub categories: IndexMap<String, String>,
    /// The level that each category asks for, if a file does not say it.
    pub levels: IndexMap<String, BumpLevel>,
    /// The changelog that the tool writes, if its configuration names it.
    pub changelog: Option<String>,
    /// The changes that are released although their files are there.
    pub released: Vec<ReleasedChange>,
    /// The only changes that are read, if those of a release are.
    pub selected: Option<Vec<ReleasedChange>>,
    /// How the tool notes what is released, beside deleting files.
    pub(super) release_note: ReleaseNote,
    /// The pre-release that is in progress.
    pub pre_release: Option<PreRelease>,
    /// The names of the pre-releases that single packages make for now, as pnpm has them.
    pub lanes: IndexMap<String, String>,
    /// The packages that the tool releases.
    pub(super) packages: PackageList,
    /// The packages whose versions move together, by patterns of their names.
    pub groups: Vec<VersionGroup>,
    /// Names that stand for several packages.
    pub(super) aliases: IndexMap<String, Vec<String>>,
    /// Whether files with the same text are one entry, with the issues of all.
    pub merges_texts: bool,
    /// The components of changes, in their order.
    pub(super) components: Vec<String>,
    /// How an issue is printed, with `{issue}` for its name.
    pub(super) issue_format: Option<String>,
    /// Whether the issues of changes are listed whose texts are not.
    pub(super) lists_hidden_issues: bool,
    /// Whether a package is released with each package that it requires, whatever its requirement allows.
    pub raises_all_dependents: bool,
    /// The only dependencies that raise packages, if the tool has a list of them.
    pub dependencies: Option<Vec<ListedDependency>>,
    /// Whether below 1.0.0 a level raises the number after the one that it raises from 1.0.0 on.
    pub lowers_levels: bool,
    /// How far the packages of the same run require the new versions, also if they could stay with older ones; `None` if
    /// requirements that allow the version stay.
    pub requirements: Option<RequirementRule>,
    /// The category of new versions that a package must require, with its title if no other is configured.
    pub update_category: (&'static str, &'static str),
    pub(super) tool: &'static Tool,
}

/// What packages of the same run require of each other beyond what they must, as changesets has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of the tool")]
pub(crate) struct RequirementRule {
    /// The level of releases from which on they are required.
    pub least: BumpLevel,
    /// Whether the requirement of a peer stays if it allows the new version.
    pub keeps_peers: bool,
    /// Whether a package gets a new major version with each minor one of its peers, as up to the second version of the tool.
    pub peers_are_major: bool,
    /// Whether only requirements with the protocol `workspace:` are for other packages of the repository.
    pub only_protocol: bool,
    /// Whether a range such as `>=1.2.0 <3.0.0` keeps its end, as since the third version of the tool.
    pub keeps_ends: bool,
}

/// A dependency between packages that a tool has in its configuration, whatever their manifests say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedDependency {
    /// The name of the package, and its directory.
    pub name: String,
    pub directory: String,
    /// The name of the package that it depends on, and its directory.
    pub on: String,
    pub on_directory: String,
}

/// The change of a package in a file, whose name is without its extension, and the version that released it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReleasedChange {
    pub package: String,
    pub version: String,
    pub file: String,
}

/// A pre-release that is in progress, or is to end with the next release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PreRelease {
    /// Its name, such as `next`.
    pub name: String,
    pub is_ending: bool,
    /// The names of files (without extension) that it has had.
    pub had: HashSet<String>,
    /// The directory of the files that it has had.
    pub directory: Option<String>,
    /// Whether pre-releases are counted from 0 for each stable version.
    pub restarts: bool,
}

impl PreRelease {
    /// Whether an earlier pre-release had a file.
    pub(crate) fn has_had(&self, path: &str) -> bool {
        self.had.contains(file_id(path))
            || self
                .directory
                .as_ref()
                .is_some_and(|directory| path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// How a tool notes which change files are released, beside deleting them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum ReleaseNote {
    #[default]
    Nothing,
    /// A JSON file lists the files that pre-releases have, under a key; the stable release deletes it if they end.
    PreList { path: String, key: &'static str, whole_paths: bool, is_ending: bool },
    /// The files that pre-releases have move into a directory beside this JSON file, which has its name.
    PreDirectory { path: String, is_ending: bool },
    /// pnpm's ledger lists by package and version the files that are released.
    Ledger(String),
    /// A file for each version, such as `v1.2.0.md`, has its section.
    VersionFiles { directory: String, extension: String },
}

/// A function from a change to the name and the content of its file.
type WriteChange = fn(&ChangeFiles, &NewChange) -> Result<(String, String), Problem>;

/// A tool, as functions over texts.
#[derive(Debug)]
pub(super) struct Tool {
    /// Whether the name of a file is that of a change file.
    pub is_change_file: fn(&ChangeFiles, &str) -> bool,
    /// Returns the name and the content of the file of a change.
    pub write: WriteChange,
    pub parse: fn(&ChangeFiles, &Source) -> Result<Vec<Change>, Problem>,
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Tool {}

impl ChangeFiles {
    /// Returns the change files of a tool, to be completed by what its configuration says.
    pub(super) fn of(tool: &'static Tool) -> Self {
        Self {
            configured_in: String::new(),
            directories: Vec::new(),
            categories: IndexMap::new(),
            levels: IndexMap::new(),
            changelog: None,
            released: Vec::new(),
            selected: None,
            release_note: ReleaseNote::Nothing,
            pre_release: None,
            lanes: IndexMap::new(),
            packages: PackageList::Nothing,
            groups: Vec::new(),
            aliases: IndexMap::new(),
            merges_texts: false,
            components: Vec::new(),
            issue_format: None,
            lists_hidden_issues: false,
            raises_all_dependents: false,
            dependencies: None,
            lowers_levels: false,
            requirements: None,
            update_category: CHANGED,
            tool,
        }
    }

    /// Returns these change files as a release had them, if the tool notes what it released.
    pub(crate) fn of_release(self, version: &str) -> Self {
        let selected: Vec<_> = self.released.iter().filter(|change| change.version == version).cloned().collect();
        Self { selected: Some(selected).filter(|selected| !selected.is_empty()), ..self }
    }

    /// Returns the pre-release that a package makes by itself.
    pub(crate) fn lane(&self, package: &str) -> Option<PreRelease> {
        let name = self.lanes.get(package)?.clone();
        Some(PreRelease { name, is_ending: false, had: HashSet::new(), directory: None, restarts: false })
    }

    /// Whether no later release lists a change again: the release that ends pre-releases has what they had.
    fn is_done(&self, change: &ReleasedChange) -> bool {
        !change.version.contains('-') || self.lanes.contains_key(&change.package)
    }

    /// Returns the packages that the tool releases; one alone at the top of the repository is none.
    pub(crate) fn packages(&self, tree: &dyn FileTree) -> anyhow::Result<Vec<ToolPackage>> {
        self.packages.read(tree)
    }

    /// Returns the members of the workspace that have versions and that the tool never releases.
    pub(crate) fn unreleased(&self, tree: &dyn FileTree) -> anyhow::Result<Vec<UnreleasedMember>> {
        self.packages.unreleased(tree)
    }

    /// Returns a line of front matter as lines of the packages that its name stands for.
    pub(super) fn lines_of_packages(&self, line: &str) -> Vec<String> {
        let found = front_matter::keys(line).into_iter().find_map(|key| self.aliases.get(key));
        let value = line.find(':').map_or("", |colon| &line[colon..]);
        match found {
            Some(packages) => packages.iter().map(|package| format!("{package:?}{value}")).collect(),
            None => vec![line.to_owned()],
        }
    }

    /// Returns the name of the package in a directory that the configuration of the tool lists.
    pub(super) fn listed_package_in(&self, directory: Option<&str>) -> Option<&str> {
        self.listed_packages_in(directory?).next()
    }

    /// Returns the names of the packages in a directory that the configuration of the tool lists.
    pub(crate) fn listed_packages_in<'a>(&'a self, directory: &str) -> impl Iterator<Item = &'a str> {
        let listed = if let PackageList::Listed(packages) = &self.packages { packages.as_slice() } else { &[] };
        listed.iter().filter(move |package| package.directory == directory).map(|package| package.name.as_str())
    }

    /// Returns the path and the content of the file that describes a change.
    ///
    /// # Errors
    /// If the change lacks what the tool asks for.
    pub(crate) fn write(&self, change: &NewChange) -> Result<(String, String), Problem> {
        let (name, content) = (self.tool.write)(self, change)?;
        let directory = self.directories.first().map(String::as_str).unwrap_or_default();
        Ok((format!("{directory}/{name}"), content))
    }

    /// Whether a release keeps its section in a file of its own.
    pub(crate) fn keeps_sections(&self) -> bool {
        matches!(self.release_note, ReleaseNote::VersionFiles { .. })
    }

    /// Whether a file in one of the directories is a change file, by its name.
    pub(crate) fn has(&self, name: &str) -> bool {
        !name.starts_with('.') && (self.tool.is_change_file)(self, name)
    }

    /// Reads the changes in a file.
    ///
    /// # Errors
    /// If the file is malformed; the message has its path and line.
    pub(crate) fn parse(&self, path: &str, bytes: &[u8]) -> Result<Vec<Change>, Problem> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
        let mut changes = (self.tool.parse)(self, &Source::new(path, text))?;
        let id = file_id(path);
        for change in &mut changes {
            path.clone_into(&mut change.path);
            change.targets.retain(|target| {
                let is_of =
                    |known: &&ReleasedChange| Some(&known.package) == target.package.as_ref() && known.file == id;
                match &self.selected {
                    Some(selected) => selected.iter().any(|known| is_of(&known)),
                    None => !self.released.iter().filter(is_of).any(|known| self.is_done(known)),
                }
            });
        }
        Ok(changes)
    }
}
