//! Directories that were moved: a commit that changed one under its former name counts as well.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    slice,
};

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::{BStr, ByteSlice as _},
};
use rayon::prelude::*;

use super::{
    CHUNK, changed_literal_scopes,
    pathspec::{PathspecMatcher, is_literal},
    trees::{TreeReader, Trees},
};
use crate::{
    git::{FetchedObjects, Repo, compare::rename::MovedFiles, object, object_id},
    model::Oid,
};

/// The most moves that are followed for one list of paths.
const LIMIT: usize = 10;

/// A directory that was moved, and the directories it was moved from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovedDirectory {
    /// Its path after this move, and the paths to which it was moved later.
    pub paths: Vec<String>,
    /// The directories from which its files were moved, and which no longer exist.
    pub former: Vec<String>,
}

impl MovedDirectory {
    /// Finds which pathspecs of each list are directories that a move created. `line` is a chain of first parents, the
    /// newest commit first; it is bisected for all lists at once.
    ///
    /// # Errors
    /// If a tree is missing.
    pub(crate) fn find(repo: &Repo, line: &[Oid], lists: &[&[String]]) -> Result<Vec<Vec<Self>>> {
        let mut own = lists.iter().map(|paths| PathspecMatcher::parse(paths)).collect::<Result<Vec<_>>>()?;
        let mut found: Vec<Vec<Self>> = vec![Vec::new(); lists.len()];
        let mut known = KnownMoves { repo, files: Vec::new() };
        let literal = || lists.iter().enumerate().flat_map(|(list, paths)| paths.iter().map(move |path| (list, path)));
        let literal = literal().filter(|(_, path)| is_literal(path));
        let first = literal.map(|(list, path)| (list, vec![path.trim_end_matches('/').to_owned()])).collect();
        let mut pending = introduced(repo, line, 0, first)?;
        while !pending.is_empty() {
            let mut earlier: BTreeMap<usize, Vec<(usize, Vec<String>)>> = BTreeMap::new();
            for (list, paths, index) in pending {
                if found[list].len() == LIMIT {
                    continue;
                }
                // A file that the pathspecs exclude does not show where their directory came from.
                let is_own = |file: &BStr| paths.len() > 1 || own[list].file(file);
                let former = known.former([line[index + 1], line[index]], &paths[0], is_own)?;
                let of_former = former.iter().map(|name| (list, [slice::from_ref(name), &paths].concat()));
                earlier.entry(index + 1).or_default().extend(of_former);
                found[list].extend((!former.is_empty()).then_some(Self { paths, former }));
            }
            pending = Vec::new();
            for (start, paths) in earlier {
                pending.extend(introduced(repo, line, start, paths)?);
            }
        }
        Ok(found)
    }

    /// Finds for each commit, given with its first parent, the numbers of those of several moves that it is from before: it
    /// changes a former directory, and none of the later paths exists in it yet. Trees are compared once for all moves.
    ///
    /// # Errors
    /// If a tree is missing.
    pub(crate) fn find_changes(repo: &Repo, moves: &[&Self], commits: &[(Oid, Option<Oid>)]) -> Result<Vec<Vec<u32>>> {
        if moves.is_empty() {
            return Ok(vec![Vec::new(); commits.len()]);
        }
        let former: Vec<&[String]> = moves.iter().map(|moved| moved.former.as_slice()).collect();
        let found = changed_literal_scopes(repo, commits, &former)?;
        let changed: Vec<(ObjectId, Vec<u32>)> =
            commits.iter().zip(found).map(|((commit, _), found)| (object_id(*commit), found)).collect();
        let ids = changed.iter().filter(|(_, found)| !found.is_empty()).map(|(commit, _)| *commit);
        let trees = Trees::new(repo.with_trees(ids.collect())?);
        let chunks: Result<Vec<Vec<_>>> = changed
            .par_chunks(CHUNK)
            .map(|chunk| -> Result<Vec<Vec<u32>>> {
                let mut reader = trees.reader();
                let mut before = Vec::with_capacity(chunk.len());
                for (commit, numbers) in chunk {
                    let mut of_commit = Vec::new();
                    for number in numbers {
                        if !reader.has_any(*commit, &moves[*number as usize].paths)? {
                            of_commit.push(*number);
                        }
                    }
                    before.push(of_commit);
                }
                Ok(before)
            })
            .collect();
        Ok(chunks?.concat())
    }
}

/// Returns those of some lists of paths whose first path a commit of a line introduced, with the index of that commit. The
/// line is looked at from an index on. Each list of paths comes with a number.
fn introduced(
    repo: &Repo,
    line: &[Oid],
    start: usize,
    paths: Vec<(usize, Vec<String>)>,
) -> Result<Vec<(usize, Vec<String>, usize)>> {
    let names: BTreeSet<&str> = paths.iter().map(|(_, paths)| paths[0].as_str()).collect();
    let indices = introductions(repo, &line[start..], names.into_iter().collect())?;
    let indices: Vec<Option<usize>> = paths.iter().map(|(_, paths)| indices.get(paths[0].as_str()).copied()).collect();
    let found = paths.into_iter().zip(indices);
    Ok(found.filter_map(|((list, paths), index)| Some((list, paths, start + index?))).collect())
}

