//! Submodules (gitmodules(5)): their commits at a commit of the repository, and their own repositories, if they are
//! checked out. Nothing is fetched.

use std::path::{Component, Path};

use anyhow::{Context as _, Result};
use gix::{bstr::ByteSlice as _, config, object::tree::EntryKind};

use super::{Repo, file, object, object_id, oid, remote};
use crate::model::Oid;

/// A submodule at a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Submodule {
    /// The name, which is the path unless the submodule was moved.
    name: String,
    /// The path from the top of the repository.
    pub(crate) path: String,
    /// Where it is fetched from, which may be relative to the address of the repository.
    url: Option<String>,
    /// The commit that the repository has of it.
    pub(crate) commit: Oid,
}

/// Returns the submodules that `.gitmodules` names at a commit, in its order.
///
/// # Errors
/// If the file or a tree cannot be read.
pub(crate) fn at_commit(repo: &Repo, commit: Oid) -> Result<Vec<Submodule>> {
    let Some(bytes) = file::read_at_commit(repo, commit, ".gitmodules")? else { return Ok(Vec::new()) };
    let settings = config::File::try_from(bytes.to_str_lossy().as_ref()).context("`.gitmodules` is not valid")?;
    let repo = repo.with_trees(vec![object_id(commit)])?;
    let root = object::root(repo, commit)?;
    let mut found: Vec<Submodule> = Vec::new();
    for section in settings.sections_by_name("submodule").into_iter().flatten() {
        let text = |key: &str| section.value(key).and_then(|value| value.to_str().ok().map(str::to_owned));
        let name = section.header().subsection_name().and_then(|name| name.to_str().ok());
        let (Some(name), Some(path)) = (name, text("path")) else { continue };
        let is_known = found.iter().any(|known| known.path == path);
        let entry = object::entry(&root, path.trim_end_matches('/')).ok().flatten();
        if let Some(entry) =
            entry.filter(|entry| entry.mode().kind() == EntryKind::Commit && !is_known && is_below(&path))
        {
            found.push(Submodule { name: name.to_owned(), path, url: text("url"), commit: oid(&entry.object_id()) });
        }
    }
    Ok(found)
}

impl Submodule {
    /// Opens the repository of the submodule, if it is checked out or was.
    pub(crate) fn open(&self, repo: &Repo) -> Option<Repo> {
        let checked_out = repo.work_tree().map(|top| top.join(&self.path)).filter(|path| path.join(".git").exists());
        let kept =
            [repo.git_dir(), repo.gix().common_dir()].map(|directory| directory.join("modules").join(&self.name));
        let kept = kept.into_iter().filter(|_| is_below(&self.name));
        checked_out.into_iter().chain(kept).filter(|path| path.is_dir()).find_map(|path| Repo::open(&path).ok())
    }

    /// Returns the address that it is fetched from; `None` if it has none.
    pub(crate) fn url(&self, repo: &Repo) -> Option<String> {
        let url = self.url.as_deref()?;
        if !url.starts_with("./") && !url.starts_with("../") {
            return Some(url.to_owned());
        }
        resolve(&remote::origin(repo)?, url)
    }
}

/// Whether a name or path leads to a directory below another one, as git requires of those of submodules.
fn is_below(name: &str) -> bool {
    !name.is_empty()
        && !name.contains('\\')
        && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Resolves a relative address as git does: each `../` removes a part from the end.
fn resolve(base: &str, mut relative: &str) -> Option<String> {
    let mut base = base.trim_end_matches('/');
    loop {
        if let Some(rest) = relative.strip_prefix("../") {
            let end = base.rfind('/').or_else(|| base.rfind(':').map(|at| at + 1))?;
            (base, relative) = (&base[..end], rest);
        } else if let Some(rest) = relative.strip_prefix("./") {
            relative = rest;
        } else {
            let separator = if base.ends_with(':') { "" } else { "/" };
            return Some(format!("{base}{separator}{relative}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use gix::objs::{Kind, Write as _};

    use super::*;

    #[test]
    fn a_submodule_at_a_path_that_leads_out_of_the_repository_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let inner = gix::init_bare(directory.path()).unwrap();
        let write = |kind, bytes: &[u8]| inner.write_buf(kind, bytes).unwrap();
        let modules = "[submodule \"a\"]\npath = ..\nurl = ./a\n[submodule \"b\"]\npath = lib\nurl = ./b\n";
        let blob = write(Kind::Blob, modules.as_bytes());
        let entry = |head: &str, id: gix::ObjectId| [head.as_bytes(), b"\0", id.as_bytes()].concat();
        // git itself writes no such tree, but a server may send one.
        let tree = [entry("160000 ..", blob), entry("100644 .gitmodules", blob), entry("160000 lib", blob)].concat();
        let tree = write(Kind::Tree, &tree);
        let commit = format!("tree {tree}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nAdd it\n");
        let commit = write(Kind::Commit, commit.as_bytes());
        let repo = Repo::open(directory.path()).unwrap();
        let found = at_commit(&repo, oid(&commit)).unwrap();
        assert_eq!(found.iter().map(|one| one.path.as_str()).collect::<Vec<_>>(), ["lib"]);
    }

    #[test]
    fn a_relative_address_is_resolved_as_git_does() {
        for (base, relative, expected) in [
            ("https://git.example.org/harbor/app.git", "../crane.git", "https://git.example.org/harbor/crane.git"),
            ("https://git.example.org/harbor/app/", "../../sea/crane", "https://git.example.org/sea/crane"),
            ("git@git.example.org:harbor/app.git", "../../sea/crane", "git@git.example.org:sea/crane"),
            ("/srv/app", "./crane", "/srv/app/crane"),
        ] {
            assert_eq!(resolve(base, relative).as_deref(), Some(expected));
        }
        assert_eq!(resolve("app", "../crane"), None);
    }

    #[test]
    fn a_name_that_leads_out_of_the_directory_is_no_repository() {
        assert!(is_below("libs/crane"));
        for name in ["", "..", "libs/../../x", "/etc", "libs\\..\\x"] {
            assert!(!is_below(name), "{name}");
        }
    }
}
