//! semantic-release: `.releaserc`, or the key `release` of `package.json`.

use super::{
    outcome::{
        HEADER, HOOKS, Hints, Migration, PRESET, ReadBeside, TEMPLATE, TITLES, find_field, path_in, text_of, workspace,
    },
    tool::ForeignTool,
};
use crate::{
    config::{Field, WorkspaceKind},
    model::BumpLevel,
};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "semantic-release",
    files: &[".releaserc", ".releaserc.json", ".releaserc.yaml", ".releaserc.yml"],
    tables: &[("package.json", "release")],
    recognizes: |name, fields| {
        name.starts_with(".releaserc") || ["plugins", "branches"].iter().all(|key| find_field(fields, key).is_some())
    },
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "$schema repositoryUrl ci noCi dryRun debug commit-analyzer.presetConfig \
         release-notes-generator.linkCompare release-notes-generator.linkReferences release-notes-generator.host \
         npm.npmPublish",
    ),
    ("read that configuration too, with `--from`", "extends"),
    (TITLES, "commit-analyzer.parserOpts commit-analyzer.config release-notes-generator.parserOpts"),
    (TEMPLATE, "release-notes-generator.writerOpts exec.generateNotesCmd"),
    (HEADER, "changelog.changelogTitle"),
    ("a release commits its own files: the changelog and `version_files`", "git.assets"),
    ("use `tidings release --message`", "git.message"),
    ("`npm pack` and `--asset` attach a file", "npm.tarballDir"),
    ("use `tidings release --asset`", "github.assets gitlab.assets"),
    (HOOKS, "exec.verifyReleaseCmd exec.verifyConditionsCmd"),
    ("`tidings next` finds the version", "exec.analyzeCommitsCmd"),
    ("channels are not supported", "exec.addChannelCmd"),
    ("hooks for failures are not supported", "exec.failCmd"),
];

/// The placeholders in a command of `exec`, and the variables that replace them here.
const PLACEHOLDERS: [(&str, &str); 2] =
    [("${nextRelease.version}", "$TIDINGS_VERSION"), ("${nextRelease.gitTag}", "$TIDINGS_TAG")];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    let plugins = find_field(fields, "plugins").map_or(Ok(Vec::new()), |plugins| plugins.elements())?;
    let mut named = Vec::new();
    for plugin in &plugins {
        let parts = plugin.elements()?;
        let name = parts.first().map_or(Ok(None), Field::text)?;
        let Some(name) = name else {
            return Err(plugin.refusal("must be names, or lists of a name and options").into());
        };
        let short = name.trim_start_matches("@semantic-release/").to_owned();
        let options = parts.get(1).map_or(Ok(Vec::new()), Field::fields)?;
        named.push((short, options, *plugin));
    }
    take_presentation(migration, fields, &named)?;
    take_rules(migration, &named)?;
    for (name, options, plugin) in &named {
        take_plugin(migration, name, options, plugin)?;
    }
    for field in fields {
        match field.key() {
            "plugins" | "preset" | "presetConfig" => {}
            "branches" | "branch" => take_branches(migration, field)?,
            "tagFormat" => {
                let text = field.text()?.unwrap_or_default();
                match text.split_once("${version}") {
                    Some((prefix, "")) => migration.tag_prefix(prefix),
                    _ => migration.lose("tagFormat", field, "`tag_regex` reads tags with a text after the version"),
                }
            }
            key => migration.report_loss(key, field, HINTS),
        }
    }
    Ok(())
}

/// Takes over the sections of the notes plugin, else those of its preset.
fn take_presentation(
    migration: &mut Migration,
    fields: &[Field],
    named: &[(String, Vec<Field>, Field)],
) -> anyhow::Result<()> {
    let notes =
        named.iter().find(|(name, ..)| name == "release-notes-generator").map_or(&[][..], |(_, options, _)| options);
    let preset = text_of(notes, "preset")?.or(text_of(fields, "preset")?);
    let types = find_field(notes, "presetConfig.types").or_else(|| find_field(fields, "presetConfig.types"));
    match (&types, preset.as_deref()) {
        (Some(_), _) | (None, Some("conventionalcommits")) => {
            migration.sections_or_preset("presetConfig.types", types.as_ref(), &PRESET)?;
        }
        (None, None | Some("angular")) => migration.angular(),
        (None, Some(_)) => {
            migration.angular();
            for field in notes.iter().chain(fields).filter(|field| field.key() == "preset") {
                migration.lose("preset", field, TITLES);
            }
        }
    }
    Ok(())
}

