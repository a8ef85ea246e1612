//! Releases on hosts: made, renewed, left alone, and finished after a run that broke off.

mod github;
mod gitlab;

use std::fs;

use tempfile::TempDir;
use tidings::{
    api::releases::{PublishOutcome, PublishedRelease},
    model::{Asset, ForgeRelease},
};

/// A release of `v1.1.0` with a file beside it, and the directory the file lies in.
fn release(content: &str) -> (ForgeRelease, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("app.tar.gz");
    fs::write(&path, content).unwrap();
    let release = ForgeRelease {
        tag: "v1.1.0".to_owned(),
        name: "1.1.0".to_owned(),
        description: "### added (1 change)\n\n- Add crane\n".to_owned(),
        assets: vec![Asset::parse(path.to_str().unwrap()).unwrap()],
        ..ForgeRelease::default()
    };
    (release, directory)
}

/// What became of the release and of its only file.
fn outcomes(published: &PublishedRelease) -> (PublishOutcome, PublishOutcome) {
    (published.status, published.assets[0].status)
}

/// An error with its causes and hints.
fn told(error: &anyhow::Error) -> String {
    format!("{error:#} | {}", tidings::model::hints(error).join(" | "))
}
