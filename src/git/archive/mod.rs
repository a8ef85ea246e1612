//! Archives of a tree, as git-archive(1) writes them: tar archives byte for byte, ZIP files entry for entry.

mod attributes;
mod describe;
mod entry;
mod placeholder;
mod tar;
mod zip;

use std::io::Write;

use anyhow::{Context as _, Result};
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use gix::{ObjectId, bstr::ByteSlice as _, object::tree::EntryKind};

use super::{
    Repo,
    decode::RawCommit,
    object, object_id, revision,
    tree::{self, TreeMember, join},
};
use crate::model::repository::{ArchiveFormat, ArchiveRequest, nothing_to_archive};
use attributes::Attributes;
use entry::{ArchiveEntry, ArchiveWriter, Selection, is_below};
use placeholder::PlaceholderContext;
use tar::Tar;
use zip::Zip;

/// Returns the name of an archive without its suffix, which is also the name of the directory that contains everything
/// in the archive: `PROJECT-REF-ID`, followed by the path if only a part is archived.
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
/// It keeps one file at a time in memory.
///
/// # Errors
/// If the ref or a path is unknown, an object cannot be read, or `out` cannot be written.
pub fn write(repo: &Repo, request: &ArchiveRequest, name: &str, out: &mut dyn Write) -> Result<()> {
    let mut archive = Archive::open(repo, request, name)?;
    match request.format {
        ArchiveFormat::Tar => {
            archive.tape(out)?;
        }
        ArchiveFormat::TarGz => {
            archive.tape(GzEncoder::new(out, flate2::Compression::default()))?.finish().context(UNWRITABLE)?;
        }
        ArchiveFormat::TarBz2 => {
            archive.tape(BzEncoder::new(out, bzip2::Compression::best()))?.finish().context(UNWRITABLE)?;
        }
        ArchiveFormat::Zip => {
            let mut zip = Zip::new(out, &archive.commit.to_string(), archive.time);
            archive.pack(&mut zip)?;
            zip.finish().context(UNWRITABLE)?;
        }
    }
    Ok(())
}

const UNWRITABLE: &str = "cannot write the archive";

struct Archive<'a> {
    repo: &'a Repo,
    /// The directory that contains everything in the archive.
    name: &'a str,
    commit: ObjectId,
    time: u64,
    tree: ObjectId,
    selection: Selection,
    attributes: Attributes<'a>,
    placeholders: PlaceholderContext<'a>,
}

impl<'a> Archive<'a> {
    fn open(repo: &'a Repo, request: &ArchiveRequest, name: &'a str) -> Result<Self> {
        let commit = revision::resolve_or_head(repo, request.reference.as_deref())?;
        let (history, repo) = (repo, repo.with_blobs(commit)?);
        let root = object::root(repo, commit)?;
        let selection = Selection::new(&request.path, &request.exclude);
        for path in selection.paths() {
            let found = root.lookup_entry(path.split('/').map(str::as_bytes)).context("cannot look up a path")?;
            found.ok_or_else(|| nothing_to_archive(&format!("no `{path}` in this commit")))?;
        }
        let commit = object_id(commit);
        let archive = Self {
            repo,
            name,
            commit,
            time: RawCommit::parse(&object::find(repo, commit)?.data).commit_time(),
            tree: root.id,
            selection,
            attributes: Attributes::new(repo, root.id, request.lfs)?,
            placeholders: PlaceholderContext::load(history, repo, commit, root.id)?,
        };
        if root.data.is_empty() {
            return Err(nothing_to_archive("the commit has no files").into());
        }
        Ok(archive)
    }

    fn tape<W: Write>(&mut self, out: W) -> Result<W> {
        let mut tar = Tar::new(out, &self.commit.to_string(), self.time).context(UNWRITABLE)?;
        self.pack(&mut tar)?;
        tar.finish().context(UNWRITABLE)
    }

    /// Adds every selected file that is not ignored. The directories of a selected file are added even if it is
    /// ignored; a directory without a selected file is not added.
    fn pack(&mut self, out: &mut dyn ArchiveWriter) -> Result<()> {
        let root = TreeMember { path: Vec::new(), mode: EntryKind::Tree, id: self.tree };
        self.add(out, &root, false)?;
        let mut directories: Vec<TreeMember> = Vec::new();
        let mut waiting = self.children(&root)?;
        while let Some(member) = waiting.pop() {
            let export = self.attributes.export(&member.path, member.mode)?;
            directories.retain(|directory| is_below(&member.path, &directory.path));
            if member.mode == EntryKind::Tree {
                if !export.is_ignored {
                    waiting.extend(self.children(&member)?);
                    directories.push(member);
                }
                continue;
            }
            for directory in directories.drain(..) {
                self.add(out, &directory, false)?;
            }
            if !export.is_ignored {
                self.add(out, &member, export.is_expanded)?;
            }
        }
        Ok(())
    }

    /// Returns the selected entries of a directory, last first.
    fn children(&self, directory: &TreeMember) -> Result<Vec<TreeMember>> {
        let mut children = tree::children(self.repo, directory.id, &directory.path)?;
        children.retain(|member| self.selection.selects(member));
        Ok(children)
    }

    fn add(&mut self, out: &mut dyn ArchiveWriter, member: &TreeMember, is_expanded: bool) -> Result<()> {
        let content = self.content(member, is_expanded)?;
        let name = self.name.as_bytes();
        let mut path = if member.path.is_empty() { name.to_owned() } else { join(name, &member.path) };
        if matches!(member.mode, EntryKind::Tree | EntryKind::Commit) {
            path.push(b'/');
        }
        let id = member.id.to_string();
        out.add(&ArchiveEntry { path: &path, kind: member.mode, id: &id, content: &content })
            .with_context(|| format!("cannot write `{}` into the archive", path.to_str_lossy()))
    }

    fn content(&mut self, member: &TreeMember, is_expanded: bool) -> Result<Vec<u8>> {
        match member.mode {
            EntryKind::Tree | EntryKind::Commit => Ok(Vec::new()),
            EntryKind::Link => Ok(object::find(self.repo, member.id)?.detach().data),
            EntryKind::Blob | EntryKind::BlobExecutable => {
                let blob = object::find(self.repo, member.id)?;
                let content = self.attributes.convert(&member.path, member.id, &blob.data)?;
                if is_expanded { self.placeholders.expand(&content) } else { Ok(content) }
            }
        }
    }
}

/// Returns the name of the branch that is checked out, or `HEAD` if there is none.
fn head(repo: &Repo) -> String {
    let name = repo.gix().head_name().ok().flatten();
    name.map_or_else(|| "HEAD".to_owned(), |name| name.shorten().to_str_lossy().into_owned())
}
