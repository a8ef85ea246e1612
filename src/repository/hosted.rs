//! A repository of a project on a server.

use std::io::Write;

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;

use super::{Repository, verify::ArchiveVerifier};
use crate::{
    api::{self, Bytes, Client, Endpoint, repository as endpoints},
    model::{
        Problem,
        repository::{
            ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorsRequest, Health,
            KeysetPage, NotFound, RepositoryResponse, TreeEntry, TreeRequest,
        },
    },
};

/// The repository of a project on a server.
#[derive(Debug)]
pub(crate) struct HostedRepository<'client> {
    client: &'client Client,
    project: String,
}

impl<'client> HostedRepository<'client> {
    /// The repository of a project, by its ID or path.
    pub(crate) fn new(client: &'client Client, project: String) -> Self {
        Self { client, project }
    }

    fn fetch<T: DeserializeOwned + Default>(&self, endpoint: &Endpoint<T>) -> api::Result<RepositoryResponse<T>> {
        let (value, response) = self.client.fetch(endpoint)?;
        Ok(RepositoryResponse::new(value, response.body))
    }

    fn all<T: DeserializeOwned>(&self, endpoint: &Endpoint<Vec<T>>) -> api::Result<RepositoryResponse<Vec<T>>> {
        let (items, rows) = self.client.all_with_rows(endpoint)?;
        Ok(RepositoryResponse::new(items, rows.into()))
    }

    fn one_page(&self, endpoint: &Endpoint<Vec<TreeEntry>>) -> api::Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let (items, response) = self.client.fetch(endpoint)?;
        let page = KeysetPage { next: response.headers.next_page_token(), items };
        Ok(RepositoryResponse::new(page, response.body))
    }

    fn whole_tree(
        &self,
        endpoint: &Endpoint<Vec<TreeEntry>>,
    ) -> api::Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let (items, rows) = self.client.all_with_rows(endpoint)?;
        Ok(RepositoryResponse::new(KeysetPage { items, next: None }, rows.into()))
    }

    fn copy(&self, endpoint: &Endpoint<Bytes>, out: &mut dyn Write) -> api::Result<Result<()>> {
        let mut stream = self.client.open(endpoint)?;
        Ok(std::io::copy(&mut stream, out).map(drop).context("the download broke off"))
    }

    /// Returns the refs that the server does not have: the comparison does not name them, but the merge base does.
    fn unknown(&self, refs: &[&str]) -> Vec<String> {
        let refs: Vec<String> = refs.iter().map(|name| (*name).to_owned()).collect();
        let response = self.client.send(&endpoints::merge_base(&self.project, &refs));
        let named = response.err().and_then(|error| could_not_find(&error.reason()));
        named.unwrap_or(refs)
    }
}

impl Repository for HostedRepository<'_> {
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let endpoint = endpoints::tree(&self.project, request);
        let page = match request.per_page {
            Some(_) => self.one_page(&endpoint),
            None => self.whole_tree(&endpoint),
        };
        page.map_err(|error| {
            explain(error, |reason| match reason {
                "Tree Not Found" => Some(no_commit(request.reference.as_ref())),
                "invalid revision or path Not Found" => Some(NotFound::Path(request.path.trim_matches('/').to_owned())),
                _ => None,
            })
        })
    }

    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>> {
        let blob = self.fetch(&endpoints::blob(&self.project, sha));
        blob.map_err(|error| explain(error, |reason| no_blob(reason, sha)))
    }

    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()> {
        let endpoint = endpoints::raw_blob(&self.project, sha);
        self.copy(&endpoint, out).map_err(|error| explain(error, |reason| no_blob(reason, sha)))?
    }

    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()> {
        let endpoint = endpoints::archive(&self.project, request);
        let mut checked = ArchiveVerifier::new(out, request.format);
        let copied = self.copy(&endpoint, &mut checked).map_err(|error| {
            let missing = || NotFound::Archive("the server does not know the ref or one of the paths".to_owned());
            explain(error, |reason| (reason == "File Not Found").then(missing))
        })?;
        copied.and_then(|()| checked.finish())
    }

    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>> {
        let comparison = self.fetch(&endpoints::compare(&self.project, request));
        comparison.map_err(|error| {
            explain(error, |reason| {
                (reason == "Ref Not Found").then(|| NotFound::Refs(self.unknown(&[&request.from, &request.to])))
            })
        })
    }

    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>> {
        let endpoint = endpoints::contributors(&self.project, request);
        self.all(&endpoint).map_err(|error| {
            let is_ref = error.status() == Some(404) && error.reason() != "Project Not Found";
            explain(error, |_| is_ref.then(|| no_commit(request.reference.as_ref())))
        })
    }

    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>> {
        let endpoint = endpoints::merge_base(&self.project, refs);
        let named = |commit: RepositoryResponse<CommitRecord>| {
            let nameless = || api::Error::unexpected(&endpoint.request, "the commit has no `id`");
            if commit.id.is_empty() { Err(nameless()) } else { Ok(commit) }
        };
        self.fetch(&endpoint).and_then(named).map_err(|error| {
            explain(error, |reason| match reason {
                "Merge Base Not Found" => Some(NotFound::MergeBase),
                reason => could_not_find(reason).map(NotFound::Refs),
            })
        })
    }

    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>> {
        let health = self.fetch(&endpoints::health(&self.project, generate));
        health.map_err(|error| {
            let is_missing = error.status() == Some(404) && error.reason() != "Project Not Found" && !generate;
            if !is_missing {
                return error.into();
            }
            let problem = Problem::new("the server has no health report of this project yet");
            problem.hint("use `--generate` to create one, which takes a while").into()
        })
    }
}

/// Reports the same as a local repository if the server's message means that something is missing.
fn explain(error: api::Error, missing: impl FnOnce(&str) -> Option<NotFound>) -> anyhow::Error {
    match missing(&error.reason()) {
        Some(missing) => Problem::from(missing).into(),
        None => error.into(),
    }
}

fn no_commit(reference: Option<&String>) -> NotFound {
    reference.map_or(NotFound::Commits, NotFound::reference)
}

fn no_blob(reason: &str, sha: &str) -> Option<NotFound> {
    (reason == "Blob Not Found").then(|| NotFound::Blob(sha.to_owned()))
}

/// The names in `Could not find refs: x, y`.
fn could_not_find(reason: &str) -> Option<Vec<String>> {
    let names =
        ["Could not find refs: ", "Could not find ref: "].iter().find_map(|start| reason.strip_prefix(start))?;
    Some(names.split(", ").map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refs_that_were_not_found_are_read_off_the_refusal() {
        assert_eq!(could_not_find("Could not find ref: x"), Some(vec!["x".to_owned()]));
        assert_eq!(could_not_find("Could not find refs: x, y").unwrap().len(), 2);
        assert_eq!(could_not_find("Provide at least 2 refs"), None);
    }
}
