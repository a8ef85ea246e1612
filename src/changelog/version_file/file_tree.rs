//! The files of a repository, and the directories of workspace members, named by patterns such as `crates/*`.

use regex::Regex;

/// The files of a repository at one point of its history; paths are from its top, with `/` between their parts.
pub(crate) trait FileTree {
    /// Reads a file; `None` if it does not exist.
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>>;

    /// Returns the names of the directories in a directory; the top is the empty path.
    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>>;

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
        let below = |file: &&str| {
            let rest = if path.is_empty() { file } else { file.strip_prefix(path)?.strip_prefix('/')? };
            rest.split_once('/').map(|(name, _)| name.to_owned())
        };
        let mut names: Vec<_> = self.keys().filter_map(below).collect();
        names.dedup();
        Ok(names)
    }
}

/// Returns the directories that patterns match, relative to `root`; one with `!` excludes earlier matches again.
pub(super) fn expand(patterns: &[String], root: &str, tree: &dyn FileTree) -> anyhow::Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for pattern in patterns {
        if let Some(excluded) = pattern.strip_prefix('!') {
            let excluded = regex(&join(root, excluded).unwrap_or_default())?;
            found.retain(|directory| !excluded.is_match(directory));
        } else {
            let segments: Vec<_> = pattern.split('/').filter(|segment| !segment.is_empty()).collect();
            walk(root, &segments, tree, &mut found)?;
        }
    }
    Ok(found)
}

fn walk(directory: &str, segments: &[&str], tree: &dyn FileTree, found: &mut Vec<String>) -> anyhow::Result<()> {
    let Some((first, rest)) = segments.split_first() else {
        if !found.iter().any(|known| known == directory) {
            found.push(directory.to_owned());
        }
        return Ok(());
    };
    if is_literal(first) {
        return join(directory, first).map_or(Ok(()), |inner| walk(&inner, rest, tree, found));
    }
    let is_deep = *first == "**";
    if is_deep {
        walk(directory, rest, tree, found)?;
    }
    let pattern = regex(first)?;
    for name in tree.directories(directory)? {
        let is_hidden = name.starts_with('.') || name == "node_modules";
        if !is_hidden && pattern.is_match(&name) {
            let inner = if directory.is_empty() { name } else { format!("{directory}/{name}") };
            walk(&inner, if is_deep { segments } else { rest }, tree, found)?;
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

/// Joins a directory and a path, without `.` and `..`; `None` if the result is outside of the repository.
pub(crate) fn join(directory: &str, path: &str) -> Option<String> {
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
