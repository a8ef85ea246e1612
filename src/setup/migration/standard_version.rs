//! standard-version and commit-and-tag-version: `.versionrc`, or a key of `package.json`.

use super::{
    outcome::{
        HEADER, HOOKS, Hints, Migration, NO_COMMIT, PRE_RELEASE, PRESET_BREAKING, ReadBeside, TEMPLATE, TITLES,
        find_field, path_in, text_of, version_file, version_pattern, workspace,
    },
    tool::ForeignTool,
};
use crate::config::{Field, VersionFile, WorkspaceKind};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "standard-version",
    files: &[".versionrc", ".versionrc.json"],
    tables: &[("package.json", "commit-and-tag-version"), ("package.json", "standard-version")],
    recognizes: |name, _| name.starts_with(".versionrc"),
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (HEADER, "header changelogHeader"),
    ("below 1.0.0 what breaks bumps the minor version, and `bump: { added: patch }` lowers features", "preMajor"),
    ("links lead where the remote `origin` does", "commitUrlFormat compareUrlFormat userUrlFormat"),
    ("use `tidings release --message`", "releaseCommitMessageFormat message"),
    ("use `tidings release VERSION`", "firstRelease"),
    ("use `tidings release VERSION` or `--level`", "releaseAs"),
    (PRE_RELEASE, "prerelease"),
    ("use `tidings release --sign`", "sign"),
    ("set `format.signOff` of git, or add the line with `--message`", "signoff"),
    ("git hooks run if they are installed", "noVerify"),
    ("a release commits nothing but its own files", "commitAll"),
    ("a tag is never moved", "tagForce"),
    ("", "dryRun verbose gitTagFallback npmClient"),
    ("use `--quiet`", "silent"),
    ("`hooks: { after: [npm publish] }` publishes", "npmPublishHint"),
    ("`tidings show --all` prints all releases", "releaseCount"),
    ("`packages` names the parts of the repository", "lernaPackage"),
    (TITLES, "parserOpts"),
    (TEMPLATE, "writerOpts"),
    ("use `tidings release --no-version-files`", "skip.bump"),
    (NO_COMMIT, "skip.changelog skip.commit"),
    ("use `tidings release --no-tag`", "skip.tag"),
    (
        HOOKS,
        "scripts.postbump scripts.prechangelog scripts.postchangelog scripts.precommit scripts.postcommit \
         scripts.pretag",
    ),
];

/// The ends of file names, and the types of such files.
const BUMP_FILES: [(&str, &str); 9] = [
    ("openapi.yaml", "openapi"),
    (".json", "json"),
    (".yaml", "yaml"),
    (".yml", "yaml"),
    ("pyproject.toml", "python"),
    ("build.gradle", "gradle"),
    ("build.gradle.kts", "gradle"),
    (".csproj", "csproj"),
    ("version.txt", "plain-text"),
];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    take_presentation(migration, fields)?;
    let mut files = Vec::new();
    for field in fields {
        match field.key() {
            "infile" => migration.config.file = field.text()?.map(|path| path_in("", &path)),
            "tagPrefix" | "tag-prefix" => migration.tag_prefix(&field.text()?.unwrap_or_default()),
            "path" => migration.config.paths = field.text()?.into_iter().collect(),
            "bumpFiles" | "packageFiles" => {
                for element in field.elements()? {
                    let file = bump_file(migration, field, &element)?;
                    files.extend(file.filter(|file| !files.contains(file)).into_iter().collect::<Vec<_>>());
                }
            }
            "$schema" | "types" | "preset" | "issueUrlFormat" | "issuePrefixes" => {}
            "scripts" => {
                for script in field.fields()? {
                    match script.key() {
                        "prerelease" | "prebump" => migration.hook("scripts", &script, true, &[])?,
                        "posttag" | "postrelease" => migration.hook("scripts", &script, false, &[])?,
                        key => migration.report_loss(&format!("scripts.{key}"), &script, HINTS),
                    }
                }
            }
            "skip" => {
                for step in field.fields()? {
                    migration.report_loss(&format!("skip.{}", step.key()), &step, HINTS);
                }
            }
            key => migration.report_loss(key, field, HINTS),
        }
    }
    migration.config.version_files = files;
    take_issues(migration, fields)
}

