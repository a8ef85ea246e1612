//! A change as a file describes it, and what it asks of the version.

use indexmap::IndexMap;

use crate::{model::BumpLevel, versions::bump::CategoryBump};

/// A change as its file describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    /// The path of the file, from the top of the repository.
    pub path: String,
    /// What it changes, and how; nothing if the file only says that there is no change.
    pub targets: Vec<Target>,
    /// The packages that the file names with the bump `none`.
    pub unbumped: Vec<String>,
    /// The component that the file names.
    pub component: Option<String>,
    /// The text in Markdown.
    pub text: String,
    /// The number of the request, if the file names it.
    pub request: Option<u64>,
    /// The user name of the author, if the file names it.
    pub author: Option<String>,
    /// The issues that the file names, as they are printed.
    pub issues: Vec<String>,
    /// What sorts it among other changes, before the order of the names of files.
    pub order: String,
}

/// A package that a change concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The name of the package; `None` for the repository as a whole.
    pub package: Option<String>,
    pub category: String,
    pub level: BumpLevel,
}

/// Returns the name of a file without directories and extension, which stays when the file moves.
pub(crate) fn file_id(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(id, _)| id)
}

/// Returns the level that each category of these targets asks for, the highest first.
pub(crate) fn bumps<'a>(targets: impl Iterator<Item = &'a Target>) -> Vec<CategoryBump> {
    let mut bumps: IndexMap<&str, CategoryBump> = IndexMap::new();
    for Target { category, level, .. } in targets {
        let new = || CategoryBump { category: category.clone(), level: *level, asked: *level, count: 0 };
        let bump = bumps.entry(category).or_insert_with(new);
        bump.level = bump.level.max(*level);
        bump.asked = bump.level;
        bump.count += 1;
    }
    let mut bumps: Vec<CategoryBump> = bumps.into_values().collect();
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}
