//! People of a project on GitLab.

use std::fs;

use tempfile::TempDir;

use super::{commits, directory, entries, harbor, run};
use crate::support::{Fault, Outcome, Service, TestRepo, service::MergeRequest, tidings};

const HOST: &str = "https://git.example.org";

fn show_as(service: &Service, repo: &TestRepo, token: &str, cache: &TempDir, more: &[&str]) -> Outcome {
    let mut command = super::show(repo, HOST, "group/app", cache);
    command.env("TIDINGS_BASE_URL", service.url()).env("TIDINGS_TOKEN", token).args(more);
    run(command)
}

fn show(service: &Service, repo: &TestRepo) -> Outcome {
    show_as(service, repo, "developer-token", &directory(), &[])
}

/// Ida is from outside and was merged before, Olaf is a member.
fn populated() -> Service {
    let service = Service::start();
    let mut state = service.state();
    state.people.contributor("ida", "Ida@harbor.example", "group/app");
    let olaf = state.people.sign_up("olaf", "olaf@harbor.example");
    state.people.join(olaf, "group/app");
    drop(state);
    service
}

#[test]
fn contributors_are_named_and_members_are_not() {
    let (service, repo) = (populated(), harbor());
    let section = show(&service, &repo).success();
    assert_eq!(entries(&section), ["Add mast", "Add crane by @ida", "Mend quay by @ida"]);
    let asked: Vec<_> = service.requests().iter().map(|request| request.path.clone()).collect();
    let count = |part: &str| asked.iter().filter(|path| path.contains(part)).count();
    assert_eq!(
        (count("/users"), count("/members/"), count("/commits/")),
        (2, 2, 3),
        "each is asked for once: {asked:?}"
    );
    assert_eq!((asked.len(), count("group%2Fapp")), (9, 7), "{asked:?}");
}

#[test]
fn the_configuration_may_ask_for_people() {
    let (service, repo) = (populated(), harbor());
    let shown = |more: &[&str]| {
        let mut command = tidings(repo.path());
        command.args(["show", "1.1.0", "--host", HOST, "--project-path", "group/app", "--cache"]);
        command.arg(directory().path()).args(more);
        command.env("TIDINGS_BASE_URL", service.url()).env("TIDINGS_TOKEN", "developer-token");
        entries(&run(command).success())
    };
    assert_eq!(shown(&[]), ["Add mast", "Add crane", "Mend quay"]);
    repo.write("tidings.yml", "source: trailers\npeople: true\n");
    let by_people = ["Add mast", "Add crane by @ida", "Mend quay by @ida"];
    assert_eq!(shown(&[]), by_people);
    assert_eq!(shown(&["--offline"]), ["Add mast", "Add crane", "Mend quay"]);
}

#[test]
fn the_section_is_that_of_the_server_byte_for_byte() {
    let (service, repo) = (populated(), harbor());
    let [quay, crane, mast] = &commits(&repo)[..] else { panic!("three commits") };
    let link = |id: &str| format!("{}/group/app/-/commit/{id}", service.url());
    let request = format!("{}/group/app/-/merge_requests/4", service.url());
    service.state().people.requests.push(merged(4, 4, &[mast]));
    service.state().repositories.notes = format!(
        "## 1.1.0 (2024-03-09)\n\n### added (2 changes)\n\n\
        - [Add mast]({}) ([merge request]({request}))\n- [Add crane]({}) by @ida\n\n\
        ### fixed (1 change)\n\n- [Mend quay]({}) by @ida\n",
        link(mast),
        link(crane),
        link(quay),
    );
    let path = repo.path().to_str().unwrap();
    let options = ["show", "1.1.0", "--repo", path, "--date", "2024-03-09", "--compare-local", "--people"];
    let kept = directory();
    let compared = service.tidings(&[&options[..], &["--cache", kept.path().to_str().unwrap()]].concat());
    assert_eq!((compared.stdout.as_str(), compared.code), ("", 0), "{}", compared.stderr);
}

