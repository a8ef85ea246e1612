//! The settings of other tools in our words, as far as they say the same things.
//!
//! Each tool has a file with a table of its keys. What has no counterpart is kept as a loss: the keys, and what to do
//! instead.

mod cocogitto;
mod git_cliff;
mod outcome;
mod release_please;
mod semantic_release;
mod standard_version;

use std::path::Path;

use self::outcome::find;
pub(crate) use self::{outcome::Migration, release_please::MANIFEST};
use crate::{
    config::{Field, ForeignSettings},
    model::Problem,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    GitCliff,
    Cocogitto,
    /// standard-version, and commit-and-tag-version.
    StandardVersion,
    ReleasePlease,
    SemanticRelease,
}

impl Tool {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::GitCliff => "git-cliff",
            Self::Cocogitto => "cocogitto",
            Self::StandardVersion => "standard-version",
            Self::ReleasePlease => "release-please",
            Self::SemanticRelease => "semantic-release",
        }
    }
}

/// The files that these tools look for at the top of a repository.
pub(crate) const FILES: [&str; 10] = [
    "cliff.toml",
    ".cliff.toml",
    "cog.toml",
    ".versionrc",
    ".versionrc.json",
    "release-please-config.json",
    ".releaserc",
    ".releaserc.json",
    ".releaserc.yaml",
    ".releaserc.yml",
];

/// Reads the settings of a tool; `manifest` is the file of versions beside them.
pub(crate) fn read(path: &str, bytes: &[u8], manifest: Option<&[u8]>) -> anyhow::Result<(Tool, Migration)> {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    if [".js", ".cjs", ".mjs", ".ts"].iter().any(|program| name.ends_with(program)) {
        let command = format!("node -p 'JSON.stringify(require(\"./{name}\"), null, 2)'");
        return Err(Problem::usage(format!("`{path}` is a program, which is not run"))
            .hint(format!("save what `{command}` prints as JSON, and read that"))
            .into());
    }
    let settings = ForeignSettings::parse(bytes, path)?;
    let fields = settings.fields()?;
    let (tool, fields) = locate(name, fields).ok_or_else(|| {
        Problem::usage(format!("`{path}` is not known as settings of another tool"))
            .hint(format!("name the file as its tool does: `{}`", FILES.join("`, `")))
    })?;
    let mut migration = Migration::default();
    match tool {
        Tool::GitCliff => git_cliff::take(&mut migration, &fields)?,
        Tool::Cocogitto => cocogitto::take(&mut migration, &fields)?,
        Tool::StandardVersion => standard_version::take(&mut migration, &fields)?,
        Tool::SemanticRelease => semantic_release::take(&mut migration, &fields)?,
        Tool::ReleasePlease => {
            let manifest = manifest.map(|bytes| ForeignSettings::parse(bytes, MANIFEST)).transpose()?;
            let versions = manifest.as_ref().map_or(Ok(Vec::new()), ForeignSettings::fields)?;
            release_please::take(&mut migration, &fields, &versions)?;
        }
    }
    Ok((tool, migration))
}

/// The tool that a file of this name belongs to, and its part of the file.
fn locate<'a>(name: &str, fields: Vec<Field<'a>>) -> Option<(Tool, Vec<Field<'a>>)> {
    let inside = |path: &str, tool: Tool| Some((tool, find(&fields, path)?.fields().ok()?));
    match name {
        "Cargo.toml" => {
            let tables = ["workspace.metadata.git-cliff", "package.metadata.git-cliff"];
            return tables.iter().find_map(|path| inside(path, Tool::GitCliff));
        }
        "pyproject.toml" => return inside("tool.git-cliff", Tool::GitCliff),
        "package.json" => {
            return inside("release", Tool::SemanticRelease)
                .or_else(|| inside("commit-and-tag-version", Tool::StandardVersion))
                .or_else(|| inside("standard-version", Tool::StandardVersion));
        }
        _ => {}
    }
    let has = |key: &str| find(&fields, key).is_some();
    let tool = match name {
        "cog.toml" => Tool::Cocogitto,
        _ if name.rsplit('.').next() == Some("toml") && (has("git") || has("changelog")) => Tool::GitCliff,
        _ if name.starts_with(".versionrc") => Tool::StandardVersion,
        _ if name.contains("release-please") => Tool::ReleasePlease,
        _ if name.starts_with(".releaserc") || has("plugins") && has("branches") => Tool::SemanticRelease,
        _ if has("packages") && has("release-type") => Tool::ReleasePlease,
        _ => return None,
    };
    Some((tool, fields))
}
