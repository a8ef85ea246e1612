//! What a release does to the change files that it lists, as their tool would: it deletes them, or notes that they are
//! released where they stay for now.

use indexmap::IndexMap;
use serde_json::Value;

use super::{
    change::file_id,
    front_matter,
    layout::{ChangeFiles, ReleaseNote},
};
use crate::model::{Problem, Source, Version};

/// A change file that a release lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedFile {
    pub path: String,
    pub content: Vec<u8>,
    /// The packages whose changes are listed; `None` for all.
    pub packages: Option<Vec<String>>,
}

/// The release that consumes change files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConsumingRelease<'a> {
    pub version: &'a Version,
    /// The directory of its package, if it is of one.
    pub directory: Option<&'a str>,
    /// Its section, as the changelog file has it; only read if [`ChangeFiles::keeps_sections`].
    pub section: &'a str,
}

/// What happens to the files of a tool, by their paths.
#[derive(Debug, Default)]
pub(crate) struct Consumption {
    files: Option<ChangeFiles>,
    edits: IndexMap<String, Edit>,
}

#[derive(Debug)]
enum Edit {
    Delete,
    /// The lines of these packages go; without others, the file does.
    Release(Vec<String>),
    Write(Vec<u8>),
    /// Adds the names of files to a list of a JSON file.
    List {
        key: &'static str,
        names: Vec<String>,
    },
    Ledger(Vec<LedgerEntry>),
}

/// An entry of pnpm's ledger: the files that a version of a package released.
#[derive(Debug)]
struct LedgerEntry {
    /// The package and the version: `package@version`.
    key: String,
    /// The directory of the package, if the release is of one.
    directory: Option<String>,
    files: Vec<String>,
}

impl Consumption {
    /// Plans what a release does to the files that it lists. A pre-release leaves them, because the stable release lists
    /// them once more; some tools note which ones it had.
    pub(crate) fn plan(files: &ChangeFiles, listed: &[ListedFile], release: ConsumingRelease<'_>) -> Self {
        let mut plan = Self { files: Some(files.clone()), edits: IndexMap::new() };
        if !release.version.semver().pre.is_empty() {
            plan.note_pre_release(files, listed, release);
            return plan;
        }
        for file in listed {
            let edit = file.packages.clone().map_or(Edit::Delete, Edit::Release);
            plan.edits.insert(file.path.clone(), edit);
        }
        match &files.release_note {
            ReleaseNote::PreList { path, is_ending: true, .. }
            | ReleaseNote::PreDirectory { path, is_ending: true } => {
                plan.edits.insert(path.clone(), Edit::Delete);
            }
            ReleaseNote::Ledger(path) => {
                plan.edits.insert(path.clone(), Edit::Ledger(ledger_entries(files, listed, release)));
            }
            ReleaseNote::VersionFiles { directory, extension } if !listed.is_empty() => {
                let project = files.listed_package_in(release.directory).map(|name| format!("{name}/"));
                let path = format!("{directory}/{}v{}.{extension}", project.unwrap_or_default(), release.version);
                plan.edits.insert(path, Edit::Write(release.section.as_bytes().to_vec()));
            }
            _ => {}
        }
        plan
    }

    fn note_pre_release(&mut self, files: &ChangeFiles, listed: &[ListedFile], release: ConsumingRelease<'_>) {
        match &files.release_note {
            ReleaseNote::PreList { path, key, whole_paths, .. } => {
                let name =
                    |file: &ListedFile| if *whole_paths { file.path.clone() } else { file_id(&file.path).into() };
                self.edits.insert(path.clone(), Edit::List { key, names: listed.iter().map(name).collect() });
            }
            ReleaseNote::PreDirectory { path, .. } => {
                let directory = path.trim_end_matches(".json");
                for file in listed.iter().filter(|file| !file.path.starts_with(&format!("{directory}/"))) {
                    let name = file.path.rsplit('/').next().unwrap_or_default();
                    self.edits.insert(format!("{directory}/{name}"), Edit::Write(file.content.clone()));
                    self.edits.insert(file.path.clone(), Edit::Delete);
                }
            }
            ReleaseNote::Ledger(path) => {
                self.edits.insert(path.clone(), Edit::Ledger(ledger_entries(files, listed, release)));
            }
            ReleaseNote::Nothing | ReleaseNote::VersionFiles { .. } => {}
        }
    }

