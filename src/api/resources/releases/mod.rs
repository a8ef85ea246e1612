//! Releases of a host: the notes of a tag, with files.
//!
//! The story of a release is the same on every host and stands here, in [`publish`]; how a host is asked for each step is
//! the business of [`GitLabReleases`] and [`GitHubReleases`].

mod digest;
pub mod github;
pub mod gitlab;

use std::collections::HashSet;

use anyhow::Context as _;
use serde::Serialize;

pub use self::{github::GitHubReleases, gitlab::GitLabReleases};
use crate::{
    api::{ApiRequest, Result},
    model::{Asset, ForgeRelease, Problem, ProblemKind},
};

/// A place that has releases.
pub trait ReleaseApi {
    /// The release of a tag.
    ///
    /// # Errors
    ///
    /// Where the service refuses or cannot be reached.
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>>;

    /// Refuses a token that cannot make releases, as far as the host tells without trying.
    ///
    /// # Errors
    ///
    /// Where it tells so.
    fn check_permissions(&self) -> anyhow::Result<()>;

    /// Makes a release of a tag that the host has; it may be a draft.
    ///
    /// # Errors
    ///
    /// As [`ReleaseApi::find`], and where there is no such tag.
    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease>;

    /// Gives a release another name and other notes, and publishes a draft.
    ///
    /// # Errors
    ///
    /// As [`ReleaseApi::create`].
    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease>;

    /// Puts a file beside a release, unless the same is there already.
    ///
    /// # Errors
    ///
    /// As [`ReleaseApi::find`], and where the file cannot be read.
    fn attach(&self, present: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset>;

    /// What is sent for a release that is not there yet.
    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest>;
}

/// A release that is there.
#[derive(Clone, Debug)]
pub struct ExistingRelease {
    tag: String,
    /// GitHub's number of it.
    id: u64,
    name: String,
    description: String,
    /// `None` on a host without such a mark.
    prerelease: Option<bool>,
    /// Whether only those who may write see it.
    draft: bool,
    url: Option<String>,
    files: Vec<ExistingAsset>,
}

/// A file that is beside a release already.
#[derive(Clone, Debug)]
struct ExistingAsset {
    id: u64,
    name: String,
    url: Option<String>,
    /// In bytes, where the host tells it.
    size: Option<u64>,
    /// In hexadecimal digits, where the host tells it.
    sha256: Option<String>,
    /// Whether its upload came to its end.
    whole: bool,
}

impl ExistingRelease {
    /// Whether it shows what it shall, and files of the names it shall.
    #[must_use]
    pub fn matches(&self, release: &ForgeRelease) -> bool {
        let has = |asset: &Asset| self.file(&asset.name).is_some_and(|file| file.whole);
        self.has_same_notes(release) && release.assets.iter().all(has)
    }

    fn has_same_notes(&self, release: &ForgeRelease) -> bool {
        !self.draft
            && self.name == release.name
            && lines(&self.description).eq(lines(&release.description))
            && self.prerelease.is_none_or(|prerelease| prerelease == release.prerelease)
    }

