//! One trait for local and hosted repositories, with the same results, and its implementation for local ones.

mod hosted;

use std::{io::Write, path::Path};

use anyhow::{Context as _, Result};

pub(crate) use self::hosted::HostedRepository;
use crate::{
    git::{self, Repo, revision},
    model::{
        Oid, Problem, Project,
        repository::{
            ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorsRequest, Health,
            RepositoryResponse, TreePage, TreeRequest, no_merge_base, unknown_revisions,
        },
    },
};

pub(crate) trait Repository {
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<TreePage>>;

    /// Returns a blob, found by its ID, encoded for JSON.
    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>>;

    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()>;

    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()>;

    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>>;

    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>>;

    /// Returns the best common ancestor of the first ref and a hypothetical merge of the others.
    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>>;

    /// Returns the health report of the storage; with `generate`, a server makes a new one if it has none.
    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>>;
}

/// A repository on this machine, or one at a URL, which is fetched as far as it is read.
pub(crate) struct LocalRepository {
    repo: Repo,
    project: Project,
}

impl LocalRepository {
    /// Wraps a repository. Links lead to the project of the remote `origin`.
    pub(crate) fn new(repo: Repo) -> Self {
        let origin = git::remote::origin(&repo).and_then(|url| Project::from_remote(&url));
        Self { repo, project: origin.unwrap_or_default() }
    }

    /// Returns the name of the project: that of its remote `origin`, or of its directory.
    fn name(&self) -> String {
        let origin = git::remote::origin(&self.repo);
        let from_origin =
            origin.as_deref().and_then(|url| url.trim_end_matches(['/', '\\']).rsplit(['/', '\\', ':']).next());
        match from_origin.map(|name| name.strip_suffix(".git").unwrap_or(name)).filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => directory_name(self.repo.work_tree().unwrap_or(self.repo.git_dir())),
        }
    }

    /// Resolves refs to commits; the error names all refs that are unknown.
    fn resolve(&self, refs: &[String]) -> Result<Vec<Oid>> {
        let found: Vec<_> = refs.iter().map(|name| (name, revision::resolve(&self.repo, name))).collect();
        let unknown: Vec<_> = found.iter().filter(|(_, id)| id.is_err()).map(|(name, _)| (*name).clone()).collect();
        if unknown.len() > 1 {
            return Err(unknown_revisions(&unknown).into());
        }
        found.into_iter().map(|(_, id)| id).collect()
    }
}

impl Repository for LocalRepository {
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<TreePage>> {
        git::tree::tree(&self.repo, request).map(Into::into)
    }

    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>> {
        git::file::blob(&self.repo, sha).map(Into::into)
    }

    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()> {
        out.write_all(&git::file::raw_blob(&self.repo, sha)?).context("cannot write the blob")
    }

    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()> {
        let name = git::archive::name(&self.repo, request, &self.name())?;
        git::archive::write(&self.repo, request, &name, out)
    }

    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>> {
        self.resolve(&[request.from.clone(), request.to.clone()])?;
        git::compare::compare(&self.repo, request, &self.project).map(Into::into)
    }

    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>> {
        git::people::contributors(&self.repo, request).map(Into::into)
    }

    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>> {
        let ids = self.resolve(refs)?;
        let (first, others) = ids.split_first().context("a merge base is one of two or more refs")?;
        let base = git::merge_base::merge_base(&self.repo, *first, others)?;
        let base = base.ok_or_else(no_merge_base)?;
        git::commit_record::load(&self.repo, base, &self.project).map(Into::into)
    }

    fn health(&self, _generate: bool) -> Result<RepositoryResponse<Health>> {
        if self.repo.transferred_bytes().is_some() {
            let problem = Problem::usage("health reports are not available for a repository at a URL");
            return Err(problem
                .hint("use `--project` for the report of its server, or `--repo PATH` for a clone")
                .into());
        }
        git::health::health(&self.repo).map(Into::into)
    }
}

/// Returns the name of a repository's directory, without the `.git` at the end of a bare one.
fn directory_name(directory: &Path) -> String {
    let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let name = directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_suffix(".git").unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_the_name_of_its_directory() {
        assert_eq!(directory_name(Path::new("/srv/git/app.git")), "app");
        assert_eq!(directory_name(Path::new("/home/ida/app")), "app");
        assert_eq!(directory_name(Path::new("/")), "");
    }
}
