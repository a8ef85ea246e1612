//! Which commit added a file, and which commits deleted some, in a few directories without the directories below them.
//! A file that moves from one of them to another is the same file.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, objs::tree::EntryRef};

use super::{Repo, decode::RawCommit, directory_trees::DirectoryTrees, file, object, object_id, oid, paths};
use crate::{
    bounded_read,
    model::{Commit, Oid, Range},
};

/// The commit that added a file.
#[derive(Clone, Debug)]
pub(crate) struct AddingCommit {
    pub commit: Commit,
    /// The merge on the line of first parents that brought it in, if it is not on that line itself.
    pub merge: Option<Commit>,
}

/// The files that a commit deletes, by their paths at its first parent.
#[derive(Clone, Debug)]
pub(crate) struct DeletingCommit {
    pub commit: Oid,
    pub parent: Oid,
    pub files: Vec<String>,
}

/// The part of a history that is here, or is worth fetching.
#[derive(Debug)]
pub(crate) struct KnownPart {
    pub range: Range,
    pub commits: HashSet<Oid>,
    /// The parents of these commits that are not among them: only their trees are read.
    pub outside: HashSet<Oid>,
}

/// Finds the commits that added files, given by their names, to directories: the newest that has a file which none of
/// its parents has. Only the given part of the history is read. Where the history is cut off, nothing is found.
pub(crate) fn adding_commits(
    repo: &Repo,
    tip: Oid,
    directories: &[String],
    names: HashSet<String>,
    part: Option<&KnownPart>,
) -> Result<HashMap<String, AddingCommit>> {
    let of_trees = part.into_iter().flat_map(|part| part.commits.iter().chain(&part.outside)).copied();
    // What a clone lacks was read from its remote when the range was walked.
    let ends = part.into_iter().flat_map(|part| [Some(part.range.to), part.range.from]).flatten();
    let source = repo.origin_of_missing(ends).unwrap_or(repo);
    let headers = match part {
        Some(part) => source.with_range(part.range)?.header_reader()?,
        None => source.header_reader()?,
    };
    let mut search = Search {
        trees: DirectoryTrees::new(repo.with_trees(of_trees.chain([tip]).map(object_id).collect())?),
        directories,
        part,
        headers,
        found: HashMap::new(),
    };
    let mut waiting = vec![(object_id(tip), names, None)];
    while let Some((start, names, merge)) = waiting.pop() {
        waiting.extend(search.follow(start, names, merge)?);
    }
    Ok(search.found)
}

type Branch = (ObjectId, HashSet<String>, Option<ObjectId>);

struct Search<'a> {
    trees: DirectoryTrees<'a>,
    directories: &'a [String],
    part: Option<&'a KnownPart>,
    headers: super::walk::HeaderReader,
    found: HashMap<String, AddingCommit>,
}

impl Search<'_> {
    fn has_commit(&self, id: &ObjectId) -> bool {
        self.part.is_none_or(|part| part.commits.contains(&oid(id)))
    }

    fn has_tree(&self, id: &ObjectId) -> bool {
        self.has_commit(id) || self.part.is_some_and(|part| part.outside.contains(&oid(id)))
    }

    /// Follows first parents until every file is found; returns the branches that merges brought some of them in from.
    fn follow(&mut self, start: ObjectId, mut names: HashSet<String>, merge: Option<ObjectId>) -> Result<Vec<Branch>> {
        let (mut branches, mut at) = (Vec::new(), start);
        let mut trees = self.trees.of_commit(oid(&at), self.directories)?;
        while !names.is_empty() && self.has_commit(&at) {
            let commit = self.headers.read(&at)?;
            let Some(first) = commit.parents.first().copied() else {
                if commit.cut_off.is_empty() {
                    self.add(names.drain(), at, merge)?;
                }
                break;
            };
            if !self.has_tree(&first) {
                break;
            }
            let before = self.trees.of_commit(oid(&first), self.directories)?;
            if before != trees {
                let mut new = self.added(&before, &trees, &names)?;
                for other in commit.parents.iter().skip(1) {
                    if !self.has_tree(other) {
                        continue;
                    }
                    let trees = self.trees.of_commit(oid(other), self.directories)?;
                    let theirs = self.present(&trees, &new)?;
                    new.retain(|name| !theirs.contains(name));
                    names.retain(|name| !theirs.contains(name));
                    branches.extend((!theirs.is_empty()).then_some((*other, theirs, merge.or(Some(at)))));
                }
                names.retain(|name| !new.contains(name));
                self.add(new.into_iter(), at, merge)?;
            }
            (at, trees) = (first, before);
        }
        Ok(branches)
    }

    /// Returns those of these names that files in the new trees have, and none in the old ones.
    fn added(
        &mut self,
        old: &[Option<ObjectId>],
        new: &[Option<ObjectId>],
        names: &HashSet<String>,
    ) -> Result<HashSet<String>> {
        let mut found = HashSet::new();
        for (old, new) in old.iter().zip(new) {
            found.extend(self.trees.compare(*old, *new)?.added.into_iter().filter(|name| names.contains(name)));
        }
        // A file that moved from another of the directories is not new.
        if !found.is_empty() && old.iter().flatten().count() > 1 {
            let moved = self.present(old, &found)?;
            found.retain(|name| !moved.contains(name));
        }
        Ok(found)
    }

    /// Returns those of these names that a file in one of the trees has.
    fn present(&mut self, trees: &[Option<ObjectId>], names: &HashSet<String>) -> Result<HashSet<String>> {
        let mut found = HashSet::new();
        if !names.is_empty() {
            for tree in trees.iter().flatten() {
                let files = self.trees.files(*tree)?;
                found.extend(names.iter().filter(|name| files.contains(*name)).cloned());
            }
        }
        Ok(found)
    }

    fn add(&mut self, names: impl Iterator<Item = String>, at: ObjectId, merge: Option<ObjectId>) -> Result<()> {
        let mut names = names.peekable();
        if names.peek().is_none() {
            return Ok(());
        }
        let mut read = |id: &ObjectId| -> Result<Commit> {
            Ok(RawCommit::parse(&self.headers.read(id)?.object).commit(id).0.to_shared())
        };
        let adding = AddingCommit { commit: read(&at)?, merge: merge.as_ref().map(&mut read).transpose()? };
        self.found.extend(names.map(|name| (name, adding.clone())));
        Ok(())
    }
}

