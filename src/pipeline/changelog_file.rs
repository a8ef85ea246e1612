//! Which file is the changelog: the one that the configuration names, else the only one that is named like one.

use std::sync::LazyLock;

use regex::Regex;

use super::LoadedConfig;
use crate::{
    config,
    git::{self, Repo},
    model::{Oid, Problem},
};

/// Names of changelog files, in any case.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    let extension = r"(?:md|markdown|mdown|mkd|txt|rst|adoc|asciidoc|rdoc|textile|org)";
    let name = r"(?:change[-_]?log|changes|history|news|release[-_]?notes|releases)";
    Regex::new(&format!(r"(?i-u)^{name}(?:\.{extension})?$")).expect("the pattern is constant and valid")
});

impl LoadedConfig {
    /// The path of the changelog file, from the top of the repository: the configured one, else `CHANGELOG.md`, unless a
    /// commit has a single other one: at the top, else in `docs`, else in a directory of `packages`.
    ///
    /// # Errors
    /// If several files at the top or in `docs` may be meant, or an object is missing.
    pub fn changelog_file(&self, repo: &Repo) -> anyhow::Result<String> {
        if let Some(file) = &self.config.file {
            return Ok(file.clone());
        }
        let usual = config::CHANGELOG.to_owned();
        // A repository may have no commit.
        let Ok(commit) = git::revision::resolve(repo, "HEAD") else { return Ok(usual) };
        let packages = git::tree::directories(repo, commit, "packages")?;
        let packages = packages.into_iter().map(|name| format!("packages/{name}")).collect();
        for (directories, is_exact) in
            [(vec![String::new()], true), (vec!["docs".into(), "doc".into()], true), (packages, false)]
        {
            let mut found = candidates(repo, commit, &directories)?;
            match found.len() {
                0 => {}
                1 => return Ok(found.remove(0)),
                _ if found.contains(&usual) || !is_exact => break,
                _ => return Err(several(&found).into()),
            }
        }
        Ok(usual)
    }
}

fn candidates(repo: &Repo, commit: Oid, directories: &[String]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for directory in directories {
        let names = git::tree::files(repo, commit, directory)?.into_iter().filter(|name| NAME.is_match(name));
        found.extend(names.map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") }));
    }
    Ok(found)
}

fn several(found: &[String]) -> Problem {
    Problem::new(format!("several files may be the changelog: `{}`", found.join("`, `")))
        .hint(format!("name one with `--file`, or set `file: {}`", found[0]))
}
