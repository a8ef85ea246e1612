//! Which forge is spoken: the one that is stated, the one that runs the job, or the one that the host is named like.

use super::Released;
use crate::support::{Outcome, tidings};

/// A release whose remote is at a URL, and comes from a directory.
fn at(url: &str) -> Released {
    let fixture = Released::new();
    let directory = fixture.repo.beside("remote.git").display().to_string().replace('\\', "/");
    fixture.repo.git(&["config", "--add", &format!("url.{directory}.insteadOf"), url]);
    fixture.repo.git(&["remote", "set-url", "origin", url]);
    fixture
}

/// The address of the first request by which a plan makes the release on the forge, or why there is none.
fn planned(fixture: &Released, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let outcome = run(fixture, &[&["release", "--format", "json"], arguments].concat(), variables);
    let plan: serde_json::Value = serde_json::from_str(&outcome.stdout).expect("a plan");
    let request = &plan["steps"]["forge_release"]["requests"][0]["url"];
    request.as_str().or_else(|| plan["blockers"][0].as_str()).unwrap_or_else(|| panic!("{plan:#}")).to_owned()
}

fn run(fixture: &Released, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let mut program = tidings(fixture.repo.path());
    program.args(arguments).envs(variables.iter().copied());
    program.output().unwrap().into()
}

const HOST: &str = "https://code.harbor.example";
const URL: &str = "https://code.harbor.example/o/r.git";

#[test]
fn links_are_those_of_the_server_that_runs_the_job() {
    let fixture = at(URL);
    let server = ("GITHUB_SERVER_URL", HOST);
    let github = [("GITHUB_ACTIONS", "true"), server];
    let gitea = [("GITHUB_ACTIONS", "true"), ("GITEA_ACTIONS", "true"), server];
    let gitlab = [("GITLAB_CI", "true"), ("CI_SERVER_URL", HOST)];
    let elsewhere = [("GITHUB_ACTIONS", "true"), ("GITHUB_SERVER_URL", "https://github.com")];
    let assumed =
        "note: unknown forge `https://code.harbor.example`: links are as on GitLab; set `forge` in the configuration\n";
    for (variables, page, message, forge) in [
        (&github[..], "/o/r/commit/", "", "GitHub"),
        (&gitea, "/o/r/commit/", "", "Gitea"),
        (&gitlab, "/o/r/-/commit/", "", "GitLab"),
        (&elsewhere, "/o/r/-/commit/", assumed, "GitLab"),
        (&[], "/o/r/-/commit/", assumed, "GitLab"),
    ] {
        let shown = run(&fixture, &["show"], variables);
        assert!(shown.stdout.contains(&format!("({HOST}{page}")), "{variables:?}: {}", shown.stdout);
        assert_eq!(shown.stderr, message, "{variables:?}");
        let report = run(&fixture, &["doctor", "--format", "json"], variables).json();
        assert_eq!(report["repository"]["forge"], forge, "{variables:?}");
    }
    fixture.repo.write("tidings.yml", "source: trailers\nforge: bitbucket\n");
    assert!(run(&fixture, &["show"], &github).stdout.contains("/o/r/commits/"));
    assert!(run(&fixture, &["show", "--forge", "github"], &[]).stdout.contains("/o/r/commit/"));
}

#[test]
fn a_mirror_of_the_connection_does_not_decide_on_links() {
    let fixture = at("https://github.com/harbor/app.git");
    assert!(run(&fixture, &["show"], &[]).stdout.contains("(https://github.com/harbor/app/commit/"));
    // A shorthand is replaced by what it means.
    fixture.repo.git(&["remote", "set-url", "origin", "gh:harbor/app"]);
    fixture.repo.git(&["config", "url.https://github.com/.insteadOf", "gh:"]);
    assert!(run(&fixture, &["show"], &[]).stdout.contains("(https://github.com/harbor/app/commit/"));
}

