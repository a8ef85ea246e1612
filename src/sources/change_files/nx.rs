//! Version plans of Nx: `.nx/version-plans/*.md`, with a bump for each project or release group.

use super::{
    change::{Change, Target},
    front_matter,
    kinds::{find, has_extension},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Position, Problem, Source},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "md"), write, parse };

pub(super) fn configure(bytes: &[u8], path: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let release = find(&fields, "release").map(Field::fields).transpose()?.unwrap_or_default();
    let is_on = |fields: &[Field]| find(fields, "versionPlans").is_some_and(|plans| !plans.is_off());
    let groups = find(&release, "groups").map(Field::fields).transpose()?.unwrap_or_default();
    let mut is_configured = is_on(&release);
    for group in &groups {
        is_configured |= group.is_mapping() && is_on(&group.fields()?);
    }
    if !is_configured && !tree.has_directory(".nx/version-plans") {
        return Ok(None);
    }
    let titles = [("major", "⚠️ Breaking Changes"), ("minor", "🚀 Features"), ("patch", "🩹 Fixes")];
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![".nx/version-plans".to_owned()],
        categories: titles.map(|(name, title)| (name.to_owned(), title.to_owned())).into(),
        levels: indexmap::IndexMap::new(),
        ..ChangeFiles::of(&TOOL)
    }))
}

/// Writes a file with a line for each package.
fn write(_: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    Ok((format!("{}.md", change.slug()), change.with_front_matter(|level| level.name().to_owned())?))
}

fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let found = front_matter::split(source)?;
    if found.text.is_empty() {
        let line = source.text.lines().count().max(1);
        return Err(source.problem(Position { line, column: 1 }, "the version plan has no message"));
    }
    let mut targets = Vec::new();
    for (package, word, line) in found.pairs {
        let level = match word.as_str() {
            "major" | "premajor" | "feat!" | "fix!" => BumpLevel::Major,
            "minor" | "preminor" | "feat" => BumpLevel::Minor,
            "patch" | "prepatch" | "prerelease" | "fix" => BumpLevel::Patch,
            _ => {
                let message = format!("the bump of `{package}` must be `major`, `minor` or `patch`, not `{word}`");
                return Err(source.problem(Position { line, column: 1 }, &message));
            }
        };
        targets.push(Target { package: Some(package), category: level.name().to_owned(), level });
    }
    Ok(vec![Change { targets, text: found.text.to_owned(), ..Change::default() }])
}
