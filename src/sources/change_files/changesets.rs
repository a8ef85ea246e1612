//! Changesets: `.changeset/*.md`, with a bump for each package. While a pre-release is in progress, files that it has
//! consumed stay, or move to `.changeset/pre`. pnpm keeps a ledger of the files that are released already.

use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    front_matter,
    kinds::{self, has_extension},
    layout::{ChangeFiles, PreRelease, ReleaseNote, ReleasedChange, RequirementRule, Tool},
    new_change::NewChange,
    packages::PackageList,
};
use crate::{
    config::{Field, ForeignConfig, GroupRule, VersionGroup},
    model::{BumpLevel, Position, Problem, Source, closest},
    version_files::FileTree,
};

const DIRECTORY: &str = ".changeset";

/// The ledger of pnpm: by `package@version`, the files that the version lists.
const LEDGER: &str = ".changeset/ledger.yaml";

/// Below `versioning`, this has the settings of pnpm's own releases.
const PNPM_WORKSPACE: &str = "pnpm-workspace.yaml";

/// The state of pre-releases. The second version of changesets lists the files that they have in it, the third one moves
/// them.
const PRE: &str = ".changeset/pre.json";

static TOOL: Tool = Tool { is_change_file: |_, name| is_change_file(name), write, parse };

pub(super) fn configure(bytes: &[u8], path: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let titles = [("major", "Major Changes"), ("minor", "Minor Changes"), ("patch", "Patch Changes")];
    let levels = [("major", BumpLevel::Major), ("minor", BumpLevel::Minor), ("patch", BumpLevel::Patch)];
    let released = tree.read(LEDGER)?.map(|ledger| released(&ledger)).transpose()?.unwrap_or_default();
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let experimental = kinds::find_field(&fields, "___experimentalUnsafeOptions_WILL_CHANGE_IN_PATCH");
    let experimental = experimental.map(Field::fields).transpose()?.unwrap_or_default();
    let dependents = kinds::field_text(&experimental, "updateInternalDependents")?;
    let major = version_of_tool(tree)?;
    let of_pnpm = tree.read(PNPM_WORKSPACE)?.map(|bytes| ForeignConfig::parse(&bytes, PNPM_WORKSPACE)).transpose()?;
    let of_pnpm = of_pnpm.as_ref().map(ForeignConfig::fields).transpose()?.unwrap_or_default();
    let versioning = kinds::find_field(&of_pnpm, "versioning").map(Field::fields).transpose()?.unwrap_or_default();
    let mut ignored = kinds::field_texts(&fields, "ignore")?;
    ignored.extend(kinds::field_texts(&versioning, "ignore")?);
    Ok(Some(ChangeFiles {
        pre_release: pre_release(tree)?,
        lanes: lanes(&versioning)?,
        groups: [groups(&fields)?, groups(&versioning)?].concat(),
        packages: PackageList::Members { released: Vec::new(), ignored, skips_private: skips_private(&fields, major)? },
        raises_all_dependents: dependents.as_deref() == Some("always"),
        requirements: requirements(&fields, &experimental, major, tree)?,
        configured_in: path.to_owned(),
        directories: vec![DIRECTORY.to_owned(), format!("{DIRECTORY}/pre")],
        categories: titles.map(|(name, title)| (name.to_owned(), title.to_owned())).into(),
        levels: levels.map(|(name, level)| (name.to_owned(), level)).into(),
        released,
        release_note: release_note(tree)?,
        update_category: ("patch", titles[2].1),
        ..ChangeFiles::of(&TOOL)
    }))
}

