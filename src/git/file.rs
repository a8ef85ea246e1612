//! Reads a file of a repository: at a commit, by the ID of its blob (git-cat-file(1)), or in the work tree.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Component, MAIN_SEPARATOR, Path},
};

use anyhow::{Context as _, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gix::{
    ObjectId,
    bstr::{BStr, ByteSlice as _},
    object::{Kind, tree::EntryKind},
    validate::path::component::{self, Options},
};

use super::{Repo, object, revision};
use crate::{
    bounded_read,
    model::{
        Oid, Problem, none_if_missing,
        repository::{Blob, no_blob},
    },
};

/// Reads the file `path` (parts separated by `/`) at `commit`; `None` if it does not exist.
///
/// # Errors
/// If an object is missing, as in a partial clone (nothing is fetched into a local clone), the file is too large, or
/// `path` is a symbolic link.
pub(crate) fn read_at_commit(repo: &Repo, commit: Oid, path: &str) -> Result<Option<Vec<u8>>> {
    match read_entry(repo, commit, path)? {
        Some((EntryKind::Link, _)) => {
            Err(Problem::new(format!("`{path}` is a symbolic link at commit `{}`", commit.short())).into())
        }
        found => Ok(found.map(|(_, content)| content)),
    }
}

/// Reads a file as [`read_at_commit`] does. A symbolic link to a file beside it has the content of that file, and any
/// other link is as if it did not exist.
pub(super) fn read_linked(repo: &Repo, commit: Oid, path: &str) -> Result<Option<Vec<u8>>> {
    let found = match read_entry(repo, commit, path)? {
        Some((EntryKind::Link, target)) => match name_beside(path, &target.to_str_lossy()) {
            Some(beside) => read_entry(repo, commit, &beside)?,
            None => None,
        },
        found => found,
    };
    Ok(found.filter(|(kind, _)| *kind != EntryKind::Link).map(|(_, content)| content))
}

/// Returns the path of a file with this name in the directory of another one; `None` if it is not the name of a file.
fn name_beside(path: &str, name: &str) -> Option<String> {
    let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
    let is_name = !name.contains('/') && !["", ".", ".."].contains(&name);
    is_name.then(|| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") })
}

/// Reads a file or a symbolic link, of which the content is the target; `None` if there is neither.
fn read_entry(repo: &Repo, commit: Oid, path: &str) -> Result<Option<(EntryKind, Vec<u8>)>> {
    let objects = repo.with_file(commit, path)?;
    let found = object::root_id(objects, commit).and_then(|root| object::at_path(objects, root, path));
    let found = found.with_context(|| file_not_found(path, commit))?;
    let Some(found) = found.filter(|found| found.mode.is_blob_or_symlink()) else { return Ok(None) };
    let size = objects.gix().find_header(found.id).with_context(|| file_not_found(path, commit))?.size();
    bounded_read::check_size(size, path)?;
    let content = object::find(objects, found.id).with_context(|| file_not_found(path, commit))?.detach().data;
    Ok(Some((found.mode.kind(), content)))
}

/// Returns a path as it is named in a tree: its parts are separated by `/`.
pub(crate) fn path_in_tree(path: &Path) -> String {
    path.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}

pub(super) fn file_not_found(path: &str, commit: Oid) -> Problem {
    let commit = commit.short();
    Problem::new(format!("cannot read `{path}` at commit `{commit}`"))
        .hint(format!("run `git show {commit}:{path}`, which fetches missing objects in a partial clone"))
}

/// Returns a blob with its content in Base64. Its name is an ID, an abbreviated ID, or a path as in `HEAD:README.md`.
///
/// # Errors
/// If there is no such blob, or it cannot be read.
pub(crate) fn blob(repo: &Repo, name: &str) -> Result<Blob> {
    let object = find_blob(repo, name)?;
    Ok(Blob {
        size: object.data.len() as u64,
        encoding: "base64".to_owned(),
        content: STANDARD.encode(&object.data),
        sha: object.id.to_string(),
    })
}

/// Returns the content of the blob that `name` means, as in [`blob`].
///
/// # Errors
/// If there is no such blob, or it cannot be read.
pub(crate) fn raw_blob(repo: &Repo, name: &str) -> Result<Vec<u8>> {
    Ok(find_blob(repo, name)?.detach().data)
}

fn find_blob<'repo>(repo: &'repo Repo, name: &str) -> Result<gix::Object<'repo>> {
    let absent = || no_blob(name);
    let (objects, name) = repo.with_blob(name)?;
    let id = match (revision::object(&objects, &name), ObjectId::from_hex(name.as_bytes())) {
        (Ok(id), _) => id,
        // A blob that a partial clone omits is missing, not unknown.
        (Err(_), Ok(id)) if object::is_partial(&objects) => id,
        (Err(_), _) => return Err(absent().into()),
    };
    let object = object::find(objects, id)?;
    if object.kind == Kind::Blob { Ok(object) } else { Err(absent().into()) }
}