fn merged(id: u64, iid: u64, commits: &[&str]) -> MergeRequest {
    let commits = commits.iter().map(|id| (*id).to_owned()).collect();
    let (project, target) = ("group/app".to_owned(), "main".to_owned());
    MergeRequest { id, iid, project, target, author: 99, state: "merged", commits, merge_commit: Some("0".repeat(40)) }
}

#[test]
fn the_merge_request_that_a_commit_ended_in_counts() {
    let (service, repo) = (populated(), harbor());
    let [quay, crane, mast] = &commits(&repo)[..] else { panic!("three commits") };
    let requests = [
        MergeRequest { state: "opened", ..merged(1, 1, &[crane]) },
        merged(3, 30, &[crane, mast]),
        merged(2, 20, &[crane]),
        MergeRequest { merge_commit: Some(mast.clone()), ..merged(9, 90, &[]) },
        MergeRequest { state: "closed", ..merged(5, 50, &[quay]) },
    ];
    service.state().people.requests.extend(requests);
    let section = show(&service, &repo).success();
    let request = |number: u64| format!(" ([merge request]({HOST}/group/app/-/merge_requests/{number}))");
    assert_eq!(
        entries(&section),
        [
            format!("Add mast{}", request(90)),
            format!("Add crane by @ida{}", request(20)),
            "Mend quay by @ida".to_owned()
        ]
    );
}

#[test]
fn members_of_the_included_groups_are_credited() {
    let (service, repo) = (populated(), harbor());
    service.state().people.join(1, "group/sub");
    repo.write(".gitlab/changelog_config.yml", "include_groups: [group/sub, no/such/group]\n");
    let section = show(&service, &repo).success();
    assert_eq!(entries(&section)[0], "Add mast by @olaf");
    let document = show_as(&service, &repo, "developer-token", &directory(), &["--format", "json"]).json();
    let olaf = &document["entries"][0]["author"];
    assert_eq!((&olaf["credit"], &olaf["contributor"]), (&true.into(), &false.into()));
}

#[test]
fn the_settings_have_the_last_word() {
    let (service, repo) = (populated(), harbor());
    repo.write(".gitlab/changelog_config.yml", "authors: {ida@harbor.example: \"@ida-of-old\"}\n");
    service.state().people.contributor("ida-of-old", "", "group/app");
    let section = show(&service, &repo).success();
    assert_eq!(entries(&section)[1], "Add crane by @ida-of-old");
    assert!(service.requests().iter().any(|request| request.parameter("username").as_deref() == Some("ida-of-old")));
}

#[test]
fn somebody_unknown_is_nobody() {
    let (service, repo) = (Service::start(), harbor());
    let section = show(&service, &repo).success();
    assert_eq!(entries(&section), ["Add mast", "Add crane", "Mend quay"]);
}

#[test]
fn without_the_server_the_section_is_that_of_the_repository() {
    let (service, repo) = (populated(), harbor());
    let offline =
        repo.tidings(&["show", "1.1.0", "--date", "2024-03-09", "--host", HOST, "--project-path", "group/app"]);
    let offline = offline.success();
    for (token, words) in [("no-such-token", "401 Unauthorized"), ("job-token", "401 Unauthorized")] {
        let outcome = show_as(&service, &repo, token, &directory(), &[]);
        assert!(
            outcome.stderr.contains(
                "warning: authors and merge or pull requests could not be looked up; the section is incomplete"
            ),
            "{}",
            outcome.stderr
        );
        assert!(outcome.stderr.contains(words) && outcome.stderr.contains("hint: "), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.matches("warning: ").count(), 1, "{}", outcome.stderr);
        assert_eq!(outcome.success(), offline);
    }
    let strict = show_as(&service, &repo, "no-such-token", &directory(), &["--strict"]).failure(1);
    assert!(strict.contains("error: authors and merge or pull requests"), "{strict}");
    service.fail(Fault::Status(500, "text/plain", String::new()));
    let outcome = show(&service, &repo);
    assert!(outcome.stderr.contains("500 Internal Server Error"), "{}", outcome.stderr);
    assert!(!outcome.success().contains(" by @"), "one failure, and nobody is named");
}