#[test]
fn a_forge_whose_api_is_not_spoken_is_refused_before_anything_is_written() {
    let fixture = at(URL);
    let before = fixture.state();
    let given = ["release", "-x", "--project", "o/r", "--base-url"];
    let token = ("TIDINGS_TOKEN", "developer-token");
    for further in [&["https://bitbucket.org"][..], &["http://127.0.0.1:1", "--allow-http", "--forge", "bitbucket"]] {
        let message = run(&fixture, &[&given, further].concat(), &[token]).failure(1);
        assert!(message.contains(", whose API is not supported\n"), "{further:?}: {message}");
        assert!(message.contains("`--no-host-release` for `release`"), "{message}");
        assert_eq!(fixture.state(), before);
    }
    let done = run(&fixture, &["release", "-x", "--forge", "bitbucket"], &[]);
    let message = "no release is made on `https://code.harbor.example`: the API of Bitbucket is not supported\n";
    assert!(done.stderr.starts_with(message), "{}", done.stderr);
    assert_eq!(done.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
}

#[test]
fn the_stated_forge_decides_on_the_requests() {
    for url in ["git@gh-alias:o/r.git", URL] {
        let fixture = at(url);
        let given = ["release", "--project", "o/r", "--base-url", "https://git.corp", "--format", "json"];
        let first = |further: &[&str]| {
            let plan = run(&fixture, &[&given, further].concat(), &[]).json();
            plan["steps"]["forge_release"]["requests"][0]["url"].as_str().unwrap().to_owned()
        };
        assert_eq!(first(&["--forge", "github"]), "https://git.corp/api/v3/repos/o/r/releases", "{url}");
        assert_eq!(first(&["--forge", "gitea"]), "https://git.corp/api/v1/repos/o/r/releases", "{url}");
        assert_eq!(first(&["--forge", "gitlab"]), "https://git.corp/api/v4/projects/o%2Fr/releases", "{url}");
        fixture.repo.write("tidings.yml", "source: trailers\nforge: github\n");
        assert_eq!(first(&[]), "https://git.corp/api/v3/repos/o/r/releases", "{url}");
    }
}

#[test]
fn an_empty_file_is_refused_where_the_forge_refuses_it() {
    let fixture = at("https://github.com/harbor/app.git");
    fixture.repo.write("empty.txt", "");
    let message = run(&fixture, &["release", "--asset", "empty.txt"], &[]).failure(3);
    assert!(
        message.contains("  `empty.txt` is empty\n") && message.contains("GitHub refuses an empty file"),
        "{message}"
    );
    run(&fixture, &["release", "--asset", "empty.txt", "--forge", "gitlab", "--base-url", "https://git.corp"], &[])
        .success();
}

/// A host that is named like no forge.
const GITLAB: &str = "https://code.harbor.example/api/v4/projects/o%2Fr/releases";
const GITHUB: &str = "https://code.harbor.example/api/v3/repos/o/r/releases";
const GITEA: &str = "https://code.harbor.example/api/v1/repos/o/r/releases";

#[test]
fn the_server_of_a_job_gets_the_requests_for_its_own_projects() {
    let fixture = at(URL);
    let github = [("GITHUB_API_URL", "https://code.harbor.example/api/v3"), ("GITHUB_SERVER_URL", HOST)];
    let gitea = [("GITHUB_API_URL", "https://code.harbor.example/api/v1"), ("GITHUB_SERVER_URL", HOST)];
    let other = [("GITHUB_API_URL", "https://api.github.com"), ("GITHUB_SERVER_URL", "https://github.com")];
    for (variables, forge, expected) in [
        (&github[..], &[][..], GITHUB),
        (&gitea, &["--forge", "gitea"], GITEA),
        (&github, &["--forge", "gitea"], "no server given"),
        (&other, &["--forge", "github"], "no server given"),
        (&[("GITLAB_HOST", "code.harbor.example")], &["--forge", "gitlab"], GITLAB),
        (
            &[("GITLAB_HOST", "git.corp")],
            &["--forge", "gitlab"],
            "the repository is on `https://code.harbor.example`, and the environment names `https://git.corp`",
        ),
        // The server of the environment is not meant for a project on another forge.
        (&[("GITLAB_HOST", "git.corp")], &["--forge", "github"], "no server given"),
        (&[("GITLAB_HOST", "git.corp")], &["--project", "o/r"], "https://git.corp/api/v4/projects/o%2Fr/releases"),
        (&[], &["--project", "o/r"], "no server given"),
    ] {
        assert_eq!(planned(&fixture, forge, variables), expected, "{variables:?} {forge:?}");
    }
}

#[test]
fn a_named_server_has_the_forge_of_its_address_or_of_the_job() {
    let fixture = at("https://code.harbor.example:8443/o/r.git");
    let job = [("GITHUB_ACTIONS", "true"), ("GITHUB_SERVER_URL", "https://code.harbor.example:8443")];
    for (address, variables, expected) in [
        ("https://code.harbor.example/api/v3", &[][..], GITHUB),
        ("https://code.harbor.example/api/v1/", &[], GITEA),
        ("https://code.harbor.example", &[], GITLAB),
        ("https://api.github.com", &[], "https://api.github.com/repos/o/r/releases"),
        ("https://code.harbor.example:9443", &job, "https://code.harbor.example:9443/api/v3/repos/o/r/releases"),
        ("https://git.corp", &job, "https://git.corp/api/v4/projects/o%2Fr/releases"),
    ] {
        let given = ["--project", "o/r", "--base-url", address];
        assert_eq!(planned(&fixture, &given, variables), expected, "{address} {variables:?}");
    }
}

#[test]
fn a_forge_without_an_api_is_named_with_its_host() {
    let project = ["--project", "o/r"];
    let message = planned(&at("https://bitbucket.org/o/r.git"), &project, &[]);
    assert_eq!(message, "`https://bitbucket.org` runs Bitbucket, whose API is not supported");
    let stated = [&project[..], &["--forge", "bitbucket"]].concat();
    assert_eq!(planned(&Released::new(), &stated, &[]), "the API of Bitbucket is not supported");
}
