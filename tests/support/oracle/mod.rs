//! What git prints about a repository, in GitLab's format: the oracle for our output, and the data of the test server.

mod archive;
mod commit;
mod compare;
mod contributors;
mod health;
mod tree;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::{TestRepo, run::isolate};

pub use archive::Part;

/// A repository on disk and the address of its project's pages.
#[derive(Clone, Debug)]
pub struct Oracle {
    path: PathBuf,
    url: String,
}

impl TestRepo {
    /// What git says of this repository; the project's pages are at `https://git.example.org/group/app`.
    pub fn oracle(&self) -> Oracle {
        Oracle::new(self.path(), "https://git.example.org/group/app")
    }
}

impl Oracle {
    pub fn new(path: &Path, url: &str) -> Self {
        Self { path: path.to_owned(), url: url.to_owned() }
    }

    /// The commit of a revision.
    pub fn resolve(&self, name: &str) -> Option<String> {
        self.try_git(&["rev-parse", "--quiet", "--verify", "--end-of-options", &format!("{name}^{{commit}}")])
            .map(|id| String::from_utf8_lossy(&id).trim().to_owned())
    }

    /// The branch that HEAD names.
    pub fn default_branch(&self) -> String {
        self.text(&["symbolic-ref", "--short", "HEAD"])
    }

    /// The best common ancestor.
    pub fn merge_base(&self, refs: &[&str]) -> Option<String> {
        let base = self.try_git(&[&["merge-base"], refs].concat())?;
        Some(String::from_utf8_lossy(&base).trim().to_owned())
    }

    /// Whether a commit has this file or directory.
    pub fn has(&self, commit: &str, path: &str) -> bool {
        self.try_git(&["cat-file", "-e", &format!("{commit}:{path}")]).is_some()
    }

    /// A blob's content.
    pub fn blob(&self, id: &str) -> Option<Vec<u8>> {
        self.try_git(&["cat-file", "blob", id])
    }

    /// git's stdout; `None` if it exits with an error.
    fn try_git(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let mut command = Command::new("git");
        isolate(&mut command);
        let output = command.args(arguments).current_dir(&self.path).output().expect("git is on the PATH");
        output.status.success().then_some(output.stdout)
    }

    #[track_caller]
    fn git(&self, arguments: &[&str]) -> Vec<u8> {
        self.try_git(arguments).unwrap_or_else(|| panic!("git {arguments:?} failed"))
    }

    /// git's stdout as lossy text, without the final newline.
    #[track_caller]
    fn text(&self, arguments: &[&str]) -> String {
        String::from_utf8_lossy(&self.git(arguments)).trim_end_matches('\n').to_owned()
    }
}
