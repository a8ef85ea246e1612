//! Trees and blobs against `git ls-tree` and `git cat-file`.

use crate::{
    git::{self, Repo},
    model::repository::TreeRequest,
};
use serde_json::Value;

use crate::support::{Random, generated};

const REPOSITORIES: u64 = 12;

#[test]
fn trees_are_what_git_lists() {
    let mut random = Random::new(1);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        let ours = Repo::open_isolated(repo.path()).unwrap();
        for path in ["", "src", "src/deep", "a b", "ü"] {
            let reference = generated::reference(&mut random, &repo);
            for recursive in [false, true] {
                let request = TreeRequest {
                    reference: Some(reference.clone()),
                    path: path.to_owned(),
                    recursive,
                    ..TreeRequest::default()
                };
                let listed = git::tree::tree(&ours, &request).map(|page| serde_json::to_value(page.items).unwrap());
                match repo.oracle().tree(&reference, path, recursive) {
                    Some(expected) => assert_eq!(listed.unwrap(), Value::from(expected), "{request:?}"),
                    None => assert!(listed.unwrap_err().to_string().contains("not found"), "{request:?}"),
                }
            }
        }
    }
}

#[test]
fn blobs_are_what_git_holds() {
    let mut random = Random::new(2);
    let repo = generated::repository(&mut random);
    let ours = Repo::open_isolated(repo.path()).unwrap();
    let blobs = repo.oracle().tree("main", "", true).unwrap().into_iter().filter(|entry| entry["type"] == "blob");
    for id in blobs.map(|blob| blob["id"].as_str().unwrap().to_owned()) {
        let content = repo.oracle().blob(&id).unwrap();
        assert_eq!(git::file::raw_blob(&ours, &id).unwrap(), content);
        let blob = git::file::blob(&ours, &id).unwrap();
        assert_eq!((blob.size, blob.sha), (content.len() as u64, id));
    }
    assert!(git::file::raw_blob(&ours, "main").unwrap_err().to_string().contains("blob `main` not found"));
}
