//! Forge releases: the notes of a tag, with files. [`publish`] is the same for every forge, whose [`ReleaseApi`] sends the
//! requests.

pub(super) mod github;
pub(super) mod gitlab;

use std::{
    collections::HashSet,
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::Context as _;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    api::{ApiRequest, Client, Result},
    model::{Asset, Forge, ForgeRelease, Problem, ProblemKind, hex},
};

/// The releases of a project on a forge.
pub(crate) trait ReleaseApi {
    /// Returns the release of a tag.
    ///
    /// # Errors
    /// If the server refuses or cannot be reached.
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>>;

    /// Refuses a token that cannot create releases, as far as the server shows that in advance.
    ///
    /// # Errors
    /// If scopes or role are not sufficient.
    fn check_permissions(&self) -> Result<(), Problem>;

    /// Refuses a category of discussions that the forge does not have, as far as the server shows that in advance.
    ///
    /// # Errors
    /// If it is not among the categories.
    fn check_discussion(&self, category: &str) -> Result<(), Problem>;

    /// Creates a release for an existing tag; it may be a draft.
    ///
    /// # Errors
    /// If the tag is not found, or the server refuses or cannot be reached.
    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease>;

    /// Changes name and notes of a release, and publishes a draft.
    ///
    /// # Errors
    /// If the tag is not found, or the server refuses or cannot be reached.
    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease>;

    /// Attaches a file to a release, unless the same file is already attached.
    ///
    /// # Errors
    /// If the file cannot be read, or the server refuses or cannot be reached.
    fn attach(&self, release: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset>;

    /// Returns the requests for a release that does not exist yet.
    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest>;

    /// Returns the shell command that deletes the release of a tag.
    fn undo(&self, tag: &str) -> String;
}

/// A release on a forge.
#[derive(Clone, Debug)]
pub(crate) struct ExistingRelease {
    tag: String,
    /// The ID on GitHub.
    id: u64,
    name: String,
    description: String,
    /// Whether it is marked as a pre-release; `None` on a forge without such a mark.
    prerelease: Option<bool>,
    draft: bool,
    url: Option<String>,
    files: Vec<ExistingAsset>,
}

/// A file that is already attached.
#[derive(Clone, Debug)]
struct ExistingAsset {
    id: u64,
    name: String,
    url: Option<String>,
    size: Option<u64>,
    sha256: Option<String>,
    /// The name for downloads on Gitea, which sends no digest.
    uuid: Option<String>,
    is_complete: bool,
}

impl ExistingRelease {
    /// Whether the release has the same notes and files of the same names.
    pub(crate) fn matches(&self, release: &ForgeRelease) -> bool {
        self.has_same_notes(release) && !self.is_incomplete(release)
    }

    /// Whether it is still to be made public.
    pub(crate) fn is_draft(&self) -> bool {
        self.draft
    }

    /// Whether it is a draft, or lacks a file. Its notes may have been edited.
    pub(crate) fn is_incomplete(&self, release: &ForgeRelease) -> bool {
        self.draft && !release.draft
            || !release.assets.iter().all(|asset| self.file(&asset.name).is_some_and(|file| file.is_complete))
    }

    fn has_same_notes(&self, release: &ForgeRelease) -> bool {
        (!self.draft || release.draft)
            && self.name == release.name
            && lines(&self.description).eq(lines(&release.description))
            && self.prerelease.is_none_or(|prerelease| prerelease == release.prerelease)
    }

