//! The members of a workspace that get a version, and how the requirements of others for them change.

use std::collections::{HashMap, HashSet};

use semver::{Version, VersionReq};

use super::manifest::{ManifestError, PEERS};
use crate::{
    config::WorkspaceKind,
    model::BumpLevel,
    version_files::{file_tree::join_path, span::VersionSpan},
};

#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) found: VersionSpan,
    pub(super) new: String,
}

/// A member's version that a package has to require from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    /// The name of the member.
    pub member: String,
    /// Its version.
    pub version: Version,
}

/// A member that gets a version in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedMember {
    pub name: String,
    pub version: Version,
    /// How far its package is raised, which the versions alone do not say where several move together.
    pub level: BumpLevel,
}

impl PlannedMember {
    /// Returns what `workspace:^` or `workspace:~` is for others, from the version that the new one was counted from; where
    /// several move together, that may be the one of another member.
    pub(super) fn published_requirement(&self, requirement: &str) -> Option<String> {
        let operator = requirement.strip_prefix(PROTOCOL).filter(|range| matches!(*range, "^" | "~"))?;
        let Version { major, minor, patch, pre, .. } = &self.version;
        let (major, minor, patch) = match (self.level, pre.is_empty()) {
            (BumpLevel::Patch, true) => (*major, *minor, patch.checked_sub(1)?),
            (BumpLevel::Minor, true) => (*major, minor.checked_sub(1)?, 0),
            _ => return None,
        };
        Some(format!("{operator}{}", Version::new(major, minor, patch)))
    }

    pub(super) fn update(&self) -> Update {
        Update { member: self.name.clone(), version: self.version.clone() }
    }
}

/// The members with versions of the same run that others require from now on, whatever they could stay with.
#[derive(Clone, Debug, Default)]
pub(crate) struct RaisedRequirements {
    pub(crate) of_peers: Vec<PlannedMember>,
    pub(crate) of_others: Vec<PlannedMember>,
    /// All of these, whose requirements are raised at least where they do not allow the version.
    pub(crate) all: Vec<PlannedMember>,
    /// The members beside those of the edit whose requirements are raised too.
    pub(crate) dependents: Vec<String>,
    /// Whether only requirements with the protocol `workspace:` change.
    pub(crate) only_protocol: bool,
    /// Whether a range such as `>=1.2.0 <3.0.0` keeps its end.
    pub(crate) keeps_ends: bool,
}

impl RaisedRequirements {
    /// Returns the new version of a member, if it is raised in a table of requirements that has this one for it.
    pub(super) fn find(&self, table: &str, name: &str, requirement: &str) -> Option<&PlannedMember> {
        let raised = last(if table == PEERS { &self.of_peers } else { &self.of_others }, name);
        raised.or_else(|| last(&self.all, name).filter(|member| excludes(requirement, &member.version)))
    }
}

/// Returns the last one of this name, which has the version that the member gets.
fn last<'a>(members: &'a [PlannedMember], name: &str) -> Option<&'a PlannedMember> {
    members.iter().rev().find(|member| member.name == name)
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
pub(crate) struct WorkspaceEdit {
    pub(super) kind: WorkspaceKind,
    /// The directory of the workspace, from the top of the repository.
    pub(super) root: String,
    pub(super) version: Version,
    /// The members by directory, with their names and the versions they had.
    pub(super) members: HashMap<String, (Option<String>, Option<Version>)>,
    /// Whether `workspace.package.version` is set.
    pub(super) sets_shared_version: bool,
    /// Whether requirements that allow the version are kept, since other members have their own versions.
    pub(super) keeps_requirements: bool,
    pub(super) dependents: Vec<Dependent>,
    /// The directories of manifests whose requirements for a member are for another package, with the name of that.
    pub(super) foreign: HashSet<(String, String)>,
    /// What these members require from now on.
    pub(super) required: RaisedRequirements,
    /// The directories of the members beside these that require it from now on, too.
    pub(super) raised: HashSet<String>,
    /// The files that change, from the top of the repository.
    pub paths: Vec<String>,
}

impl WorkspaceEdit {
    /// Returns the member of a name with its old version, if its version is set.
    pub(super) fn member(&self, name: &str) -> Option<&(Option<String>, Option<Version>)> {
        self.members.values().find(|(member, _)| member.as_deref() == Some(name))
    }

    /// Whether the version of the member in this directory of the workspace is set.
    pub(super) fn sets_member(&self, path: &str) -> bool {
        join_path(&self.root, path).is_some_and(|directory| self.members.contains_key(&directory))
    }

    /// Whether the requirements in a directory, from the top of the repository, are raised though they could stay.
    pub(super) fn raises_in(&self, directory: &str) -> bool {
        self.members.contains_key(directory) || self.raised.contains(directory)
    }

