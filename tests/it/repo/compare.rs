//! Comparisons against `git diff` and `git rev-list`.

use serde_json::{Value, json};
use tidings::{
    git::{self, Repo},
    model::{Project, repository::CompareRequest},
};

use super::generated;
use crate::support::{Random, TestRepo};

const REPOSITORIES: u64 = 12;
const QUESTIONS: usize = 8;
/// The service's way to ask git for differences; nobody's settings and attributes take part.
const DIFF: [&str; 4] = ["diff", "--abbrev=40", "--full-index", "--find-renames=30%"];

/// The differences as git tells them, in the service's shape.
pub fn expected(repo: &TestRepo, old: &str, new: &str) -> Vec<Value> {
    let raw = repo.git_with_input(&[&DIFF[..], &["--raw", "-z", old, new]].concat(), b"");
    let raw = String::from_utf8_lossy(&raw).into_owned();
    let mut fields = raw.split('\0').filter(|field| !field.is_empty());
    let mut files = Vec::new();
    while let Some(head) = fields.next() {
        let [a, b, _, _, status]: [&str; 5] = head[1..].split(' ').collect::<Vec<_>>().try_into().unwrap();
        let path = fields.next().unwrap();
        match &status[..1] {
            "R" => files.push(file(path, fields.next().unwrap(), a, b)),
            "T" => files.extend([file(path, path, a, "000000"), file(path, path, "000000", b)]),
            _ => files.push(file(path, path, a, b)),
        }
    }
    let patch = repo.git_with_input(&[&DIFF[..], &["--patch", old, new]].concat(), b"");
    let patch = String::from_utf8_lossy(&patch).into_owned();
    let patches: Vec<&str> = patch.split("diff --git ").skip(1).collect();
    assert_eq!(files.len(), patches.len());
    for (file, patch) in files.iter_mut().zip(patches) {
        file["diff"] = hunks(patch).into();
    }
    files
}

fn file(old: &str, new: &str, a: &str, b: &str) -> Value {
    let mode = |mode: &str| if mode == "000000" { "0".to_owned() } else { mode.to_owned() };
    json!({
        "diff": "", "collapsed": false, "too_large": false, "new_path": new, "old_path": old,
        "a_mode": mode(a), "b_mode": mode(b), "new_file": a == "000000", "renamed_file": old != new,
        "deleted_file": b == "000000", "generated_file": null,
    })
}

/// From the first `@@`, or git's sentence on binary files.
fn hunks(patch: &str) -> &str {
    match patch.find("\n@@ ").or_else(|| patch.find("\nBinary files ")) {
        Some(place) => &patch[place + 1..],
        None => "",
    }
}

fn ask(repo: &TestRepo, request: &CompareRequest) -> Value {
    let ours = Repo::open(repo.path()).unwrap();
    let project = Project::new("https://git.example.org", "group/app");
    serde_json::to_value(git::compare::compare(&ours, request, &project).unwrap()).unwrap()
}

#[test]
fn comparisons_are_what_git_says() {
    let mut random = Random::new(5);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        for question in 0..QUESTIONS {
            let from = generated::reference(&mut random, &repo);
            let to = generated::reference(&mut random, &repo);
            let straight = question % 2 == 0;
            let request = CompareRequest { from, to, straight, ..CompareRequest::default() };
            let answer = ask(&repo, &request);
            let start = start(&repo, &request);
            assert_eq!(answer["diffs"], Value::from(expected(&repo, &start, &request.to)), "{request:?}");
            let range = format!("{}..{}", request.from, request.to);
            let listed = repo.git(&["rev-list", "--reverse", &range]);
            let commits: Vec<&str> =
                answer["commits"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
            assert_eq!(commits, listed.lines().collect::<Vec<_>>(), "{request:?}");
        }
    }
}

/// Where git starts the comparison: the empty tree, where there is no merge base.
fn start(repo: &TestRepo, request: &CompareRequest) -> String {
    if request.straight {
        return request.from.clone();
    }
    let alias =
        format!("alias.ask=!git merge-base {} {} || git hash-object -t tree /dev/null", request.from, request.to);
    repo.git(&["-c", &alias, "ask"])
}