    fn file(&self, name: &str) -> Option<&ExistingAsset> {
        self.files.iter().find(|file| file.name == name)
    }
}

/// Refuses files that cannot be put beside a release, before anything is done.
///
/// # Errors
///
/// Where there is no such file, or two have one name.
pub fn check(release: &ForgeRelease) -> anyhow::Result<()> {
    let mut names = HashSet::new();
    match release.assets.iter().find(|asset| !names.insert(&asset.name)) {
        None => release.assets.iter().try_for_each(check_file),
        Some(twice) => Err(Problem::usage(format!("two files of the release are called `{}`", twice.name))
            .hint("give one of them another name with --asset FILE=NAME")
            .into()),
    }
}

fn check_file(asset: &Asset) -> anyhow::Result<()> {
    let path = asset.path.display();
    let known = asset.path.metadata().with_context(|| format!("cannot read `{path}`, which is to be released"))?;
    let problem = || Problem::usage(format!("`{path}` is not a file")).hint("pack a folder first, or name its files");
    if known.is_file() { Ok(()) } else { Err(problem().into()) }
}

fn missing_scope(token: &str, scopes: &str, enough: &str) -> Problem {
    Problem::new(format!("the token in `{token}` has the scope `{scopes}`, which does not allow creating releases"))
        .kind(ProblemKind::AccessDenied)
        .hint(format!("make one with the scope `{enough}`"))
}

fn missing_role(token: &str, place: &str, needs: &str) -> Problem {
    Problem::new(format!("the owner of the token in `{token}` is not allowed to create releases in `{place}`"))
        .kind(ProblemKind::AccessDenied)
        .hint(format!("this needs {needs}"))
}

fn missing_tag(tag: &str) -> Problem {
    Problem::new(format!("tag `{tag}` not found on the server")).hint(format!("push it first: `git push origin {tag}`"))
}

/// The lines of notes; hosts turn line ends round and cut off the last.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end().lines()
}

/// What became of a thing on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PublishOutcome {
    /// It was not there.
    Created,
    /// It was another one.
    Updated,
    /// It was there as it should be.
    Unchanged,
}

/// A release that is as it should be.
#[derive(Clone, Debug, Serialize)]
pub struct PublishedRelease {
    /// What became of the release itself.
    pub status: PublishOutcome,
    /// Its page, where the host tells it.
    pub url: Option<String>,
    /// Its files, in the order they were given.
    pub assets: Vec<AttachedAsset>,
}

/// A file that is beside a release.
#[derive(Clone, Debug, Serialize)]
pub struct AttachedAsset {
    /// Its name.
    pub name: String,
    /// What became of it.
    pub status: PublishOutcome,
    /// Where it is downloaded, where the host tells it.
    pub url: Option<String>,
}

/// Sees to it that a host shows a release. What is there as it should be is left alone, so that a run that broke off is
/// finished by another.
///
/// # Errors
///
/// Where the service refuses or cannot be reached, or a file cannot be read.
pub fn publish(host: &dyn ReleaseApi, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    check(release)?;
    let (present, status) = match host.find(&release.tag)? {
        None => (host.create(release)?, PublishOutcome::Created),
        Some(present) if present.has_same_notes(release) => (present, PublishOutcome::Unchanged),
        Some(present) => (present, PublishOutcome::Updated),
    };
    let attach = |asset: &Asset| {
        let message = || format!("cannot put `{}` beside the release `{}`", asset.path.display(), release.tag);
        let failed = || Problem::new(message()).hint("run it again: what is there already is left alone");
        host.attach(&present, asset).with_context(failed)
    };
    let mut assets = release.assets.iter().map(attach).collect::<anyhow::Result<Vec<_>>>()?;
    if status != PublishOutcome::Updated && !present.draft {
        return Ok(PublishedRelease { status, url: present.url, assets });
    }
    // What is told comes last, as a draft is seen by all from then on.
    let told = host.update(&present, release)?;
    for asset in &mut assets {
        asset.url = told.file(&asset.name).and_then(|file| file.url.clone()).or(asset.url.take());
    }
    Ok(PublishedRelease { status, url: told.url, assets })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_the_same_whatever_a_host_does_to_their_line_ends() {
        let notes = |description: &str, prerelease| ExistingRelease {
            tag: "v1".into(),
            id: 1,
            name: "One".into(),
            description: description.into(),
            prerelease,
            draft: false,
            url: None,
            files: Vec::new(),
        };
        let release = ForgeRelease {
            tag: "v1".into(),
            name: "One".into(),
            description: "- a\n- b\n".into(),
            prerelease: true,
            assets: Vec::new(),
        };
        assert!(notes("- a\r\n- b", None).has_same_notes(&release));
        assert!(notes("- a\n- b\n\n", Some(true)).has_same_notes(&release));
        assert!(!notes("- a\n- b\n", Some(false)).has_same_notes(&release));
        assert!(!notes("- a\n\n- b\n", None).has_same_notes(&release));
    }
}
