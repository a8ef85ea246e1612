//! The header in which a token is sent.

use crate::support::{Outcome, Service, tidings};

#[test]
fn each_kind_of_token_has_its_own_place() {
    let service = Service::start();
    let sent = |auth: &str| {
        service.tidings(&["label", "get", "bug", "--auth", auth]).success();
        let request = service.last();
        let names = ["private-token", "authorization", "job-token"];
        let headers = names.map(|name| request.header(name).map(str::to_owned));
        (headers, request.target)
    };
    let path = "/api/v4/projects/group%2Fapp/labels/bug";
    let token = || Some("developer-token".to_owned());
    assert_eq!(sent("private-token"), ([token(), None, None], path.to_owned()));
    assert_eq!(sent("bearer"), ([None, Some("Bearer developer-token".to_owned()), None], path.to_owned()));
    assert_eq!(sent("query"), ([None, None, None], format!("{path}?private_token=developer-token")));
}

#[test]
fn a_job_token_opens_little_and_the_hint_says_so() {
    let service = Service::start();
    let mut command = tidings(&std::env::temp_dir());
    command.env("CI_JOB_TOKEN", "job-token").env("CI_API_V4_URL", format!("{}/api/v4", service.url()));
    command.env("CI_PROJECT_PATH", "group/app").args(["label", "get", "bug"]);
    let outcome = crate::support::Outcome::from(command.output().unwrap());
    assert_eq!(service.last().header("job-token"), Some("job-token"));
    let stderr = outcome.failure(4);
    assert!(stderr.contains("the job's token (CI_JOB_TOKEN) has access to few endpoints"), "{stderr}");
}

#[test]
fn no_token_is_sent_where_none_is_wanted() {
    let service = Service::start();
    let stderr = service.tidings(&["label", "get", "bug", "--auth", "none"]).failure(4);
    assert!(stderr.contains("set `TIDINGS_TOKEN`"), "{stderr}");
    assert_eq!(service.last().header("private-token"), None);
}

#[test]
fn a_token_file_goes_before_the_environment() {
    let service = Service::start();
    let file = tempfile::NamedTempFile::new().unwrap();
    // Programs of Windows write the second form.
    for content in ["reporter-token\n", "\u{feff}reporter-token\r\n"] {
        std::fs::write(file.path(), content).unwrap();
        service.tidings(&["label", "get", "bug", "--token-file", file.path().to_str().unwrap()]).success();
        assert_eq!(service.last().header("private-token"), Some("reporter-token"));
    }
}

#[test]
fn a_token_never_travels_unencrypted_unless_that_is_wanted() {
    let service = Service::start();
    let stderr = service.tidings(&["label", "list", "--base-url", "http://service.test"]).failure(2);
    assert!(stderr.contains("unencrypted") && stderr.contains("--allow-http"), "{stderr}");
    assert!(service.requests().is_empty());
}

#[test]
fn variables_without_a_value_are_as_if_they_were_not_set() {
    let service = Service::start();
    let mut run = service.program("developer-token");
    for name in ["TIDINGS_TOKEN_FILE", "TIDINGS_AUTH", "TIDINGS_TIMEOUT", "TIDINGS_RETRIES", "GITLAB_HOST"] {
        run.env(name, "");
    }
    let outcome = Outcome::from(run.args(["label", "list"]).output().unwrap());
    assert_eq!(outcome.code, 0, "{outcome:?}");
}

#[test]
fn an_invalid_value_of_a_variable_is_said_to_be_one() {
    let service = Service::start();
    let run = |arguments: &[&str]| {
        let mut run = service.program("developer-token");
        run.args(["label", "list"]).args(arguments).env("TIDINGS_TIMEOUT", "2m");
        Outcome::from(run.output().unwrap())
    };
    let stderr = run(&[]).failure(2);
    assert!(stderr.contains("tip: the value is that of the variable `TIDINGS_TIMEOUT`"), "{stderr}");
    let stderr = run(&["--timeout=3m"]).failure(2);
    assert!(stderr.contains("'3m'") && !stderr.contains("TIDINGS_TIMEOUT"), "{stderr}");
}
