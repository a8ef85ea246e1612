//! Trees and blobs against `git ls-tree` and `git cat-file`.

use serde_json::{Value, json};
use tidings::{
    git::{self, Repo},
    model::repository::TreeRequest,
};

use super::generated;
use crate::support::{Random, TestRepo};

const REPOSITORIES: u64 = 12;

/// What git lists, in the service's order and shape.
pub fn expected(repo: &TestRepo, reference: &str, path: &str, recursive: bool) -> Vec<Value> {
    let tree = if path.is_empty() { reference.to_owned() } else { format!("{reference}:{path}") };
    let options: &[&str] = if recursive { &["-r", "-t"] } else { &[] };
    let listed = repo.git_with_input(&[&["ls-tree", "-z"], options, &[&tree]].concat(), b"");
    let mut entries: Vec<Value> = listed
        .split(|byte| *byte == 0)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let line = String::from_utf8_lossy(line);
            let (head, name) = line.split_once('\t').unwrap();
            let [mode, kind, id]: [&str; 3] = head.split(' ').collect::<Vec<_>>().try_into().unwrap();
            let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            json!({"id": id, "name": name.rsplit('/').next(), "type": kind, "path": path, "mode": mode})
        })
        .collect();
    let rank = |entry: &Value| ["tree", "blob", "commit"].iter().position(|kind| entry["type"] == *kind);
    entries.sort_by_key(rank);
    entries
}

#[test]
fn trees_are_what_git_lists() {
    let mut random = Random::new(1);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        let ours = Repo::open(repo.path()).unwrap();
        for path in ["", "src", "src/deep", "a b", "ü"] {
            let reference = generated::reference(&mut random, &repo);
            for recursive in [false, true] {
                let request = TreeRequest {
                    reference: Some(reference.clone()),
                    path: path.to_owned(),
                    recursive,
                    ..TreeRequest::default()
                };
                let is_folder = path.is_empty() || repo.git(&["ls-tree", "-d", &reference, path]).contains(" tree ");
                match git::tree::tree(&ours, &request) {
                    Ok(page) => {
                        let listed = serde_json::to_value(&page.items).unwrap();
                        assert_eq!(listed, Value::from(expected(&repo, &reference, path, recursive)), "{request:?}");
                    }
                    Err(error) => assert!(!is_folder, "{request:?}: {error:#}"),
                }
            }
        }
    }
}

#[test]
fn blobs_are_what_git_holds() {
    let mut random = Random::new(2);
    let repo = generated::repository(&mut random);
    let ours = Repo::open(repo.path()).unwrap();
    let blobs = expected(&repo, "main", "", true).into_iter().filter(|entry| entry["type"] == "blob");
    for id in blobs.map(|blob| blob["id"].as_str().unwrap().to_owned()) {
        let content = repo.git_with_input(&["cat-file", "blob", &id], b"");
        assert_eq!(git::blob::raw(&ours, &id).unwrap(), content);
        let blob = git::blob::blob(&ours, &id).unwrap();
        assert_eq!((blob.size, blob.sha), (content.len() as u64, id));
    }
    assert!(git::blob::raw(&ours, "main").unwrap_err().to_string().contains("no blob `main`"));
}