/// Returns the major version of the tool that the repository installs, if its manifest says it.
fn version_of_tool(tree: &dyn FileTree) -> anyhow::Result<Option<u64>> {
    const TOOL: &str = "@changesets/cli";
    let Some(manifest) = tree.read("package.json")? else { return Ok(None) };
    let manifest = ForeignConfig::parse(&manifest, "package.json")?;
    let read = |fields: &[Field], key: &str| -> anyhow::Result<Option<String>> {
        let Some(table) = kinds::find_field(fields, key) else { return Ok(None) };
        kinds::field_text(&table.fields()?, TOOL)
    };
    let fields = manifest.fields()?;
    let mut range = read(&fields, "devDependencies")?.or(read(&fields, "dependencies")?).unwrap_or_default();
    if range == "catalog:" || range == "catalog:default" {
        let Some(workspace) = tree.read(PNPM_WORKSPACE)? else { return Ok(None) };
        let workspace = ForeignConfig::parse(&workspace, PNPM_WORKSPACE)?;
        range = read(&workspace.fields()?, "catalog")?.unwrap_or_default();
    }
    let number = range.trim_start_matches(['^', '~', '=', '>', 'v', ' ']).split('.').next().unwrap_or_default();
    Ok(number.parse().ok())
}

/// Whether packages that are never published get no versions. The third version of the tool has that as its default.
fn skips_private(fields: &[Field], major: Option<u64>) -> anyhow::Result<bool> {
    let by_default = major.is_some_and(|major| major >= 3);
    let Some(field) = kinds::find_field(fields, "privatePackages") else { return Ok(by_default) };
    if let Ok(is_versioned) = field.flag() {
        return Ok(!is_versioned);
    }
    let inner = field.fields()?;
    kinds::find_field(&inner, "version").map_or(Ok(by_default), |version| Ok(!version.flag()?))
}

/// Reads which requirements are raised that allow the new version. pnpm, which has a ledger, leaves them.
fn requirements(
    fields: &[Field],
    experimental: &[Field],
    major: Option<u64>,
    tree: &dyn FileTree,
) -> anyhow::Result<Option<RequirementRule>> {
    if tree.read(LEDGER)?.is_some() {
        return Ok(None);
    }
    let is_minor = kinds::field_text(fields, "updateInternalDependencies")?.as_deref() == Some("minor");
    let flag = |fields: &[Field], key| kinds::find_field(fields, key).map_or(Ok(false), Field::flag);
    Ok(Some(RequirementRule {
        least: if is_minor { BumpLevel::Minor } else { BumpLevel::Patch },
        keeps_peers: flag(experimental, "onlyUpdatePeerDependentsWhenOutOfRange")?,
        peers_are_major: major.is_some_and(|major| major <= 2),
        only_protocol: flag(fields, "bumpVersionsWithWorkspaceProtocolOnly")?,
        keeps_ends: major.is_some_and(|major| major >= 3),
    }))
}

fn released(ledger: &[u8]) -> anyhow::Result<Vec<ReleasedChange>> {
    let mut released = Vec::new();
    for release in ForeignConfig::parse(ledger, LEDGER)?.fields()? {
        let Some((package, version)) = release.key().rsplit_once('@') else { continue };
        // A release without a directory is only the list.
        let files = match release.fields() {
            Ok(fields) => match kinds::find_field(&fields, "intents") {
                // A release may have no files at all.
                Some(files) if !matches!(files.text(), Ok(None)) => files.elements()?,
                _ => continue,
            },
            Err(_) => release.elements()?,
        };
        for file in files {
            let (package, version) = (package.to_owned(), version.to_owned());
            released.push(ReleasedChange { package, version, file: file.filled()? });
        }
    }
    Ok(released)
}

/// Finds out how the tool notes releases: pnpm in its ledger, changesets in `pre.json` while pre-releases go on.
fn release_note(tree: &dyn FileTree) -> anyhow::Result<ReleaseNote> {
    let Some(bytes) = tree.read(PRE)? else {
        let ledger = tree.read(LEDGER)?.map(|_| ReleaseNote::Ledger(LEDGER.to_owned()));
        return Ok(ledger.unwrap_or_default());
    };
    let config = ForeignConfig::parse(&bytes, PRE)?;
    let fields = config.fields()?;
    let (path, is_ending) = (PRE.to_owned(), kinds::field_text(&fields, "mode")?.as_deref() == Some("exit"));
    let is_second = ["changesets", "initialVersions"].iter().any(|key| kinds::find_field(&fields, key).is_some());
    Ok(if is_second {
        ReleaseNote::PreList { path, key: "changesets", whole_paths: false, is_ending }
    } else {
        ReleaseNote::PreDirectory { path, is_ending }
    })
}

