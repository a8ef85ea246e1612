//! The release on a GitHub, as a job of it makes it.

use super::{FINISHED, Released};
use crate::support::{Outcome, Service, tidings};

/// A repository whose remote is that of `harbor/app` on a GitHub.
fn hosted() -> (Released, Service) {
    let (fixture, service) = (Released::new(), Service::start());
    service.state().github.repository = Some(fixture.repo.beside("remote.git"));
    (fixture, service)
}

#[track_caller]
fn release(fixture: &Released, service: &Service, token: Option<&str>, arguments: &[&str]) -> Outcome {
    let mut program = tidings(fixture.repo.path());
    program.args(["release", "--date", "2024-03-09"]).args(arguments);
    program.env("GITHUB_API_URL", format!("{}/api/v3", service.url())).env("GITHUB_REPOSITORY", "harbor/app");
    program.env("GITHUB_SERVER_URL", service.url()).env("TIDINGS_BASE_URL", service.url());
    // If the remote is a directory, only the options can say that the project is on the host.
    program.args(["--project", "harbor/app"]);
    program.envs(token.map(|token| ("GITHUB_TOKEN", token)));
    program.output().unwrap().into()
}

const TOKEN: Option<&str> = Some("developer-token");

#[test]
fn a_job_releases_with_its_own_token() {
    let (fixture, service) = hosted();
    fixture.repo.write("app.tar.gz", "bytes");
    let options = ["-x", "--asset", "app.tar.gz"];
    let run = release(&fixture, &service, TOKEN, &options);
    let page = "https://github.com/harbor/app/releases/tag/v1.1.0";
    assert!(run.stderr.ends_with(&format!("pushed to origin\npublished {page}\n")), "{}", run.stderr);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed, published\n");
    fixture.assert_released();
    let made = service.state().github.releases[0].clone();
    assert_eq!((made.tag.as_str(), made.prerelease, made.assets.len()), ("v1.1.0", false, 1));
    assert!(made.body.starts_with("### Added\n\n- "), "{}", made.body);
    assert!(release(&fixture, &service, TOKEN, &options).success().starts_with(FINISHED));
}

#[test]
fn a_token_that_makes_no_releases_is_told_before_anything_is_written() {
    let (fixture, service) = hosted();
    let before = fixture.state();
    let refused = |token| release(&fixture, &service, Some(token), &["-x"]).failure(4);
    assert_eq!(
        refused("reporter-token"),
        "error: 1.1.0 cannot be released yet\n  \
         the owner of the token in `GITHUB_TOKEN` is not allowed to create releases in `harbor/app`\n\
         hint: this needs the permission to push\n"
    );
    let stderr = refused("read-token");
    assert!(
        stderr.contains(
            "the token in `GITHUB_TOKEN` has the scope `gist, read:org`, which does not allow creating releases"
        ),
        "{stderr}"
    );
    assert!(refused("no-such-token").contains("Bad credentials"));
    assert_eq!(fixture.state(), before);
    // The host tells no role of an app.
    release(&fixture, &service, Some("app-token"), &["-x"]).success();
}

#[test]
fn a_draft_that_people_prepared_is_published() {
    let (fixture, service) = hosted();
    let draft = crate::support::service::Release { id: 7, tag: "v1.1.0".to_owned(), draft: true, ..Default::default() };
    service.state().github.releases.push(draft);
    fixture.release(&["-x", "--no-host-release"]).success();
    let plan = release(&fixture, &service, TOKEN, &[]).success();
    assert!(plan.contains("\nforge release: on "), "it is not public: {plan}");
    let run = release(&fixture, &service, TOKEN, &["-x"]);
    assert!(run.stderr.ends_with("published https://github.com/harbor/app/releases/tag/v1.1.0\n"), "{}", run.stderr);
    run.success();
    let there = service.state().github.releases.clone();
    assert_eq!((there.len(), there[0].id, there[0].draft), (1, 7, false));
    assert!(there[0].body.starts_with("### Added"), "{}", there[0].body);
    assert!(release(&fixture, &service, TOKEN, &[]).success().starts_with(FINISHED));
}

#[test]
fn a_pre_release_is_marked_as_one() {
    let (fixture, service) = hosted();
    release(&fixture, &service, TOKEN, &["-x", "--pre", "rc"]).success();
    let made = service.state().github.releases[0].clone();
    assert_eq!((made.tag.as_str(), made.prerelease), ("v1.1.0-rc.1", true));
}

#[test]
fn the_plan_shows_where_files_go() {
    let (fixture, service) = hosted();
    fixture.repo.write("app.tar.gz", "bytes");
    let plan = release(&fixture, &service, None, &["--asset", "app.tar.gz"]).success();
    let url = service.url();
    let requests = format!(
        "    POST {url}/api/v3/repos/harbor/app/releases\n    \
        POST {url}/api/uploads/repos/harbor/app/releases/:release_id/assets?name=app.tar.gz\n    \
        PATCH {url}/api/v3/repos/harbor/app/releases/:release_id\n  \
        undo: gh release delete v1.1.0 --repo 127.0.0.1/harbor/app --yes\n"
    );
    assert!(plan.ends_with(&requests), "{plan}");
    let stderr = release(&fixture, &service, None, &["-x"]).failure(1);
    assert!(stderr.contains("hint: set `TIDINGS_TOKEN` or `GITHUB_TOKEN`"), "{stderr}");
    assert!(service.requests().is_empty());
}

#[test]
fn the_authors_of_the_section_come_from_the_host() {
    let (fixture, service) = hosted();
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let pull = crate::support::service::Pull {
        number: 4,
        login: "ida".to_owned(),
        association: "CONTRIBUTOR",
        open: false,
        commits: vec![commit.clone()],
    };
    service.state().github.pulls.push(pull);
    service.state().github.authors.push((commit, "ida".to_owned()));
    let kept = tempfile::tempdir().unwrap();
    release(&fixture, &service, TOKEN, &["-x", "--people", "--cache", kept.path().to_str().unwrap()]).success();
    let body = service.state().github.releases[0].body.clone();
    assert!(body.contains(" by @ida"), "{body}");
}

#[test]
fn notes_that_github_does_not_take_are_cut_and_the_plan_says_so() {
    let (fixture, service) = hosted();
    let entries = "- Mend the crane of the harbor once more\n".repeat(4_000);
    fixture
        .repo
        .file("CHANGELOG.md", &*format!("## 1.1.0 (2024-03-09)\n\n### fixed\n\n{entries}"))
        .commit("Write it down");
    let plan = release(&fixture, &service, TOKEN, &["1.1.0"]);
    assert!(
        plan.stderr.contains("the release notes are truncated: a release on GitHub has at most 125000 characters"),
        "{}",
        plan.stderr
    );
    release(&fixture, &service, TOKEN, &["1.1.0", "-x"]).success();
    let body = service.state().github.releases[0].body.clone();
    assert!(
        body.len() <= 125_000 && body.ends_with("once more\n\nThe list goes on in the changelog."),
        "{}",
        body.len()
    );
    assert!(release(&fixture, &service, TOKEN, &["1.1.0", "-x"]).success().contains("already released"));
}
