//! A repository of a project on a server. A server sends the status of an archive before it has produced the archive,
//! so the archive is checked.

use std::io::{self, Write};

use anyhow::{Context as _, Result, ensure};
use bzip2::write::BzDecoder;
use flate2::write::GzDecoder;
use serde::de::DeserializeOwned;

use super::Repository;
use crate::{
    api::{self, ApiRequest, Client, repository as endpoints},
    model::{
        Problem,
        repository::{
            ArchiveFormat, ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor,
            ContributorsRequest, Health, RepositoryResponse, TreePage, TreeRequest, no_blob, no_commits, no_directory,
            no_merge_base, nothing_to_archive, unknown_revisions,
        },
    },
};

pub(crate) struct HostedRepository<'client> {
    client: &'client Client,
    project: String,
}

impl<'client> HostedRepository<'client> {
    /// Addresses the repository of a project, given by its ID or path.
    pub(crate) fn new(client: &'client Client, project: String) -> Self {
        Self { client, project }
    }

    fn fetch<T: DeserializeOwned + Default>(&self, request: &ApiRequest) -> api::Result<RepositoryResponse<T>> {
        let (value, response) = self.client.fetch(request)?;
        Ok(RepositoryResponse::new(value, response.body))
    }

    fn all<T: DeserializeOwned>(&self, request: &ApiRequest) -> api::Result<RepositoryResponse<Vec<T>>> {
        let (items, rows) = self.client.fetch_all_with_rows(request)?;
        Ok(RepositoryResponse::new(items, rows.into()))
    }

    /// Fetches one page of a tree, or all of them.
    fn pages(&self, request: &ApiRequest, one: bool) -> api::Result<RepositoryResponse<TreePage>> {
        let (items, next, body) = if one {
            let (items, response) = self.client.fetch(request)?;
            (items, response.headers.next_page_token(), response.body)
        } else {
            let (items, rows) = self.client.fetch_all_with_rows(request)?;
            (items, None, rows.into())
        };
        Ok(RepositoryResponse::new(TreePage { items, next }, body))
    }

    fn copy(&self, request: &ApiRequest, out: &mut dyn Write) -> api::Result<Result<()>> {
        let mut stream = self.client.open_request(request)?;
        Ok(std::io::copy(&mut stream, out).map(drop).context("the download broke off"))
    }

    /// Returns the refs that the server lacks. A failed comparison does not name them, a failed merge base does.
    fn unknown_refs(&self, refs: &[&str]) -> Vec<String> {
        let refs: Vec<String> = refs.iter().map(|name| (*name).to_owned()).collect();
        let response = self.client.send_request(&endpoints::merge_base(&self.project, &refs));
        let named = response.err().and_then(|error| could_not_find(&error.reason()));
        named.unwrap_or(refs)
    }
}

