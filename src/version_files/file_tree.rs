//! The files of a repository, and the directories of workspace members, named by patterns such as `crates/*`.

use std::collections::HashSet;

use indexmap::IndexSet;
use regex::Regex;

/// The files of a repository at one point of its history; paths are from its top, with `/` between their parts.
pub(crate) trait FileTree {
    /// Reads a file; `None` if it does not exist.
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>>;

    /// Returns the names of the directories in a directory; the top is the empty path.
    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>>;

    /// Returns the names of the symbolic links in a directory that do not lead to a file of the tree.
    fn links(&self, _path: &str) -> anyhow::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Returns the names of the submodules in a directory.
    fn submodules(&self, _path: &str) -> anyhow::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Whether a directory exists; one that cannot be read does not.
    fn has_directory(&self, path: &str) -> bool {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.directories(parent).is_ok_and(|names| names.iter().any(|found| found == name))
    }
}

#[cfg(test)]
impl FileTree for std::collections::BTreeMap<&str, &str> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        Ok(self.get(path).map(|text| text.as_bytes().to_vec()))
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        let mut names: Vec<_> = self
            .keys()
            .filter_map(|file| {
                let rest = if path.is_empty() { file } else { file.strip_prefix(path)?.strip_prefix('/')? };
                rest.split_once('/').map(|(name, _)| name.to_owned())
            })
            .collect();
        names.dedup();
        Ok(names)
    }
}

/// Returns the directories that patterns match, relative to `root`; one with `!` excludes earlier matches again.
pub(super) fn expand(patterns: &[String], root: &str, tree: &dyn FileTree) -> anyhow::Result<Vec<String>> {
    let mut found = IndexSet::new();
    for pattern in patterns {
        if let Some(excluded) = pattern.strip_prefix('!') {
            let excluded = regex(&join_path(root, excluded).unwrap_or_default())?;
            found.retain(|directory: &String| !excluded.is_match(directory));
        } else {
            walk(root, &segments(pattern)?, tree, &mut found)?;
        }
    }
    Ok(found.into_iter().collect())
}

/// A part of a pattern between slashes.
enum Segment<'a> {
    Literal(&'a str),
    /// `**`: any number of directories.
    Deep,
    Names(Regex),
}

/// Returns the parts of a pattern; several `**` in a row are one.
fn segments(pattern: &str) -> anyhow::Result<Vec<Segment<'_>>> {
    let parts = pattern.split('/').filter(|segment| !segment.is_empty());
    let mut segments = parts
        .map(|part| match part {
            "**" => Ok(Segment::Deep),
            part if is_literal(part) => Ok(Segment::Literal(part)),
            part => Ok(Segment::Names(regex(part)?)),
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    segments.dedup_by(|next, last| matches!((next, last), (Segment::Deep, Segment::Deep)));
    Ok(segments)
}

/// Adds the directories that the parts of a pattern lead to, in the order of their names. Each directory is visited once
/// for each part of the pattern, however many ways lead there.
fn walk(root: &str, segments: &[Segment<'_>], tree: &dyn FileTree, found: &mut IndexSet<String>) -> anyhow::Result<()> {
    let mut visited = HashSet::new();
    let mut pending = vec![(root.to_owned(), 0)];
    while let Some((directory, index)) = pending.pop() {
        if !visited.insert((directory.clone(), index)) {
            continue;
        }
        let (name, next) = match segments.get(index) {
            None => {
                found.insert(directory);
                continue;
            }
            Some(Segment::Literal(name)) => {
                pending.extend(join_path(&directory, name).map(|inner| (inner, index + 1)));
                continue;
            }
            Some(Segment::Deep) => (None, index),
            Some(Segment::Names(name)) => (Some(name), index + 1),
        };
        let inner = tree.directories(&directory)?.into_iter().filter(|inner| {
            !inner.starts_with('.') && inner != "node_modules" && name.is_none_or(|name| name.is_match(inner))
        });
        let inner: Vec<_> =
            inner.map(|name| (if directory.is_empty() { name } else { format!("{directory}/{name}") }, next)).collect();
        // The last one is visited first.
        pending.extend(inner.into_iter().rev());
        if name.is_none() {
            pending.push((directory, index + 1));
        }
    }
    Ok(())
}

pub(super) fn is_literal(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '{'])
}

fn regex(pattern: &str) -> anyhow::Result<Regex> {
    let text = regex::escape(pattern)
        .replace(r"\*\*/", "(?:.*/)?")
        .replace(r"\*\*", ".*")
        .replace(r"\*", "[^/]*")
        .replace(r"\?", "[^/]")
        .replace(r"\[", "[")
        .replace(r"\]", "]")
        .replace(r"\{", "(?:")
        .replace(r"\}", ")")
        .replace(',', "|");
    Ok(Regex::new(&format!("^{text}$"))?)
}

/// Returns the pattern of a name that a glob matches; `!(glob)` matches any other name.
pub(crate) fn glob(pattern: &str) -> anyhow::Result<GlobPattern> {
    let negated = pattern.strip_prefix("!(").and_then(|rest| rest.strip_suffix(')'));
    let inner = negated.or_else(|| pattern.strip_prefix('!'));
    Ok(GlobPattern { is_negated: inner.is_some(), regex: regex(inner.unwrap_or(pattern))? })
}

/// A pattern of names.
#[derive(Clone, Debug)]
pub(crate) struct GlobPattern {
    is_negated: bool,
    regex: Regex,
}

impl GlobPattern {
    pub(crate) fn is_match(&self, name: &str) -> bool {
        self.regex.is_match(name) != self.is_negated
    }
}

/// Joins a directory and a path, without `.` and `..`; `None` if the result is outside of the repository.
pub(crate) fn join_path(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, collections::BTreeMap};

    use super::*;

    /// A tree whose listings are counted.
    struct Counted<'a>(&'a BTreeMap<&'a str, &'a str>, Cell<usize>);

    impl FileTree for Counted<'_> {
        fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
            self.0.read(path)
        }

        fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
            self.1.set(self.1.get() + 1);
            self.0.directories(path)
        }
    }

    #[test]
    fn many_stars_list_each_directory_once_for_each_part() {
        for depth in [15, 30] {
            let path = "a/".repeat(depth) + "f";
            let files = BTreeMap::from([(path.as_str(), "")]);
            for pattern in ["**/**/**/**/**/*", "**/*/**/a/**/*/**/*", &"**/".repeat(40)] {
                let tree = Counted(&files, Cell::new(0));
                let found = expand(&[pattern.to_owned()], "", &tree).unwrap();
                let parts = segments(pattern).unwrap().len();
                assert!(tree.1.get() <= (depth + 1) * parts, "{pattern}: {}", tree.1.get());
                assert!(found.contains(&"a/".repeat(depth).trim_end_matches('/').to_owned()), "{pattern}: {found:?}");
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_names_with_each_directory_before_those_in_it() {
        let files = BTreeMap::from([("a/b/f", ""), ("a/f", ""), ("c/a/f", ""), (".x/f", ""), ("node_modules/f", "")]);
        let expand = |pattern: &str| expand(&[pattern.to_owned()], "", &files).unwrap().join(" ");
        assert_eq!(expand("**"), " a a/b c c/a");
        assert_eq!(expand("**/*"), "a c a/b c/a");
        assert_eq!(expand("*/a"), "a/a c/a");
        assert_eq!(expand("**/a"), "a a/a a/b/a c/a c/a/a");
    }
}
