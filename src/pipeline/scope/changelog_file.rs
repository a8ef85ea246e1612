//! The changelog file of a repository or package: where it is, what is beside it, and its content at a commit.

use std::{path::Path, sync::LazyLock};

use regex::Regex;

use super::loaded_config::LoadedConfig;
use crate::{
    config,
    document::Document,
    git::{self, Repo},
    model::{Oid, Problem},
};

impl LoadedConfig {
    /// Returns the path of the changelog file from the top of the repository: the configured one, else `CHANGELOG.md`,
    /// unless `HEAD` has a single one of another usual name: at the top, else in `docs`, else in `packages/*`.
    pub(crate) fn changelog_file(&self, repo: &Repo) -> anyhow::Result<String> {
        if let Some(file) = &self.config.file {
            return Ok(file.clone());
        }
        let usual = config::CHANGELOG.to_owned();
        let Some(commit) = git::revision::head(repo)? else { return Ok(usual) };
        let in_packages = || git::tree::files_below(repo, commit, "packages");
        let places: [(FileLister, bool); 3] = [
            (&|| files_in(repo, commit, &[""]), true),
            (&|| files_in(repo, commit, &["docs", "doc"]), true),
            (&in_packages, false),
        ];
        for (files, is_exact) in places {
            let mut found = files()?;
            found.retain(|file| CHANGELOG_NAME.is_match(file.rsplit('/').next().unwrap_or_default()));
            // A page of the documentation may be called `releases.md`, too.
            if found.len() == 1 && found[0].contains('/') && read(repo, commit, Path::new(&found[0]))?.is_other_page() {
                continue;
            }
            match found.len() {
                0 => {}
                1 => return Ok(found.remove(0)),
                _ if found.contains(&usual) || !is_exact => break,
                _ => return Err(ambiguous_file(&found).into()),
            }
        }
        Ok(usual)
    }
}

/// Reads the changelog file at a commit; a missing file is an empty document.
pub(crate) fn read(repo: &Repo, commit: Oid, file: &Path) -> anyhow::Result<Document> {
    let content = git::file::read_at_commit(repo, commit, &git::file::path_in_tree(file))?;
    Ok(Document::parse(content.unwrap_or_default()))
}

/// Lists the files of a place that may have the changelog file.
type FileLister<'a> = &'a dyn Fn() -> anyhow::Result<Vec<String>>;

static CHANGELOG_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let extension = r"(?:md|markdown|mdown|mkd|txt|rst|adoc|asciidoc|rdoc|textile|org)";
    let name = r"(?:change[-_]?log|changes|history|news|release[-_]?notes|releases)";
    Regex::new(&format!(r"(?i-u)^{name}(?:\.{extension})?$")).expect("the pattern is constant and valid")
});

/// Returns the files beside a changelog that may have the sections of other versions, by the names that people give
/// them and their directories: `CHANGELOG-3.5.md`, `changelogs/0.15.x.md`.
pub(crate) fn files_beside(repo: &Repo, revision: &str, file: &Path) -> anyhow::Result<Vec<String>> {
    let Ok(commit) = git::revision::resolve(repo, revision) else { return Ok(Vec::new()) };
    if !git::paths::can_compare(repo, commit)? {
        return Ok(Vec::new());
    }
    let top = file.parent().map(git::file::path_in_tree).unwrap_or_default();
    let within = |name: String| if top.is_empty() { name } else { format!("{top}/{name}") };
    let mut directories = vec![top.clone()];
    let inner = git::tree::directories(repo, commit, &top)?;
    directories.extend(inner.into_iter().filter(|name| CHANGELOG_DIRECTORY.is_match(name)).map(within));
    let mut found = Vec::new();
    for directory in directories {
        let files = git::tree::files(repo, commit, &directory)?;
        found.extend(
            files.into_iter().map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") }),
        );
    }
    found.retain(|name| Path::new(name) != file);
    Ok(found)
}

static CHANGELOG_DIRECTORY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i-u)^(?:change[-_]?logs?|release[-_]?notes|releases|history)$")
        .expect("the pattern is constant and valid")
});

/// Returns the paths of the files in several directories.
fn files_in(repo: &Repo, commit: Oid, directories: &[&str]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for directory in directories {
        let names = git::tree::files(repo, commit, directory)?.into_iter();
        found.extend(names.map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") }));
    }
    Ok(found)
}

fn ambiguous_file(found: &[String]) -> Problem {
    Problem::new(format!("several files may be the changelog: `{}`", found.join("`, `")))
        .hint(format!("name one with `--file`, or set `file: {}`", found[0]))
}
