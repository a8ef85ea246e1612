//! The GitLab component: its inputs, and its jobs as a runner's shell runs them.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use crate::support::component::{jobs, parts, script};
#[cfg(unix)]
use crate::support::{Outcome, Service, TestRepo, isolate, service::ReleaseRequest};

#[test]
fn every_input_is_declared_and_used() {
    let (inputs, jobs) = parts();
    let declared: BTreeSet<&str> = inputs.as_object().unwrap().keys().map(String::as_str).collect();
    let used = jobs.split("$[[ inputs.").skip(1).map(|rest| rest.split(" ]]").next().unwrap());
    assert_eq!(declared, used.collect());
    for (name, input) in inputs.as_object().unwrap() {
        assert!(input["description"].is_string(), "{name}");
        let options = input["options"].as_array();
        assert!(options.is_none_or(|options| options.contains(&input["default"])), "{name}");
    }
}

/// A project on a remote, and the clone a runner makes of it: the commit is checked out, no branch is.
#[cfg(unix)]
struct Job {
    origin: TestRepo,
    variables: Vec<(&'static str, String)>,
}

#[cfg(unix)]
impl Job {
    fn new() -> Self {
        let origin = TestRepo::new();
        origin.commit("Initial");
        origin.tag("v1.0.0");
        origin.change("Add crane", "added");
        let set = |name, value: &str| (name, value.to_owned());
        let variables = vec![
            set("CI_DEFAULT_BRANCH", "main"),
            set("CI_PROJECT_URL", "https://gitlab.example/harbor/app"),
            set("CI_SERVER_HOST", "gitlab.example"),
            set("CI_PROJECT_PATH", "group/app"),
            set("GITLAB_USER_NAME", "Ida"),
        ];
        Self { origin, variables }
    }

