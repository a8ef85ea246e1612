//! Archives of a tree, as git-archive(1) writes them: tape archives byte for byte, ZIP files entry for entry.

mod attributes;
mod describe;
mod placeholder;
mod selection;
mod signature;
mod tar;
mod writer;
mod zip;

use std::io::Write;

use anyhow::{Context as _, Result};
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use gix::{ObjectId, bstr::ByteSlice as _, object::tree::EntryKind};

use super::{Repo, decode::RawCommit, object, object_id, oid, revision, tree::join};
use crate::model::{
    Oid, Problem,
    repository::{ArchiveFormat, ArchiveRequest, NotFound},
};
use attributes::Attributes;
use placeholder::PlaceholderContext;
use selection::{Selection, TreeMember};
use tar::Tar;
use writer::{ArchiveEntry, ArchiveEntryKind, ArchiveWriter};
use zip::Zip;

/// The name of an archive without its suffix, which is also that of the directory for everything in it:
/// `PROJECT-REF-ID`, followed by the path if only a part is archived.
///
/// # Errors
/// If the ref is unknown.
pub fn name(repo: &Repo, request: &ArchiveRequest, project: &str) -> Result<String> {
    let commit = revision::resolve_or_head(repo, request.reference.as_deref())?;
    let reference = match &request.reference {
        Some(reference) => reference.clone(),
        None => head(repo),
    };
    let branch = ["refs/heads/", "refs/tags/"].iter().find_map(|directory| reference.strip_prefix(directory));
    let mut name = format!("{project}-{}-{commit}", branch.unwrap_or(&reference).replace('/', "-"));
    let path = request.path.trim_matches('/');
    if !path.is_empty() {
        name = format!("{name}-{}", path.replace('/', "-"));
    }
    Ok(name)
}

/// Writes an archive in which everything is in the directory `name`.
///
/// One file at a time is in memory.
///
/// # Errors
/// If the ref or a path is unknown, an object cannot be read, or `out` cannot be written.
pub fn write(repo: &Repo, request: &ArchiveRequest, name: &str, out: &mut dyn Write) -> Result<()> {
    let mut archive = Archive::open(repo, request)?;
    let (id, time) = (archive.commit.to_string(), archive.time);
    match request.format {
        ArchiveFormat::Tar => {
            archive.tape(out, name)?;
        }
        ArchiveFormat::TarGz => {
            archive.tape(GzEncoder::new(out, flate2::Compression::default()), name)?.finish().context(UNWRITABLE)?;
        }
        ArchiveFormat::TarBz2 => {
            archive.tape(BzEncoder::new(out, bzip2::Compression::best()), name)?.finish().context(UNWRITABLE)?;
        }
        ArchiveFormat::Zip => {
            let mut zip = Zip::new(out, &id, time);
            archive.pack(name, &mut zip)?;
            zip.finish().context(UNWRITABLE)?;
        }
    }
    Ok(())
}

const UNWRITABLE: &str = "cannot write the archive";

/// What is archived, and how.
struct Archive<'repo> {
    repo: &'repo Repo,
    commit: Oid,
    time: u64,
    tree: ObjectId,
    selection: Selection,
    attributes: Attributes<'repo>,
    facts: PlaceholderContext<'repo>,
}

impl<'repo> Archive<'repo> {
    fn open(repo: &'repo Repo, request: &ArchiveRequest) -> Result<Self> {
        let commit = revision::resolve_or_head(repo, request.reference.as_deref())?;
        let (history, repo) = (repo, repo.with_blobs(commit)?);
        let root = object::root(repo, commit)?;
        let selection = Selection::new(&request.path, &request.exclude);
        for path in selection.paths() {
            let found = root.lookup_entry(path.split('/').map(str::as_bytes)).context("cannot look up a path")?;
            found.ok_or_else(|| Problem::from(NotFound::Archive(format!("no `{path}` in this commit"))))?;
        }
        let object = object::find(repo, object_id(commit))?;
        let archive = Self {
            repo,
            commit,
            time: RawCommit::parse(&object.data).commit_time(),
            tree: root.id,
            selection,
            attributes: Attributes::of(repo, root.id, request.lfs)?,
            facts: PlaceholderContext::load(history, repo, commit, root.id)?,
        };
        if root.data.is_empty() {
            return Err(Problem::from(NotFound::Archive("the commit has no files".to_owned())).into());
        }
        Ok(archive)
    }

