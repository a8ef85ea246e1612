//! The conversion of a file's content between the repository and the work tree (gitattributes(5)).

use std::io::Read as _;

use anyhow::{Context as _, Result};
use gix::{
    AttributeStack,
    attrs::StateRef,
    bstr::ByteSlice as _,
    filter::{
        Pipeline,
        plumbing::pipeline::convert::{ToGitOutcome, to_worktree::Options},
    },
    index::{
        State,
        entry::{self, Mode},
    },
    worktree::stack::state::attributes::Source,
};

use super::{file_path::FilePath, target_branch::TargetBranch};
use crate::{
    git::{Repo, file::file_not_found, object, oid},
    model::Problem,
};

/// The attributes whose conversion only git can do: encodings, filters of the user, and keywords.
const DRIVERS: [&str; 3] = [ENCODING, "filter", "ident"];
pub(super) const ENCODING: &str = "working-tree-encoding";

/// The attributes of files of the work tree, and the conversion of their line ends, in both directions. It is made once
/// for many files, since that reads the whole index.
pub(super) struct Conversion<'a> {
    pipeline: Pipeline<'a>,
    attributes: AttributeStack<'a>,
    pub(super) index: &'a State,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(repo: &'a Repo, index: &'a State) -> Result<Self> {
        let attributes = repo.gix().attributes_only(index, Source::WorktreeThenIdMapping)?;
        Ok(Self { pipeline: Pipeline::new(repo.gix(), attributes.clone())?, attributes, index })
    }

    /// Returns the attribute, if there is one, because of which only git can convert a file.
    pub(super) fn driver(&mut self, file: &FilePath) -> Result<Option<&'static str>> {
        driver_from(&mut self.attributes, file)
    }

    /// Converts a blob to the content of the work tree's file.
    pub(super) fn smudge(&mut self, file: &FilePath, blob: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut converted = self.pipeline.convert_to_worktree(blob, file.as_bstr(), Options::default())?;
        converted.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Converts the content of the work tree's file to a blob.
    pub(super) fn clean(&mut self, file: &FilePath, content: &[u8]) -> Result<Vec<u8>> {
        let path = gix::path::from_bstr(file.as_bstr())?;
        match self.pipeline.convert_to_git(content, &path, self.index)? {
            ToGitOutcome::Unchanged(_) => Ok(content.to_vec()),
            ToGitOutcome::Buffer(bytes) => Ok(bytes.to_vec()),
            ToGitOutcome::Process(mut process) => {
                let mut bytes = Vec::new();
                process.read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

/// Refuses a file whose text cannot be edited because of its encoding.
pub(super) fn check_encoding(repo: &Repo, index: &State, file: &FilePath, content: Option<&[u8]>) -> Result<()> {
    if Conversion::new(repo, index)?.driver(file)? == Some(ENCODING) {
        return Err(refused_encoding(file));
    }
    check_text(file, content)
}

/// Refuses UTF-16, which is recognized by its byte order mark, or by zero bytes in its first letters.
pub(super) fn check_text(file: &FilePath, content: Option<&[u8]>) -> Result<()> {
    let content = content.unwrap_or_default();
    let zeros = content.iter().take(4).map(|byte| *byte == 0).collect::<Vec<_>>();
    let has_mark = content.starts_with(&[0xFF, 0xFE]) || content.starts_with(&[0xFE, 0xFF]);
    if !has_mark && zeros != [true, false, true, false] && zeros != [false, true, false, true] {
        return Ok(());
    }
    Err(Problem::new(format!("`{file}` is UTF-16 text, which cannot be edited"))
        .hint("convert it to UTF-8, for example with `iconv -f UTF-16 -t UTF-8`")
        .into())
}

/// Returns the error for a file that git converts to another encoding.
pub(super) fn refused_encoding(file: &FilePath) -> anyhow::Error {
    Problem::new(format!("`{file}` has the attribute `{ENCODING}`, which is not supported"))
        .hint(format!("keep the file in UTF-8, and write `{file} -{ENCODING}` into `.gitattributes`"))
        .into()
}

/// Returns the attribute, if there is one, because of which only git can convert a file of a branch not checked out.
pub(super) fn driver_on_branch(repo: &Repo, target: &TargetBranch, file: &FilePath) -> Result<Option<&'static str>> {
    let above = attributes_above(repo, target, file)?;
    driver_from(&mut repo.gix().attributes_only(&above, Source::IdMapping)?, file)
}

fn driver_from(attributes: &mut AttributeStack<'_>, file: &FilePath) -> Result<Option<&'static str>> {
    let mut found = attributes.selected_attribute_matches(DRIVERS);
    let entry =
        attributes.at_entry(file.as_bstr(), None).with_context(|| format!("cannot read the attributes of `{file}`"))?;
    entry.matching_attributes(&mut found);
    let is_on = |found: &gix::attrs::search::Match| match found.assignment.state {
        StateRef::Set => true,
        // The encoding UTF-8 changes nothing.
        StateRef::Value(value) => {
            !["UTF-8", "UTF8"].iter().any(|utf8| value.as_bstr().eq_ignore_ascii_case(utf8.as_bytes()))
        }
        _ => false,
    };
    let name = found.iter_selected().find(is_on);
    Ok(name.and_then(|found| DRIVERS.into_iter().find(|driver| found.assignment.name.as_str() == *driver)))
}

/// Builds an index of only the attribute files above a file, so that no other trees are read.
fn attributes_above(repo: &Repo, target: &TargetBranch, file: &FilePath) -> Result<State> {
    let objects = repo.own_objects();
    let root = object::root_id(objects, oid(&target.tip))?;
    let mut index = State::new(repo.gix().object_hash());
    for directory in [b"".as_bstr()].into_iter().chain(file.directories()) {
        let parts = directory.split(|byte| *byte == b'/').filter(|part| !part.is_empty());
        let parts = || parts.clone().chain([&b".gitattributes"[..]]);
        let Some(found) = object::below(objects, root, parts())? else { continue };
        let path = parts().collect::<Vec<_>>().join(&b'/');
        if !repo.gix().has_object(found.id) {
            return Err(file_not_found(&path.to_str_lossy(), oid(&target.tip)).into());
        }
        let stat = entry::Stat::default();
        index.dangerously_push_entry(stat, found.id, entry::Flags::empty(), Mode::FILE, path.as_bstr());
    }
    index.sort_entries();
    Ok(index)
}
