//! What a cache keeps of a remote repository, and of its address.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::support::{Outcome, TestRepo, remote::Server, tidings};

#[test]
fn a_cache_has_no_secret() {
    let repo = TestRepo::new();
    repo.commit("Light the lamp");
    repo.tag("v1.0.0");
    repo.change("Trim its wick", "fixed");
    let directory = repo.path().parent().unwrap();
    let Some(server) = Server { account: Some("aWRhOnNlY3JldA=="), ..Server::of_directory(directory) }.http() else {
        return;
    };
    let url = server.url("http", "repo/.git").replace("http://", "http://ida:secret@");
    let cache = repo.beside("cache");
    let mut command = tidings(directory);
    command.args(["show", "1.1.0", "--repo", &url, "--cache"]).arg(&cache);
    Outcome::from(command.output().unwrap()).success();
    assert!(!files(&cache).is_empty());
    for file in files(&cache) {
        let written = [file.to_string_lossy().as_bytes(), &fs::read(&file).unwrap()].concat();
        for secret in ["secret", "aWRhOnNlY3JldA=="] {
            let is_there = written.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_there, "{} has {secret}", file.display());
        }
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
