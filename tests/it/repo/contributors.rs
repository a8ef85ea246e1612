//! Contributors against `git log --no-merges`.

use tidings::{
    git::{self, Repo},
    model::repository::{Contributor, ContributorOrder, ContributorsRequest, Extra},
};

use super::generated;
use crate::support::{Random, TestRepo};

const REPOSITORIES: u64 = 10;

/// The contributors in the order of their newest commits.
pub fn expected(repo: &TestRepo, reference: &str) -> Vec<Contributor> {
    let log = repo.git(&["log", "--no-merges", "--max-count=2000", "--format=%an%x09%ae", reference]);
    let mut found: Vec<Contributor> = Vec::new();
    for line in log.lines() {
        let (name, email) = line.split_once('\t').unwrap();
        let place = found.iter().position(|known| known.email == email).unwrap_or_else(|| {
            found.push(contributor(email));
            found.len() - 1
        });
        found[place].commits += 1;
        if found[place].name.is_empty() {
            name.clone_into(&mut found[place].name);
        }
    }
    found
}

fn contributor(email: &str) -> Contributor {
    let email = email.to_owned();
    Contributor { name: String::new(), email, commits: 0, additions: 0, deletions: 0, extra: Extra::new() }
}

fn ask(repo: &TestRepo, request: &ContributorsRequest) -> Vec<Contributor> {
    git::contributors::contributors(&Repo::open(repo.path()).unwrap(), request).unwrap()
}

#[test]
fn contributors_are_those_of_the_log() {
    let mut random = Random::new(4);
    for _ in 0..REPOSITORIES {
        let repo = generated::repository(&mut random);
        let reference = generated::reference(&mut random, &repo);
        let mut expected = expected(&repo, &reference);
        let mut request = ContributorsRequest { reference: Some(reference), ..ContributorsRequest::default() };
        expected.sort_by_key(|one| one.commits);
        assert_eq!(ask(&repo, &request), expected, "{request:?}");
        request.order = ContributorOrder::Email;
        request.descending = true;
        expected.sort_by_key(|one| one.email.to_ascii_lowercase());
        let descending: Vec<String> = ask(&repo, &request).into_iter().map(|one| one.email).collect();
        assert!(descending.is_sorted_by(|a, b| a.to_ascii_lowercase() >= b.to_ascii_lowercase()), "{descending:?}");
        assert_eq!(descending.len(), expected.len());
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
    assert_eq!(counts(false), [("Ida".to_owned(), 2000)]);
    assert_eq!(counts(true), [("Old".to_owned(), 5), ("Ida".to_owned(), 2000)]);
}