/// Reads the packages whose versions move together.
fn groups(fields: &[Field]) -> anyhow::Result<Vec<VersionGroup>> {
    let mut groups = Vec::new();
    for (key, rule) in [("fixed", GroupRule::Fixed), ("linked", GroupRule::Linked)] {
        for group in kinds::find_field(fields, key).map(Field::elements).transpose()?.unwrap_or_default() {
            let names = group.elements()?.iter().map(Field::filled).collect::<anyhow::Result<_>>()?;
            groups.push(VersionGroup { packages: names, rule, unreleased: None });
        }
    }
    Ok(groups)
}

/// Reads which packages make pre-releases for now, with the names of these; those of the lane `main` make none.
fn lanes(versioning: &[Field]) -> anyhow::Result<IndexMap<String, String>> {
    let lanes = kinds::find_field(versioning, "lanes").map(Field::fields).transpose()?.unwrap_or_default();
    let lanes = lanes.iter().map(|lane| Ok((lane.key().to_owned(), lane.filled()?)));
    Ok(lanes.collect::<anyhow::Result<IndexMap<_, _>>>()?.into_iter().filter(|(_, name)| name != "main").collect())
}

/// Reads the pre-release in progress.
fn pre_release(tree: &dyn FileTree) -> anyhow::Result<Option<PreRelease>> {
    let Some(bytes) = tree.read(PRE)? else { return Ok(None) };
    let config = ForeignConfig::parse(&bytes, PRE)?;
    let fields = config.fields()?;
    let Some(name) = kinds::field_text(&fields, "tag")? else { return Ok(None) };
    Ok(Some(PreRelease {
        name,
        is_ending: kinds::field_text(&fields, "mode")?.as_deref() == Some("exit"),
        had: kinds::field_texts(&fields, "changesets")?.into_iter().collect(),
        directory: Some(format!("{DIRECTORY}/pre")),
        restarts: false,
    }))
}

fn is_change_file(name: &str) -> bool {
    const OTHERS: [&str; 4] = ["README.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"];
    has_extension(name, "md") && !OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other))
}

/// Writes a file with a line for each package.
fn write(_: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    Ok((format!("{}.md", change.slug()), change.with_front_matter(|level| level.name().to_owned())?))
}

fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    const LEVELS: [&str; 4] = ["major", "minor", "patch", "none"];
    let found = front_matter::split(source)?;
    let (mut targets, mut unbumped) = (Vec::new(), Vec::new());
    for (package, level, line) in found.pairs {
        let Some(level) = BumpLevel::NAMES.iter().find(|(name, _)| *name == level && LEVELS.contains(name)) else {
            let at = Position { line, column: 1 };
            let message = format!("the bump of `{package}` must be `major`, `minor`, `patch` or `none`, not `{level}`");
            let problem = source.problem(at, &message);
            return Err(match closest(&level, LEVELS) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        if level.1 > BumpLevel::None {
            targets.push(Target { package: Some(package), category: level.0.to_owned(), level: level.1 });
        } else {
            unbumped.push(package);
        }
    }
    let mut change = Change { targets, unbumped, ..Change::default() };
    change.text = take_keys(found.text, &mut change);
    Ok(vec![change])
}

/// Takes the lines out of a text that name the request, the commit or the author, as the generators of sections do.
fn take_keys(text: &str, change: &mut Change) -> String {
    let mut rest = Vec::new();
    for line in text.lines() {
        let (key, value) = line.split_once(':').map_or(("", ""), |(key, value)| (key.trim(), value.trim()));
        let key = key.to_lowercase();
        let is_word = !value.is_empty() && !value.contains(char::is_whitespace);
        match key.as_str() {
            "pr" | "pull" | "pull request" if is_word => change.request = value.trim_start_matches('#').parse().ok(),
            "author" | "user" if is_word => change.author = Some(value.trim_start_matches('@').to_owned()),
            "commit" if is_word => {}
            _ => rest.push(line),
        }
    }
    rest.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn files() -> ChangeFiles {
        let tree = BTreeMap::from([(".changeset/config.json", "{}")]);
        crate::sources::change_files::find(&tree).unwrap().unwrap()
    }

    fn read(text: &str) -> Result<String, String> {
        let changes = files().parse(".changeset/a.md", text.as_bytes()).map_err(|problem| problem.to_string())?;
        let target = |target: &Target| format!("{} {}", target.package.as_deref().unwrap_or("-"), target.category);
        let show = |change: &Change| {
            let targets: Vec<String> = change.targets.iter().map(target).collect();
            format!("{}|{}", targets.join(","), change.text)
        };
        Ok(changes.iter().map(show).collect())
    }

    #[test]
    fn names_may_be_quoted_in_any_way() {
        assert_eq!(
            read("---\n\"@x/a\": minor\n'b': patch\nc: major\nd: none\n---\n\nAdd a thing.\n\nMore.\n").unwrap(),
            "@x/a minor,b patch,c major|Add a thing.\n\nMore."
        );
        assert_eq!(read("---\r\na: patch\r\n---\r\n\r\nMend it.\r\n").unwrap(), "a patch|Mend it.");
        assert_eq!(read("odd text\n---\n# comment\na: patch\n---\nMend it").unwrap(), "a patch|Mend it");
        assert_eq!(read("\u{feff}---\na: patch\n---\nMend it").unwrap(), "a patch|Mend it");
    }

    #[test]
    fn a_file_may_be_empty_of_packages_or_text() {
        assert_eq!(read("---\n---\n").unwrap(), "|");
        assert_eq!(read("---\na: patch\n---\n").unwrap(), "a patch|");
    }

    #[test]
    fn an_error_names_file_and_line() {
        for (text, expected) in [
            ("", ".changeset/a.md:1:1: the file has no front matter"),
            ("Mend it\n", ".changeset/a.md:1:1: the file has no front matter"),
            ("---\na: patch\n", ".changeset/a.md:1:1: the front matter is not closed"),
            ("---\na: patch\nb: fix\n---\nx", ".changeset/a.md:3:1: the bump of `b` must be"),
            ("---\n\"a\" patch\n---\nx", ".changeset/a.md:2:"),
            ("---\n- a\n---\nx", ".changeset/a.md:2:1: the file must be a mapping"),
            ("---\na: patch\na: minor\n---\nx", ".changeset/a.md:3:1: the key `a` is repeated"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn lines_that_name_request_and_author_are_not_printed() {
        let text = "---\na: patch\n---\n\npr: #12\nauthor: @ida\n\nMend it: all of it\n";
        let changes = files().parse(".changeset/a.md", text.as_bytes()).unwrap();
        let [change] = &changes[..] else { panic!("one change") };
        assert_eq!((change.request, change.author.as_deref()), (Some(12), Some("ida")));
        assert_eq!(change.text, "Mend it: all of it");
    }

    #[test]
    fn documentation_is_no_change_file() {
        for (name, expected) in [("a.md", true), ("README.md", false), ("readme.md", false), (".a.md", false)] {
            assert_eq!(files().has(name), expected, "{name}");
        }
        assert!(!files().has("config.json") && !files().has("AGENTS.md"));
    }

    #[test]
    fn what_the_ledger_has_is_released() {
        let ledger = "\"@x/a@1.2.0\":\n  dir: a\n  intents:\n    - calm-cats\n";
        let tree = BTreeMap::from([(".changeset/ledger.yaml", ledger)]);
        let files = crate::sources::change_files::find(&tree).unwrap().unwrap();
        let changes = files.parse(".changeset/calm-cats.md", b"---\n'@x/a': minor\nb: patch\n---\nx").unwrap();
        let packages: Vec<_> = changes[0].targets.iter().map(|target| target.package.as_deref()).collect();
        assert_eq!(packages, [Some("b")]);
    }
}
