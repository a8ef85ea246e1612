//! Servers that are old, refuse us, or never come to an end: what was received, and the way out.

use std::{io::Write as _, net::TcpListener, process::Command, thread, time::Duration};

use crate::support::{
    Outcome, TestRepo, isolate,
    remote::{Request, Server},
    tidings,
};

/// A history with a file that is large even in a pack.
fn ship() -> TestRepo {
    let repo = TestRepo::new();
    let mut state = 1u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    });
    repo.file("cargo.bin", noise.take(1 << 20).collect::<Vec<_>>()).change("Load the ship", "added");
    repo.tag("v1.0.0");
    repo.change("Hoist the flag", "added");
    repo
}

fn server(repo: &TestRepo) -> Server {
    Server::of_directory(repo.path().parent().expect("a repository is in a directory"))
}

fn run(url: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = tidings(elsewhere.path());
    command.args(arguments).args(["--repo", url]).envs(variables.iter().copied()).output().unwrap().into()
}

/// The bytes that were received, as `-v` shows them.
#[track_caller]
fn bytes(outcome: &Outcome) -> u64 {
    let last = outcome.stderr.lines().filter_map(|line| line.split_once(", ")?.1.strip_suffix(" in all")).next_back();
    last.and_then(|bytes| bytes.parse().ok()).unwrap_or_else(|| panic!("{outcome:?}"))
}

#[test]
fn an_old_server_leaves_out_what_it_can() {
    let repo = ship();
    let Some(old) = Server { is_new: false, ..server(&repo) }.http() else { return };
    let url = old.url("http", "repo/.git");
    for arguments in [&["base", "9.0.0", "-v"][..], &["show", "1.1.0", "-v"], &["next", "-v"]] {
        let outcome = run(&url, arguments, &[]);
        assert!(bytes(&outcome) < 10_000, "{arguments:?}: {}", outcome.stderr);
        assert!(!outcome.stderr.contains("warning"), "{arguments:?}: {}", outcome.stderr);
        outcome.success();
    }
    let is_relative = |request: &Request| request.says("deepen-relative");
    assert!(!old.requests().iter().any(is_relative), "generations would count from a boundary that is not there");
}

/// A server that leaves commits out of its packs, whatever it is asked for.
#[cfg(unix)]
#[test]
fn a_history_with_holes_is_refused() {
    let repo = ship();
    for title in ["Set the sails", "Weigh the anchor", "Cast off"] {
        repo.change(title, "added");
    }
    let id = |spec: &str| repo.git(&["rev-parse", spec]);
    let (tip, half) = (id("HEAD"), id("HEAD~2"));
    for (name, revisions) in
        [("tip", format!("{tip}\\n^{tip}^\\n")), ("half", format!("{tip}\\n^{half}\\n")), ("none", String::new())]
    {
        let script = format!("cat >/dev/null; printf '{revisions}' | \"$@\"");
        let packer = executable(&repo.beside(name), &script);
        let Some(running) = Server { packer: Some(packer.into()), ..server(&repo) }.http() else { return };
        let (url, cache) = (running.url("http", "repo/.git"), repo.beside("cache"));
        let cached = ["show", "1.1.0", "--cache", cache.to_str().unwrap()];
        for arguments in [&cached[..2], &["next"], &["explain"], &cached] {
            let refused = run(&url, arguments, &[]);
            assert_eq!((refused.code, refused.stdout.as_str()), (1, ""), "{name}, {arguments:?}: {}", refused.stderr);
        }
        let Some(honest) = server(&repo).http() else { return };
        let section = run(&honest.url("http", "repo/.git"), &cached, &[]).success();
        assert_eq!(section.matches("\n- ").count(), 4, "{section}");
    }
}

#[test]
fn a_server_that_sends_more_than_was_needed_is_reported_by_every_command() {
    let repo = ship();
    repo.file(".gitlab/changelog_config.yml", "categories:\n  added: New\n").commit("Set sail");
    for (filters, is_new) in [(true, false), (false, true), (false, false)] {
        let Some(running) = Server { filters, is_new, ..server(&repo) }.http() else { return };
        let url = running.url("http", "repo/.git");
        for arguments in [&["base", "9.0.0"][..], &["show", "1.1.0"], &["next"], &["explain", "1.1.0"]] {
            let outcome = run(&url, arguments, &[]);
            let told = outcome.stderr.matches("more was fetched than needed").count();
            assert_eq!(told, 1, "{arguments:?}, {filters}, {is_new}: {}", outcome.stderr);
            outcome.success();
            run(&url, &[arguments, &["--strict"]].concat(), &[]).failure(1);
        }
    }
}

