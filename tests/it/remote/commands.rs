//! The commands, with a URL in `--repo`: the same answer as from a full clone.

use std::{fs, path::Path};

use crate::support::{Outcome, TestRepo, remote::Server, tidings};

const DATE: [&str; 2] = ["--date", "2026-01-02"];

fn lamp() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.file("CHANGELOG.md", "## 1.0.0 (2026-01-01)\n\nLight.\n");
    repo.file(".gitlab/changelog_config.yml", "categories:\n  added: New\n").change("Light the lamp", "added");
    repo.annotated_tag("v1.0.0");
    repo.git(&["branch", "1.x"]);
    repo.change("Trim the wick", "fixed");
    repo.change("Hang a second lamp", "added");
    repo
}

fn directory(repo: &TestRepo) -> &Path {
    repo.path().parent().expect("a repository is in a directory")
}

fn file_url(repo: &TestRepo) -> String {
    format!("file://{}", repo.path().display())
}

/// Runs a command far away from the repository.
fn run(url: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = tidings(elsewhere.path());
    let outcome: Outcome =
        command.args(arguments).args(["--repo", url]).envs(variables.iter().copied()).output().unwrap().into();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0, "nothing is left");
    outcome
}

#[test]
fn give_what_they_give_for_a_clone() {
    let repo = lamp();
    repo.git(&["clone", "-q", "--bare", &file_url(&repo), "../clone.git"]);
    for command in [
        &["show", "1.1.0", DATE[0], DATE[1]][..],
        &["show", "1.1.0", DATE[0], DATE[1], "--format", "json"],
        &["show", "--first-release", DATE[0], DATE[1]],
        &["show", "1.0.1", "--to", "1.x", "--from", "v1.0.0", DATE[0], DATE[1]],
        &["base", "1.1.0"],
        &["explain", "1.1.0"],
        &["notes", "1.0.0"],
    ] {
        let local = tidings(directory(&repo)).args(command).args(["--repo", "clone.git"]).output().unwrap();
        let local = Outcome::from(local).success();
        // Links go to where a repository came from.
        assert_eq!(run(&file_url(&repo), command, &[]).success(), local, "{command:?}");
    }
}

#[test]
fn say_how_much_came_over_when_asked() {
    let repo = lamp();
    let quiet = run(&file_url(&repo), &["show", "1.1.0"], &[]);
    assert_eq!(quiet.stderr, "");
    let told = run(&file_url(&repo), &["show", "1.1.0", "-v"], &[]).stderr;
    assert!(told.lines().any(|line| line.starts_with("fetched ") && line.contains(" bytes of commits, ")), "{told}");
}

#[test]
fn ask_little_about_a_line_that_was_merged_again_and_again() {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.change("Begin", "added");
    repo.tag("v1.0.0").git(&["branch", "maint"]);
    for number in 1..=8 {
        repo.git(&["checkout", "-q", "maint"]);
        repo.change(&format!("Mend {number}"), "fixed");
        repo.git(&["checkout", "-q", "main"]);
        repo.change(&format!("Add {number}"), "added");
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge maint", "maint"]);
    }
    repo.tag("v2.0.0").git(&["tag", "v1.0.1", "maint~1"]);
    let here = repo.tidings(&["show", "--to", "maint"]).success();
    assert!(here.contains("- Mend 8") && !here.contains("- Mend 7"), "{here}");
    let there = run(&file_url(&repo), &["show", "--to", "maint", "-v"], &[]);
    let requests = there.stderr.lines().filter(|line| line.starts_with("fetched ")).count();
    assert!(requests < 20, "{}", there.stderr);
    assert_eq!(there.success(), here);
    let clone = repo.beside("clone");
    repo.git(&["clone", "-q", "--depth=3", "-b", "maint", &file_url(&repo), clone.to_str().unwrap()]);
    assert_eq!(Outcome::from(tidings(&clone).arg("show").output().unwrap()).success(), here);
}

#[test]
fn keep_a_cache_where_they_are_told_to() {
    let repo = lamp();
    let cache = repo.beside("cache");
    let cached = ["show", "1.1.0", "-v", DATE[0], DATE[1], "--cache", cache.to_str().unwrap()];
    let first = run(&file_url(&repo), &cached, &[]);
    let second = run(&file_url(&repo), &cached, &[]);
    assert!(first.stderr.contains("bytes of commits"), "{}", first.stderr);
    assert!(!second.stderr.contains("bytes of commits"), "{}", second.stderr);
    assert_eq!(first.success(), second.success());
}