/// Takes over the sections of `types`, else those of the preset.
fn take_presentation(migration: &mut Migration, fields: &[Field]) -> anyhow::Result<()> {
    let preset = text_of(fields, "preset")?.unwrap_or_default();
    if let Some(field) = find_field(fields, "preset")
        && !["angular", "conventionalcommits"].iter().any(|known| preset.ends_with(known))
    {
        migration.lose("preset", &field, TITLES);
    }
    if let Some(types) = find_field(fields, "types") {
        return migration.sections_or_preset("types", Some(&types), &[]);
    }
    if preset.ends_with("angular") {
        migration.angular();
        return Ok(());
    }
    migration.set_breaking_title(PRESET_BREAKING, true);
    let listed = [("feat", "Features"), ("fix", "Bug Fixes")];
    migration.list_types(&listed.map(|(name, title)| (name.to_owned(), Some(title.to_owned()))));
    migration.hide_others(&listed.map(|(name, _)| name.to_owned()));
    Ok(())
}

/// Turns references to issues of another tracker into links; the usual ones are links already.
fn take_issues(migration: &mut Migration, fields: &[Field]) -> anyhow::Result<()> {
    let Some(format) = find_field(fields, "issueUrlFormat") else { return Ok(()) };
    let text = format.text()?.unwrap_or_default();
    if text.contains("{{host}}") || text.contains("{{owner}}") {
        return Ok(());
    }
    let prefixes = find_field(fields, "issuePrefixes").map_or(Ok(Vec::new()), |prefixes| prefixes.elements())?;
    let prefixes: Vec<String> =
        prefixes.iter().filter_map(|prefix| prefix.text().transpose()).collect::<Result<_, _>>()?;
    for prefix in if prefixes.is_empty() { vec!["#".to_owned()] } else { prefixes } {
        let url = text.replace('$', "$$").replace("{{id}}", "${1}").replace("{{prefix}}", &prefix.replace('$', "$$"));
        if url.contains("{{") {
            migration.lose("issueUrlFormat", &format, "write the address in `links`");
        } else {
            migration.link("issueUrlFormat", &format, &format!(r"{}(\d+)", regex::escape(&prefix)), url);
        }
    }
    Ok(())
}

/// Reads a file that has the version, by its name or the name of its format.
fn bump_file(migration: &mut Migration, field: &Field, element: &Field) -> anyhow::Result<Option<VersionFile>> {
    let fields = if element.is_mapping() { element.fields()? } else { Vec::new() };
    let path = if element.is_mapping() { text_of(&fields, "filename")? } else { element.text()? };
    let Some(path) = path.map(|path| path_in("", &path)) else {
        return Err(element.refusal("needs a `filename` for each file").into());
    };
    if let Some(updater) = find_field(&fields, "updater") {
        migration.lose("bumpFiles.updater", &updater, "set the location in `version_files`, by `key` or `regex`");
        return Ok(None);
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    let kind = text_of(&fields, "type")?.unwrap_or_default();
    let kind = match kind.as_str() {
        "" | "json" if name == "package.json" => "npm",
        "" => BUMP_FILES.iter().find(|(ending, _)| name.ends_with(ending)).map_or("", |(_, kind)| *kind),
        kind => kind,
    };
    Ok(match kind {
        // The lock file is part of the workspace.
        _ if ["package-lock.json", "npm-shrinkwrap.json"].contains(&name) => None,
        "npm" => Some(workspace(path, WorkspaceKind::Npm)),
        "json" | "yaml" => Some(version_file(path, "version")),
        "openapi" => Some(version_file(path, "info.version")),
        "python" => Some(version_file(path, "project.version")),
        "gradle" => Some(version_pattern(path, r#"^version\s*=\s*['"](.*)['"]"#)),
        "csproj" => Some(version_pattern(path, "<Version>(.*)</Version>")),
        "plain-text" => Some(version_pattern(path, r"^v?(\d\S*)$")),
        _ => {
            migration.lose(
                "bumpFiles",
                field,
                format!("set the location in `{path}` in `version_files`, by `key` or `regex`"),
            );
            None
        }
    })
}