/// Returns the files that each of these commits, given with its first parent, deletes from directories.
pub(crate) fn deleting_commits(
    repo: &Repo,
    commits: &[(Oid, Option<Oid>)],
    directories: &[String],
) -> Result<Vec<DeletingCommit>> {
    let is_changed = paths::find_changes(repo, commits.iter().copied(), directories)?;
    let changed = commits.iter().zip(is_changed).filter(|(_, is_changed)| *is_changed);
    let pairs: Vec<(Oid, Oid)> = changed.filter_map(|((commit, parent), _)| Some((*commit, (*parent)?))).collect();
    let ids = pairs.iter().flat_map(|(commit, parent)| [object_id(*commit), object_id(*parent)]);
    let mut trees = DirectoryTrees::new(repo.with_trees(ids.collect())?);
    let mut found = Vec::new();
    for (commit, parent) in pairs {
        let after = trees.of_commit(commit, directories)?;
        let before = trees.of_commit(parent, directories)?;
        let mut deleted = Vec::new();
        for ((directory, old), new) in directories.iter().zip(before).zip(&after) {
            let names = trees.compare(old, *new)?.deleted.into_iter();
            deleted.extend(names.map(|name| (directory, name)));
        }
        // A file that moved to another of the directories is not deleted.
        let may_have_moved = !deleted.is_empty() && directories.len() > 1;
        for tree in after.into_iter().flatten().filter(|_| may_have_moved) {
            let left = trees.files(tree)?;
            deleted.retain(|(_, name)| !left.contains(name));
        }
        let deleted: Vec<String> = deleted.into_iter().map(|(directory, name)| format!("{directory}/{name}")).collect();
        if !deleted.is_empty() {
            found.push(DeletingCommit { commit, parent, files: deleted });
        }
    }
    Ok(found)
}

fn entries<'tree>(tree: Option<&'tree gix::Tree<'_>>) -> Result<Vec<EntryRef<'tree>>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    Ok(tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?.entries)
}

/// Reads files of a commit, given by their paths, which are there. The trees of their directories are read once.
pub(crate) fn read_files(repo: &Repo, commit: Oid, paths: &[&str]) -> Result<Vec<Vec<u8>>> {
    if repo.asks_server() {
        return paths.iter().map(|path| Ok(file::read_at_commit(repo, commit, path)?.unwrap_or_default())).collect();
    }
    let mut trees = DirectoryTrees::new(repo);
    let mut known: HashMap<&str, HashMap<String, ObjectId>> = HashMap::new();
    let mut contents = Vec::with_capacity(paths.len());
    for path in paths {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !known.contains_key(directory) {
            let tree = trees.of_commit(commit, &[directory.to_owned()])?.into_iter().flatten().next();
            let tree = tree.map(|tree| object::tree(repo, tree)).transpose()?;
            let blobs = entries(tree.as_ref())?.into_iter().filter(|entry| entry.mode.is_blob());
            let ids = blobs.map(|entry| (entry.filename.to_str_lossy().into_owned(), entry.oid.to_owned()));
            known.insert(directory, ids.collect());
        }
        contents.push(match known.get(directory).and_then(|ids| ids.get(name)) {
            Some(id) => {
                bounded_read::check_size(object::size(repo, *id)?, path)?;
                object::find(repo, *id)?.detach().data
            }
            None => Vec::new(),
        });
    }
    Ok(contents)
}
