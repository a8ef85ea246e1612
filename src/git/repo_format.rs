//! The checks whether the format of a repository is supported (gitrepository-layout(5)).

use std::{
    fs,
    io::{Read as _, Seek as _, SeekFrom},
    path::Path,
};

use anyhow::{Context as _, Result};

use crate::model::{Problem, none_if_missing};

/// The supported extensions, in lower case; the value of `refStorage` is checked when a repository is opened.
const EXTENSIONS: [&str; 8] = [
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
];

/// Refuses a repository that would be read wrongly: gix does not know reftables, and takes a part of `packed-refs` for the
/// whole.
pub(super) fn check_readable(repo: &gix::Repository) -> Result<()> {
    let storage = repo.config_snapshot().plumbing().string("extensions.refStorage");
    if storage.is_some_and(|kind| kind != "files") {
        let shown = repo.git_dir().display();
        let problem = format!("the repository at `{shown}` keeps its references in a reftable, which is not supported");
        return Err(Problem::new(problem)
            .hint("run `git refs migrate --ref-format=files` to convert them to files")
            .into());
    }
    check_packed_refs(repo.common_dir())
}

/// Refuses an unknown format as git does, since it may change what a commit has to be ("repository format version").
pub(super) fn check_writable(repo: &gix::Repository) -> Result<()> {
    let config = repo.config_snapshot();
    let version = config.integer("core.repositoryFormatVersion").unwrap_or_default();
    let refuse = |what: String| {
        Err(Problem::new(format!("the repository {what}, so nothing can be committed to it"))
            .hint("use a version of git that supports it")
            .into())
    };
    if version > 1 {
        return refuse(format!("has format version {version}, which is not known"));
    }
    let sections = config.plumbing().sections_by_name("extensions").into_iter().flatten();
    let names =
        sections.flat_map(|section| section.value_names().map(|name| name.to_ascii_lowercase()).collect::<Vec<_>>());
    match names.filter(|_| version == 1).find(|name| !EXTENSIONS.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => refuse(format!("uses the extension `{name}`, which is not known")),
    }
}

/// Refuses a `packed-refs` that ends inside of a line, as git does: it was cut off.
fn check_packed_refs(common_dir: &Path) -> Result<()> {
    let file = common_dir.join("packed-refs");
    let end = || {
        let mut packed = fs::File::open(&file)?;
        let mut last = [b'\n'];
        if packed.metadata()?.len() > 0 {
            packed.seek(SeekFrom::End(-1))?;
            packed.read_exact(&mut last)?;
        }
        Ok(last)
    };
    match none_if_missing(end()).with_context(|| format!("cannot read `{}`", file.display()))? {
        Some([b'\n']) | None => Ok(()),
        Some(_) => Err(damaged_packed_refs(&file, "its last line has no end").into()),
    }
}

/// The error for a `packed-refs` that cannot be what git wrote.
pub(super) fn damaged_packed_refs(file: &Path, why: &str) -> Problem {
    Problem::new(format!("`{}` is damaged: {why}", file.display()))
        .hint("run `git fsck`; `git fetch --tags` gets tags again that are lost")
}

/// The names of the object formats that the program was built for.
pub fn object_formats() -> impl Iterator<Item = &'static str> {
    gix::hash::Kind::all().iter().map(|kind| object_format(*kind))
}

/// The name of an object format in git.
pub(super) fn object_format(kind: gix::hash::Kind) -> &'static str {
    match kind {
        gix::hash::Kind::Sha256 => "sha256",
        _ => "sha1",
    }
}
