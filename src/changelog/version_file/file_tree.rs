//! The files that versions and workspaces are read from.

/// The files of a repository at one point of its history; paths are from its top, `/` between their parts.
pub trait FileTree {
    /// The content of a file; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>>;

    /// The names of the directories in a directory; the top is the empty path.
    ///
    /// # Errors
    /// If the directory cannot be read.
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
