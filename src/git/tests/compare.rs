//! Comparisons against `git diff` and `git rev-list`.

use crate::{
    git::{self, Repo},
    model::{Project, repository::CompareRequest},
};
use serde_json::Value;

use crate::support::{Random, TestRepo, generated};

const REPOSITORIES: u64 = 12;
const QUESTIONS: usize = 8;

fn ask(repo: &TestRepo, request: &CompareRequest) -> Value {
    let ours = Repo::open_isolated(repo.path()).unwrap();
    let project = Project::new("https://git.example.org", "group/app");
    serde_json::to_value(git::compare::compare(&ours, request, &project).unwrap()).unwrap()
}

fn request(from: &str, to: &str) -> CompareRequest {
    CompareRequest { from: from.to_owned(), to: to.to_owned(), ..CompareRequest::default() }
}

#[test]
fn comparisons_are_what_git_says() {
    let mut random = Random::new(5);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        for question in 0..QUESTIONS {
            let from = generated::reference(&mut random, &repo);
            let to = generated::reference(&mut random, &repo);
            let (straight, unidiff) = (question % 2 == 0, question % 4 < 2);
            let expected = repo.oracle().compare(&from, &to, straight, unidiff).unwrap();
            let request = CompareRequest { straight, unidiff, ..request(&from, &to) };
            assert_eq!(ask(&repo, &request), expected, "{request:?}");
        }
    }
}

#[test]
fn strangers_are_compared_with_the_empty_tree() {
    let repo = TestRepo::new();
    repo.file("a", "one\n").commit("One");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.file("b", "two\n").commit("Two");
    let response = ask(&repo, &request("main", "other"));
    assert_eq!(response, repo.oracle().compare("main", "other", false, false).unwrap());
    assert_eq!(response["diffs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_long_comparison_is_cut_short_unless_all_of_it_is_wanted() {
    let repo = TestRepo::new();
    repo.commit("Nothing");
    for number in 0..130 {
        repo.write(&format!("file{number:03}"), "line\n".repeat(number + 1));
    }
    repo.write("large", "x".repeat(79).repeat(300)).write("too large", "line of text\n".repeat(20_000));
    repo.git(&["add", "."]);
    repo.commit("Much");
    let request = request("HEAD~1", "HEAD");
    let response = ask(&repo, &request);
    assert_eq!(response, repo.oracle().compare("HEAD~1", "HEAD", false, false).unwrap());
    let count = |flag: &str| response["diffs"].as_array().unwrap().iter().filter(|file| file[flag] == true).count();
    assert!(count("collapsed") > 0 && count("too_large") == 1);
    let whole = ask(&repo, &CompareRequest { unlimited: true, ..request });
    assert!(whole["diffs"].as_array().unwrap().iter().all(|file| file["diff"] != ""));
}
