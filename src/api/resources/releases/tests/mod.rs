//! Releases on hosts: made, renewed, left alone, and finished after a run that broke off.

mod github;
mod gitlab;

use std::fs;

use tempfile::TempDir;

use super::*;

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
    format!("{error:#} | {}", crate::model::hints(error).join(" | "))
}

#[test]
fn size_and_digest_must_both_be_the_same() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "abc").unwrap();
    // FIPS 180-2, appendix B.1.
    let abc = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
    let is = |size, sha256| is_same(file.path(), size, sha256).unwrap();
    assert!(is(Some(3), Some(abc)));
    assert!(is(Some(3), None));
    assert!(!is(Some(3), Some("00")));
    assert!(!is(Some(4), Some(abc)));
    assert!(!is(None, Some(abc)));
}
