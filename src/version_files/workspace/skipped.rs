//! The members that a workspace lists and whose files the repository does not have: directories outside of it, symbolic
//! links and submodules.

use crate::{
    model::Warning,
    version_files::file_tree::{FileTree, expand, is_literal, join_path},
};

/// A listed member that is not read.
#[derive(Debug)]
pub(super) struct SkippedMember {
    /// The directory, from the top of the repository if it is in it.
    pub(super) path: String,
    reason: &'static str,
}

impl SkippedMember {
    /// Warns of the member, which the manifest at the root of the workspace lists.
    pub(super) fn warning(&self, root: &str) -> Warning {
        Warning::new(format!(
            "`{root}` lists the member `{}`, which is {}: its version and its requirements stay as they are",
            self.path, self.reason
        ))
        .hint("set its version where its files are, or exclude it in the manifest")
    }
}

/// Finds the members among those that patterns match whose files are not in the tree.
pub(super) fn skipped(patterns: &[String], root: &str, tree: &dyn FileTree) -> anyhow::Result<Vec<SkippedMember>> {
    let outside = patterns.iter().filter(|path| {
        let fixed = path.split('/').take_while(|part| is_literal(part)).collect::<Vec<_>>().join("/");
        !path.starts_with('!') && join_path(root, &fixed).is_none()
    });
    let outside = outside.map(|path| SkippedMember { path: path.clone(), reason: "outside of the repository" });
    let mut skipped: Vec<_> = outside.collect();
    for path in expand(patterns, root, &WithForeign(tree))? {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let has_name = |names: Vec<String>| names.iter().any(|found| found == name);
        let reason = if has_name(tree.links(directory)?) {
            "a symbolic link"
        } else if has_name(tree.submodules(directory)?) {
            "a submodule"
        } else {
            continue;
        };
        skipped.push(SkippedMember { path, reason });
    }
    Ok(skipped)
}

/// A tree whose symbolic links and submodules are directories too, so that patterns match them.
struct WithForeign<'a>(&'a dyn FileTree);

impl FileTree for WithForeign<'_> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.0.read(path)
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        let mut names = self.0.directories(path)?;
        names.extend(self.0.links(path)?);
        names.extend(self.0.submodules(path)?);
        Ok(names)
    }
}