    fn set(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Runs the job of this name with the variables it sets.
    fn run(&self, name: &str, inputs: &[(&str, &str)]) -> Outcome {
        let inputs = [&[("install", "command -v tidings")], inputs].concat();
        let job = jobs(&inputs.into_iter().rev().collect::<Vec<_>>())[name].clone();
        let clone = self.origin.beside("clone");
        for left in [&clone, &self.origin.beside("remote.git")] {
            let _ = fs::remove_dir_all(left);
        }
        self.origin.git(&["clone", "-q", "--bare", ".", "../remote.git"].map(|word| word));
        self.origin.git(&["clone", "-q", "../remote.git", "../clone"]);
        self.origin.git_beside("clone", &["checkout", "-q", "--detach"]);
        self.origin.git_beside("clone", &["branch", "-q", "-D", "main"]);
        let built = Path::new(assert_cmd::cargo::cargo_bin!("tidings")).parent().unwrap().to_owned();
        let others = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths([built].into_iter().chain(std::env::split_paths(&others))).unwrap();
        let mut command = std::process::Command::new("bash");
        isolate(&mut command);
        command.args(["-eo", "pipefail", "-c", &script(&job)]).current_dir(&clone).env("PATH", path);
        command.env("CI_COMMIT_SHA", self.origin.git(&["rev-parse", "HEAD"]));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        for (name, value) in job["variables"].as_object().unwrap() {
            command.env(name, value["value"].as_str().or(value.as_str()).unwrap());
        }
        command.output().expect("bash is there").into()
    }
}

#[cfg(unix)]
#[test]
fn a_merge_request_is_checked_and_reported() {
    let job = Job::new();
    let base = job.origin.git(&["rev-parse", "HEAD"]);
    job.origin.change("Mend it", "fixd");
    let job = job.set("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base);
    let outcome = job.run("changelog-check", &[]);
    assert!(outcome.stdout.contains("unknown-category: unknown category `fixd`"), "{outcome:?}");
    assert_eq!(outcome.code, 3, "{outcome:?}");
    let report = fs::read_to_string(job.origin.beside("clone/gl-code-quality-report.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&report).unwrap()[0]["check_name"], "unknown-category");
}

#[cfg(unix)]
#[test]
fn options_are_words_of_their_own_and_name_variables() {
    let job = Job::new();
    let base = job.origin.git(&["rev-parse", "HEAD"]);
    job.origin.commit("Mend it\n\nChange Log: fixed");
    let job = job.set("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base).set("WIDTH", "3").set("DEED", "$(touch deed)*");
    let check = |options: &str| job.run("changelog-check", &[("check-options", options)]);
    let outcome = check(r#"["--trailer=Lamp-Log", "--max-title", "$WIDTH"]"#);
    assert!(outcome.stdout.contains("more than 3") && outcome.stdout.contains("`Lamp-Log:` trailer"), "{outcome:?}");
    let outcome = check(r#"["--trailer=Lamp Log"]"#);
    assert!(outcome.code == 2 && outcome.stderr.contains("'Lamp Log' for '--trailer"), "{outcome:?}");
    let outcome = check(r#"["--trailer=$DEED", "--max-title=${WIDTH}"]"#);
    assert!(outcome.code == 2 && outcome.stderr.contains("'$(touch deed)*' for '--trailer"), "{outcome:?}");
    assert!(!job.origin.beside("clone/deed").exists());
    let outcome = check(r#"["--max-title=$$WIDTH"]"#);
    assert!(outcome.code == 2 && outcome.stderr.contains("'$WIDTH'"), "{outcome:?}");
    let outcome = check("--max-title=$WIDTH,--trailer=X");
    assert!(outcome.stdout.contains("more than 3") && outcome.stdout.contains("`X:` trailer"), "{outcome:?}");
    assert_eq!(check(r#"["--max-title=\#$WIDTH"]"#).code, 2, "as Ruby writes it");
    assert_ne!(check("[no list").code, 0);
}

#[cfg(unix)]
#[test]
fn a_pattern_stands_for_the_files_that_it_matches() {
    let job = Job::new().set("CI_COMMIT_BRANCH", "main");
    job.origin.file("dist/a.zip", "a").file("dist/c.zip", "c").commit("Build");
    let outcome = job.run("changelog-release", &[("assets", r#"["dist/*.zip", "dist/$GITLAB_USER_NAME"]"#)]);
    assert!(outcome.stderr.contains("dist/Ida"), "the one that is missing: {outcome:?}");
    let outcome = job.run("changelog-release", &[("assets", r#"["dist/*.tar"]"#)]);
    assert!(outcome.code == 1 && outcome.stderr.contains("no file matches the asset dist/*.tar"), "{outcome:?}");
}

#[cfg(unix)]
#[test]
fn who_may_not_push_hears_of_it_before_anything_is_made() {
    let job = Job::new().set("CI_COMMIT_BRANCH", "main");
    let outcome =
        job.run("changelog-release", &[("install", "git remote set-url origin /nowhere; command -v tidings")]);
    assert!(outcome.code == 1 && outcome.stderr.contains("set the CI/CD variable TIDINGS_TOKEN"), "{outcome:?}");
    assert_eq!(job.origin.git_beside("clone", &["tag", "--list", "v1.1.0"]), "");
}

#[cfg(unix)]
#[test]
fn the_released_binary_is_installed_if_it_is_the_one() {
    let job = Job::new();
    let curl = "curl() { while [ $# -gt 1 ]; do [ \"$1\" != --output ] || cp ../archive \"$2\"; shift; done; }; uname() { echo x86_64; }; ";
    let top = job.origin.beside("top");
    fs::create_dir(&top).unwrap();
    fs::write(top.join("tidings"), "#!/bin/sh\necho released\n").unwrap();
    job.origin.git(&["-c", "alias.pack=!chmod +x ../top/tidings && tar -czf ../archive -C .. top", "pack"]);
    let digest = job.origin.git(&["-c", "alias.digest=!sha256sum ../archive | cut -c1-64", "digest"]);
    let install = format!("{curl}install_released; tidings; exit 0");
    let with = |digest: &str, download: &str| {
        job.run("changelog-check", &[("install", &install), ("sha256-x86_64", digest), ("download", download)])
    };
    let outcome = with(&digest, "https://git.example/v1.2.3");
    assert!(outcome.code == 0 && outcome.stdout.contains("released"), "{outcome:?}");
    assert_ne!(with(&digest.replace(char::is_numeric, "0"), "https://git.example/v1.2.3").code, 0);
    let outcome = with("", "");
    assert!(outcome.stderr.contains("has no binary for x86_64; set the input install"), "{outcome:?}");
}

#[cfg(unix)]
#[test]
fn a_schedule_releases_what_there_is_and_is_content_with_nothing() {
    let job = Job::new().set("CI_COMMIT_BRANCH", "main");
    let outcome =
        job.run("changelog-release", &[("release-on", "schedule"), ("release-options", r#"["--no-host-release"]"#)]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert_eq!(job.origin.git_beside("remote.git", &["log", "-1", "--format=%an %s", "v1.1.0"]), "Ida Release 1.1.0");
    let job = Job::new().set("CI_COMMIT_BRANCH", "main");
    job.origin.tag("v1.1.0");
    let outcome =
        job.run("changelog-release", &[("release-on", "schedule"), ("release-options", r#"["--no-host-release"]"#)]);
    assert!(
        outcome.code == 0 && outcome.stderr.contains("nothing to release: no unreleased change bumps the version"),
        "{outcome:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_request_is_opened_and_released_once_it_is_merged() {
    let job = Job::new();
    let service = Service::with_repository(&job.origin.beside("remote.git"));
    let remote = job.origin.beside("remote").to_str().unwrap().to_owned();
    let job = job.set("CI_COMMIT_BRANCH", "main").set("TIDINGS_TOKEN", "developer-token");
    let job = job.set("CI_API_V4_URL", &format!("{}/api/v4", service.url())).set("CI_PROJECT_URL", &remote);
    let outcome = job.run("changelog-release", &[("release-on", "request")]);
    assert!(outcome.code == 0 && outcome.stdout.contains("!11: Release 1.1.0"), "{outcome:?}");
    job.origin.git(&["fetch", "-q", "../remote.git", "tidings/release-main"]);
    job.origin.git(&["merge", "-q", "--ff-only", "FETCH_HEAD"]);
    service.state().requests.all[0].state = "merged";
    let outcome = job.run("changelog-release", &[("release-on", "request")]);
    assert!(outcome.code == 0 && outcome.stdout.contains("released 1.1.0 as v1.1.0: "), "{outcome:?}");
    assert_eq!(service.state().releases.all.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_preview_is_one_comment() {
    let job = Job::new();
    job.origin.git(&["switch", "-q", "-c", "sail"]);
    job.origin.file("sail", "white\n").commit("Hoist the sail\n\nChangelog: added");
    let head = job.origin.git(&["rev-parse", "HEAD"]);
    job.origin.git(&["switch", "-q", "main"]);
    let service = Service::with_repository(&job.origin.beside("remote.git"));
    let (source, target) = ("sail".to_owned(), "main".to_owned());
    let request = ReleaseRequest { number: 7, source, target, state: "opened", ..ReleaseRequest::default() };
    service.state().requests.all.push(request);
    let job = job.set("TIDINGS_TOKEN", "developer-token").set("CI_API_V4_URL", &format!("{}/api/v4", service.url()));
    let job = job.set("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", &head).set("CI_MERGE_REQUEST_PROJECT_PATH", "group/app");
    let job = job.set("CI_MERGE_REQUEST_IID", "7").set("CI_MERGE_REQUEST_TITLE", "Hoist the sail");
    let job = job.set("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "sail").set("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main");
    for _ in 0..2 {
        let outcome = job.run("changelog-preview", &[("preview", "true")]);
        assert!(outcome.code == 0 && outcome.stdout.contains("- Hoist the sail\n"), "{outcome:?}");
        let comments = service.state().requests.all[0].comments.clone();
        assert!(comments.len() == 1 && comments[0].contains("- Hoist the sail\n"), "{comments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_tag_is_published_with_its_notes() {
    let job = Job::new();
    job.origin.annotated_tag("v1.1.0");
    let service = Service::with_repository(&job.origin.beside("remote.git"));
    let job = job.set("CI_COMMIT_TAG", "v1.1.0").set("TIDINGS_TOKEN", "developer-token");
    let remote = job.origin.beside("remote").to_str().unwrap().to_owned();
    let job = job.set("CI_API_V4_URL", &format!("{}/api/v4", service.url())).set("CI_PROJECT_URL", &remote);
    let outcome = job.run("changelog-release", &[]);
    assert_eq!(outcome.code, 0, "{outcome:?}");
    let made = service.state().releases.all[0].clone();
    assert!(made.tag == "v1.1.0" && made.description.contains("Add crane"), "{made:?}");
}

#[cfg(unix)]
#[test]
fn a_tag_of_something_else_is_left_alone() {
    let job = Job::new().set("CI_COMMIT_TAG", "nightly-2024.01.02");
    job.origin.tag("nightly-2024.01.02");
    let outcome = job.run("changelog-release", &[]);
    assert!(outcome.code == 0 && outcome.stderr.contains("is not the tag of a version"), "{outcome:?}");
}

#[cfg(unix)]
#[test]
fn a_token_is_asked_for_by_git_and_written_nowhere() {
    let job = Job::new().set("TIDINGS_TOKEN", "glpat-0123456789").set("CI_COMMIT_TAG", "v1.1.0");
    let outcome = job.run(
        "changelog-release",
        &[("install", "git config core.askPass true"), ("release-options", r#"["--no-such"]"#)],
    );
    assert_eq!(outcome.code, 2, "{outcome:?}");
    let settings = fs::read_to_string(job.origin.beside("clone/.git/config")).unwrap();
    assert!(settings.contains("https://gitlab.example/harbor/app.git") && !settings.contains("glpat"), "{settings}");
    let mut command = std::process::Command::new("git");
    isolate(&mut command);
    command
        .args(["credential", "fill"])
        .current_dir(job.origin.beside("clone"))
        .env("TIDINGS_TOKEN", "glpat-0123456789");
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"protocol=https\nhost=gitlab.example\n\n").unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.contains("username=oauth2\npassword=glpat-0123456789\n"), "{output}");
}
