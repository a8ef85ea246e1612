//! lerna: `lerna.json`. With one version the repository is released as a whole; with `independent` versions, its tags show
//! the packages.

use super::{
    outcome::{Hints, Migration, NO_COMMIT, PRE_RELEASE, ReadBeside, find_field, text_of, version_file},
    tool::ForeignTool,
};
use crate::config::{EntrySource, Field, VersionFile, VersionLocator, WorkspaceKind};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "lerna",
    files: &["lerna.json"],
    tables: &[],
    recognizes: |name, _| name == "lerna.json",
    convert,
};

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "$schema version packages useWorkspaces useNx npmClient npmClientArgs conventionalCommits changelogPreset message \
         tagVersionPrefix exact private stream loglevel granularPathspec yes push tag amend gitRemote signGitCommit \
         signGitTag createRelease forceGitTag publish bootstrap run init syncWorkspaceLock",
    ),
    (PRE_RELEASE, "preid preDistTag conventionalPrerelease conventionalGraduate preReleaseId"),
    (NO_COMMIT, "changelog gitTagVersion"),
    ("use `--branch`", "allowBranch"),
    ("`paths` says what a commit must change", "ignoreChanges ignore"),
    ("`groups` moves packages together", "forcePublish"),
    ("set `hooks` in the configuration", "ignoreScripts"),
];

fn convert(migration: &mut Migration, fields: &[Field], _: ReadBeside) -> anyhow::Result<()> {
    let command = find_field(fields, "command").map_or(Ok(Vec::new()), |command| command.fields())?;
    let of_version = find_field(&command, "version").map_or(Ok(Vec::new()), |version| version.fields())?;
    migration.config.source = EntrySource::Conventional;
    if text_of(fields, "version")?.is_some_and(|version| version != "independent") {
        if let Some(prefix) = text_of(&of_version, "tagVersionPrefix")? {
            migration.tag_prefix(&prefix);
        }
        migration.config.version_files = vec![version_file("lerna.json".to_owned(), "version"), every_member()];
    }
    let message = text_of(&of_version, "message")?.or(text_of(fields, "message")?);
    migration.config.release.message = message.map(|text| text.replace("%v", "v{version}").replace("%s", "v{version}"));
    migration.config.release.remote = text_of(&of_version, "gitRemote")?;
    for field in fields.iter().filter(|field| field.key() != "command").chain(&of_version) {
        migration.report_loss(field.key(), field, HINTS);
    }
    Ok(())
}

/// Returns the workspace of all packages: those that a release left out have an older version than the others.
fn every_member() -> VersionFile {
    let locator = VersionLocator::Workspace { kind: WorkspaceKind::Npm, members: vec!["*".to_owned()] };
    VersionFile { path: WorkspaceKind::Npm.manifest().to_owned(), locator }
}
