//! The path of a file to commit, from the top of the repository.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
};

use anyhow::Result;
use gix::bstr::{BStr, BString, ByteSlice as _};

use crate::{
    git::{Repo, file},
    model::{Problem, ProblemKind},
};

/// A path in the repository and outside of its `.git` directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FilePath {
    parts: Vec<BString>,
    whole: BString,
}

impl FilePath {
    /// Parses a path from the top of the repository, or an absolute one into its work tree.
    pub(super) fn parse(repo: &Repo, given: &Path) -> Result<Self> {
        let inside = if given.is_absolute() { path_inside(repo, given)? } else { given.to_owned() };
        let parts = inside
            .components()
            .filter(|component| *component != Component::CurDir)
            .map(|component| part(component, given))
            .collect::<Result<Vec<_>>>()?;
        if parts.is_empty() {
            return Err(Problem::usage(format!("`{}` does not name a file", given.display())).into());
        }
        Ok(Self { whole: gix::bstr::join(b"/", &parts).into(), parts })
    }

    /// Returns the path as git writes it.
    pub(super) fn as_bstr(&self) -> &BStr {
        self.whole.as_bstr()
    }

    pub(super) fn parts(&self) -> &[BString] {
        &self.parts
    }

    /// Returns the directories above the file, outermost first, as git writes them.
    pub(super) fn directories(&self) -> impl Iterator<Item = &BStr> {
        let slashes = self.whole.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(index, _)| self.whole[..index].as_bstr())
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.whole.to_str_lossy())
    }
}

/// Makes an absolute path relative to the work tree, with links resolved; its last directories need not exist.
fn path_inside(repo: &Repo, given: &Path) -> Result<PathBuf> {
    let top = repo.work_tree().and_then(|top| top.canonicalize().ok()).ok_or_else(|| path_outside(given))?;
    let mut above = given.ancestors().skip(1).filter_map(|directory| Some((directory, directory.canonicalize().ok()?)));
    let (directory, real) = above.next().ok_or_else(|| path_outside(given))?;
    let below = given.strip_prefix(directory).map_err(|_| path_outside(given))?;
    real.strip_prefix(top).map(|inside| inside.join(below)).map_err(|_| path_outside(given))
}

fn part(component: Component, given: &Path) -> Result<BString> {
    let Component::Normal(name) = component else { return Err(path_outside(given)) };
    let name = gix::path::os_str_into_bstr(name)?;
    if file::is_git_directory(name) {
        return Err(file::in_git_directory(&given.to_string_lossy()).kind(ProblemKind::Usage).into());
    }
    Ok(name.to_owned())
}

fn path_outside(given: &Path) -> anyhow::Error {
    Problem::usage(format!("`{}` is outside of the repository", given.display()))
        .hint("name the file by its path from the top of the repository")
        .into()
}
