//! Version plans of Nx: `.nx/version-plans/*.md`, with a bump for each project or release group.

use super::{
    change::{Change, Target},
    front_matter,
    kinds::{field_text, find_field, has_extension},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
    packages::{self, PackageList},
};
use indexmap::IndexMap;

use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Position, Problem, Source},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "md"), write, parse };

pub(super) fn configure(bytes: &[u8], path: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let release = find_field(&fields, "release").map(Field::fields).transpose()?.unwrap_or_default();
    let is_on = |fields: &[Field]| find_field(fields, "versionPlans").is_some_and(|plans| !plans.is_off());
    let groups = find_field(&release, "groups").map(Field::fields).transpose()?.unwrap_or_default();
    let mut is_configured = is_on(&release);
    for group in &groups {
        is_configured |= group.is_mapping() && is_on(&group.fields()?);
    }
    if !is_configured && !tree.has_directory(".nx/version-plans") {
        return Ok(None);
    }
    let independent = Independent::read(&release, &groups, tree)?;
    let titles = [("major", "⚠️ Breaking Changes"), ("minor", "🚀 Features"), ("patch", "🩹 Fixes")];
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![".nx/version-plans".to_owned()],
        categories: titles.map(|(name, title)| (name.to_owned(), title.to_owned())).into(),
        packages: independent.packages,
        aliases: independent.groups,
        ..ChangeFiles::of(&TOOL)
    }))
}

/// The projects that are released by themselves, and the names of the groups that have some.
#[derive(Default)]
struct Independent {
    packages: PackageList,
    groups: IndexMap<String, Vec<String>>,
}

impl Independent {
    fn read(release: &[Field], groups: &[Field], tree: &dyn FileTree) -> anyhow::Result<Self> {
        let mut independent = Self::default();
        let (mut released, mut ignored) = (Vec::new(), Vec::new());
        if groups.is_empty() && is_independent(release)? {
            add_projects(release, &mut released, &mut ignored)?;
            independent.packages = PackageList::Members { released, ignored, skips_private: false };
            return Ok(independent);
        }
        for group in groups {
            let own = group.fields()?;
            if !is_independent(&own)? {
                continue;
            }
            let (mut of_group, mut others) = (Vec::new(), Vec::new());
            add_projects(&own, &mut of_group, &mut others)?;
            let members = packages::members(&of_group, &others, false, tree)?.into_iter().map(|package| package.name);
            independent.groups.insert(group.key().to_owned(), members.collect());
            released.append(&mut of_group);
            ignored.append(&mut others);
        }
        if !released.is_empty() {
            independent.packages = PackageList::Members { released, ignored, skips_private: false };
        }
        Ok(independent)
    }
}

fn is_independent(fields: &[Field]) -> anyhow::Result<bool> {
    Ok(field_text(fields, "projectsRelationship")?.as_deref() == Some("independent"))
}

/// Adds the patterns of `projects`, a text or a list; those with `!` exclude, and a tag matches no name.
fn add_projects(fields: &[Field], released: &mut Vec<String>, ignored: &mut Vec<String>) -> anyhow::Result<()> {
    let Some(projects) = find_field(fields, "projects") else { return Ok(()) };
    let patterns = match projects.text() {
        Ok(pattern) => pattern.into_iter().collect(),
        Err(_) => projects.elements()?.iter().map(Field::filled).collect::<anyhow::Result<Vec<_>>>()?,
    };
    for pattern in patterns {
        match pattern.strip_prefix('!') {
            Some(excluded) => ignored.push(excluded.to_owned()),
            None => released.push(pattern),
        }
    }
    Ok(())
}

/// Writes a file with a line for each package.
fn write(_: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    Ok((format!("{}.md", change.slug()), change.with_front_matter(|level| level.name().to_owned())?))
}

fn parse(files: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
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
        for package in files.aliases.get(&package).cloned().unwrap_or_else(|| vec![package]) {
            targets.push(Target { package: Some(package), category: level.name().to_owned(), level });
        }
    }
    Ok(vec![Change { targets, text: found.text.to_owned(), ..Change::default() }])
}