    fn tape<W: Write>(&mut self, out: W, name: &str) -> Result<W> {
        let mut tar = Tar::new(out, &self.commit.to_string(), self.time).context(UNWRITABLE)?;
        self.pack(name, &mut tar)?;
        tar.finish().context(UNWRITABLE)
    }

    /// Adds every selected file that is not ignored. The directories of a selected file are added even if it is ignored;
    /// a directory without a selected file is not added.
    fn pack(&mut self, name: &str, pack: &mut dyn ArchiveWriter) -> Result<()> {
        self.add(pack, &TreeMember::directory(Vec::new(), self.tree), name)?;
        let mut directories: Vec<TreeMember> = Vec::new();
        let mut waiting = self.children(&TreeMember::directory(Vec::new(), self.tree))?;
        while let Some(member) = waiting.pop() {
            let export = self.attributes.export(&member.path, member.mode)?;
            directories.retain(|directory| member.is_below(directory));
            if member.mode == EntryKind::Tree {
                if !export.is_ignored {
                    waiting.extend(self.children(&member)?);
                    directories.push(member);
                }
                continue;
            }
            for directory in directories.drain(..) {
                self.add(pack, &directory, name)?;
            }
            if !export.is_ignored {
                self.add(pack, &member.expanded(export.is_expanded), name)?;
            }
        }
        Ok(())
    }

    /// The selected entries of a directory, last first.
    fn children(&self, directory: &TreeMember) -> Result<Vec<TreeMember>> {
        let tree = object::tree(self.repo, directory.id)?;
        let decoded = tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?;
        let member = |entry: &gix::objs::tree::EntryRef<'_>| {
            TreeMember::new(join(&directory.path, entry.filename), entry.mode.kind(), entry.oid.to_owned())
        };
        Ok(decoded.entries.iter().rev().map(member).filter(|member| self.selection.takes(member)).collect())
    }

    fn add(&mut self, pack: &mut dyn ArchiveWriter, member: &TreeMember, name: &str) -> Result<()> {
        let content = self.content(member)?;
        let path = join(name.as_bytes(), &member.path);
        let (kind, end) = match member.mode {
            EntryKind::Tree | EntryKind::Commit => (ArchiveEntryKind::Directory, &b"/"[..]),
            EntryKind::Blob => (ArchiveEntryKind::File, &b""[..]),
            EntryKind::BlobExecutable => (ArchiveEntryKind::Executable, &b""[..]),
            EntryKind::Link => (ArchiveEntryKind::Symlink, &b""[..]),
        };
        let path = if member.path.is_empty() { [name.as_bytes(), end].concat() } else { [&path, end].concat() };
        let id = oid(&member.id).to_string();
        pack.add(&ArchiveEntry { path: &path, kind, id: &id, content: &content })
            .with_context(|| format!("cannot write `{}` into the archive", path.to_str_lossy()))
    }

    fn content(&mut self, member: &TreeMember) -> Result<Vec<u8>> {
        match member.mode {
            EntryKind::Tree | EntryKind::Commit => Ok(Vec::new()),
            EntryKind::Link => Ok(object::find(self.repo, member.id)?.detach().data),
            EntryKind::Blob | EntryKind::BlobExecutable => {
                let blob = object::find(self.repo, member.id)?;
                let content = self.attributes.convert(&member.path, member.id, &blob.data)?;
                if member.is_expanded { self.facts.expand(&content) } else { Ok(content) }
            }
        }
    }
}

/// The branch that is checked out, else the word `HEAD`.
fn head(repo: &Repo) -> String {
    let name = repo.gix().head_name().ok().flatten();
    name.map_or_else(|| "HEAD".to_owned(), |name| name.shorten().to_str_lossy().into_owned())
}
