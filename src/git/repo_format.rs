//! The check whether the format of a repository is supported for writing (gitrepository-layout(5), "repository format
//! version").

use anyhow::Result;

use crate::model::Problem;

/// The supported extensions, in lower case; the value of `refStorage` is checked when a repository is opened.
const EXTENSIONS: [&str; 8] = [
    "noop",
    "noop-v1",
    "objectformat",
    "partialclone",
    "preciousobjects",
    "refstorage",
    "relativeworktrees",
    "worktreeconfig",
];

/// Refuses an unknown format as git does, since it may change what a commit has to be.
pub(in crate::git) fn check(repo: &gix::Repository) -> Result<()> {
    let config = repo.config_snapshot();
    let version = config.integer("core.repositoryFormatVersion").unwrap_or_default();
    let refuse = |what: String| {
        Err(Problem::new(format!("the repository {what}, so nothing can be committed to it"))
            .hint("use a version of git that supports it")
            .into())
    };
    if version > 1 {
        return refuse(format!("has format version {version}, which is not known"));
    }
    let sections = config.plumbing().sections_by_name("extensions").into_iter().flatten();
    let names =
        sections.flat_map(|section| section.value_names().map(|name| name.to_ascii_lowercase()).collect::<Vec<_>>());
    match names.filter(|_| version == 1).find(|name| !EXTENSIONS.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => refuse(format!("uses the extension `{name}`, which is not known")),
    }
}
