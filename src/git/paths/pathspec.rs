//! Pathspecs as git reads them (gitglossary(7), "pathspec"): one list of them, or several lists at once, whose literal
//! paths form a tree in which a changed path is looked up, so that the number of lists does not matter.

use std::{
    collections::{BTreeSet, HashMap},
    path::Path,
};

use anyhow::{Context as _, Result};
use gix::{
    bstr::{BStr, ByteSlice as _},
    pathspec::{self, Defaults, Pattern, Search, search::MatchKind},
};

use crate::model::Problem;

/// How pathspecs match a changed directory.
#[derive(PartialEq, Eq)]
enum DirectoryMatch {
    /// They match everything in it.
    Whole,
    /// They may match some of what has changed in it.
    Open,
    None,
}

/// A list of pathspecs, relative to the top directory of the repository.
#[derive(Clone, Debug)]
pub(super) struct PathspecMatcher {
    search: Search,
    /// Whether no pathspec excludes anything, so that all that is in a matching directory matches.
    takes_directories_whole: bool,
}

impl PathspecMatcher {
    pub(super) fn parse(paths: &[String]) -> Result<Self> {
        let mut patterns: Vec<_> = paths.iter().map(|path| pattern(path)).collect::<Result<_>>()?;
        // gix takes a top directory for a prefix that paths must have; without it, all that is not excluded matches.
        if patterns.iter().any(|pattern| !pattern.is_excluded() && matches!(pattern.path().as_bytes(), b"" | b".")) {
            patterns.retain(Pattern::is_excluded);
        }
        let takes_directories_whole = !patterns.iter().any(Pattern::is_excluded);
        let search =
            Search::from_specs(patterns, None, Path::new("")).context("the `paths` lead out of the repository")?;
        Ok(Self { search, takes_directories_whole })
    }

    fn kind(&mut self, path: &BStr, is_directory: bool) -> Option<MatchKind> {
        let found = self.search.pattern_matching_relative_path(path, Some(is_directory), &mut |_, _, _, _| false);
        found.filter(|found| !found.is_excluded()).map(|found| found.kind)
    }

    /// Whether a file, link or submodule matches.
    pub(super) fn file(&mut self, path: &BStr) -> bool {
        self.kind(path, false).is_some()
    }

    fn directory(&mut self, path: &BStr) -> DirectoryMatch {
        // A glob may match a directory and not the paths in it.
        if self.takes_directories_whole
            && matches!(self.kind(path, true), Some(MatchKind::Prefix | MatchKind::Verbatim))
        {
            DirectoryMatch::Whole
        } else if self.search.can_match_relative_path(path, Some(true)) {
            DirectoryMatch::Open
        } else {
            DirectoryMatch::None
        }
    }
}

fn pattern(path: &str) -> Result<Pattern> {
    let given = path.strip_prefix('!').map_or_else(|| path.to_owned(), |excluded| format!(":!{excluded}"));
    let pattern = pathspec::parse(given.as_bytes(), Defaults::default())
        .with_context(|| Problem::new(format!("`{path}` in `paths` is not a pathspec")).hint(SHAPES))?;
    if !pattern.attributes.is_empty() {
        return Err(Problem::new(format!("`{path}` in `paths` asks for attributes, which are not read"))
            .hint(SHAPES)
            .into());
    }
    Ok(pattern)
}

const SHAPES: &str =
    "write directories, files and globs as for `git log -- PATHS`: `src`, `docs/*.md`, `!src/generated`";

/// A search for those of several scopes, each a list of pathspecs, that contain the given paths.
#[derive(Clone, Debug)]
pub(super) struct ScopeMatcher {
    literal: Directory,
    /// Scopes with globs, exclusions or magic, with their numbers.
    patterns: Vec<(u32, PathspecMatcher)>,
    len: usize,
    /// The scopes that have matched since the last call of `take`.
    found: BTreeSet<u32>,
}

/// A path that scopes name, or a directory that leads to one.
#[derive(Clone, Debug, Default)]
struct Directory {
    below: HashMap<Vec<u8>, Directory>,
    /// The scopes that name this path, and whether it has to be a directory for them.
    scopes: Vec<(u32, bool)>,
}