/// Reads a file of the work tree, by its path from the top; `None` if it does not exist.
///
/// Files that the configuration names are read by this function. Otherwise anybody who can propose a change to the
/// configuration could have a CI job print what the job can read, such as the token in `.git/config`. So a path or a
/// link must not lead into git's own directory or out of the repository, and the file must be a regular one.
pub(crate) fn in_work_tree(repo: &Repo, path: &str) -> Result<Option<Vec<u8>>> {
    let top = repo.work_tree().context("a bare repository has no work tree")?;
    read_below(top, &git_directories(repo), Path::new(path), path)
}

/// Creates a file of the work tree, by its path from the top, and the directories above it; `false` if it exists. No
/// link may lead out of the repository.
pub(crate) fn create_in_work_tree(repo: &Repo, path: &str, content: &[u8]) -> Result<bool> {
    let failed = || format!("cannot write `{path}`");
    let top = repo.work_tree().ok_or_else(|| Problem::usage("a bare repository has no files to write to"))?;
    if names_git_directory(Path::new(path)) {
        return Err(in_git_directory(path).into());
    }
    let full = top.join(path);
    let directory = full.parent().unwrap_or(top);
    // Not even a directory is created outside, so what exists of the path is looked at first.
    let is_plain = !Path::new(path).components().any(|part| part == Component::ParentDir);
    let existing = directory.ancestors().find_map(|above| above.canonicalize().ok()).filter(|_| is_plain);
    let top = top.canonicalize().with_context(failed)?;
    let inside = existing.as_deref().and_then(|existing| existing.strip_prefix(&top).ok());
    match inside {
        Some(inside) if names_git_directory(inside) => return Err(in_git_directory(path).into()),
        Some(_) => fs::create_dir_all(directory).with_context(failed)?,
        None => return Err(Problem::new(format!("`{path}` is outside of the repository")).into()),
    }
    match File::create_new(&full) {
        Ok(mut file) => file.write_all(content).map(|()| true).with_context(failed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error).with_context(failed),
    }
}

/// Reads a file that the command line names, relative to the current directory; `None` if it does not exist. It may be
/// any file or a pipe; but a link in the work tree, which others may have created, must not lead out of it.
pub(crate) fn read_local(repo: &Repo, path: &str) -> Result<Option<Vec<u8>>> {
    let directory = std::path::absolute(path).ok().and_then(|path| path.parent()?.canonicalize().ok());
    let top = repo.work_tree().filter(|top| {
        let top = top.canonicalize();
        directory.zip(top.ok()).is_some_and(|(directory, top)| directory.starts_with(top))
    });
    if let Some(top) = top {
        return read_below(top, &git_directories(repo), &std::path::absolute(path)?, path);
    }
    let file = none_if_missing(File::open(path)).with_context(|| format!("cannot read `{path}`"))?;
    file.map(|file| bounded_read::read(file, path)).transpose()
}

/// Reads a file below the current directory; `None` if it does not exist.
pub(crate) fn in_current_directory(path: &str) -> Result<Option<Vec<u8>>> {
    read_below(Path::new("."), &[], Path::new(path), path)
}

fn git_directories(repo: &Repo) -> [&Path; 2] {
    [repo.git_dir(), repo.gix().common_dir()]
}

/// Reads a path relative to `top`; errors call it `name`.
fn read_below(top: &Path, git_directories: &[&Path], path: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let unreadable = || format!("cannot read `{name}`");
    if path.is_relative() && names_git_directory(path) {
        return Err(in_git_directory(name).into());
    }
    let Some(full) = none_if_missing(top.join(path).canonicalize()).with_context(unreadable)? else { return Ok(None) };
    let Ok(inside) = full.strip_prefix(top.canonicalize().with_context(unreadable)?) else {
        let limit = if git_directories.is_empty() { "current directory" } else { "repository" };
        return Err(Problem::new(format!("`{name}` is outside of the {limit}"))
            .hint("use a file inside of it, or pass a template with `--template`")
            .into());
    };
    if names_git_directory(inside)
        || git_directories
            .iter()
            .any(|directory| directory.canonicalize().is_ok_and(|directory| full.starts_with(directory)))
    {
        return Err(in_git_directory(name).into());
    }
    bounded_read::read_regular_file(&full, name)
}

fn names_git_directory(path: &Path) -> bool {
    path.components().any(|component| {
        let Component::Normal(name) = component else { return false };
        gix::path::os_str_into_bstr(name).is_ok_and(is_git_directory)
    })
}

/// Whether some file system reads a name as `.git`: in other case, with ignored characters, or as a short name.
pub(super) fn is_git_directory(name: &BStr) -> bool {
    let options = Options { protect_windows: false, protect_hfs: true, protect_ntfs: true };
    matches!(gix::validate::path::component(name, None, options), Err(component::Error::DotGitDir))
}

pub(super) fn in_git_directory(path: &str) -> Problem {
    Problem::new(format!("`{path}` is inside git's own directory"))
}

/// Whether git considers a content binary: a NUL is among the first 8000 bytes.
pub(super) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}