#[test]
fn a_jobs_token_still_tells_merge_requests() {
    let (service, repo) = (populated(), harbor());
    service.state().people.requests.push(merged(2, 20, &[&commits(&repo)[1]]));
    let mut command = super::show(&repo, HOST, "group/app", &directory());
    command.env("CI_JOB_TOKEN", "job-token").env("CI_PROJECT_PATH", "group/app");
    command.env("CI_API_V4_URL", format!("{}/api/v4", service.url()));
    let outcome = run(command);
    assert!(outcome.stderr.contains("set `TIDINGS_TOKEN` to an access token"), "{}", outcome.stderr);
    assert!(entries(&outcome.success())[1].ends_with("merge_requests/20))"));
}

#[test]
fn no_server_is_asked_that_was_not_named() {
    let repo = harbor();
    let mut command = super::show(&repo, HOST, "group/app", &directory());
    command.env("TIDINGS_TOKEN", "developer-token");
    let stderr = run(command).failure(2);
    assert!(stderr.contains("no server given") && stderr.contains("--base-url https://git.example.org"), "{stderr}");
}

#[test]
fn the_environment_does_not_name_the_server_of_another_host() {
    let (service, repo) = (populated(), harbor());
    let refusal = |host: &str, variable: &str| {
        let mut command = super::show(&repo, host, "group/app", &directory());
        command.env(variable, service.url()).env("GITLAB_TOKEN", "developer-token");
        run(command).failure(2)
    };
    let other = refusal(HOST, "GITLAB_HOST");
    assert!(other.contains("is on `https://git.example.org`, and the environment names `http://127.0.0.1"), "{other}");
    let mut command = super::show(&repo, "https://github.com", "group/app", &directory());
    command.env("GITLAB_HOST", service.url()).env("TIDINGS_TOKEN", "developer-token");
    let token = run(command).failure(2);
    assert!(token.contains("is on `https://github.com`"), "the token may be meant for the other: {token}");
    let foreign = refusal("https://bitbucket.org", "CI");
    assert!(foreign.contains("`https://bitbucket.org` runs Bitbucket, whose API is not supported"), "{foreign}");
    assert!(service.requests().is_empty());
}

#[test]
fn responses_are_cached_and_tokens_are_not() {
    let (service, repo, kept) = (populated(), harbor(), directory());
    let first = show_as(&service, &repo, "developer-token", &kept, &[]).success();
    let asked = service.requests().len();
    assert_eq!(show_as(&service, &repo, "developer-token", &kept, &[]).success(), first);
    assert_eq!(service.requests().len(), asked, "nothing is asked again");
    let files: Vec<_> = fs::read_dir(kept.path().join("people")).unwrap().map(|file| file.unwrap().path()).collect();
    let text = fs::read_to_string(&files[0]).unwrap();
    assert!(files.len() == 1 && text.contains("@ida") && !text.contains("developer-token"), "{text}");
}

#[test]
fn nobody_is_asked_without_entries() {
    let (service, repo) = (populated(), harbor());
    let mut command = super::show(&repo, HOST, "group/app", &directory());
    command.env("TIDINGS_BASE_URL", service.url()).args(["--from", "HEAD"]);
    assert!(run(command).success().contains("No changes."));
    assert!(service.requests().is_empty());
}

#[test]
fn a_section_is_added_with_its_people() {
    let (service, repo) = (populated(), harbor());
    repo.author();
    let mut command = tidings(repo.path());
    command.env("TIDINGS_BASE_URL", service.url()).env("TIDINGS_TOKEN", "developer-token");
    command.args(["add", "1.1.0", "--people", "--host", HOST, "--project-path", "group/app", "--cache"]);
    let kept = directory();
    command.arg(kept.path());
    run(command).success();
    assert!(repo.git(&["show", "HEAD:CHANGELOG.md"]).contains(" by @ida\n"));
}