#[test]
fn refused_credentials_are_not_said_to_be_missing() {
    let repo = ship();
    let Some(running) = Server { account: Some("aWRhOnNlY3JldA=="), ..server(&repo) }.http() else { return };
    let url = running.url("http", "repo/.git");
    let base = running.url("http", "");
    let token = [("TIDINGS_TOKEN", "wrong-token"), ("TIDINGS_BASE_URL", base.as_str())];
    let helper = "!f() { echo username=ida; echo password=wrong-word; }; f";
    let helper = [("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "credential.helper"), ("GIT_CONFIG_VALUE_0", helper)];
    let with_password = url.replace("http://", "http://ida:wrong-word@");
    for (url, variables, expected) in [
        (&with_password, &[][..], "refused the user and password of the URL"),
        (&url, &token[..], "refused the token"),
        (&url, &helper[..], "refused the credentials of git's helper"),
        (&url, &[][..], "requires credentials"),
    ] {
        let stderr = run(url, &["base"], variables).failure(4);
        assert!(stderr.contains(expected) && !stderr.contains("wrong-"), "{stderr}");
    }
}

/// As in a CI job. A process that setsid starts has no terminal, even if the tests have one.
#[cfg(unix)]
#[test]
fn without_a_terminal_missing_credentials_are_said_to_be_missing() {
    let repo = ship();
    let Some(running) = Server { account: Some("aWRhOnNlY3JldA=="), ..server(&repo) }.http() else { return };
    if Command::new("setsid").arg("true").output().is_err() {
        return;
    }
    let mut alone = Command::new("setsid");
    isolate(&mut alone);
    let elsewhere = tempfile::tempdir().unwrap();
    alone.current_dir(elsewhere.path()).env_remove("GIT_TERMINAL_PROMPT").arg(tidings(elsewhere.path()).get_program());
    let refused: Outcome = alone.args(["base", "--repo", &running.url("http", "repo/.git")]).output().unwrap().into();
    let stderr = refused.failure(4);
    assert!(stderr.contains("requires credentials") && stderr.contains("credential helper"), "{stderr}");
}

#[test]
fn no_token_is_sent_if_none_is_to_be_sent() {
    let repo = ship();
    let Some(running) = Server { account: Some("aWRhOnNlY3JldA=="), ..server(&repo) }.http() else { return };
    let (url, origin) = (running.url("http", "repo/.git"), running.url("http", ""));
    for variables in [
        [("GITHUB_TOKEN", "secret-word"), ("GITHUB_SERVER_URL", &*origin)],
        [("TIDINGS_TOKEN", "secret-word"), ("TIDINGS_BASE_URL", &*origin)],
    ] {
        let asked = running.requests().len();
        run(&url, &["base"], &variables).failure(4);
        assert!(running.requests()[asked..].iter().any(|request| request.header("authorization").is_some()));
        let asked = running.requests().len();
        let stderr = run(&url, &["base", "--auth", "none"], &variables).failure(4);
        assert!(stderr.contains("requires credentials"), "{stderr}");
        assert!(running.requests()[asked..].iter().all(|request| request.header("authorization").is_none()));
    }
}

#[test]
fn a_token_goes_to_its_own_server_alone_with_the_user_of_its_kind() {
    let repo = ship();
    let Some(running) = Server { account: Some("aWRhOnNlY3JldA=="), ..server(&repo) }.http() else { return };
    let (url, origin) = (running.url("http", "repo/.git"), running.url("http", ""));
    let (api, elsewhere) = (format!("{origin}api/v4"), "http://harbor.example");
    for (variables, expected) in [
        (
            [("GITHUB_TOKEN", "secret-word"), ("GITHUB_SERVER_URL", &*origin)],
            Some("eC1hY2Nlc3MtdG9rZW46c2VjcmV0LXdvcmQ="),
        ),
        ([("TIDINGS_TOKEN", "secret-word"), ("TIDINGS_BASE_URL", &*origin)], Some("b2F1dGgyOnNlY3JldC13b3Jk")),
        ([("CI_JOB_TOKEN", "secret-word"), ("CI_API_V4_URL", &*api)], Some("Z2l0bGFiLWNpLXRva2VuOnNlY3JldC13b3Jk")),
        ([("GITHUB_TOKEN", "secret-word"), ("GITHUB_SERVER_URL", elsewhere)], None),
        ([("TIDINGS_TOKEN", "secret-word"), ("TIDINGS_BASE_URL", elsewhere)], None),
        ([("CI_JOB_TOKEN", "secret-word"), ("CI_API_V4_URL", elsewhere)], None),
        ([("GITHUB_TOKEN", ""), ("GITHUB_SERVER_URL", &*origin)], None),
    ] {
        let asked = running.requests().len();
        run(&url, &["base"], &variables).failure(4);
        let sent =
            running.requests()[asked..].iter().find_map(|request| request.header("authorization").map(str::to_owned));
        assert_eq!(sent, expected.map(|account| format!("Basic {account}")), "{variables:?}");
    }
}

#[test]
fn a_url_without_its_scheme_is_a_path_and_said_to_be_one() {
    for (path, expected) in [
        ("harbor.example/ida/ship", "hint: begin a URL with its scheme, such as `https://harbor.example/ida/ship`"),
        ("ship.git", "hint: run the command inside a repository"),
        ("../harbor.example/ship", "hint: run the command inside a repository"),
    ] {
        let stderr = run(path, &["base"], &[]).failure(1);
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn a_shallow_repository_on_the_server_is_deepened_there() {
    let repo = ship();
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--depth=1", &url, "../shallow.git"]);
    let shallow = format!("file://{}", repo.beside("shallow.git").display());
    let stderr = run(&shallow, &["show", "--first-release"], &[]).failure(1);
    assert!(stderr.contains("git fetch --unshallow --tags` in the repository on the server"), "{stderr}");
}

/// One process of the server answers all requests, and takes what it cut off in one for a part of its own boundary.
#[test]
fn a_base_tag_within_a_shallow_repository_on_the_server_is_found() {
    let repo = TestRepo::new();
    repo.author();
    for number in 0..12 {
        repo.change(&format!("Change {number}"), "added");
        if number % 4 == 1 {
            repo.tag(&format!("v1.{number}.0"));
        }
    }
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--depth=8", "--no-single-branch", &url, "../shallow.git"]);
    repo.git_beside("shallow.git", &["config", "uploadpack.allowFilter", "true"]);
    let shallow = format!("file://{}", repo.beside("shallow.git").display());
    let show = ["show", "1.10.0", "--host", "h.example", "--project-path", "a/b", "--date", "2024-03-09"];
    for arguments in [&["base"][..], &["next"], &show] {
        assert_eq!(run(&shallow, arguments, &[]).success(), repo.tidings(arguments).success(), "{arguments:?}");
    }
}

#[test]
fn a_server_that_drips_is_left_when_the_time_is_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/repo.git", listener.local_addr().unwrap());
    let drip = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        // Far longer than the limit, and shorter than for ever.
        for _ in 0..600 {
            if stream.write_all(b"0").is_err() {
                return true;
            }
            thread::sleep(Duration::from_millis(100));
        }
        false
    });
    let stderr = run(&url, &["base", "--timeout", "1"], &[]).failure(1);
    assert!(stderr.contains("cannot reach"), "{stderr}");
    assert!(drip.join().unwrap(), "the program waited for the server");
}

#[test]
fn a_daemon_that_is_silent_is_left_when_the_time_is_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}/repo.git", listener.local_addr().unwrap());
    let silent = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // Until the other side has had enough.
        std::io::copy(&mut stream, &mut std::io::sink())
    });
    let stderr = run(&url, &["base", "--timeout", "1"], &[]).failure(1);
    assert!(stderr.contains("no response in time"), "{stderr}");
    assert!(silent.join().unwrap().is_ok());
}