    /// Whether the requirements of the member in this directory of the workspace are raised though they could stay.
    pub(super) fn raises_member(&self, path: &str) -> bool {
        join_path(&self.root, path).is_some_and(|directory| self.raises_in(&directory))
    }

    pub(super) fn set_version(&self, found: VersionSpan) -> Replacement {
        Replacement { found, new: self.version.to_string() }
    }

    /// Returns what a member is to require of another one, by table and name; `None` if that can stay.
    /// `is_raised`: whether it is raised though it could stay.
    pub(super) fn requirement(
        &self,
        table: &str,
        name: &str,
        found: VersionSpan,
        is_raised: bool,
    ) -> Result<Option<Replacement>, ManifestError> {
        if self.leaves(&found.value) {
            return Ok(None);
        }
        if let Some(raised) = self.required.find(table, name, &found.value).filter(|_| is_raised) {
            let new = raised_requirement(&found.value, raised, self.required.keeps_ends);
            let new = new.filter(|new| *new != found.value);
            return Ok(new.map(|new| Replacement { found, new }));
        }
        self.set_requirement(name, found)
    }

    /// Whether a requirement is for a package of a registry, whatever it is called.
    fn leaves(&self, requirement: &str) -> bool {
        self.required.only_protocol && !requirement.starts_with(PROTOCOL)
    }

