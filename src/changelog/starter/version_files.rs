//! Files that hold the version of what lies beside them.

use super::Files;
use crate::{
    changelog::version_file,
    model::{VersionFile, VersionPlace},
};

/// Where the version stands in a file of this name.
enum Place {
    Key(&'static str),
    Regex(&'static str),
    /// Behind the name that this other file has at a key: packages are listed by their names.
    Named(&'static str, &'static str),
}

/// What is looked for.
const PLACES: [(&str, Place); 18] = [
    ("Cargo.toml", Place::Key("package.version")),
    ("Cargo.toml", Place::Key("workspace.package.version")),
    ("Cargo.lock", Place::Named("Cargo.toml", "package.name")),
    ("package.json", Place::Key("version")),
    ("package-lock.json", Place::Key("version")),
    ("package-lock.json", Place::Key("packages.\"\".version")),
    ("deno.json", Place::Key("version")),
    ("pyproject.toml", Place::Key("project.version")),
    ("pyproject.toml", Place::Key("tool.poetry.version")),
    ("uv.lock", Place::Named("pyproject.toml", "project.name")),
    ("setup.cfg", Place::Regex(r"^version *= *(\d\S*)")),
    ("composer.json", Place::Key("version")),
    ("pubspec.yaml", Place::Key("version")),
    ("mix.exs", Place::Regex(r#"^ *version: "(.*)""#)),
    ("gradle.properties", Place::Regex(r"^version *= *(\d\S*)")),
    ("Chart.yaml", Place::Key("version")),
    ("galaxy.yml", Place::Key("version")),
    ("VERSION", Place::Regex(r"^v?(\d\S*)$")),
];

/// Those below a folder that have a version now, at the top where it is empty.
pub(super) fn find(folder: &str, files: &Files) -> Vec<VersionFile> {
    PLACES.iter().filter_map(|(name, place)| place.find(folder, name, files)).collect()
}

impl Place {
    fn find(&self, folder: &str, name: &str, files: &Files) -> Option<VersionFile> {
        let beside = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let (path, place) = match self {
            Self::Key(key) => (beside(name), VersionPlace::Key((*key).to_owned())),
            Self::Regex(regex) => (beside(name), VersionPlace::Regex((*regex).to_owned())),
            Self::Named(other, key) => {
                let named = VersionFile { path: beside(other), place: VersionPlace::Key((*key).to_owned()) };
                let name_there = values(&named, files)?.pop().filter(|name| is_plain(name))?;
                // Several packages of one repository are often listed together.
                let path = [beside(name), name.to_owned()].into_iter().find(|path| (files.read)(path).is_some())?;
                (path, VersionPlace::Regex(format!("^name = \"{name_there}\"\\nversion = \"(.*)\"")))
            }
        };
        let file = VersionFile { path, place };
        values(&file, files)?.iter().all(|value| is_version(value)).then_some(file)
    }
}

fn values(file: &VersionFile, files: &Files) -> Option<Vec<String>> {
    version_file::values(&(files.read)(&file.path)?, file).ok()
}

/// Whether a name means itself in a regex.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
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
        let found = find(folder, &Files { is_folder: &|_| false, read: &read });
        let line = |file: VersionFile| match file.place {
            VersionPlace::Key(text) | VersionPlace::Regex(text) => format!("{} {text}", file.path),
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
    }
}
