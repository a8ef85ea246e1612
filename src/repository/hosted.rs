//! A repository of a project on a server.

use std::io::Write;

use anyhow::{Context as _, Result};

use super::{Repository, verify::ArchiveVerifier};
use crate::{
    api::{
        self, Bytes, Client, Endpoint, Paged,
        repository::{Compare, GetArchive, GetBlob, GetHealth, GetMergeBase, GetRawBlob, ListContributors, ListTree},
    },
    model::{
        Problem,
        repository::{
            ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorsRequest, Health,
            KeysetPage, NotFound, RepositoryResponse, TreeEntry, TreeRequest,
        },
    },
};

/// A repository that a server answers for.
#[derive(Debug)]
pub struct HostedRepository<'client> {
    client: &'client Client,
    project: String,
}

impl<'client> HostedRepository<'client> {
    /// The repository of a project, by its id or path.
    #[must_use]
    pub fn new(client: &'client Client, project: String) -> Self {
        Self { client, project }
    }

    fn project(&self) -> String {
        self.project.clone()
    }

    fn ask<E: Endpoint>(&self, endpoint: &E) -> api::Result<RepositoryResponse<E::Output>> {
        let (value, response) = self.client.fetch(endpoint)?;
        Ok(RepositoryResponse::new(value, response.body))
    }

    fn all<E: Paged>(&self, endpoint: &E) -> api::Result<RepositoryResponse<Vec<E::Item>>> {
        let (items, rows) = self.client.all_with_rows(endpoint)?;
        Ok(RepositoryResponse::new(items, rows.into()))
    }

    fn one_page(&self, endpoint: &ListTree) -> api::Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let (items, response) = self.client.fetch(endpoint)?;
        let page = KeysetPage { next: response.headers.next_page_token(), items };
        Ok(RepositoryResponse::new(page, response.body))
    }

    fn whole_tree(&self, endpoint: &ListTree) -> api::Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let (items, rows) = self.client.all_with_rows(endpoint)?;
        Ok(RepositoryResponse::new(KeysetPage { items, next: None }, rows.into()))
    }

    fn copy<E: Endpoint<Output = Bytes>>(&self, endpoint: &E, out: &mut dyn Write) -> api::Result<Result<()>> {
        let mut stream = self.client.open(endpoint)?;
        Ok(std::io::copy(&mut stream, out).map(drop).context("the download broke off"))
    }

    /// Which of these the service does not know: the comparison does not say, but the merge base does.
    fn unknown(&self, refs: &[&str]) -> Vec<String> {
        let refs: Vec<String> = refs.iter().map(|name| (*name).to_owned()).collect();
        let asked = self.client.send(&GetMergeBase { project: self.project(), refs: refs.clone() });
        let named = asked.err().and_then(|error| could_not_find(&error.reason()));
        named.unwrap_or(refs)
    }
}

impl Repository for HostedRepository<'_> {
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<KeysetPage<TreeEntry>>> {
        let endpoint = ListTree { project: self.project(), request: request.clone() };
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
        let answer = self.ask(&GetBlob { project: self.project(), sha: sha.to_owned() });
        answer.map_err(|error| explain(error, |reason| no_blob(reason, sha)))
    }

    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()> {
        let endpoint = GetRawBlob { project: self.project(), sha: sha.to_owned() };
        self.copy(&endpoint, out).map_err(|error| explain(error, |reason| no_blob(reason, sha)))?
    }

    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()> {
        let endpoint = GetArchive { project: self.project(), request: request.clone() };
        let mut checked = ArchiveVerifier::new(out, request.format);
        let copied = self.copy(&endpoint, &mut checked).map_err(|error| {
            let missing = || NotFound::Archive("the server does not know the ref or one of the paths".to_owned());
            explain(error, |reason| (reason == "File Not Found").then(missing))
        })?;
        copied.and_then(|()| checked.finish())
    }

    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>> {
        let answer = self.ask(&Compare { project: self.project(), request: request.clone() });
        answer.map_err(|error| {
            explain(error, |reason| {
                (reason == "Ref Not Found").then(|| NotFound::Refs(self.unknown(&[&request.from, &request.to])))
            })
        })
    }

    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>> {
        let endpoint = ListContributors { project: self.project(), request: request.clone() };
        self.all(&endpoint).map_err(|error| {
            let is_ref = error.status() == Some(404) && error.reason() != "Project Not Found";
            explain(error, |_| is_ref.then(|| no_commit(request.reference.as_ref())))
        })
    }

    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>> {
        let endpoint = GetMergeBase { project: self.project(), refs: refs.to_vec() };
        let named = |commit: RepositoryResponse<CommitRecord>| {
            let nameless = || api::Error::unexpected(&api::ApiRequest::of(&endpoint), "the commit has no `id`");
            if commit.id.is_empty() { Err(nameless()) } else { Ok(commit) }
        };
        let answer = self.ask(&endpoint).and_then(named);
        answer.map_err(|error| {
            explain(error, |reason| match reason {
                "Merge Base Not Found" => Some(NotFound::MergeBase),
                reason => could_not_find(reason).map(NotFound::Refs),
            })
        })
    }

    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>> {
        let answer = self.ask(&GetHealth { project: self.project(), generate });
        answer.map_err(|error| {
            let is_missing = error.status() == Some(404) && error.reason() != "Project Not Found" && !generate;
            if !is_missing {
                return error.into();
            }
            let problem = Problem::new("the server has no health report of this project yet");
            problem.hint("`--generate` has it make one, which takes a while").into()
        })
    }
}

/// Says what a local repository would say, where the server's words mean just that something is not there.
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
