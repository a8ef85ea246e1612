//! Contributors against `git log --no-merges`.

use crate::{
    git::{self, Repo},
    model::repository::{Contributor, ContributorOrder, ContributorsRequest},
};
use serde_json::Value;

use crate::support::{Random, TestRepo, generated};

const REPOSITORIES: u64 = 10;
const ORDERS: [(ContributorOrder, &str); 3] =
    [(ContributorOrder::Name, "name"), (ContributorOrder::Email, "email"), (ContributorOrder::Commits, "commits")];

fn ask(repo: &TestRepo, request: &ContributorsRequest) -> Vec<Contributor> {
    git::people::contributors(&Repo::open_isolated(repo.path()).unwrap(), request).unwrap()
}

#[test]
fn contributors_are_those_of_the_log() {
    let mut random = Random::new(4);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        let reference = generated::reference(&mut random, &repo);
        for (order, key) in ORDERS {
            for descending in [false, true] {
                let request = ContributorsRequest {
                    reference: Some(reference.clone()),
                    order,
                    descending,
                    ..ContributorsRequest::default()
                };
                let expected = repo.oracle().contributors(&reference, key, descending);
                assert_eq!(serde_json::to_value(ask(&repo, &request)).unwrap(), Value::from(expected), "{request:?}");
            }
        }
    }
}

#[test]
fn only_the_newest_2000_commits_count_unless_all_are_wanted() {
    let repo = TestRepo::with_options(&["--bare"]);
    let commits: Vec<String> = (0..2005)
        .map(|number| {
            let who = if number < 5 { "Old <old@quay.example>" } else { "Ida <ida@harbor.example>" };
            format!("commit refs/heads/main\nauthor {who} {number} +0000\ncommitter {who} {number} +0000\ndata 0\n\n")
        })
        .collect();
    repo.git_with_input(&["fast-import", "--quiet"], commits.concat().as_bytes());
    let counts = |all_commits| {
        let request = ContributorsRequest { all_commits, ..ContributorsRequest::default() };
        ask(&repo, &request).into_iter().map(|one| (one.name, one.commits)).collect::<Vec<_>>()
    };
    assert_eq!(counts(false), [("Ida".to_owned(), Some(2000))]);
    assert_eq!(counts(true), [("Old".to_owned(), Some(5)), ("Ida".to_owned(), Some(2000))]);
}