    /// Raises the requirement for a member to the new version; `None` if it can stay.
    pub(super) fn set_requirement(&self, name: &str, found: VersionSpan) -> Result<Option<Replacement>, ManifestError> {
        let Some((_, old)) = self.member(name).filter(|_| !self.leaves(&found.value)) else { return Ok(None) };
        let is_allowed = |version: &Version| allows(self.kind, &found.value, version);
        // npm installs another version from the registry if the one of the workspace is not allowed.
        let is_foreign = self.kind == WorkspaceKind::Npm && old.as_ref().and_then(is_allowed) == Some(false);
        let Some(allows) =
            is_allowed(&self.version).filter(|allows| !is_foreign && (!*allows || !self.keeps_requirements))
        else {
            return Ok(None);
        };
        match bump_requirement(self.kind, &found.value, &self.version) {
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

/// The prefix of requirements that only a workspace can satisfy (pnpm and Yarn).
pub(super) const PROTOCOL: &str = "workspace:";

/// Whether a requirement allows a version; `None` if it is not a range of versions but, say, a tag of a registry.
pub(super) fn allows(kind: WorkspaceKind, requirement: &str, version: &Version) -> Option<bool> {
    match kind {
        WorkspaceKind::Cargo => Some(VersionReq::parse(requirement).ok()?.matches(version)),
        WorkspaceKind::Npm => npm_allows(requirement.strip_prefix(PROTOCOL).unwrap_or(requirement), version),
    }
}

/// Returns the requirement that a published package has: registries get the version in place of `workspace:^`.
pub(super) fn published_requirement(requirement: &str, version: Option<&str>) -> Option<String> {
    let Some(range) = requirement.strip_prefix(PROTOCOL) else { return Some(requirement.to_owned()) };
    match range {
        "" | "*" => version.map(str::to_owned),
        "^" | "~" => version.map(|version| format!("{range}{version}")),
        range => Some(range.to_owned()),
    }
}

/// Reads a range of npm (node-semver) as Cargo's, whose comparators mean the same.
fn npm_allows(range: &str, version: &Version) -> Option<bool> {
    if matches!(range.trim(), "" | "*" | "^" | "~") {
        return Some(true);
    }
    let alternatives = range.split("||").map(comparators).collect::<Option<Vec<_>>>()?;
    Some(alternatives.iter().any(|alternative| alternative.matches(version)))
}

/// Parses one alternative of an npm range: comparators between spaces, or `FROM - TO`.
fn comparators(alternative: &str) -> Option<VersionReq> {
    let spaced = match alternative.split_once(" - ") {
        Some((from, to)) => format!(">={} <={}", from.trim(), to.trim()),
        None => alternative.to_owned(),
    };
    let mut list: Vec<String> = Vec::new();
    let mut operator = String::new();
    for word in spaced.split_whitespace() {
        let number = word.trim_start_matches(['<', '>', '=', '^', '~']);
        operator += &word[..word.len() - number.len()];
        if number.is_empty() {
            continue;
        }
        // Only the numbers have wildcards: a pre-release may be called `next`.
        let version = number.trim_start_matches('v');
        let (numbers, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
        let number = numbers.replace(['x', 'X'], "*") + rest;
        let is_bare = operator.is_empty() && !number.contains('*');
        list.push(format!("{}{number}", if is_bare { "=" } else { &operator }));
        operator.clear();
    }
    VersionReq::parse(&list.join(", ")).ok()
}

/// Returns the requirement in the same form for another version, such as `^0.2` for `^0.1`; `None` if its form has no
/// single version to replace, as in `>=1, <3`.
pub(super) fn bump_requirement(kind: WorkspaceKind, requirement: &str, version: &Version) -> Option<String> {
    let old = requirement.strip_prefix(PROTOCOL).unwrap_or(requirement).trim_start_matches(['^', '~', '=', ' ', 'v']);
    let operator = &requirement[..requirement.len() - old.len()];
    let numbers: Vec<_> = old.split(['-', '+']).next()?.split('.').collect();
    if numbers.len() > 3 || !numbers.iter().all(|part| part.parse::<u64>().is_ok() || matches!(*part, "x" | "X" | "*"))
    {
        return None;
    }
    let full = Version { build: semver::BuildMetadata::EMPTY, ..version.clone() }.to_string();
    let parts = [version.major, version.minor, version.patch];
    let same_width: Vec<_> = numbers
        .iter()
        .zip(parts)
        .map(|(old, new)| if old.parse::<u64>().is_ok() { new.to_string() } else { (*old).to_owned() })
        .collect();
    let short = if numbers.len() == 3 && !same_width.iter().any(|part| part.parse::<u64>().is_err()) {
        full.clone()
    } else {
        same_width.join(".")
    };
    let candidates = [short, full].map(|number| format!("{operator}{number}"));
    candidates.into_iter().find(|candidate| allows(kind, candidate, version) == Some(true))
}

/// Whether a requirement of npm does not allow a version, as changesets reads it: `*` allows no pre-release, and an empty
/// one is none.
pub(super) fn excludes(requirement: &str, version: &Version) -> bool {
    is_any(requirement) && !requirement.is_empty() && !version.pre.is_empty()
        || allows(WorkspaceKind::Npm, requirement, version) == Some(false)
}

fn is_any(range: &str) -> bool {
    matches!(range.trim(), "" | "*" | "x" | "X")
}

/// Returns the requirement that changesets writes for a version: with the operator of the old one; `None` if it stays
/// because any version will do, or is not a range of npm. With `keeps_ends` a range between two versions keeps its end.
fn raised_requirement(requirement: &str, to: &PlannedMember, keeps_ends: bool) -> Option<String> {
    let (range, version) = (requirement.strip_prefix(PROTOCOL).unwrap_or(requirement), &to.version);
    npm_allows(range, version)?;
    let is_any = if range.len() < requirement.len() {
        is_any(range) || matches!(range, "^" | "~")
    } else {
        range.is_empty() || is_any(range) && version.pre.is_empty()
    };
    let operator = ["^", "~", ">=", "<=", ">"].into_iter().find(|operator| range.starts_with(operator)).unwrap_or("");
    let protocol = &requirement[..requirement.len() - range.len()];
    let end = if keeps_ends { end_after(range, to) } else { None };
    let (operator, end) = end.map_or((operator, String::new()), |end| (">=", format!(" {end}")));
    (!is_any).then(|| format!("{protocol}{operator}{version}{end}"))
}

/// Returns the end of a range between two versions, such as `<3.0.0`, or the next one if a version is not below it; `None`
/// for other ranges.
fn end_after(range: &str, to: &PlannedMember) -> Option<String> {
    let (_, end) = range.split_once('<').filter(|(start, _)| start.trim_start().starts_with('>'))?;
    let end = format!("<{end}");
    if allows(WorkspaceKind::Npm, &end, &to.version)? {
        return Some(end);
    }
    let Version { major, minor, patch, ref pre, .. } = to.version;
    let next = match to.level {
        _ if !pre.is_empty() => Version::new(major, minor, patch),
        BumpLevel::Major => Version::new(major.saturating_add(1), 0, 0),
        BumpLevel::Minor => Version::new(major, minor.saturating_add(1), 0),
        BumpLevel::Patch | BumpLevel::None => Version::new(major, minor, patch.saturating_add(1)),
    };
    Some(format!("<{next}"))
}

#[cfg(test)]
mod tests {
    use super::{WorkspaceKind::*, *};

    fn raised(requirement: &str, version: &str, keeps_ends: bool) -> Option<String> {
        let version = version.parse().unwrap();
        let to = PlannedMember { name: "mast".to_owned(), version, level: BumpLevel::Minor };
        raised_requirement(requirement, &to, keeps_ends)
    }

    #[test]
    fn a_requirement_is_raised_to_a_version_as_changesets_does() {
        for (old, new) in [
            ("^1.0.0", Some("^1.5.0")),
            ("~1.4", Some("~1.5.0")),
            (">=1 <3", Some(">=1.5.0")),
            ("workspace:^1.0.0", Some("workspace:^1.5.0")),
            ("1.x", Some("1.5.0")),
            ("workspace:^", None),
            ("*", None),
            ("latest", None),
        ] {
            assert_eq!(raised(old, "1.5.0", false).as_deref(), new, "{old}");
        }
        for (old, new) in [
            (">=1.2.0 <3.0.0", ">=1.5.0 <3.0.0"),
            (">1.2.0 <1.5.0", ">=1.5.0 <1.6.0"),
            ("workspace:>=1.2.0 <3.0.0", "workspace:>=1.5.0 <3.0.0"),
            (">=1.2.0", ">=1.5.0"),
            ("<3.0.0", "1.5.0"),
        ] {
            assert_eq!(raised(old, "1.5.0", true).as_deref(), Some(new), "{old}");
        }
        assert_eq!(raised(">=1.2.0 <3.0.0", "1.5.0-next.0", true).as_deref(), Some(">=1.5.0-next.0 <1.5.0"));
        let pre_release = "1.5.0-next.0".parse().unwrap();
        for (old, new) in [
            ("*", Some("1.5.0-next.0")),
            ("", None),
            ("workspace:*", None),
            ("workspace:~", None),
            (">=1.2.3", Some(">=1.5.0-next.0")),
        ] {
            assert_eq!(raised(old, "1.5.0-next.0", false).as_deref(), new, "{old}");
            assert_eq!(excludes(old, &pre_release), new.is_some(), "{old}");
        }
    }

    #[test]
    fn ranges_of_npm_mean_what_node_semver_says() {
        for (range, inside, outside) in [
            ("^1.2.0", "1.9.0", "2.0.0"),
            ("^0.1", "0.1.9", "0.2.0"),
            ("~1.2", "1.2.9", "1.3.0"),
            ("1.2.3", "1.2.3", "1.2.4"),
            ("v1.2.3", "1.2.3", "1.3.0"),
            ("1.x", "1.9.0", "2.0.0"),
            ("1.2", "1.2.7", "1.3.0"),
            (">= 1.2.0 <2", "1.9.0", "2.0.0"),
            ("1.0.0 - 1.4", "1.4.9", "1.5.0"),
            ("^1.0.0 || ^3.0.0", "3.1.0", "2.0.0"),
            ("workspace:^1.0.0", "1.1.0", "2.0.0"),
            ("^1.0.0-rc.1", "1.0.0-rc.2", "1.1.0-rc.1"),
            ("^1.0.0-next.1", "1.0.0-next.2", "1.1.0-next.1"),
        ] {
            let allows = |version: &str| allows(Npm, range, &version.parse().unwrap());
            assert_eq!((allows(inside), allows(outside)), (Some(true), Some(false)), "{range}");
        }
        let any = ["", "*", "workspace:*", "workspace:^", "workspace:~"];
        assert!(any.iter().all(|range| allows(Npm, range, &"3.0.0-rc.1".parse().unwrap()) == Some(true)));
        assert_eq!(allows(Npm, "latest", &Version::new(1, 0, 0)), None);
    }

    #[test]
    fn a_requirement_is_raised_in_its_own_form() {
        for (kind, old, version, new) in [
            (Cargo, "0.1.0", "0.2.0", Some("0.2.0")),
            (Cargo, "0.1", "0.2.3", Some("0.2")),
            (Cargo, "1", "2.1.0", Some("2")),
            (Cargo, "=0.1.0", "0.1.1", Some("=0.1.1")),
            (Cargo, "^0.1", "0.2.0-rc.1", Some("^0.2.0-rc.1")),
            (Cargo, "~ 1.2", "1.3.0+b.1", Some("~ 1.3")),
            (Cargo, "1.*", "2.0.0", Some("2.*")),
            (Cargo, "*", "2.0.0", Some("*")),
            (Cargo, ">=0.1, <0.3", "0.3.0", None),
            (Npm, "^1.0.0-rc.1", "1.0.0", Some("^1.0.0")),
            (Npm, "workspace:~1.0.0", "1.1.0", Some("workspace:~1.1.0")),
            (Npm, "1.2.x", "2.0.0", Some("2.0.x")),
            (Npm, "1.0.0", "1.0.1", Some("1.0.1")),
            (Npm, "^1 || ^2", "3.0.0", None),
            (Npm, "workspace:*", "3.0.0", Some("workspace:*")),
        ] {
            assert_eq!(bump_requirement(kind, old, &version.parse().unwrap()).as_deref(), new, "{old}");
        }
    }
}