    /// Returns the paths of the files that change.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.edits.keys().map(String::as_str)
    }

    /// Returns the content of a file afterwards; `None` if it is deleted.
    ///
    /// # Errors
    /// If a file that notes releases is malformed.
    pub(crate) fn apply(&self, path: &str, old: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
        let (Some(files), Some(edit)) = (&self.files, self.edits.get(path)) else { return Ok(Some(old.to_vec())) };
        match edit {
            Edit::Delete => Ok(None),
            Edit::Write(content) => Ok(Some(content.clone())),
            Edit::Release(packages) => {
                without(files, &Source::new(path, String::from_utf8_lossy(old).into_owned()), packages)
            }
            Edit::List { key, names } => add_to_list(old, key, names)
                .map(Some)
                .map_err(|why| Problem::new(format!("cannot note the released change files in `{path}`: {why}"))),
            Edit::Ledger(entries) => Ok(Some(add_to_ledger(&String::from_utf8_lossy(old), entries).into_bytes())),
        }
    }
}

/// Returns a file without the lines of its front matter that name these packages; `None` if it lists nothing then.
///
/// # Errors
/// If the rest of the file cannot be read: it may list the changes of other packages.
fn without(files: &ChangeFiles, file: &Source, packages: &[String]) -> Result<Option<Vec<u8>>, Problem> {
    // A file without front matter is of one package.
    let Ok(front_matter::Parts { head, .. }) = front_matter::parts(file) else { return Ok(None) };
    let rest: String = file.text[head.clone()]
        .split_inclusive('\n')
        .flat_map(|line| files.lines_of_packages(line))
        .filter(|line| !front_matter::keys(line).iter().any(|key| packages.iter().any(|name| name == key)))
        .collect();
    if rest.trim().is_empty() {
        return Ok(None);
    }
    let left = format!("{}{rest}{}", &file.text[..head.start], &file.text[head.end..]);
    let changes = files.parse(&file.name, left.as_bytes()).map_err(|why| {
        Problem::new(format!("cannot take the released packages out of `{}`: {why}", file.name))
            .hint("write each package with its value on a line of its own")
    })?;
    Ok(changes.iter().any(|change| !change.targets.is_empty()).then(|| left.into_bytes()))
}

/// Adds names to a list of a JSON file, each once; an error says what is wrong with the file.
fn add_to_list(content: &[u8], key: &str, names: &[String]) -> Result<Vec<u8>, String> {
    let mut document: Value = serde_json::from_slice(content).map_err(|error| error.to_string())?;
    let fields = document.as_object_mut().ok_or("it is not an object")?;
    let list = fields.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    let list = list.as_array_mut().ok_or_else(|| format!("`{key}` is not a list"))?;
    for name in names {
        if !list.iter().any(|known| known.as_str() == Some(name)) {
            list.push(name.as_str().into());
        }
    }
    let mut text = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    text.push('\n');
    Ok(text.into_bytes())
}

/// Returns the entries that a release adds to the ledger: for each package, the files that name it.
fn ledger_entries(files: &ChangeFiles, listed: &[ListedFile], release: ConsumingRelease<'_>) -> Vec<LedgerEntry> {
    let mut entries: IndexMap<String, Vec<String>> = IndexMap::new();
    for file in listed {
        let changes = files.parse(&file.path, &file.content).unwrap_or_default();
        for package in changes.iter().flat_map(|change| &change.targets).filter_map(|target| target.package.as_ref()) {
            if file.packages.as_ref().is_none_or(|own| own.contains(package)) {
                entries.entry(package.clone()).or_default().push(file_id(&file.path).to_owned());
            }
        }
    }
    entries
        .into_iter()
        .map(|(package, mut files)| {
            files.sort_unstable();
            files.dedup();
            LedgerEntry {
                key: format!("{package}@{}", release.version),
                directory: release.directory.map(str::to_owned),
                files,
            }
        })
        .collect()
}

