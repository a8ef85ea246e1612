//! The configurations of other tools translated to ours, as far as there are counterparts.
//!
//! Each tool has a file with a table of its keys. Keys without a counterpart are kept as a loss, with what to do
//! instead.

mod cocogitto;
mod git_cliff;
mod goreleaser;
mod lerna;
mod outcome;
mod release_please;
mod release_plz;
mod semantic_release;
mod standard_version;
mod tera_entry;
mod tera_heading;
mod tera_pieces;

use std::path::Path;

pub(crate) use self::outcome::Migration;
use self::outcome::{ReadBeside, find};
use crate::{
    config::{Field, ForeignConfig},
    model::Problem,
};

/// The name of a tool, and the function that takes over its configuration.
type Tool = (&'static str, fn(&mut Migration, &[Field], ReadBeside) -> anyhow::Result<()>);

const GIT_CLIFF: Tool = ("git-cliff", git_cliff::take);
const COCOGITTO: Tool = ("cocogitto", |migration, fields, _| cocogitto::take(migration, fields));
/// The tool standard-version, and commit-and-tag-version, which has the same configuration.
const STANDARD_VERSION: Tool = ("standard-version", |migration, fields, _| standard_version::take(migration, fields));
const LERNA: Tool = ("lerna", |migration, fields, _| lerna::take(migration, fields));
const GORELEASER: Tool = ("GoReleaser", |migration, fields, _| goreleaser::take(migration, fields));
const RELEASE_PLZ: Tool = ("release-plz", |migration, fields, _| release_plz::take(migration, fields));
const RELEASE_PLEASE: Tool = ("release-please", release_please::take);
const SEMANTIC_RELEASE: Tool = ("semantic-release", |migration, fields, _| semantic_release::take(migration, fields));

/// The files that these tools look for at the top of a repository.
pub(crate) const FILES: [&str; 16] = [
    "cliff.toml",
    ".cliff.toml",
    ".config/cliff.toml",
    "cog.toml",
    ".versionrc",
    ".versionrc.json",
    "release-please-config.json",
    ".releaserc",
    ".releaserc.json",
    ".releaserc.yaml",
    ".releaserc.yml",
    "lerna.json",
    "release-plz.toml",
    ".release-plz.toml",
    ".goreleaser.yaml",
    ".goreleaser.yml",
];

/// Reads the configuration of a tool, and returns its name.
pub(crate) fn read(path: &str, bytes: &[u8], beside: ReadBeside) -> anyhow::Result<(&'static str, Migration)> {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    if [".js", ".cjs", ".mjs", ".ts"].iter().any(|program| name.ends_with(program)) {
        let command = format!("node -p 'JSON.stringify(require(\"./{name}\"), null, 2)'");
        return Err(Problem::usage(format!("`{path}` is a program, which is not run"))
            .hint(format!("save what `{command}` prints as JSON, and read that"))
            .into());
    }
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let ((tool, take), fields) = locate(name, fields).ok_or_else(|| {
        Problem::usage(format!("`{path}` is not known as the configuration of another tool"))
            .hint(format!("name the file as its tool does: `{}`", FILES.join("`, `")))
    })?;
    let mut migration = Migration::default();
    take(&mut migration, &fields, beside)?;
    Ok((tool, migration))
}

/// Returns the tool that a file of this name belongs to, and its part of the file.
fn locate<'a>(name: &str, fields: Vec<Field<'a>>) -> Option<(Tool, Vec<Field<'a>>)> {
    let inside = |path: &str, tool: Tool| Some((tool, find(&fields, path)?.fields().ok()?));
    match name {
        "Cargo.toml" => {
            let tables = ["workspace.metadata.git-cliff", "package.metadata.git-cliff"];
            return tables.iter().find_map(|path| inside(path, GIT_CLIFF));
        }
        "pyproject.toml" => return inside("tool.git-cliff", GIT_CLIFF),
        "package.json" => {
            return inside("release", SEMANTIC_RELEASE)
                .or_else(|| inside("commit-and-tag-version", STANDARD_VERSION))
                .or_else(|| inside("standard-version", STANDARD_VERSION));
        }
        _ => {}
    }
    let has = |key: &str| find(&fields, key).is_some();
    let is_toml = name.rsplit('.').next() == Some("toml");
    let tool = match name {
        "cog.toml" => COCOGITTO,
        "lerna.json" => LERNA,
        "release-plz.toml" | ".release-plz.toml" => RELEASE_PLZ,
        ".goreleaser.yaml" | ".goreleaser.yml" | "goreleaser.yaml" | "goreleaser.yml" => GORELEASER,
        _ if (is_toml || name.starts_with("cliff.")) && (has("git") || has("changelog")) => GIT_CLIFF,
        _ if name.starts_with(".versionrc") => STANDARD_VERSION,
        _ if name.contains("release-please") => RELEASE_PLEASE,
        _ if name.starts_with(".releaserc") || has("plugins") && has("branches") => SEMANTIC_RELEASE,
        _ if has("packages") && has("release-type") => RELEASE_PLEASE,
        _ => return None,
    };
    Some((tool, fields))
}
