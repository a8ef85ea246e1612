//! GitLab's own answers, in `testdata/recorded`: repositories and tags put to the program.

mod people;
mod replay;
mod repositories;
mod tags;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The directories of one kind of recorded answers, `NNN-KIND-name`.
fn cases(kind: &str) -> Vec<(String, PathBuf)> {
    let mut cases: Vec<(String, PathBuf)> = fs::read_dir(crate::support::testdata("recorded"))
        .expect("the directory is read")
        .map(|entry| entry.expect("the directory is read").path())
        .filter_map(|path| Some((path.file_name()?.to_str()?.split_once('-')?.1.strip_prefix(kind)?.to_owned(), path)))
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "the directory has no `{kind}` answers");
    cases
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("the answer is text");
    serde_json::from_str(&text).expect("the answer is JSON")
}
