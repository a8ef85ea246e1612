//! The configurations of other tools translated to ours, as far as there are counterparts.
//!
//! Each tool has a file, with its `TOOL` and a table of its keys. Keys without a counterpart are kept as a loss, with what
//! to do instead.

mod cocogitto;
mod git_cliff;
mod git_cliff_edits;
mod git_cliff_parsers;
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
mod tool;

use std::path::Path;

pub(crate) use self::outcome::Migration;
use self::{outcome::ReadBeside, tool::ForeignTool};
use crate::{
    config::{Field, ForeignConfig},
    model::Problem,
};

/// The tools. A file of another program belongs to the last one that has a table in it.
static TOOLS: [ForeignTool; 8] = [
    git_cliff::TOOL,
    cocogitto::TOOL,
    standard_version::TOOL,
    release_please::TOOL,
    semantic_release::TOOL,
    lerna::TOOL,
    release_plz::TOOL,
    goreleaser::TOOL,
];

/// Returns the files that these tools look for at the top of a repository.
pub(crate) fn files() -> Vec<&'static str> {
    TOOLS.iter().flat_map(|tool| tool.files).copied().collect()
}

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
    let (tool, fields) = locate(name, fields).ok_or_else(|| unknown(path, name))?;
    let mut migration = Migration::default();
    (tool.convert)(&mut migration, &fields, beside)?;
    Ok((tool.name, migration))
}

/// Returns the problem of a file without the configuration of a tool.
fn unknown(path: &str, name: &str) -> Problem {
    let tables =
        TOOLS.iter().flat_map(|tool| tool.tables.iter().filter(|(file, _)| *file == name).map(|(_, table)| *table));
    let tables: Vec<&str> = tables.collect();
    if tables.is_empty() {
        return Problem::usage(format!("`{path}` is not known as the configuration of another tool"))
            .hint(format!("name the file as its tool does: `{}`", files().join("`, `")));
    }
    Problem::usage(format!("`{path}` has no configuration of another tool: there is no `{}`", tables.join("`, no `")))
        .hint("run `tidings init`, which needs none: it reads the history")
}

/// Returns the tool that a file of this name belongs to, and its part of the file. The file of a tool may look like that
/// of another one by its keys, so that the names come first.
fn locate<'a>(name: &str, fields: Vec<Field<'a>>) -> Option<(&'static ForeignTool, Vec<Field<'a>>)> {
    if ["Cargo.toml", "pyproject.toml", "package.json"].contains(&name) {
        return TOOLS.iter().rev().find_map(|tool| Some((tool, tool.table(name, &fields)?)));
    }
    let named = TOOLS.iter().find(|tool| tool.is_named(name, &fields));
    let tool = named.or_else(|| TOOLS.iter().find(|tool| (tool.recognizes)(name, &fields)))?;
    Some((tool, fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_of(path: &str, text: &str) -> Option<&'static str> {
        read(path, text.as_bytes(), &|_| Ok(None)).ok().map(|(tool, _)| tool)
    }

    #[test]
    fn a_file_belongs_to_the_tool_that_looks_for_it() {
        for (path, text, expected) in [
            ("cliff.toml", "[git]\n", Some("git-cliff")),
            (".config/cliff.toml", "[changelog]\n", Some("git-cliff")),
            ("cliff.toml", "[other]\n", None),
            ("cog.toml", "[changelog]\n", Some("cocogitto")),
            (".versionrc", "{}", Some("standard-version")),
            ("release-please-config.json", "{}", Some("release-please")),
            (".releaserc.yaml", "branches: [main]\n", Some("semantic-release")),
            ("lerna.json", "{}", Some("lerna")),
            (".release-plz.toml", "[changelog]\n", Some("release-plz")),
            ("goreleaser.yml", "changelog: {}\n", Some("GoReleaser")),
        ] {
            assert_eq!(tool_of(path, text), expected, "{path}");
        }
    }

    #[test]
    fn a_file_of_any_name_is_known_by_its_keys() {
        for (path, text, expected) in [
            ("a.toml", "[git]\n", Some("git-cliff")),
            ("a.json", r#"{"plugins": [], "branches": []}"#, Some("semantic-release")),
            ("a.json", r#"{"packages": {}, "release-type": "rust"}"#, Some("release-please")),
            ("my-release-please.json", "{}", Some("release-please")),
            ("a.json", r#"{"git": {}}"#, None),
        ] {
            assert_eq!(tool_of(path, text), expected, "{path}: {text}");
        }
    }

    #[test]
    fn a_file_of_another_program_without_such_a_table_is_refused_with_the_way_on() {
        let refused = |path: &str| read(path, b"{}", &|_| Ok(None)).unwrap_err().to_string();
        let expected = "`a/package.json` has no configuration of another tool: there is no `commit-and-tag-version`, no `standard-version`, no `release`";
        assert_eq!(refused("a/package.json"), expected);
        assert_eq!(refused("a.json"), "`a.json` is not known as the configuration of another tool");
    }

    #[test]
    fn a_file_of_another_program_has_a_table_for_the_tool() {
        for (path, text, expected) in [
            ("Cargo.toml", "[package.metadata.git-cliff.git]\n", Some("git-cliff")),
            ("Cargo.toml", "[git]\n", None),
            ("pyproject.toml", "[tool.git-cliff.changelog]\n", Some("git-cliff")),
            ("package.json", r#"{"standard-version": {}, "release": {}}"#, Some("semantic-release")),
            ("package.json", r#"{"commit-and-tag-version": {}}"#, Some("standard-version")),
            ("package.json", r#"{"plugins": [], "branches": []}"#, None),
        ] {
            assert_eq!(tool_of(path, text), expected, "{path}: {text}");
        }
    }
}
