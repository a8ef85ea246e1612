//! What paths are asked for: pathspecs as git reads them (gitglossary(7), "pathspec").

use std::path::Path;

use anyhow::{Context as _, Result};
use gix::{
    bstr::{BStr, ByteSlice as _},
    pathspec::{self, Defaults, Pattern, Search, search::MatchKind},
};

use super::trees::{DirectoryMatch, PathFilter};
use crate::model::Problem;

/// Pathspecs, from the top of the repository.
#[derive(Clone, Debug)]
pub(super) struct PathspecMatcher {
    search: Search,
    /// Whether nothing below a directory that is asked for is left out.
    takes_directories_whole: bool,
}

impl PathspecMatcher {
    pub(super) fn parse(paths: &[String]) -> Result<Self> {
        let mut patterns: Vec<_> = paths.iter().map(|path| pattern(path)).collect::<Result<_>>()?;
        // gix takes the top directory for a name that paths must begin with; without it all that is not excluded is meant.
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
}

impl PathFilter for PathspecMatcher {
    fn file(&mut self, path: &BStr) -> bool {
        self.kind(path, false).is_some()
    }

    fn directory(&mut self, path: &BStr) -> DirectoryMatch {
        // A pattern may match a directory and not what is in it.
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
    let invalid = || Problem::new(format!("`{path}` in `paths` is not a pathspec")).hint(SHAPES);
    let given = path.strip_prefix('!').map_or_else(|| path.to_owned(), |excluded| format!(":!{excluded}"));
    let pattern = pathspec::parse(given.as_bytes(), Defaults::default()).with_context(invalid)?;
    if !pattern.attributes.is_empty() {
        return Err(Problem::new(format!("`{path}` in `paths` asks for attributes, which are not read"))
            .hint(SHAPES)
            .into());
    }
    Ok(pattern)
}

const SHAPES: &str =
    "write directories, files and globs as for `git log -- PATHS`: `src`, `docs/*.md`, `!src/generated`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_files_globs_and_exclusions_are_told_apart() {
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
}