/// Finds the index in `line` of the oldest commit that has each path; omits a path that the line's oldest commit has
/// or its newest one lacks. Paths are searched for together, so that the directories of a commit are read once.
fn introductions<'a>(repo: &Repo, line: &[Oid], mut paths: Vec<&'a str>) -> Result<HashMap<&'a str, usize>> {
    let mut found = HashMap::new();
    let [newest, .., oldest] = line else { return Ok(found) };
    let trees = Trees::new(repo.own_objects());
    let mut reader = trees.reader();
    let mut split = |commit: Oid, paths: Vec<&'a str>| -> Result<(Vec<&'a str>, Vec<&'a str>)> {
        let there = repo.with_trees(vec![object_id(commit)])?;
        if there.are_of(repo) {
            return split_by_presence(&mut reader, commit, paths);
        }
        split_by_presence(&mut Trees::new(there).reader(), commit, paths)
    };
    paths = split(*oldest, paths)?.1;
    paths = if paths.is_empty() { paths } else { split(*newest, paths)?.0 };
    let mut pending = vec![(0, line.len() - 1, paths)];
    while let Some((with, without, paths)) = pending.pop() {
        if paths.is_empty() {
        } else if without - with == 1 {
            found.extend(paths.into_iter().map(|path| (path, with)));
        } else {
            let middle = with.midpoint(without);
            let (there, absent) = split(line[middle], paths)?;
            pending.extend([(middle, without, there), (with, middle, absent)]);
        }
    }
    Ok(found)
}

/// Splits paths into those that a commit has and those that it lacks.
fn split_by_presence<'a>(
    reader: &mut TreeReader,
    commit: Oid,
    paths: Vec<&'a str>,
) -> Result<(Vec<&'a str>, Vec<&'a str>)> {
    let mut directories: HashMap<&str, HashSet<Vec<u8>>> = HashMap::new();
    let (mut there, mut absent) = (Vec::new(), Vec::new());
    if let [path] = *paths.as_slice() {
        let has = reader.find(object_id(commit), path.as_bytes())?.is_some();
        return Ok(if has { (paths, absent) } else { (there, paths) });
    }
    for path in paths {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        if !directories.contains_key(directory) {
            directories.insert(directory, reader.names(object_id(commit), directory.as_bytes())?);
        }
        let has = directories.get(directory).is_some_and(|names| names.contains(name.as_bytes()));
        (if has { &mut there } else { &mut absent }).push(path);
    }
    Ok((there, absent))
}

/// How many commits stay in memory, since many directories are often moved by the same ones.
const KEPT: usize = 8;

/// What commits moved, the last one that was asked for at the end.
struct KnownMoves<'r> {
    repo: &'r Repo,
    files: Vec<([ObjectId; 2], MovedFiles)>,
}

impl KnownMoves<'_> {
    /// Finds the directories from which files of `path` were moved between two commits, and which are gone in the second.
    /// Only files for which `counts` is true are considered.
    fn former(
        &mut self,
        [before, after]: [Oid; 2],
        path: &str,
        mut counts: impl FnMut(&BStr) -> bool,
    ) -> Result<Vec<String>> {
        let has_no_blobs = self.repo.asks_server() || object::is_partial(self.repo);
        let objects = self.repo.with_trees([before, after].map(object_id).to_vec())?;
        let trees = Trees::new(objects);
        let mut reader = trees.reader();
        let roots = [reader.root(object_id(before))?, reader.root(object_id(after))?];
        let files = self.files(objects, roots);
        let renames = match files.and_then(|files| files.moved_into(objects, path.as_bytes())) {
            // Files that a partial clone omits cannot be compared, and do not count as moved.
            Err(_) if has_no_blobs => Vec::new(),
            renames => renames?,
        };
        let mut former = BTreeSet::new();
        for (old, new) in renames.into_iter().filter(|(_, new)| counts(new.as_bstr())) {
            for directory in candidates(&String::from_utf8_lossy(&old), &String::from_utf8_lossy(&new), path) {
                if reader.find(object_id(after), directory.as_bytes())?.is_none() {
                    former.insert(directory);
                    break;
                }
            }
        }
        Ok(former.into_iter().collect())
    }

    fn files(&mut self, objects: FetchedObjects, roots: [ObjectId; 2]) -> Result<&MovedFiles> {
        let last = match self.files.iter().position(|(known, _)| *known == roots) {
            Some(index) => self.files.remove(index),
            None => (roots, MovedFiles::between(objects, roots)?),
        };
        if self.files.len() == KEPT {
            self.files.remove(0);
        }
        self.files.push(last);
        Ok(&self.files[self.files.len() - 1].1)
    }
}

/// Returns the directories that may have become one at or below `path` if this file was moved, the shortest first.
fn candidates(old: &str, new: &str, path: &str) -> Vec<String> {
    let parent = old.rsplit_once('/').map_or(old, |(directory, _)| directory);
    let (mut left, mut right, mut found) = (old, new, vec![parent.to_owned()]);
    while let Some(((old_parent, old_name), (new_parent, new_name))) = left.rsplit_once('/').zip(right.rsplit_once('/'))
        && old_name == new_name
        && new_parent.len() >= path.len()
    {
        (left, right) = (old_parent, new_parent);
        found.push(left.to_owned());
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_former_directory_is_what_the_paths_do_not_share_at_their_ends() {
        for (old, new, path, expected) in [
            ("crates/a/src/lib.rs", "crates/b/src/lib.rs", "crates/b", "crates/a"),
            ("src/lib.rs", "crates/b/src/lib.rs", "crates/b", "src"),
            ("lib/a.js", "packages/x/src/a.js", "packages/x", "lib"),
            ("old/a/x", "new/a/x", "new/a", "old/a"),
            ("a/old.rs", "b/new.rs", "b", "a"),
            ("a.rs", "b/a.rs", "b", "a.rs"),
        ] {
            assert_eq!(candidates(old, new, path)[0], expected, "{old} to {new}");
        }
        assert_eq!(candidates("a/src/x", "a/core/src/x", "a/core")[..2], ["a", "a/src"]);
    }
}
