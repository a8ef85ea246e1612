//! What a file's content goes through between the repository and the work tree (gitattributes(5)).

use std::io::Read as _;

use anyhow::{Context as _, Result};
use gix::{
    bstr::ByteSlice as _,
    filter::{
        Pipeline,
        plumbing::pipeline::convert::{ToGitOutcome, to_worktree::Options},
    },
    index::State,
    worktree::stack::state::attributes::Source,
};

use super::{file_path::FilePath, target::Target};
use crate::git::Repo;

/// The attributes whose meaning is git's alone: programs of the user, and encodings.
const DRIVERS: [&str; 3] = ["filter", "working-tree-encoding", "ident"];

/// The conversion of line ends, both ways.
pub(super) struct Conversion<'a> {
    pipeline: Pipeline<'a>,
    index: &'a State,
    file: &'a FilePath,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(repo: &'a Repo, index: &'a State, file: &'a FilePath) -> Result<Self> {
        let attributes = repo.gix().attributes_only(index, Source::WorktreeThenIdMapping)?.detach();
        Ok(Self { pipeline: Pipeline::new(repo.gix(), attributes)?, index, file })
    }

    /// The content of the work tree's file for a blob.
    pub(super) fn smudge(&mut self, blob: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut converted = self.pipeline.convert_to_worktree(blob, self.file.as_bstr(), Options::default())?;
        converted.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The blob for the content of the work tree's file.
    pub(super) fn clean(&mut self, content: &[u8]) -> Result<Vec<u8>> {
        let path = gix::path::from_bstr(self.file.as_bstr())?;
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

/// The attribute that leaves a file of the work tree to git, if it has one.
pub(super) fn driver(repo: &Repo, index: &State, file: &FilePath) -> Result<Option<&'static str>> {
    driver_from(repo, index, file, Source::WorktreeThenIdMapping)
}

/// The same for a file of a branch whose files are not here.
pub(super) fn driver_on_branch(repo: &Repo, target: &Target, file: &FilePath) -> Result<Option<&'static str>> {
    if !has_attributes(repo, target, file)? {
        return Ok(None);
    }
    let tree = repo.gix().find_commit(target.tip)?.tree_id()?;
    let index = repo.gix().index_from_tree(&tree)?;
    driver_from(repo, &index, file, Source::IdMapping)
}

fn driver_from(repo: &Repo, index: &State, file: &FilePath, source: Source) -> Result<Option<&'static str>> {
    let mut attributes = repo.gix().attributes_only(index, source)?;
    let mut found = attributes.selected_attribute_matches(DRIVERS);
    let entry =
        attributes.at_entry(file.as_bstr(), None).with_context(|| format!("cannot read the attributes of `{file}`"))?;
    entry.matching_attributes(&mut found);
    let is_on =
        |state: gix::attrs::StateRef| matches!(state, gix::attrs::StateRef::Set | gix::attrs::StateRef::Value(_));
    let name = found.iter_selected().find(|found| is_on(found.assignment.state));
    Ok(name.and_then(|found| DRIVERS.into_iter().find(|driver| found.assignment.name.as_str() == *driver)))
}

/// Whether a `.gitattributes` lies on the way to the file; without one there is no need to read the whole tree.
fn has_attributes(repo: &Repo, target: &Target, file: &FilePath) -> Result<bool> {
    let tree = repo.gix().find_commit(target.tip)?.tree()?;
    for folder in [b"".as_bstr()].into_iter().chain(file.folders()) {
        let attributes = [folder.as_bytes(), if folder.is_empty() { b"" } else { b"/" }, b".gitattributes"].concat();
        if tree.lookup_entry(attributes.split(|byte| *byte == b'/'))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