#[cfg(unix)]
#[test]
fn reach_through_ssh() {
    use std::os::unix::fs::PermissionsExt as _;

    let repo = lamp();
    let ssh = repo.beside("ssh");
    // What the other machine is to run stands after options and its name.
    let script = "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n";
    fs::write(&ssh, script).unwrap();
    fs::set_permissions(&ssh, fs::Permissions::from_mode(0o755)).unwrap();
    let variables = [("GIT_SSH_COMMAND", ssh.to_str().unwrap()), ("GIT_SSH_VARIANT", "ssh")];
    let expected = repo.tidings(&["show", "1.1.0", DATE[0], DATE[1], "--host", "h", "--project-path", "p"]).success();
    for url in [
        format!("ssh://ida@harbor.example{}", repo.path().display()),
        format!("ida@harbor.example:{}", repo.path().display()),
    ] {
        let shown = run(&url, &["show", "1.1.0", DATE[0], DATE[1], "--host", "h", "--project-path", "p"], &variables);
        assert_eq!(shown.success(), expected, "{url}");
    }
    fs::write(&ssh, "#!/bin/sh\necho 'ida@harbor.example: Permission denied (publickey).' >&2\nexit 255\n").unwrap();
    let refused = run("ssh://ida@harbor.example/lamp", &["show", "1.1.0"], &variables).failure(4);
    assert!(refused.contains("`harbor.example` rejected every key"), "{refused}");
}

#[cfg(unix)]
#[test]
fn speak_the_old_protocol_where_git_is_told_to() {
    let repo = lamp();
    let expected = repo.tidings(&["show", "1.1.0", DATE[0], DATE[1], "--host", "h", "--project-path", "p"]).success();
    let old = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "protocol.version"), ("GIT_CONFIG_VALUE_0", "0")];
    for filters in [true, false] {
        let Some(server) = Server { filters, ..Server::of_directory(directory(&repo)) }.daemon() else { return };
        for arguments in [&["show", "1.1.0"][..], &["show", "1.1.0", "--to", "main", "--from", "v1.0.0"]] {
            let arguments = [arguments, &[DATE[0], DATE[1], "--host", "h", "--project-path", "p"]].concat();
            let outcome = run(&server.url("git", "repo"), &arguments, &old);
            let reason =
                if filters { "speaks an old version of git's protocol" } else { "does not support object filters" };
            assert!(outcome.stderr.contains(reason), "{}", outcome.stderr);
            assert_eq!(outcome.success(), expected);
        }
    }
}

#[test]
fn ask_gits_credential_helpers_and_use_the_token_of_the_server() {
    let repo = lamp();
    let ask = |account| Server { account: Some(account), ..Server::of_directory(directory(&repo)) }.http();
    let Some(server) = ask("aWRhOnNlY3JldA==") else { return };
    let helper = "!f() { echo username=ida; echo password=secret; }; f";
    let git = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "credential.helper"), ("GIT_CONFIG_VALUE_0", helper)];
    run(&server.url("http", "repo/.git"), &["show", "1.1.0"], &git).success();
    let refused = run(&server.url("http", "repo/.git"), &["show", "1.1.0"], &[]).failure(4);
    assert!(refused.contains("requires credentials"), "{refused}");

    let Some(server) = ask("b2F1dGgyOmdscGF0LTE=") else { return };
    let address = server.url("http", "repo/.git").replace("/repo/.git", "");
    let token = [("TIDINGS_TOKEN", "glpat-1"), ("TIDINGS_BASE_URL", address.as_str())];
    run(&server.url("http", "repo/.git"), &["show", "1.1.0"], &token).success();
    let elsewhere = [("TIDINGS_TOKEN", "glpat-1"), ("TIDINGS_BASE_URL", "http://harbor.example")];
    let refused = run(&server.url("http", "repo/.git"), &["show", "1.1.0"], &elsewhere).failure(4);
    assert!(!refused.contains("glpat-1"), "{refused}");
}

/// A signal that ends a program; only Unix knows such between processes.
#[cfg(unix)]
#[test]
fn leave_nothing_behind_when_they_are_interrupted() {
    use std::{os::unix::process::ExitStatusExt as _, process::Stdio};
    let repo = lamp();
    for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
        let places = tempfile::tempdir().unwrap();
        let stalling = Server { stalls_at: Some("command=fetch"), ..Server::of_directory(directory(&repo)) };
        let Some(server) = stalling.http() else { return };
        let mut child = tidings(places.path())
            .args(["show", "1.1.0", "--repo", &server.url("http", "repo/.git")])
            .env("TMPDIR", places.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        server.wait_for("command=fetch");
        assert_ne!(fs::read_dir(places.path()).unwrap().count(), 0, "there is a directory to be removed");
        let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(fs::read_dir(places.path()).unwrap().count(), 0, "{signal}");
    }
}

#[test]
fn commit_nothing_to_what_is_far_away() {
    let repo = lamp();
    let refused = run(&file_url(&repo), &["add", "1.1.0"], &[]).failure(2);
    assert!(refused.contains("is not on this machine") && refused.contains("`--project`"), "{refused}");
}

#[test]
fn a_line_that_merged_the_trunk_diverged_where_it_did_last() {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.change("Light the lamp", "added");
    repo.tag("v1.0.0");
    repo.git(&["branch", "line"]);
    repo.change("Trim the wick", "added");
    repo.tag("v1.1.0");
    repo.change("Hang a second lamp", "added");
    repo.git(&["checkout", "-q", "line"]);
    repo.commit("Begin the line");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the trunk", "main"]);
    repo.tag("v2.0.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Clean the glass", "added");
    // 1.1.0 is before the point from which the line went on, so that 2.0.0 is a release of this history.
    assert_eq!(repo.tidings(&["base"]).success(), "v2.0.0\n");
    assert_eq!(run(&file_url(&repo), &["base"], &[]).success(), "v2.0.0\n");
}
