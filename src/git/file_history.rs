//! Which commit added a file, and which commits deleted some, in a few directories without the directories below them.
//! A file that moves from one of them to another is the same file.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::ByteSlice as _,
    objs::tree::{EntryMode, EntryRef},
};

use super::{
    Repo,
    decode::RawCommit,
    directory_trees::{DirectoryTrees, NameChanges, Neighbours},
    file, object, object_id, oid, paths,
};
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
        None => source.own_commits().header_reader()?,
    };
    let trees = DirectoryTrees::new(repo.with_trees(of_trees.chain([tip]).map(object_id).collect())?, directories);
    let mut search = Search { trees, part, headers, found: HashMap::new() };
    let mut waiting = vec![(object_id(tip), names, None)];
    while let Some((start, names, merge)) = waiting.pop() {
        waiting.extend(search.follow(start, names, merge)?);
    }
    Ok(search.found)
}

/// The number of commits that are compared at first, and at most, before some of the files may be found.
const FIRST_BATCH: usize = 16;
const BATCH: usize = 2048;

type Branch = (ObjectId, HashSet<String>, Option<ObjectId>);

struct Search<'a> {
    trees: DirectoryTrees<'a>,
    part: Option<&'a KnownPart>,
    headers: super::walk::HeaderReader,
    found: HashMap<String, AddingCommit>,
}

/// A piece of a line of first parents, the newest commit first.
#[derive(Default)]
struct Line {
    commits: Vec<Neighbours>,
    /// The other parents of each commit.
    merged: Vec<Vec<ObjectId>>,
    /// The commit at which the line goes on.
    next: Option<ObjectId>,
    /// The commit without parents at which it ends.
    root: Option<ObjectId>,
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
        let (mut branches, mut next, mut batch) = (Vec::new(), Some(start), FIRST_BATCH);
        while let Some(at) = next.filter(|_| !names.is_empty()) {
            let line = self.line(at, batch)?;
            let changes = self.trees.changes(&line.commits)?;
            for ((pair, others), change) in line.commits.iter().zip(&line.merged).zip(changes) {
                let mut new: HashSet<String> = change.added.intersection(&names).cloned().collect();
                for other in others {
                    if new.is_empty() || !self.has_tree(other) {
                        continue;
                    }
                    let theirs = self.trees.present(*other, &new)?;
                    new.retain(|name| !theirs.contains(name));
                    names.retain(|name| !theirs.contains(name));
                    branches.extend((!theirs.is_empty()).then_some((*other, theirs, merge.or(Some(pair.commit)))));
                }
                names.retain(|name| !new.contains(name));
                self.add(new.into_iter(), pair.commit, merge)?;
            }
            if let Some(root) = line.root {
                self.add(names.drain(), root, merge)?;
            }
            (next, batch) = (line.next, BATCH.min(batch * 2));
        }
        Ok(branches)
    }

    /// Reads a number of commits of a line, as far as their trees are here.
    fn line(&mut self, start: ObjectId, most: usize) -> Result<Line> {
        let mut line = Line { next: Some(start), ..Line::default() };
        while let Some(at) = line.next.filter(|at| line.commits.len() < most && self.has_commit(at)) {
            let commit = self.headers.read(&at)?;
            let Some((first, others)) = commit.parents.split_first() else {
                (line.next, line.root) = (None, commit.cut_off.is_empty().then_some(at));
                return Ok(line);
            };
            line.next = self.has_tree(first).then_some(*first);
            if line.next.is_some() {
                line.commits.push(Neighbours { commit: at, parent: *first });
                line.merged.push(others.to_vec());
            }
        }
        line.next = line.next.filter(|next| self.has_commit(next));
        Ok(line)
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
    let mut line = Vec::new();
    for ((commit, parent), _) in commits.iter().zip(is_changed).filter(|(_, is_changed)| *is_changed) {
        line.extend(parent.map(|parent| Neighbours { commit: object_id(*commit), parent: object_id(parent) }));
    }
    let objects = repo.with_trees(line.iter().flat_map(|pair| [pair.commit, pair.parent]).collect())?;
    let mut found = Vec::new();
    for (pair, NameChanges { deleted, .. }) in
        line.iter().zip(DirectoryTrees::new(objects, directories).changes(&line)?)
    {
        if !deleted.is_empty() {
            found.push(DeletingCommit { commit: oid(&pair.commit), parent: oid(&pair.parent), files: deleted });
        }
    }
    Ok(found)
}

fn entries<'tree>(tree: Option<&'tree gix::Tree<'_>>) -> Result<Vec<EntryRef<'tree>>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    Ok(tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?.entries)
}

/// Reads files of a commit, given by their paths. The trees of their directories are read once. A symbolic link to a file
/// beside it has the content of that file; any other one has none.
pub(crate) fn read_files(repo: &Repo, commit: Oid, paths: &[&str]) -> Result<Vec<Option<Vec<u8>>>> {
    if repo.asks_server() {
        return paths.iter().map(|path| file::read_linked(repo, commit, path)).collect();
    }
    let objects = repo.own_objects();
    let root = object::root(objects, commit)?;
    let mut known: HashMap<&str, HashMap<String, (EntryMode, ObjectId)>> = HashMap::new();
    let mut contents = Vec::with_capacity(paths.len());
    for path in paths {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !known.contains_key(directory) {
            let below = object::entry(&root, directory)?.filter(|entry| entry.mode().is_tree());
            let below = below.map(|entry| object::tree(objects, entry.object_id())).transpose()?;
            let tree = if directory.is_empty() { Some(&root) } else { below.as_ref() };
            let found = entries(tree)?
                .into_iter()
                .map(|entry| (entry.filename.to_str_lossy().into_owned(), (entry.mode, entry.oid.to_owned())));
            known.insert(directory, found.collect());
        }
        let read = |id| -> Result<Vec<u8>> {
            bounded_read::check_size(object::size(objects, id)?, path)?;
            Ok(object::find(objects, id)?.detach().data)
        };
        let find = |name: &str| known.get(directory).and_then(|found| found.get(name)).copied();
        let file = match find(name) {
            Some((mode, id)) if mode.is_link() => find(&read(id)?.to_str_lossy()),
            found => found,
        };
        let file = file.filter(|(mode, _)| mode.is_blob());
        contents.push(file.map(|(_, id)| read(id)).transpose()?);
    }
    Ok(contents)
}