/// Takes over the bump levels: the configured rules, then the defaults of the analyzer.
fn take_rules(migration: &mut Migration, named: &[(String, Vec<Field>, Field)]) -> anyhow::Result<()> {
    let analyzer = named.iter().find(|(name, ..)| name == "commit-analyzer").map_or(&[][..], |(_, options, _)| options);
    let mut bumping: Vec<String> = ["feat", "feature", "fix", "perf", "revert"].map(str::to_owned).into();
    if let Some(rules) = find_field(analyzer, "releaseRules") {
        if !rules.is_list() {
            migration.lose("releaseRules", &rules, "the rules are in a program: set the levels in `bump`");
        }
        for rule in rules.elements()?.iter().filter(|rule| rule.is_mapping()) {
            let inner = rule.fields()?;
            let level = match text_of(&inner, "release")?.as_deref() {
                None => BumpLevel::None,
                Some("major") => BumpLevel::Major,
                Some("minor" | "preminor") => BumpLevel::Minor,
                Some("patch" | "prepatch" | "prerelease") => BumpLevel::Patch,
                Some(_) => {
                    return Err(rule.refusal("needs a `release` of `major`, `minor`, `patch` or `false`").into());
                }
            };
            let conditions: Vec<&str> = inner.iter().map(Field::key).filter(|key| *key != "release").collect();
            match (text_of(&inner, "type")?, conditions.as_slice()) {
                (Some(name), ["type"]) => {
                    if !migration.bump_type(&name, level) {
                        let hint = format!("`{name}` is not listed, and bumps nothing: list it in `types`");
                        migration.lose("releaseRules", &rules, hint);
                    }
                    bumping.push(name);
                }
                (None, ["breaking"]) => drop(migration.config.bump.insert("breaking".to_owned(), level)),
                (None, ["revert"]) => {
                    migration.bump_type("revert", level);
                }
                _ => migration.lose(
                    "releaseRules",
                    &rules,
                    "a rule for a part of a type: sort it with `match`, and set its category in `bump`",
                ),
            }
        }
    }
    migration.bump_only(&bumping.iter().map(String::as_str).collect::<Vec<_>>());
    // A breaking change is major below 1.0.0 as well.
    migration.config.bump.entry("breaking".to_owned()).or_insert(BumpLevel::Major);
    Ok(())
}

fn take_plugin(migration: &mut Migration, name: &str, options: &[Field], plugin: &Field) -> anyhow::Result<()> {
    let known = ["commit-analyzer", "release-notes-generator", "changelog", "git", "github", "gitlab", "npm", "exec"];
    if !known.contains(&name) {
        migration.lose("plugins", plugin, format!("the plugin `{name}`: `hooks` run what it does"));
        return Ok(());
    }
    if name == "npm" {
        let root = text_of(options, "pkgRoot")?.unwrap_or_default();
        migration.config.version_files.push(workspace(path_in(&root, "package.json"), WorkspaceKind::Npm));
        if find_field(options, "npmPublish").is_none_or(|publish| publish.is_on()) {
            migration.config.hooks.after.push("npm publish".to_owned());
        }
    }
    for field in options {
        match (name, field.key()) {
            (_, "preset" | "presetConfig" | "releaseRules" | "pkgRoot") => {}
            ("changelog", "changelogFile") => migration.config.file = field.text()?.map(|path| path_in("", &path)),
            ("exec", "prepareCmd") => migration.hook("exec.prepareCmd", field, true, &PLACEHOLDERS)?,
            ("exec", "publishCmd" | "successCmd") => migration.hook("exec", field, false, &PLACEHOLDERS)?,
            ("github" | "gitlab", key) if key != "assets" => {}
            (_, key) => migration.report_loss(&format!("{name}.{key}"), field, HINTS),
        }
    }
    Ok(())
}

/// Reads the branches. Pre-releases are a matter of the command line; maintenance branches need no setting.
fn take_branches(migration: &mut Migration, field: &Field) -> anyhow::Result<()> {
    for branch in field.elements()?.iter().filter(|branch| branch.is_mapping()) {
        let inner = branch.fields()?;
        let name = text_of(&inner, "name")?.unwrap_or_default();
        let channel = find_field(&inner, "channel").filter(|channel| !channel.is_off());
        if let Some(pre) = find_field(&inner, "prerelease").filter(|pre| !pre.is_off()) {
            let pre = if pre.is_on() { name.clone() } else { pre.text()?.unwrap_or_default() };
            migration.lose("branches", field, format!("use `tidings release --pre {pre}` on the branch `{name}`"));
        } else if channel.is_some() {
            migration.lose("branches", field, "channels are not supported");
        }
    }
    Ok(())
}