impl Repository for HostedRepository<'_> {
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<TreePage>> {
        let page = self.pages(&endpoints::tree(&self.project, request), request.per_page.is_some());
        page.map_err(|error| {
            explain(error, |reason| match reason {
                "Tree Not Found" => Some(no_commit(request.reference.as_ref())),
                "invalid revision or path Not Found" => Some(no_directory(request.path.trim_matches('/'))),
                _ => None,
            })
        })
    }

    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>> {
        let blob = self.fetch(&endpoints::blob(&self.project, sha));
        blob.map_err(|error| explain_blob(error, sha))
    }

    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()> {
        let endpoint = endpoints::raw_blob(&self.project, sha);
        self.copy(&endpoint, out).map_err(|error| explain_blob(error, sha))?
    }

    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()> {
        let endpoint = endpoints::archive(&self.project, request);
        let mut checked = ArchiveVerifier::new(out, request.format);
        let copied = self.copy(&endpoint, &mut checked).map_err(|error| {
            explain(error, |reason| {
                (reason == "File Not Found")
                    .then(|| nothing_to_archive("the server does not know the ref or one of the paths"))
            })
        })?;
        copied.and_then(|()| checked.finish())
    }

    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>> {
        let comparison = self.fetch(&endpoints::compare(&self.project, request));
        comparison.map_err(|error| {
            explain(error, |reason| {
                (reason == "Ref Not Found")
                    .then(|| unknown_revisions(&self.unknown_refs(&[&request.from, &request.to])))
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
            if commit.id.is_empty() {
                Err(api::Error::unexpected_response(&endpoint, "the commit has no `id`"))
            } else {
                Ok(commit)
            }
        };
        self.fetch(&endpoint).and_then(named).map_err(|error| {
            explain(error, |reason| match reason {
                "Merge Base Not Found" => Some(no_merge_base()),
                reason => could_not_find(reason).map(|names| unknown_revisions(&names)),
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

/// Returns the error of a local repository if the server's message means that something is missing.
fn explain(error: api::Error, missing: impl FnOnce(&str) -> Option<Problem>) -> anyhow::Error {
    missing(&error.reason()).map_or_else(|| error.into(), Into::into)
}

fn explain_blob(error: api::Error, sha: &str) -> anyhow::Error {
    explain(error, |reason| (reason == "Blob Not Found").then(|| no_blob(sha)))
}

fn no_commit(reference: Option<&String>) -> Problem {
    reference.map_or_else(no_commits, |name| unknown_revisions(std::slice::from_ref(name)))
}

/// Parses the names in `Could not find refs: x, y`.
fn could_not_find(reason: &str) -> Option<Vec<String>> {
    let names =
        ["Could not find refs: ", "Could not find ref: "].iter().find_map(|start| reason.strip_prefix(start))?;
    Some(names.split(", ").map(str::to_owned).collect())
}

/// The end of a ZIP file: a record of 22 bytes and a comment of at most 64 KiB.
const ZIP_END: &[u8] = b"PK\x05\x06";
const MAX_ZIP_END: usize = 22 + 0xffff;
/// A tar archive ends with two blocks of zeros.
const TAR_END: usize = 1024;

/// Writes an archive to `out` and checks it at the same time.
struct ArchiveVerifier<'out> {
    out: &'out mut dyn Write,
    check: ArchiveCheck,
}

enum ArchiveCheck {
    Tar(Tail),
    Zip(Tail),
    Gzip(GzDecoder<Tail>),
    Bzip2(BzDecoder<Tail>),
    /// The archive could not be decoded.
    Damaged,
}

impl<'out> ArchiveVerifier<'out> {
    fn new(out: &'out mut dyn Write, format: ArchiveFormat) -> Self {
        let tar = || Tail::new(TAR_END);
        let check = match format {
            ArchiveFormat::Tar => ArchiveCheck::Tar(tar()),
            ArchiveFormat::TarGz => ArchiveCheck::Gzip(GzDecoder::new(tar())),
            ArchiveFormat::TarBz2 => ArchiveCheck::Bzip2(BzDecoder::new(tar())),
            ArchiveFormat::Zip => ArchiveCheck::Zip(Tail::new(MAX_ZIP_END)),
        };
        Self { out, check }
    }

    fn finish(self) -> Result<()> {
        let is_complete = match self.check {
            ArchiveCheck::Tar(tail) => tail.is_end_of_tar(),
            ArchiveCheck::Zip(tail) => tail.0.windows(ZIP_END.len()).any(|bytes| bytes == ZIP_END),
            ArchiveCheck::Gzip(decoder) => decoder.finish().is_ok_and(|tail| tail.is_end_of_tar()),
            ArchiveCheck::Bzip2(mut decoder) => decoder.finish().is_ok_and(|tail| tail.is_end_of_tar()),
            ArchiveCheck::Damaged => false,
        };
        ensure!(
            is_complete,
            "the archive is not complete: the server stopped in the middle of it, or sent another format"
        );
        Ok(())
    }
}

impl Write for ArchiveVerifier<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let decoded = match &mut self.check {
            ArchiveCheck::Tar(tail) | ArchiveCheck::Zip(tail) => tail.write_all(bytes),
            ArchiveCheck::Gzip(decoder) => decoder.write_all(bytes),
            ArchiveCheck::Bzip2(decoder) => decoder.write_all(bytes),
            ArchiveCheck::Damaged => Ok(()),
        };
        if decoded.is_err() {
            self.check = ArchiveCheck::Damaged;
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The last bytes of a stream, at least as many as requested.
struct Tail(Vec<u8>, usize);

impl Tail {
    fn new(length: usize) -> Self {
        Self(Vec::new(), length)
    }

    fn is_end_of_tar(&self) -> bool {
        self.0.len() >= TAR_END && self.0[self.0.len() - TAR_END..].iter().all(|byte| *byte == 0)
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.len() > 2 * self.1 {
            self.0.drain(..self.0.len() - self.1);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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

    fn check(bytes: &[u8], format: ArchiveFormat) -> Result<()> {
        let mut out = Vec::new();
        let mut checked = ArchiveVerifier::new(&mut out, format);
        for piece in bytes.chunks(700) {
            checked.write_all(piece)?;
        }
        checked.finish()?;
        assert_eq!(out, bytes);
        Ok(())
    }

    /// Returns archives of the same content in all formats.
    fn archives() -> [(Vec<u8>, ArchiveFormat); 4] {
        let tar = [&[1; 5000][..], &[0; TAR_END]].concat();
        let zip = [&[1; 5000][..], ZIP_END, &[0; 18], b"comment"].concat();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&tar).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&tar).unwrap();
        [
            (tar, ArchiveFormat::Tar),
            (zip, ArchiveFormat::Zip),
            (gzip.finish().unwrap(), ArchiveFormat::TarGz),
            (bzip2.finish().unwrap(), ArchiveFormat::TarBz2),
        ]
    }

    #[test]
    fn an_archive_that_stops_in_the_middle_is_not_complete() {
        for (whole, format) in archives() {
            check(&whole, format).unwrap();
            let half = &whole[..whole.len() / 2];
            assert!(check(half, format).unwrap_err().to_string().contains("not complete"), "{format:?}");
        }
    }

    #[test]
    fn an_archive_in_another_format_is_refused() {
        for (bytes, sent) in archives() {
            for (_, format) in archives().into_iter().filter(|(_, format)| *format != sent) {
                let error = check(&bytes, format).unwrap_err().to_string();
                assert!(error.contains("sent another format"), "{sent:?} for {format:?}: {error}");
            }
        }
    }
}
