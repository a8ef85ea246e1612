//! Change files as they were read and parsed. Those that wait for a release are the same for all packages with a shared
//! range, so that they are read once.

use std::{
    cell::OnceCell,
    collections::{HashMap, HashSet},
};

use crate::{
    git::{
        Repo,
        file_history::{AddingCommit, KnownPart, adding_commits, read_files},
    },
    model::{Oid, Problem, Warning},
    sources::change_files::{Change, ChangeFiles, ListedFile},
};

/// Parsed change files.
#[derive(Debug, Default)]
pub(crate) struct ParsedChanges {
    /// The changes in their order, each with the commit that has its file.
    pub(crate) changes: Vec<(Oid, Change)>,
    /// The files that are there at the end of the range.
    pub(crate) waiting: Vec<ListedFile>,
    pub(crate) warnings: Vec<Warning>,
    /// Why files cannot be read.
    pub(crate) broken: Vec<Problem>,
    adding: OnceCell<AddingCommits>,
}

impl ParsedChanges {
    /// Reads change files, each at the commit that has it, of a range that ends at `to`.
    pub(crate) fn read(repo: &Repo, files: &ChangeFiles, to: Oid, paths: Vec<(Oid, String)>) -> anyhow::Result<Self> {
        let mut parsed = Self::default();
        for (commit, path, content) in contents(repo, paths)? {
            match parse(files, &path, content.as_deref()) {
                Ok(found) => {
                    parsed.changes.extend(found.into_iter().map(|change| (commit, change)));
                    if commit == to {
                        let content = content.unwrap_or_default();
                        parsed.waiting.push(ListedFile { path, content, packages: None });
                    }
                }
                Err(problem) => {
                    parsed.warnings.push(problem.clone().in_short("the change file is not read"));
                    parsed.broken.push(problem);
                }
            }
        }
        parsed.changes.sort_by(|(_, one), (_, other)| one.order.cmp(&other.order));
        if files.merges_texts {
            parsed.merge_texts();
        }
        Ok(parsed)
    }

    /// Makes one change of those with the same text and category, with the issues of all.
    fn merge_texts(&mut self) {
        let mut merged: Vec<(Oid, Change)> = Vec::with_capacity(self.changes.len());
        let mut known: HashMap<(String, Option<String>), usize> = HashMap::new();
        for (commit, change) in self.changes.drain(..) {
            let key = (change.text.clone(), change.targets.first().map(|target| target.category.clone()));
            if let Some(index) = known.get(&key) {
                merged[*index].1.issues.extend(change.issues);
            } else {
                known.insert(key, merged.len());
                merged.push((commit, change));
            }
        }
        self.changes = merged;
    }

    /// Returns the commits that added the files. All files are at `to`.
    pub(crate) fn adding(&self, repo: &Repo, to: Oid, directories: &[String]) -> &AddingCommits {
        self.adding.get_or_init(|| {
            let names = self.changes.iter().map(|(_, change)| file_name(&change.path).to_owned()).collect();
            let mut found = AddingCommits::default();
            found.find(repo, to, directories, names, None);
            found
        })
    }
}

/// The commits that added files, by the names of these.
#[derive(Debug, Default)]
pub(crate) struct AddingCommits {
    pub(crate) commits: HashMap<String, AddingCommit>,
    pub(crate) warnings: Vec<Warning>,
}

impl AddingCommits {
    /// Adds the commits that added files which a commit has, given by their names. An entry without its commit is better
    /// than no section, so that a failure is a warning.
    pub(crate) fn find(
        &mut self,
        repo: &Repo,
        tip: Oid,
        directories: &[String],
        names: HashSet<String>,
        part: Option<&KnownPart>,
    ) {
        match adding_commits(repo, tip, directories, names, part) {
            Ok(adding) => self.commits.extend(adding),
            Err(error) => {
                let what = "entries lack their commits, as it is unknown which commits added the change files";
                self.warnings.push(Warning::from_error(what, &error));
            }
        }
    }
}

/// Returns the name of a file without its directory.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Reads the changes in a file; a link has the text of the change file beside it that it points to.
///
/// # Errors
/// If the file is malformed, or a link leads anywhere else.
pub(crate) fn parse(files: &ChangeFiles, path: &str, content: Option<&[u8]>) -> Result<Vec<Change>, Problem> {
    let content = content.ok_or_else(|| {
        Problem::new(format!("{path}: the symbolic link does not lead to a file beside it"))
            .hint("let it point to a change file in the same directory, or put the text into it")
    })?;
    files.parse(path, content)
}

/// A change file at a commit, by its path, with its content; `None` for a link that leads to no file beside it.
type FileContent = (Oid, String, Option<Vec<u8>>);

/// Returns change files with their contents.
fn contents(repo: &Repo, paths: Vec<(Oid, String)>) -> anyhow::Result<Vec<FileContent>> {
    let mut contents = vec![None; paths.len()];
    for commit in paths.iter().map(|(commit, _)| *commit).collect::<HashSet<Oid>>() {
        let own: Vec<usize> = (0..paths.len()).filter(|index| paths[*index].0 == commit).collect();
        let names: Vec<&str> = own.iter().map(|index| paths[*index].1.as_str()).collect();
        for (index, content) in own.iter().zip(read_files(repo, commit, &names)?) {
            contents[*index] = content;
        }
    }
    Ok(paths.into_iter().zip(contents).map(|((commit, path), content)| (commit, path, content)).collect())
}
