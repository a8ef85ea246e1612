//! release-plz: `release-plz.toml`. The tags and the workspace of Cargo show the packages.

use std::sync::Arc;

use indexmap::IndexMap;

use super::{
    git_cliff,
    outcome::{FEATURES, Hints, Migration, ReadBeside, find_field, is_set, path_in, text_of},
    tool::ForeignTool,
};
use crate::config::{EntrySource, Field, GroupRule, VersionGroup};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "release-plz",
    files: &["release-plz.toml", ".release-plz.toml"],
    tables: &[],
    recognizes: |name, _| name.trim_start_matches('.') == "release-plz.toml",
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "workspace.git_tag_name workspace.git_release_draft workspace.git_release_enable workspace.changelog_update \
         workspace.git_tag_enable workspace.dependencies_update workspace.repo_url workspace.allow_dirty \
         workspace.publish_timeout workspace.changelog_path workspace.git_release_name workspace.release \
         workspace.features_always_increment_minor workspace.git_only package.name package.version_group \
         package.changelog_path package.git_tag_name package.git_tag_enable package.git_release_enable \
         package.changelog_update package.features_always_increment_minor",
    ),
    ("read that configuration too, with `--from`", "workspace.changelog_config"),
    (
        "run `cargo publish` in `hooks: { after: [...] }`",
        "workspace.publish workspace.publish_features \
      workspace.publish_allow_dirty workspace.publish_no_verify workspace.publish_all_features package.publish \
      package.publish_features package.publish_all_features package.publish_no_verify package.publish_allow_dirty",
    ),
    ("run `cargo semver-checks` in the job", "workspace.semver_check package.semver_check"),
    ("`match` and `skip` say which commits count", "workspace.release_commits"),
    (
        "`tidings release --request` opens and renews the request",
        "workspace.pr_name workspace.pr_body \
      workspace.pr_labels workspace.pr_draft workspace.pr_branch_prefix workspace.release_always",
    ),
    ("the text of the release is the section: `template_file` changes it", "workspace.git_release_body"),
    (
        "set the level of a category in `bump`",
        "workspace.custom_minor_increment_regex workspace.custom_major_increment_regex",
    ),
    ("use `--max-commits`", "workspace.max_analyze_commits"),
    ("use `--prerelease`", "workspace.git_release_type"),
    ("delete it from `packages` in the configuration", "package.release"),
    ("`paths` of the package says which commits are its own", "package.changelog_include"),
];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    migration.config.source = EntrySource::Conventional;
    let workspace = find_field(fields, "workspace").map_or(Ok(Vec::new()), |table| table.fields())?;
    let packages = find_field(fields, "package").map_or(Ok(Vec::new()), |list| list.elements())?;
    if let Some(name) = text_of(&workspace, "git_tag_name")?
        && let Some((prefix, "")) = name.replace(' ', "").split_once("{{version}}")
        && !prefix.contains("{{")
    {
        migration.tag_prefix(prefix);
    }
    migration.config.drafts_release = is_set(&workspace, "git_release_draft", false)?;
    if !is_set(&workspace, "features_always_increment_minor", false)? {
        let key = "`workspace.features_always_increment_minor`, which is off";
        migration.losses.entry(FEATURES.to_owned()).or_default().insert(key.to_owned());
    }
    if let Some(path) = text_of(&workspace, "changelog_path")? {
        migration.files.insert(String::new(), path_in("", &path));
    }
    let mut groups: IndexMap<String, Vec<String>> = IndexMap::new();
    for package in &packages {
        let package = package.fields()?;
        if let (Some(name), Some(group)) = (text_of(&package, "name")?, text_of(&package, "version_group")?) {
            groups.entry(group).or_default().push(name);
        }
        if let (Some(name), Some(path)) = (text_of(&package, "name")?, text_of(&package, "changelog_path")?) {
            migration.files.insert(name, path_in("", &path));
        }
        for field in &package {
            migration.report_loss(&format!("package.{}", field.key()), field, HINTS);
        }
    }
    // Only members that have changes are moved, to the highest version of them.
    let groups = groups.into_values().filter(|packages| packages.len() > 1);
    let groups = groups.map(|packages| VersionGroup { packages, rule: GroupRule::Highest, unreleased: None });
    migration.config.groups = Arc::new(groups.collect());
    for field in &workspace {
        migration.report_loss(&format!("workspace.{}", field.key()), field, HINTS);
    }
    if let Some(changelog) = find_field(fields, "changelog") {
        git_cliff::take_table(migration, &changelog.fields()?)?;
    }
    Ok(())
}