impl ScopeMatcher {
    pub(super) fn new<'a>(scopes: impl IntoIterator<Item = &'a [String]>) -> Result<Self> {
        let (literal, patterns, found) = (Directory::default(), Vec::new(), BTreeSet::new());
        let mut matcher = Self { literal, patterns, len: 0, found };
        for (scope, number) in scopes.into_iter().zip(0..) {
            matcher.len += 1;
            if !scope.is_empty() && scope.iter().all(|path| is_literal(path)) {
                for path in scope {
                    matcher.literal.insert(path, number);
                }
            } else {
                matcher.patterns.push((number, PathspecMatcher::parse(scope)?));
            }
        }
        Ok(matcher)
    }

    /// Returns the scopes that matched since the last call, in their order.
    pub(super) fn take(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.found).into_iter().collect()
    }

    /// Whether all scopes matched, so that no further path matters.
    pub(super) fn is_complete(&self) -> bool {
        self.found.len() == self.len
    }

    /// Records the scopes that contain a changed file, link or submodule.
    pub(super) fn file(&mut self, path: &BStr) {
        let Self { literal, patterns, found, .. } = self;
        let named = literal.node_at(path).into_iter().flat_map(|node| &node.scopes);
        found.extend(named.filter(|(_, is_directory)| !is_directory).map(|(scope, _)| *scope));
        found.extend(patterns.iter_mut().filter_map(|(scope, pattern)| pattern.file(path).then_some(*scope)));
    }

    /// Records the scopes that contain a changed directory. Returns whether the changes in it have to be looked at.
    pub(super) fn directory(&mut self, path: &BStr) -> bool {
        let Self { literal, patterns, found, .. } = self;
        let node = literal.node_at(path);
        found.extend(node.iter().flat_map(|node| &node.scopes).map(|(scope, _)| *scope));
        let mut is_open = node.is_some_and(|node| !node.below.is_empty());
        for (scope, pattern) in patterns {
            match pattern.directory(path) {
                DirectoryMatch::Whole => drop(found.insert(*scope)),
                DirectoryMatch::Open => is_open = true,
                DirectoryMatch::None => {}
            }
        }
        is_open
    }
}

impl Directory {
    fn insert(&mut self, path: &str, scope: u32) {
        let name = path.strip_suffix('/').unwrap_or(path);
        let node = name.split('/').fold(self, |node, name| node.below.entry(name.into()).or_default());
        node.scopes.push((scope, name.len() < path.len()));
    }

    fn node_at(&self, path: &BStr) -> Option<&Self> {
        path.split_str(b"/").try_fold(self, |node, name| node.below.get(name))
    }
}

/// Whether a pathspec of the configuration means the file or directory of just that name.
pub(super) fn is_literal(path: &str) -> bool {
    let name = path.strip_suffix('/').unwrap_or(path);
    !path.starts_with([':', '!'])
        && !path.contains(['*', '?', '[', '\\'])
        && name.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_files_globs_and_exclusions_differ() {
        for (paths, path, expected) in [
            (&["src"][..], "src/a.rs", true),
            (&["src"], "srcs/a.rs", false),
            (&["*.md"], "docs/deep/a.md", true),
            (&[":(glob)*.md"], "docs/a.md", false),
            (&["src", "!src/generated"], "src/generated/a.rs", false),
            (&["src", ":!src/generated"], "src/b.rs", true),
            (&["!docs"], "docs/a.md", false),
            (&["!docs"], "a.md", true),
            (&[".", "!docs"], "a.md", true),
            (&["./"], "a.md", true),
            (&[":(icase)README*"], "readme.md", true),
        ] {
            let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
            assert_eq!(PathspecMatcher::parse(&paths).unwrap().file(path.into()), expected, "{paths:?} {path}");
        }
    }

    #[test]
    fn what_is_no_pathspec_is_refused() {
        for path in [":(nonsense)a", ":(attr:x)a", "../a"] {
            assert!(PathspecMatcher::parse(&[path.to_owned()]).is_err(), "{path}");
        }
    }

    fn found(scopes: &[&[&str]], files: &[&str]) -> Vec<u32> {
        let scopes: Vec<Vec<String>> =
            scopes.iter().map(|scope| scope.iter().map(|&path| path.to_owned()).collect()).collect();
        let mut matcher = ScopeMatcher::new(scopes.iter().map(Vec::as_slice)).unwrap();
        for file in files {
            let mut directories = file.match_indices('/').map(|(end, _)| &file[..end]);
            if directories.all(|directory| matcher.directory(directory.into())) {
                matcher.file((*file).into());
            }
        }
        matcher.take()
    }

    #[test]
    fn a_path_counts_for_every_scope_that_has_it() {
        let scopes: &[&[&str]] =
            &[&["packages/a"], &["packages"], &["packages/a/docs/", "b"], &["*.md"], &["c", "!c/d"]];
        assert_eq!(found(scopes, &["packages/a/x"]), [0, 1]);
        assert_eq!(found(scopes, &["packages/a/docs/x.md"]), [0, 1, 2, 3]);
        assert_eq!(found(scopes, &["packages/b/x", "b"]), [1, 2]);
        assert_eq!(found(scopes, &["packages/a/docs"]), [0, 1]);
        assert_eq!(found(scopes, &["c/d/e", "d"]), [0; 0]);
        assert_eq!(found(scopes, &["c/e"]), [4]);
        assert_eq!(found(scopes, &["packages", "bb"]), [1]);
    }

    #[test]
    fn what_is_more_than_a_name_is_not_looked_up() {
        for path in ["", ".", "./a", "a/../b", "/a", "a//b", "a*", ":(icase)a", "!a", "a[b]", "a\\b", "a?"] {
            assert!(!is_literal(path), "{path}");
        }
        assert!(["a", "a/", "a/b.c", "a b"].into_iter().all(is_literal));
    }
}
