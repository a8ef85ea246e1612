//! Files that hold the version of what lies beside them.

use super::{RepositoryFiles, lock_file};
use crate::{
    changelog::version_file,
    model::{VersionFile, VersionLocator},
};

/// Where the version stands in a file of this name.
enum VersionProbe {
    Key(&'static str),
    Regex(&'static str),
    /// Behind the name of the package whose name and version this other file has in a table.
    Package(&'static str, &'static str),
    /// Behind the names of all packages that share the version which this other file has at a key.
    Members(&'static str, &'static str),
}

/// What is looked for.
const PLACES: [(&str, VersionProbe); 19] = [
    ("Cargo.toml", VersionProbe::Key("package.version")),
    ("Cargo.toml", VersionProbe::Key("workspace.package.version")),
    ("Cargo.lock", VersionProbe::Package("Cargo.toml", "package")),
    ("Cargo.lock", VersionProbe::Members("Cargo.toml", "workspace.package.version")),
    ("package.json", VersionProbe::Key("version")),
    ("package-lock.json", VersionProbe::Key("version")),
    ("package-lock.json", VersionProbe::Key("packages.\"\".version")),
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

/// Those below a folder that have a version now, at the top where it is empty.
pub(super) fn find(folder: &str, files: &RepositoryFiles) -> Vec<VersionFile> {
    let search = Search { folder, files };
    let found = PLACES.iter().filter_map(|(name, place)| search.resolve(name, place));
    found
        .filter(|file| search.values(file).is_some_and(|values| values.iter().all(|value| is_version(value))))
        .collect()
}

struct Search<'a> {
    folder: &'a str,
    files: &'a RepositoryFiles<'a>,
}

impl Search<'_> {
    fn resolve(&self, name: &str, place: &VersionProbe) -> Option<VersionFile> {
        let (path, place) = match place {
            VersionProbe::Key(key) => (self.beside(name), VersionLocator::Key((*key).to_owned())),
            VersionProbe::Regex(regex) => (self.beside(name), VersionLocator::Regex((*regex).to_owned())),
            VersionProbe::Package(file, table) => {
                self.value(file, &format!("{table}.version"))?;
                let package = self.value(file, &format!("{table}.name"))?;
                (self.lock(name)?.0, VersionLocator::Regex(lock_file::regex(&[&package])?))
            }
            VersionProbe::Members(file, key) => {
                let (version, (path, lock)) = (self.value(file, key)?, self.lock(name)?);
                (path, VersionLocator::Regex(lock_file::regex(&lock_file::members(&lock, &version))?))
            }
        };
        Some(VersionFile { path, locator: place })
    }

    fn beside(&self, name: &str) -> String {
        if self.folder.is_empty() { name.to_owned() } else { format!("{}/{name}", self.folder) }
    }

    /// The lock file: several packages of one repository often share the one at the top.
    fn lock(&self, name: &str) -> Option<(String, String)> {
        [self.beside(name), name.to_owned()].into_iter().find_map(|path| {
            let text = String::from_utf8((self.files.read)(&path)?).ok()?;
            Some((path, text))
        })
    }

    fn value(&self, name: &str, key: &str) -> Option<String> {
        self.values(&VersionFile { path: self.beside(name), locator: VersionLocator::Key(key.to_owned()) })?.pop()
    }

    fn values(&self, file: &VersionFile) -> Option<Vec<String>> {
        version_file::values(&(self.files.read)(&file.path)?, file).ok()
    }
}

/// Whether a value is kept up to date: 0.0.0 stands in for what is never set.
fn is_version(value: &str) -> bool {
    let version = semver::Version::parse(value.strip_prefix('v').unwrap_or(value));
    version.is_ok_and(|version| (version.major, version.minor, version.patch) != (0, 0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(folder: &str, there: &[(&str, &str)]) -> Vec<String> {
        let read = |path: &str| there.iter().find(|(name, _)| *name == path).map(|(_, text)| text.as_bytes().to_vec());
        let found = find(folder, &RepositoryFiles { is_folder: &|_| false, read: &read });
        let line = |file: VersionFile| match file.locator {
            VersionLocator::Key(text) | VersionLocator::Regex(text) => format!("{} {text}", file.path),
            VersionLocator::Workspace { kind, members } => format!("{} {kind:?} {members:?}", file.path),
        };
        found.into_iter().map(line).collect()
    }

    const LOCK: &str =
        "[[package]]\nname = \"app\"\nversion = \"1.2.0\"\n\n[[package]]\nname = \"b\"\nversion = \"3\"\n";
    const CARGO: &str = "[package]\nname = \"app\"\nversion = \"1.2.0\"\n";

    #[test]
    fn a_file_counts_where_it_has_a_version() {
        let lock = "{\"version\": \"1.2.0\", \"packages\": {\"\": {\"version\": \"1.2.0\"}}}";
        let there = [("package-lock.json", lock), ("Chart.yaml", "version: 1.2.0\n"), ("VERSION", "v1.2.0\n")];
        let expected = [
            "package-lock.json version",
            "package-lock.json packages.\"\".version",
            "Chart.yaml version",
            "VERSION ^v?(\\d\\S*)$",
        ];
        assert_eq!(found("", &there), expected);
        let never = [
            ("package.json", "{\"version\": \"0.0.0-development\"}"),
            ("pyproject.toml", "[project]\ndynamic = [\"version\"]\n"),
            ("Chart.yaml", "version: [\n"),
            ("VERSION", "see git\n"),
        ];
        assert!(found("", &never).is_empty());
    }

    #[test]
    fn a_list_of_packages_is_searched_by_name() {
        let expected = ["Cargo.toml package.version", "Cargo.lock ^name = \"app\"\\nversion = \"(.*)\""];
        assert_eq!(found("", &[("Cargo.toml", CARGO), ("Cargo.lock", LOCK)]), expected);
        let below = [("crates/app/Cargo.toml", CARGO), ("Cargo.lock", LOCK)];
        assert_eq!(found("crates/app", &below), ["crates/app/Cargo.toml package.version", expected[1]]);
        let inherited = "[package]\nname = \"other\"\nversion.workspace = true\n";
        assert!(found("", &[("Cargo.toml", inherited), ("Cargo.lock", LOCK)]).is_empty());
        let workspace =
            "[workspace.package]\nversion = \"1.2.0\"\n[package]\nname = \"app\"\nversion.workspace = true\n";
        let expected = ["Cargo.toml workspace.package.version", expected[1]];
        assert_eq!(found("", &[("Cargo.toml", workspace), ("Cargo.lock", LOCK)]), expected);
    }
}
