//! The release on the host: the last step, which needs a token.

use serde_json::json;

use super::{FINISHED, Released};
use crate::support::{Fault, Outcome, Service, remote::Server, tidings};

/// A repository whose remote is that of `group/app` on a service.
fn hosted() -> (Released, Service) {
    let fixture = Released::new();
    let service = Service::with_repository(&fixture.repo.beside("remote.git"));
    (fixture, service)
}

/// Runs the command about `group/app`, for the owner of a token.
#[track_caller]
fn release(fixture: &Released, service: &Service, token: Option<&str>, arguments: &[&str]) -> Outcome {
    let mut program = tidings(fixture.repo.path());
    program.args(["release", "--date", "2024-03-09", "--base-url", &service.url(), "--project", "group/app"]);
    program.envs(token.map(|token| ("TIDINGS_TOKEN", token)));
    program.args(arguments).output().unwrap().into()
}

const TOKEN: Option<&str> = Some("developer-token");

#[test]
fn the_host_shows_the_notes_of_the_tag() {
    let (fixture, service) = hosted();
    fixture.repo.write("app.tar.gz", "bytes");
    let run = release(&fixture, &service, TOKEN, &["-x", "--asset", "app.tar.gz=app-1.tar.gz"]);
    let page = "https://git.example.org/group/app/-/releases/v1.1.0";
    assert!(run.stderr.ends_with(&format!("pushed to origin\npublished {page}\n")), "{}", run.stderr);
    assert_eq!(run.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed, published\n");
    fixture.assert_released();
    let made = service.state().releases.all[0].clone();
    assert_eq!((made.tag.as_str(), made.name.as_str(), made.links.len()), ("v1.1.0", "v1.1.0", 1));
    assert!(made.description.starts_with("### Added\n\n- "), "{}", made.description);
    let again = release(&fixture, &service, TOKEN, &["-x", "--asset", "app.tar.gz=app-1.tar.gz"]);
    assert!(again.success().starts_with(FINISHED));
    assert!(release(&fixture, &service, TOKEN, &[]).success().starts_with(FINISHED), "the plan looks at it too");
    let more = release(&fixture, &service, TOKEN, &["--asset", "app.tar.gz=other.tar.gz"]).success();
    assert!(more.contains("other.tar.gz"), "a file that is not there yet: {more}");
}

#[test]
fn the_plan_shows_the_requests_and_needs_no_token() {
    let (fixture, service) = hosted();
    let (before, url) = (fixture.state(), service.url());
    let plan = release(&fixture, &service, None, &[]).success();
    let undo = format!("  undo: tidings api DELETE projects/group%2Fapp/releases/v1.1.0 --base-url {url}\n");
    let request = format!("    POST {url}/api/v4/projects/group%2Fapp/releases\n");
    assert!(plan.ends_with(&format!("\nforge release: on {url}\n{request}{undo}")), "{plan}");
    let document = release(&fixture, &service, None, &["--format", "json"]).json();
    let body = &document["steps"]["forge_release"]["requests"][0]["body"];
    assert_eq!((&body["tag_name"], &body["description"]), (&json!("v1.1.0"), &document["notes"]));
    assert_eq!(fixture.state(), before);
    assert!(service.requests().is_empty());
    let without = release(&fixture, &service, None, &["--no-host-release"]).success();
    assert!(without.ends_with("\nforge release: skipped\n"), "{without}");
}

#[test]
fn a_token_that_is_missing_or_wrong_is_told_before_anything_is_written() {
    let (fixture, service) = hosted();
    let before = fixture.state();
    assert_eq!(
        release(&fixture, &service, None, &["-x"]).failure(1),
        "error: 1.1.0 cannot be released yet\n  no token found for the release on GitLab\n\
         hint: set `TIDINGS_TOKEN` or `GITLAB_TOKEN`, or name a file with `--token-file`\n\
         hint: use `--no-host-release` to skip this step\n"
    );
    let stderr = release(&fixture, &service, Some("expired-token"), &["-x"]).failure(4);
    assert!(stderr.contains("Token is expired"), "{stderr}");
    let stderr = release(&fixture, &service, Some("read-token"), &["-x"]).failure(4);
    assert!(
        stderr
            .contains("the token in `TIDINGS_TOKEN` has the scope `read_api`, which does not allow creating releases"),
        "{stderr}"
    );
    let stderr = release(&fixture, &service, Some("reporter-token"), &["-x"]).failure(4);
    assert!(
        stderr.contains("the owner of the token in `TIDINGS_TOKEN` is not allowed to create releases in `group/app`"),
        "{stderr}"
    );
    assert!(stderr.ends_with("hint: this needs the role Developer and up\n"), "{stderr}");
    assert_eq!(fixture.state(), before);
    assert!(
        release(&fixture, &service, TOKEN, &["-x", "--asset", "gone.zip"])
            .failure(1)
            .contains("cannot read `gone.zip`")
    );
    release(&fixture, &service, None, &["-x", "--no-host-release"]).success();
}

/// A server of another kind answers the same to every path that it does not know.
#[test]
fn a_server_that_does_not_know_the_project_is_told_before_anything_is_written() {
    let (fixture, service) = hosted();
    let before = fixture.state();
    for (forge, known_by) in [("gitlab", "GitLab"), ("github", "GitHub"), ("gitea", "Gitea")] {
        let service = Service::start();
        for _ in 0..8 {
            service.fail(Fault::Status(404, "text/plain", "page not found\n".to_owned()));
        }
        let stderr = release(&fixture, &service, TOKEN, &["-x", "--forge", forge]).failure(1);
        assert!(stderr.contains("shows no project `group/app` to the token in `TIDINGS_TOKEN`"), "{stderr}");
        assert!(stderr.contains(&format!("hint: if the server is not {known_by}, name its kind")), "{stderr}");
    }
    assert_eq!(fixture.state(), before);
    release(&fixture, &service, TOKEN, &["-x"]).success();
}

#[test]
fn after_the_host_failed_the_release_goes_on_there() {
    let (fixture, service) = hosted();
    let broken = Fault::Status(500, "application/json", "{\"message\":\"500 Internal Server Error\"}".to_owned());
    for _ in 0..4 {
        service.fail(Fault::Nothing);
    }
    service.fail(broken);
    let stderr = release(&fixture, &service, TOKEN, &["-x"]).failure(1);
    assert!(stderr.contains("pushed to origin\n") && stderr.contains("500"), "{stderr}");
    fixture.assert_released();
    let plan = release(&fixture, &service, None, &[]).success();
    assert!(plan.contains("\npush: already done\n") && plan.contains("    POST "), "{plan}");
    assert_eq!(release(&fixture, &service, TOKEN, &["-x"]).success(), "released 1.1.0 as v1.1.0: published\n");
    assert!(release(&fixture, &service, TOKEN, &["-x"]).success().starts_with(FINISHED));
}

#[test]
fn what_people_changed_on_the_host_is_renewed() {
    let (fixture, service) = hosted();
    release(&fixture, &service, TOKEN, &["-x"]).success();
    service.state().releases.all[0].description = "Otherwise".to_owned();
    assert!(release(&fixture, &service, TOKEN, &[]).success().contains("\nforge release: on "));
    assert_eq!(release(&fixture, &service, TOKEN, &["-x"]).success(), "released 1.1.0 as v1.1.0: published\n");
    assert!(service.state().releases.all[0].description.starts_with("### Added"));
}

#[test]
fn a_host_that_nobody_named_gets_no_token() {
    let fixture = Released::new();
    let Some(server) = Server::of_directory(&fixture.repo.beside("")).http() else { return };
    fixture.repo.git(&["remote", "set-url", "origin", &server.url("http", "remote.git")]);
    let stderr = fixture.release(&[]).failure(3);
    assert!(stderr.starts_with("error: 1.1.0 cannot be released yet\n  no server given\n"), "{stderr}");
    assert!(stderr.contains("pass `--base-url http://127.0.0.1:"), "{stderr}");
    fixture.release(&["--no-host-release"]).success();
}

#[test]
fn the_configuration_names_the_forge_of_a_host() {
    let fixture = Released::new();
    let Some(server) = Server::of_directory(&fixture.repo.beside("")).http() else { return };
    fixture.repo.git(&["remote", "set-url", "origin", &server.url("http", "remote.git")]);
    let plan = |forge: &str, arguments: &[&str]| {
        fixture.repo.write("tidings.yml", format!("source: trailers\n{forge}"));
        fixture.release(arguments).success()
    };
    let base = ["--base-url", &server.url("http", ""), "--project", "harbor/app"];
    assert!(plan("", &base).contains("/api/v4/projects/harbor%2Fapp/releases\n"));
    assert!(plan("forge: github\n", &base).contains("/api/v3/repos/"), "no server but GitHub has this path");
    assert!(plan("forge: gitea\n", &base).contains("/api/v1/repos/"));
    let plan = plan("forge: bitbucket\n", &[]);
    assert!(plan.contains("\nforge release: skipped\n"), "{plan}");
}

#[test]
fn a_plan_with_offline_asks_no_api() {
    let (fixture, service) = hosted();
    release(&fixture, &service, TOKEN, &["-x", "--no-host-release"]).success();
    let plan = release(&fixture, &service, TOKEN, &["--offline"]).success();
    assert!(plan.contains("/releases\n"), "the release may be missing there: {plan}");
    fixture.repo.commit("Tidy up");
    release(&fixture, &service, TOKEN, &["--offline"]).failure(5);
    assert!(service.requests().is_empty(), "{:?}", service.requests());
    release(&fixture, &service, TOKEN, &[]).success();
    assert!(!service.requests().is_empty());
}

#[test]
fn a_tag_that_was_pushed_before_is_shown_without_pushing() {
    let (fixture, service) = hosted();
    let without_push = ["v1.1.0", "--tag", "v1.1.0", "--no-commit", "--no-push", "-x"];
    let stderr = release(&fixture, &service, TOKEN, &without_push).success();
    assert_eq!(stderr, "released 1.1.0 as v1.1.0: tagged\n", "the host does not have it yet");
    fixture.repo.git(&["push", "-q", "origin", "v1.1.0"]);
    let stderr = release(&fixture, &service, TOKEN, &without_push).success();
    assert_eq!(stderr, "released 1.1.0 as v1.1.0: published\n");
    assert!(service.state().releases.all[0].description.starts_with("### Added"));
}

#[test]
fn a_remote_that_does_not_answer_is_no_reason_to_publish_nothing_in_silence() {
    let (fixture, service) = hosted();
    release(&fixture, &service, TOKEN, &["-x", "--no-host-release"]).success();
    fixture.repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    let stderr = release(&fixture, &service, TOKEN, &["1.1.0", "--no-push", "-x"]).failure(1);
    assert!(
        stderr.contains("  it is unknown whether `v1.1.0` was pushed\n  cannot reach the remote `origin`\n"),
        "{stderr}"
    );
    assert!(stderr.contains("hint: use `--no-host-release`"), "{stderr}");
    release(&fixture, &service, TOKEN, &["1.1.0", "--no-push", "-x", "--no-host-release"]).success();
    fixture.repo.git(&["remote", "set-url", "origin", "../remote.git"]);
    let done = release(&fixture, &service, TOKEN, &["1.1.0", "--no-push", "-x"]).success();
    assert_eq!(done, "released 1.1.0 as v1.1.0: published\n");
}
