//! People of a project on GitHub.

use super::{commits, directory, entries, harbor, run};
use crate::support::{Outcome, Service, TestRepo, service::Pull};

/// A self-hosted GitHub, whose API the job names.
const HOST: &str = "https://github.harbor.example";

fn show(service: &Service, repo: &TestRepo) -> Outcome {
    let mut command = super::show(repo, HOST, "harbor/app", &directory());
    let api = format!("{}/api/v3", service.url());
    command.env("GITHUB_SERVER_URL", HOST).env("GITHUB_API_URL", api).env("GITHUB_TOKEN", "developer-token");
    run(command)
}

fn pull(number: u64, login: &str, association: &'static str, commit: &str) -> Pull {
    Pull { number, login: login.to_owned(), association, open: false, commits: vec![commit.to_owned()] }
}

#[test]
fn a_runner_that_sets_the_same_variables_is_not_one_of_github() {
    let (service, repo) = (Service::start(), harbor());
    let home = "https://git.harbor.example";
    let mut command = super::show(&repo, home, "harbor/app", &directory());
    let api = format!("{}/api/v9", service.url());
    command.env("GITHUB_SERVER_URL", home).env("GITHUB_API_URL", api).env("GITHUB_TOKEN", "developer-token");
    let refusal = run(command).failure(2);
    assert!(refusal.contains("error: no server given\nhint: to send the token to the host of `origin`"), "{refusal}");
    assert!(service.requests().is_empty());
}

#[test]
fn authors_and_pull_requests_come_from_the_commits() {
    let (service, repo) = (Service::start(), harbor());
    let [quay, crane, mast] = &commits(&repo)[..] else { panic!("three commits") };
    {
        let mut state = service.state();
        state.github.authors = vec![
            (crane.clone(), "ida".to_owned()),
            (quay.clone(), "ida".to_owned()),
            (mast.clone(), "olaf".to_owned()),
        ];
        state.github.pulls = vec![
            Pull { open: true, ..pull(1, "ida", "CONTRIBUTOR", crane) },
            pull(7, "ida", "CONTRIBUTOR", crane),
            pull(8, "olaf", "MEMBER", mast),
        ];
    }
    let section = show(&service, &repo).success();
    let pull = |number: u64| format!("({HOST}/harbor/app/pull/{number})");
    let expected = [
        format!("Add mast ([merge request]{})", pull(8)),
        format!("Add crane by @ida ([merge request]{})", pull(7)),
        "Mend quay by @ida".to_owned(),
    ];
    assert_eq!(entries(&section), expected);
    assert!(service.requests().iter().all(|request| request.header("authorization") == Some("Bearer developer-token")));
}

#[test]
fn commits_that_were_not_pushed_are_nobodys() {
    let (service, repo) = (Service::start(), harbor());
    let outcome = show(&service, &repo);
    assert_eq!(outcome.stderr, "");
    assert_eq!(entries(&outcome.success()), ["Add mast", "Add crane", "Mend quay"]);
}
