//! Several lists of pathspecs at once: a changed path is looked up in a tree of directories, whatever the number of lists.

use std::collections::HashMap;

use anyhow::Result;
use gix::bstr::{BStr, ByteSlice as _};

use super::{
    pathspec::PathspecMatcher,
    trees::{DirectoryMatch, PathFilter},
};

/// Finds which of several scopes a commit changes.
#[derive(Clone, Debug)]
pub(super) struct ScopeMatcher {
    literal: Directory,
    /// Scopes with globs, exclusions or magic, by number.
    patterns: Vec<(u32, PathspecMatcher)>,
    /// The scopes that matched by now, each of them as often as it did.
    found: Vec<u32>,
}

/// A directory that scopes name, or that leads to one.
#[derive(Clone, Debug, Default)]
struct Directory {
    below: HashMap<Vec<u8>, Directory>,
    /// The scopes that name it, and whether it has to be a directory.
    scopes: Vec<(u32, bool)>,
}

impl ScopeMatcher {
    pub(super) fn new<'a>(scopes: impl IntoIterator<Item = &'a [String]>) -> Result<Self> {
        let mut matcher = Self { literal: Directory::default(), patterns: Vec::new(), found: Vec::new() };
        for (scope, number) in scopes.into_iter().zip(0..) {
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

    /// The scopes that matched since the last time, in their order.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let mut found = std::mem::take(&mut self.found);
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Directory {
    fn insert(&mut self, path: &str, scope: u32) {
        let name = path.strip_suffix('/').unwrap_or(path);
        let place = name.split('/').fold(self, |place, name| place.below.entry(name.into()).or_default());
        place.scopes.push((scope, name.len() < path.len()));
    }

    fn at(&self, path: &BStr) -> Option<&Self> {
        path.split_str(b"/").try_fold(self, |place, name| place.below.get(name))
    }
}

impl PathFilter for ScopeMatcher {
    fn file(&mut self, path: &BStr) -> bool {
        let Self { literal, patterns, found } = self;
        let named = literal.at(path).into_iter().flat_map(|place| &place.scopes);
        found.extend(named.filter(|(_, is_directory)| !is_directory).map(|(scope, _)| *scope));
        found.extend(patterns.iter_mut().filter_map(|(scope, pattern)| pattern.file(path).then_some(*scope)));
        false
    }

    fn directory(&mut self, path: &BStr) -> DirectoryMatch {
        let Self { literal, patterns, found } = self;
        let place = literal.at(path);
        found.extend(place.iter().flat_map(|place| &place.scopes).map(|(scope, _)| *scope));
        let mut is_open = place.is_some_and(|place| !place.below.is_empty());
        for (scope, pattern) in patterns {
            match pattern.directory(path) {
                DirectoryMatch::Whole => found.push(*scope),
                DirectoryMatch::Open => is_open = true,
                DirectoryMatch::None => {}
            }
        }
        if is_open { DirectoryMatch::Open } else { DirectoryMatch::None }
    }
}

/// Whether a path of the configuration means a file or directory of just that name.
pub(super) fn is_literal(path: &str) -> bool {
    let name = path.strip_suffix('/').unwrap_or(path);
    !path.starts_with([':', '!'])
        && !path.contains(['*', '?', '[', '\\'])
        && name.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(scopes: &[&[&str]], files: &[&str]) -> Vec<u32> {
        let scopes: Vec<Vec<String>> =
            scopes.iter().map(|scope| scope.iter().map(|&path| path.to_owned()).collect()).collect();
        let mut matcher = ScopeMatcher::new(scopes.iter().map(Vec::as_slice)).unwrap();
        for file in files {
            let mut directories = file.match_indices('/').map(|(end, _)| &file[..end]);
            if directories.all(|directory| matcher.directory(directory.into()) == DirectoryMatch::Open) {
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
