//! Archives of a tree, written by git-archive(1).

use std::io::Write;

use anyhow::{Context as _, Result};
use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use gix::{bstr::ByteSlice as _, object::tree::EntryKind};

use super::{
    FetchedObjects, Repo,
    git_command::GitCommand,
    object, revision,
    tree::{self, TreeMember},
};
use crate::model::{
    Oid, Problem,
    repository::{ArchiveFormat, ArchiveRequest, nothing_to_archive},
};

/// The settings with which git leaves Git LFS pointers as they are.
const WITHOUT_LFS: [&str; 6] =
    ["-c", "filter.lfs.smudge=", "-c", "filter.lfs.process=", "-c", "filter.lfs.required=false"];

/// Returns the name of an archive without its suffix, which is also the name of the directory that contains everything
/// in the archive: `PROJECT-REF-ID`, followed by the path if only a part is archived.
///
/// # Errors
/// If the ref is unknown.
pub(crate) fn name(repo: &Repo, request: &ArchiveRequest, project: &str) -> Result<String> {
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

/// Writes an archive in which everything is in the directory `name`. Of a repository on a server, the files are fetched
/// first.
///
/// # Errors
/// If the ref or a path is unknown, the tree has too many entries or names that would leave the directory, an object is
/// missing, git cannot be started or fails, or `out` cannot be written.
pub(crate) fn write(repo: &Repo, request: &ArchiveRequest, name: &str, out: &mut dyn Write) -> Result<()> {
    let commit = revision::resolve_or_head(repo, request.reference.as_deref())?;
    let objects = repo.with_blobs(commit)?;
    let selection = Selection::new(request);
    if selection.check(objects, commit)? {
        repo.fetch_described(commit)?;
    }
    let git = |format: &str, out: &mut dyn Write| {
        let options = if request.lfs { &[][..] } else { &WITHOUT_LFS };
        let archive = ["archive".to_owned(), format!("--format={format}"), format!("--prefix={name}/")];
        let command = GitCommand::new(repo).args(options).args(archive).arg(commit.to_string()).arg("--");
        command.objects_of(&objects).env("GIT_NO_LAZY_FETCH", "1").args(selection.pathspecs()).run_into(out)
    };
    match request.format {
        ArchiveFormat::Tar => git("tar", out),
        ArchiveFormat::Zip => git("zip", out),
        ArchiveFormat::TarGz => {
            let mut packed = GzEncoder::new(out, flate2::Compression::default());
            git("tar", &mut packed)?;
            packed.finish().map(drop).context("cannot write the archive")
        }
        ArchiveFormat::TarBz2 => {
            let mut packed = BzEncoder::new(out, bzip2::Compression::best());
            git("tar", &mut packed)?;
            packed.finish().map(drop).context("cannot write the archive")
        }
    }
}

/// Returns the name of the branch that is checked out, or `HEAD` if there is none.
fn head(repo: &Repo) -> String {
    let name = repo.gix().head_name().ok().flatten();
    name.map_or_else(|| "HEAD".to_owned(), |name| name.shorten().to_str_lossy().into_owned())
}

/// What of a tree is archived.
struct Selection {
    /// The file or directory to archive; empty for everything.
    path: String,
    exclude: Vec<String>,
}

impl Selection {
    fn new(request: &ArchiveRequest) -> Self {
        let plain = |path: &str| path.trim_matches('/').to_owned();
        let exclude = request.exclude.iter().map(|path| plain(path)).filter(|path| !path.is_empty()).collect();
        Self { path: plain(&request.path), exclude }
    }

    /// Returns the paths in the form of gitglossary(7), `pathspec`, without any pattern.
    fn pathspecs(&self) -> Vec<String> {
        let path = if self.path.is_empty() { "." } else { &self.path };
        let excluded = self.exclude.iter().map(|path| format!(":(exclude,literal){path}"));
        std::iter::once(format!(":(literal){path}")).chain(excluded).collect()
    }

    /// Checks that every path exists and everything can be read, so that nothing is written if not. Returns whether
    /// placeholders may need the history and the tags (`export-subst` in gitattributes(5)).
    fn check(&self, objects: FetchedObjects, commit: Oid) -> Result<bool> {
        let root = object::root(objects, commit)?;
        for path in std::iter::once(&self.path).chain(&self.exclude).filter(|path| !path.is_empty()) {
            let found = root.lookup_entry(path.split('/').map(str::as_bytes)).context("cannot look up a path")?;
            found.ok_or_else(|| nothing_to_archive(&format!("no `{path}` in this commit")))?;
        }
        if root.data.is_empty() {
            return Err(nothing_to_archive("the commit has no files").into());
        }
        let (mut count, mut has_placeholders) = (0, false);
        let mut pending = tree::children(objects, root.id, b"")?;
        while let Some(member) = pending.pop() {
            count += 1;
            tree::check_count(count)?;
            check_name(&member)?;
            match member.mode {
                EntryKind::Tree => pending.extend(tree::children(objects, member.id, &member.path)?),
                EntryKind::Commit => {}
                _ if member.name() == b".gitattributes" => {
                    has_placeholders |= object::find(objects, member.id)?.data.contains_str("export-subst");
                }
                _ => self.check_presence(objects, &member)?,
            }
        }
        Ok(has_placeholders)
    }

    fn check_presence(&self, objects: FetchedObjects, member: &TreeMember) -> Result<()> {
        let is_below = |path: &String| {
            path.is_empty()
                || member.path.strip_prefix(path.as_bytes()).is_some_and(|rest| matches!(rest, [] | [b'/', ..]))
        };
        if is_below(&self.path) && !self.exclude.iter().any(is_below) {
            object::check(objects, member.id)
        } else {
            Ok(())
        }
    }
}

/// Refuses names with which an archive would be unpacked outside of its directory.
fn check_name(member: &TreeMember) -> Result<(), Problem> {
    let name = member.name();
    if !name.is_empty() && name != b"." && name != b".." {
        return Ok(());
    }
    Err(Problem::new(format!("the tree has an entry named `{}`", name.to_str_lossy()))
        .hint("run `git fsck` to find the commit that added it"))
}
