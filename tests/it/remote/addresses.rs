//! Addresses of remotes: nothing of them but host and path gets into a section, a file, a message or a document.

use std::fs;

use crate::support::{Outcome, Random, TestRepo, tidings};

/// The part of each secret of an address.
const SECRET: &str = "s3cret";

/// Makes an address with a secret in every part that can have one. Nothing listens there.
fn address(random: &mut Random) -> String {
    let secret = |kind: &str| format!("{kind}-{SECRET}");
    let account = match random.below(6) {
        0 => String::new(),
        1 => format!("{}@", secret("token")),
        2 => format!("ada:{}@", secret("password")),
        3 => format!(":{}@", secret("password")),
        4 => format!("ada:{}%2F@", secret("password")),
        _ => format!("{}:x-oauth-basic@", secret("token")),
    };
    let query = match random.below(6) {
        0 => String::new(),
        1 => format!("?private_token={}", secret("query")),
        2 => format!("?a=b&key={}", secret("query")),
        3 => format!("?{}", secret("query")),
        4 => format!("/?access%5Ftoken={}", secret("query")),
        _ => format!("?{}=/x", secret("query")),
    };
    let fragment = if random.once_in(3) { format!("#{}", secret("fragment")) } else { String::new() };
    let path = *random.pick(&["g/a.git", "g/sub/a", "a/"]);
    match *random.pick(&["https", "http", "ssh", "git", "HTTPS", "git+ssh", "short", "helper", "misspelt"]) {
        "short" => {
            // The user of ssh has keys instead of tokens.
            let account = if account.is_empty() { "" } else { "ada@" };
            format!("{account}127.0.0.1:{path}{query}{fragment}")
        }
        "misspelt" => format!("{}{account}127.0.0.1:1/{path}", random.pick(&["https:/", "http:/"])),
        "helper" => format!("https::https://{account}127.0.0.1:1/{path}{query}"),
        scheme => {
            // The user of ssh is not a secret, and has to be known to repeat a command.
            let is_user = !scheme.eq_ignore_ascii_case("https") && scheme != "http" && !account.contains(':');
            let account = if is_user { "ada@" } else { &account };
            let host = *random.pick(&["127.0.0.1:1", "localhost:1", "[::1]:1"]);
            format!("{scheme}://{account}{host}/{path}{query}{fragment}")
        }
    }
}

/// A history with a release and a change since, whose remote has this address.
fn repository(address: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", "# Changelog\n\n## 1.0.0 (2023-01-01)\n\n- Old\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add x (#7)", "added");
    repo.git(&["remote", "add", "origin", address]);
    repo
}

#[track_caller]
fn assert_silent(outcome: &Outcome, address: &str, arguments: &[&str]) {
    let shown = [outcome.stdout.as_str(), &outcome.stderr].concat();
    assert!(!shown.contains(SECRET), "{arguments:?} with origin {address}:\n{shown}");
    assert!(!shown.contains("panicked"), "{arguments:?} with origin {address}:\n{shown}");
}

#[test]
fn nothing_but_host_and_path_of_an_address_is_shown_or_written() {
    let commands: &[&[&str]] = &[
        &["show", "1.1.0"],
        &["show", "1.1.0", "--format", "json", "-v"],
        &["show", "--all"],
        &["explain", "1.1.0"],
        &["base", "1.1.0"],
        &["next", "-v"],
        &["check", "v1.0.0..HEAD"],
        &["notes", "1.0.0"],
        &["doctor", "-v"],
        &["doctor", "--format", "json"],
        &["add", "1.1.0", "--dry-run"],
        &["release", "1.1.0"],
        &["release", "1.1.0", "--format", "json"],
        &["release", "1.1.0", "--base-url", "http://127.0.0.1:1", "-v"],
        &["repo", "health"],
        &["label", "list"],
        &["show", "1.1.0", "--people"],
    ];
    let mut random = Random::new(7);
    for round in 0..16 {
        let address = address(&mut random);
        let repo = repository(&address);
        for arguments in commands {
            assert_silent(&run(&repo, arguments), &address, arguments);
        }
        for arguments in [&["init", "--yes"][..], &["add", "1.1.0"], &["release", "1.2.0", "-x"]] {
            assert_silent(&run(&repo, arguments), &address, arguments);
        }
        let written = repo.git(&["log", "-p", "--all"]);
        assert!(!written.contains(SECRET), "{address}: {written}");
        for entry in [".tidings.yml", ".gitlab/changelog_config.yml", ".gitlab/tidings.yml"] {
            let text = fs::read_to_string(repo.path().join(entry)).unwrap_or_default();
            assert!(!text.contains(SECRET), "{address}: {text}");
        }
        if round % 4 == 0 {
            let url = format!("file://{}", repo.path().display());
            repo.git(&["clone", "-q", "--depth=1", "--no-tags", &url, "../shallow"]);
            repo.git_beside("shallow", &["remote", "set-url", "origin", &address]);
            let directory = repo.beside("shallow");
            for arguments in [&["show", "1.1.0"][..], &["show", "--repo", &address], &["doctor"]] {
                let mut command = tidings(&directory);
                let outcome = command.args(arguments).args(["--timeout", "5"]).output().unwrap().into();
                assert_silent(&outcome, &address, arguments);
            }
        }
    }
}

fn run(repo: &TestRepo, arguments: &[&str]) -> Outcome {
    let mut command = tidings(repo.path());
    command.args(arguments).args(["--timeout", "5"]).env("TIDINGS_TOKEN", "t");
    command.env("GIT_SSH_COMMAND", "false").output().unwrap().into()
}

#[cfg(unix)]
#[test]
fn a_name_in_the_configuration_of_ssh_stands_for_its_host() {
    use std::os::unix::fs::PermissionsExt as _;

    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v1.0.0").commit("feat: add crane (#7)");
    repo.git(&["remote", "add", "origin", "git@work:harbor/pilot.git"]);
    repo.write("bin/ssh", "#!/bin/sh\n[ \"$*\" = '-G -- work' ] && echo 'user git' && echo 'hostname github.com'\n");
    fs::set_permissions(repo.path().join("bin/ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    let search = std::env::join_paths(
        [repo.path().join("bin")].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let shown = tidings(repo.path()).arg("show").env("PATH", search.unwrap()).output().unwrap();
    let shown = Outcome::from(shown);
    assert!(!shown.stderr.contains("unknown forge"), "{}", shown.stderr);
    assert!(shown.success().contains("([#7](https://github.com/harbor/pilot/pull/7))"));
}
