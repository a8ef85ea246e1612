//! What a workspace member requires of another: whether it allows a version, and how it is raised to one.

use semver::{Version, VersionReq};

use crate::config::WorkspaceKind;

/// The prefix of requirements that only a workspace can satisfy (pnpm and Yarn).
const PROTOCOL: &str = "workspace:";

/// Whether a requirement allows a version; `None` if it is not a range of versions but, say, a tag of a registry.
pub(super) fn allows(kind: WorkspaceKind, requirement: &str, version: &Version) -> Option<bool> {
    match kind {
        WorkspaceKind::Cargo => Some(VersionReq::parse(requirement).ok()?.matches(version)),
        WorkspaceKind::Npm => npm_allows(requirement.strip_prefix(PROTOCOL).unwrap_or(requirement), version),
    }
}

/// The requirement that a published package has: registries get the version in place of `workspace:^`.
pub(super) fn published(requirement: &str, version: Option<&str>) -> Option<String> {
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

/// One alternative of an npm range: comparators between spaces, or `FROM - TO`.
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
        let number = number.trim_start_matches('v').replace(['x', 'X'], "*");
        let is_bare = operator.is_empty() && !number.contains('*');
        list.push(format!("{}{number}", if is_bare { "=" } else { &operator }));
        operator.clear();
    }
    VersionReq::parse(&list.join(", ")).ok()
}

/// The requirement in the same form for another version, such as `^0.2` for `^0.1`; `None` if its form has no one
/// version to replace, as in `>=1, <3`.
pub(super) fn raise(kind: WorkspaceKind, requirement: &str, version: &Version) -> Option<String> {
    let old = requirement.strip_prefix(PROTOCOL).unwrap_or(requirement).trim_start_matches(['^', '~', '=', ' ', 'v']);
    let operator = &requirement[..requirement.len() - old.len()];
    let numbers: Vec<_> = old.split(['-', '+']).next()?.split('.').collect();
    let is_number = |part: &&str| part.parse::<u64>().is_ok() || matches!(*part, "x" | "X" | "*");
    if numbers.len() > 3 || !numbers.iter().all(is_number) {
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

#[cfg(test)]
mod tests {
    use super::{WorkspaceKind::*, *};

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
            assert_eq!(raise(kind, old, &version.parse().unwrap()).as_deref(), new, "{old}");
        }
    }
}