/// Adds entries to the ledger, in the order of its keys.
fn add_to_ledger(ledger: &str, entries: &[LedgerEntry]) -> String {
    let mut lines: Vec<String> = ledger.lines().map(str::to_owned).collect();
    for LedgerEntry { key, directory, files } in entries {
        let mut new = vec![format!("{}:", quoted(key))];
        let indentation = directory.as_ref().map_or("", |_| "  ");
        if let Some(directory) = directory {
            new.extend([format!("  dir: {}", scalar(directory)), "  intents:".to_owned()]);
        }
        new.extend(files.iter().map(|file| format!("{indentation}  - {}", scalar(file))));
        let at = lines
            .iter()
            .position(|line| {
                let name = front_matter::keys(line).pop();
                !line.starts_with([' ', '#', '-']) && name.is_some_and(|name| name.to_lowercase() > key.to_lowercase())
            })
            .unwrap_or(lines.len());
        lines.splice(at..at, new);
    }
    lines.join("\n") + "\n"
}

/// Returns a text as YAML: in quotes, unless it is one that means itself.
fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./@".contains(&byte));
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// Returns a text in the quotes of JSON, which are those of YAML too.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn plan(tree: &[(&'static str, &'static str)], version: &str, files: &[(&str, &str, Option<&str>)]) -> Consumption {
        let tree: BTreeMap<&str, &str> = tree.iter().copied().collect();
        let found = crate::sources::change_files::find(&tree).unwrap().unwrap();
        let listed = files.iter().map(|(path, content, package)| ListedFile {
            path: (*path).to_owned(),
            content: content.as_bytes().to_vec(),
            packages: package.map(|name| vec![name.to_owned()]),
        });
        let version = version.parse().unwrap();
        let release = ConsumingRelease { version: &version, directory: Some("crates/a"), section: "## 1.2.0\n" };
        Consumption::plan(&found, &listed.collect::<Vec<_>>(), release)
    }

    fn after(plan: &Consumption, path: &str, old: &str) -> Option<String> {
        plan.apply(path, old.as_bytes()).unwrap().map(|bytes| String::from_utf8(bytes).unwrap())
    }

    const FILE: &str = ".changeset/a.md";
    const TWO: &str = "---\n\"@x/a\": minor\n'b': patch\nc: none\n---\n\nMend it\n";

    #[test]
    fn a_file_goes_when_its_last_package_is_released() {
        let config = [(".changeset/config.json", "{}")];
        assert_eq!(after(&plan(&config, "1.2.0", &[(FILE, TWO, None)]), FILE, TWO), None);
        let one = after(&plan(&config, "1.2.0", &[(FILE, TWO, Some("@x/a"))]), FILE, TWO).unwrap();
        assert_eq!(one, "---\n'b': patch\nc: none\n---\n\nMend it\n");
        assert_eq!(after(&plan(&config, "1.2.0", &[(FILE, TWO, Some("b"))]), FILE, &one), None);
    }

    #[test]
    fn a_pre_release_leaves_the_files_and_notes_them_as_the_tool_does() {
        let config = (".changeset/config.json", "{}");
        assert_eq!(plan(&[config], "1.2.0-rc.1", &[(FILE, TWO, None)]).paths().count(), 0);
        let second = r#"{"mode": "pre", "tag": "rc", "initialVersions": {"b": "1.0.0"}, "changesets": ["z"]}"#;
        let noted = plan(&[config, (".changeset/pre.json", second)], "1.2.0-rc.1", &[(FILE, TWO, None)]);
        let expected = "{\n  \"mode\": \"pre\",\n  \"tag\": \"rc\",\n  \"initialVersions\": {\n    \"b\": \"1.0.0\"\n  \
                        },\n  \"changesets\": [\n    \"z\",\n    \"a\"\n  ]\n}\n";
        assert_eq!(after(&noted, ".changeset/pre.json", second).unwrap(), expected);
        assert_eq!(noted.paths().collect::<Vec<_>>(), [".changeset/pre.json"]);
        let third = r#"{"mode": "pre", "tag": "rc"}"#;
        let moved = plan(&[config, (".changeset/pre.json", third)], "1.2.0-rc.1", &[(FILE, TWO, None)]);
        assert_eq!(after(&moved, ".changeset/pre/a.md", "").as_deref(), Some(TWO));
        assert_eq!(after(&moved, FILE, TWO), None);
        let ended = plan(&[config, (".changeset/pre.json", r#"{"mode": "exit", "tag": "rc"}"#)], "1.2.0", &[]);
        assert_eq!(after(&ended, ".changeset/pre.json", third), None);
        let covector =
            [(".changes/config.json", "{\"packages\": {}}"), (".changes/pre.json", r#"{"tag": "rc", "changes": []}"#)];
        let noted = plan(&covector, "1.2.0-rc.1", &[(".changes/a.md", TWO, None)]);
        let expected = "{\n  \"tag\": \"rc\",\n  \"changes\": [\n    \".changes/a.md\"\n  ]\n}\n";
        assert_eq!(after(&noted, ".changes/pre.json", covector[1].1).unwrap(), expected);
    }

    #[test]
    fn a_file_whose_rest_cannot_be_read_stays() {
        let folded = "---\na: >\n  minor\nb: patch\n---\n\nMend it\n";
        let refused = plan(&[(".changeset/config.json", "{}")], "1.2.0", &[(FILE, folded, Some("a"))])
            .apply(FILE, folded.as_bytes())
            .unwrap_err();
        assert!(refused.to_string().starts_with("cannot take the released packages out of `.changeset/a.md`: "));
    }

    #[test]
    fn names_are_no_yaml_in_the_ledger() {
        let hostile = "---\n\"a@9.9.9\\\":\\n- victim\\n\\\"b\": minor\n---\n\nMend it\n";
        let path = ".changeset/x: [#.md";
        let ledger = "z@1.0.0: []\n";
        let plan = plan(&[(".changeset/ledger.yaml", ledger)], "1.2.0", &[(path, hostile, None)]);
        let written = after(&plan, ".changeset/ledger.yaml", ledger).unwrap();
        let tree = BTreeMap::from([(".changeset/ledger.yaml", written.as_str())]);
        let read = crate::sources::change_files::find(&tree).unwrap().unwrap();
        let released: Vec<_> = read.released.iter().map(|one| (one.package.as_str(), one.file.as_str())).collect();
        assert_eq!(released, [("a@9.9.9\":\n- victim\n\"b", "x: [#")], "{written}");
    }

    #[test]
    fn the_ledger_says_which_versions_have_a_file() {
        let ledger = "\"@x/a@1.1.0\":\n  dir: crates/a\n  intents:\n    - z\nb@1.0.0:\n  - z\n";
        let plan = plan(&[(".changeset/ledger.yaml", ledger)], "1.2.0", &[(FILE, TWO, Some("@x/a"))]);
        let expected = "\"@x/a@1.1.0\":\n  dir: crates/a\n  intents:\n    - z\n\"@x/a@1.2.0\":\n  dir: crates/a\n  \
                        intents:\n    - a\nb@1.0.0:\n  - z\n";
        let written = after(&plan, ".changeset/ledger.yaml", ledger).unwrap();
        assert_eq!(written, expected);
        let tree = BTreeMap::from([(".changeset/ledger.yaml", written.as_str())]);
        let read = crate::sources::change_files::find(&tree).unwrap().unwrap();
        for (package, file) in [("@x/a", "a"), ("b", "z")] {
            let is_listed = read.released.iter().any(|change| change.package == package && change.file == file);
            assert!(is_listed, "{:?}", read.released);
        }
    }

    #[test]
    fn changie_keeps_the_section_of_each_version_in_a_file() {
        let fragment = "kind: Fixed\nbody: Mend it\n";
        let plan = plan(&[(".changie.yaml", "{}")], "1.2.0", &[(".changes/unreleased/a.yaml", fragment, None)]);
        assert_eq!(after(&plan, ".changes/v1.2.0.md", "").as_deref(), Some("## 1.2.0\n"));
        assert_eq!(after(&plan, ".changes/unreleased/a.yaml", fragment), None);
    }
}