/// Runs `base` on a server that ssh leads to, with a shell script for ssh.
#[cfg(unix)]
fn over_ssh(url: &str, script: &str, arguments: &[&str]) -> Outcome {
    let directory = tempfile::tempdir().unwrap();
    let ssh = executable(&directory.path().join("ssh-of-ours"), script);
    run(url, &[&["base", "9.0.0"], arguments].concat(), &[("GIT_SSH_COMMAND", &ssh)])
}

#[cfg(unix)]
fn executable(path: &std::path::Path, script: &str) -> String {
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn what_ssh_refuses_is_told_apart() {
    let url = "ssh://ida@harbor.example:2222/ship";
    let refuse = |words: &str, arguments: &[&str]| {
        over_ssh(
            url,
            &format!("[ \"$1\" != -G ] || {{ echo hostname x; exit; }}; printf '%s\\n' \"{words}\" >&2; exit 255"),
            arguments,
        )
    };
    for (words, code, message, cure) in [
        ("Host key verification failed.", 1, "does not know the host key", "ssh-keyscan -p 2222 harbor.example >>"),
        ("ida@harbor.example: Permission denied (publickey).", 4, "rejected every key", "ssh-add -l"),
        ("fatal: '/ship' does not appear to be a git repository", 1, "ship` does not exist", "path"),
        ("connect to host harbor.example port 2222: refused", 1, "ssh cannot reach `harbor.example`", "network"),
    ] {
        let stderr = refuse(words, &[]).failure(code);
        let hint = stderr.lines().find(|line| line.starts_with("hint: ")).unwrap();
        assert!(stderr.contains(message) && hint.contains(cure), "{stderr}");
        assert!(stderr.starts_with(&format!("ssh: {words}\n")), "its own words are passed on: {stderr}");
        assert!(refuse(words, &["-q"]).stderr.starts_with("error: "));
    }
    let stderr = refuse("a\u{1b}[31mb\r::error::c\n::error::d", &[]);
    let stderr = stderr.failure(1);
    assert!(stderr.starts_with("ssh: ab ::error::c\nssh: ::error::d\n"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn ssh_gets_what_git_would_give_it() {
    let repo = ship();
    let log = repo.beside("log");
    let note = format!("echo \"$@\" >>'{}'", log.display());
    let server = format!("cd '{}' && eval \"$last\"", repo.path().parent().unwrap().display());
    let script = format!("{note}; [ \"$1\" != -G ] || {{ echo hostname x; exit; }}; for last; do :; done; {server}");
    let url = "ssh://ida@harbor.example:2222/repo/.git";
    over_ssh("ssh://ida@harbor.example/repo's/.git", &script, &[]).failure(1);
    let relative = script.replace("eval \"$last\"", "eval \"$(echo \"$last\" | sed s,/repo,repo,)\"");
    assert_eq!(over_ssh(url, &relative, &[]).success(), "v1.0.0\n");
    let log = std::fs::read_to_string(log).unwrap();
    let expected = "-o SendEnv=GIT_PROTOCOL -p2222 ida@harbor.example git-upload-pack '/repo/.git'";
    assert!(log.contains(expected) && log.contains(r"git-upload-pack '/repo'\''s/.git'"), "{log}");
}

#[cfg(unix)]
#[test]
fn an_ssh_that_is_silent_or_drips_is_left_when_the_time_is_up() {
    // Far longer than the limit, and shorter than for ever.
    let open = "[ \"$1\" != -G ] || { echo hostname x; exit; }; ";
    for script in ["exec sleep 60", "printf 01f0; for n in $(seq 600); do printf x; sleep 0.1; done"] {
        let begun = std::time::Instant::now();
        let stderr = over_ssh("ssh://harbor.example/ship", &format!("{open}{script}"), &["--timeout", "1"]).failure(1);
        assert!(stderr.contains("no response in time") && stderr.contains("--timeout SECONDS"), "{stderr}");
        assert!(begun.elapsed() < Duration::from_secs(30), "{stderr}");
    }
    let stderr = over_ssh("ssh://harbor.example/ship", "exec sleep 60", &["--timeout", "1"]).failure(1);
    assert!(stderr.contains("no response in time"), "one that does not say which it is: {stderr}");
}

#[cfg(unix)]
#[test]
fn a_download_that_moves_may_take_longer_than_the_limit() {
    let repo = ship();
    let packer = executable(
        &repo.beside("packer"),
        r#""$@" | { for n in 1 2 3 4 5 6 7 8; do dd bs=20 count=1 2>/dev/null; sleep 0.45; done; cat; }"#,
    );
    let settings = format!(
        "export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=uploadpack.packObjectsHook GIT_CONFIG_VALUE_0='{packer}' GIT_CONFIG_KEY_1=uploadpack.allowFilter GIT_CONFIG_VALUE_1=true"
    );
    let script = format!("{settings}; export GIT_PROTOCOL=version=2; for last; do :; done; eval \"$last\"");
    let ssh = executable(&repo.beside("ssh"), &script);
    let url = format!("ssh://harbor.example{}/.git", repo.path().display());
    let begun = std::time::Instant::now();
    let section = run(&url, &["show", "1.1.0", "--timeout", "3"], &[("GIT_SSH", &ssh)]);
    assert!(section.success().contains("Hoist the flag"));
    assert!(begun.elapsed() > Duration::from_secs(3), "it came slowly");
}

#[cfg(unix)]
#[test]
fn the_lines_of_a_server_that_fails_are_lines() {
    let repo = ship();
    let packer = executable(&repo.beside("packer"), "cat >/dev/null; echo 'fatal: bad tree object' >&2; exit 128");
    let Some(running) = Server { packer: Some(packer.into()), ..server(&repo) }.http() else { return };
    let stderr = run(&running.url("http", "repo/.git"), &["show", "1.1.0"], &[]).failure(1);
    assert!(stderr.contains("the server reports `fatal: bad tree object`\n"), "{stderr}");
}