    fn file(&self, name: &str) -> Option<&ExistingAsset> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// Refuses files that cannot be attached, before anything is done: a missing file, and two of the same name.
pub(crate) fn check(release: &ForgeRelease) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    match release.assets.iter().find(|asset| !names.insert(&asset.name)) {
        None => release.assets.iter().try_for_each(check_file),
        Some(twice) => Err(Problem::usage(format!("two assets have the name `{}`", twice.name))
            .hint("give one of them another name with `--asset FILE=NAME`")
            .into()),
    }
}

/// Refuses what the forge does not have, before anything is done.
pub(crate) fn check_on(release: &ForgeRelease, forge: Forge) -> anyhow::Result<()> {
    check_sizes(release, forge)?;
    check_draft(release, forge)?;
    check_discussion(release, forge)
}

/// Refuses an empty file if the forge does.
fn check_sizes(release: &ForgeRelease, forge: Forge) -> anyhow::Result<()> {
    let is_empty = |asset: &&Asset| asset.path.metadata().is_ok_and(|known| known.len() == 0);
    match release.assets.iter().find(is_empty).filter(|_| !forge.api().takes_empty_files) {
        None => Ok(()),
        Some(empty) => Err(Problem::usage(format!("`{}` is empty", empty.path.display()))
            .hint(format!("leave it out: {} refuses an empty file", forge.profile().name))
            .into()),
    }
}

/// Refuses a draft if the forge has none.
fn check_draft(release: &ForgeRelease, forge: Forge) -> anyhow::Result<()> {
    if !release.draft || forge.api().has_drafts {
        return Ok(());
    }
    let name = forge.profile().name;
    Err(Problem::usage(format!("{name} has no drafts of releases"))
        .hint("leave out `--draft` and the key `draft`; `--no-host-release` makes no release there")
        .into())
}

/// Refuses a discussion if the forge has none, or opens none about a draft.
fn check_discussion(release: &ForgeRelease, forge: Forge) -> anyhow::Result<()> {
    let Some(category) = &release.discussion_category else { return Ok(()) };
    let (name, leave_out) =
        (forge.profile().name, "leave out `--discussion-category` and the key `discussion_category`");
    if !forge.api().has_discussions {
        return Err(Problem::usage(format!("{name} opens no discussion about a release")).hint(leave_out).into());
    }
    if release.draft {
        return Err(Problem::usage(format!("{name} opens no discussion of `{category}` about a draft"))
            .hint(format!("leave out `--draft` and the key `draft`, or {leave_out}"))
            .into());
    }
    Ok(())
}

fn check_file(asset: &Asset) -> anyhow::Result<()> {
    let path = asset.path.display();
    let known = asset.path.metadata().with_context(|| format!("cannot read `{path}`"))?;
    if known.is_file() {
        Ok(())
    } else {
        Err(Problem::usage(format!("`{path}` is not a file")).hint("archive the directory, or name its files").into())
    }
}

fn missing_scope(token: &str, scopes: &str, sufficient: &str) -> Problem {
    Problem::new(format!("the token in `{token}` has the scope `{scopes}`, which does not allow creating releases"))
        .kind(ProblemKind::AccessDenied)
        .hint(format!("create one with the scope `{sufficient}`"))
}

fn missing_role(token: &str, project: &str, needs: &str) -> Problem {
    Problem::new(format!("the owner of the token in `{token}` is not allowed to create releases in `{project}`"))
        .kind(ProblemKind::AccessDenied)
        .hint(format!("this needs {needs}"))
}

/// Returns the problem of a server that has no such project. It may also be of another kind than the requests are for.
fn missing_project(client: &Client, project: &str) -> Problem {
    let token = client.credential().source().unwrap_or_default();
    let forge = client.base().forge().profile().name;
    Problem::new(format!("`{}` shows no project `{project}` to the token in `{token}`", client.base()))
        .hint("check `--base-url`, `--project` and what the token has access to")
        .hint(format!("if the server is not {forge}, name its kind with `--forge`"))
}

fn missing_tag(tag: &str) -> Problem {
    Problem::new(format!("tag `{tag}` not found on the server")).hint(format!("run `git push origin {tag}`"))
}

/// Returns the lines of notes for a comparison; forges change line ends and remove the last one.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines()
}

/// The outcome for a release or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PublishOutcome {
    /// It did not exist.
    Created,
    /// It was different.
    Updated,
    /// It already existed.
    Unchanged,
}

/// A published release.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PublishedRelease {
    /// The outcome for the release itself.
    pub status: PublishOutcome,
    /// The page of the release, if known.
    pub url: Option<String>,
    /// The files in the order in which they were given.
    pub assets: Vec<AttachedAsset>,
}

/// A file that is attached to a release.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AttachedAsset {
    /// The name.
    pub name: String,
    /// The outcome.
    pub status: PublishOutcome,
    /// The URL of the download, if known.
    pub url: Option<String>,
}

/// Publishes a release. Only what differs is changed, so that another run completes an interrupted one.
///
/// # Errors
/// If the server refuses or cannot be reached, or a file cannot be read.
pub(crate) fn publish(api: &dyn ReleaseApi, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    check(release)?;
    let (existing, status) = match api.find(&release.tag)? {
        None => (api.create(release)?, PublishOutcome::Created),
        Some(existing) if existing.has_same_notes(release) => (existing, PublishOutcome::Unchanged),
        Some(existing) => (existing, PublishOutcome::Updated),
    };
    let mut assets = release
        .assets
        .iter()
        .map(|asset| {
            api.attach(&existing, asset).with_context(|| {
                Problem::new(format!("cannot attach `{}` to the release `{}`", asset.path.display(), release.tag))
                    .hint("run the command again: what is done is not repeated")
            })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    if status != PublishOutcome::Updated && (!existing.draft || release.draft) {
        return Ok(PublishedRelease { status, url: existing.url, assets });
    }
    // This is the last request, because it makes a draft public.
    let updated = api.update(&existing, release)?;
    for asset in &mut assets {
        asset.url = updated.file(&asset.name).and_then(|file| file.url.clone()).or(asset.url.take());
    }
    Ok(PublishedRelease { status, url: updated.url, assets })
}

/// Whether a file has the size of one on a server, and its digest in hexadecimal digits, which older servers do not send.
fn is_same(file: &Path, size: Option<u64>, sha256: Option<&str>) -> io::Result<bool> {
    if size != Some(file.metadata()?.len()) {
        return Ok(false);
    }
    sha256.map_or(Ok(true), |sha256| Ok(sha256_of(file)?.eq_ignore_ascii_case(sha256)))
}

fn sha256_of(file: &Path) -> io::Result<String> {
    sha256(File::open(file)?)
}

fn sha256(mut content: impl Read) -> io::Result<String> {
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 64 << 10]);
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            count => digest.update(&buffer[..count]),
        }
    }
    Ok(hex(&digest.finalize()))
}

#[cfg(test)]
mod tests;
