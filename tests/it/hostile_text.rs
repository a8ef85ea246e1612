//! Text of others in messages and output: it controls neither the terminal nor the CI system, and no password shows.

use std::ffi::OsStr;

use crate::support::{Outcome, TestRepo, tidings};

/// Fails if a line of stderr could control a terminal or be a command to the runner of a CI job.
#[track_caller]
fn assert_harmless(outcome: Outcome) -> String {
    let stderr = outcome.stderr;
    let is_control = |letter: char| letter != '\n' && letter.is_control();
    assert!(!stderr.contains(is_control), "{stderr:?}");
    assert!(!stderr.contains(['\u{202e}', '\u{200b}', '\u{2066}', '\u{85}', '\u{2028}']), "{stderr:?}");
    assert!(!stderr.lines().any(|line| line.trim_start().starts_with("::")), "{stderr:?}");
    assert!(!stderr.contains("##["), "{stderr:?}");
    stderr
}

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.change("Add crane", "added");
    repo
}

#[test]
fn a_configuration_cannot_smuggle_a_command_into_a_warning() {
    let repo = harbor();
    repo.write("bad.yml", "\"a\\n::set-output name=tag::evil \\e[31m\\u202e##[add-mask]x\": 1\n");
    let stderr = assert_harmless(repo.tidings(&["show", "--first-release", "--config-file", "bad.yml"]));
    assert!(
        stderr.contains("unknown key `a ::set-output name=tag::evil \u{fffd}[31m\u{fffd}# #[add-mask]x`"),
        "{stderr}"
    );
    repo.write("bad.yml", "template_file: \"no\\n::error::x\"\n");
    let stderr = assert_harmless(repo.tidings(&["show", "--first-release", "--config-file", "bad.yml"]));
    assert!(stderr.contains("`no ::error::x`"), "{stderr}");
    repo.write("bad.yml", "categories: \"\\n::error::x\\e\"\n");
    assert_harmless(repo.tidings(&["show", "--first-release", "--config-file", "bad.yml"]));
    repo.write("bad.yml", "a: [\n ::error::x\r\n##[error]y\n");
    assert_harmless(repo.tidings(&["show", "--first-release", "--config-file", "bad.yml"]));
}

#[test]
fn a_commit_cannot_smuggle_a_command_into_a_warning_or_a_summary() {
    let repo = harbor();
    repo.commit("Mend\u{202e} mast\u{200b}\u{1b}[31m\n\nChangelog: added\r::add-mask::the\u{1b}]52;c;AAAA\u{7}");
    repo.write("categories.yml", "categories: {added: A}\n");
    let settings = ["--first-release", "--config-file", "categories.yml"];
    for command in ["show", "next", "explain"] {
        let arguments: Vec<&str> = [command].into_iter().chain(settings).collect();
        let arguments = if command == "next" { &["next", "--config-file", "categories.yml"][..] } else { &arguments };
        assert_harmless(repo.tidings(arguments));
    }
    let explained = repo.tidings(&["explain", "--first-release"]).success();
    assert!(!explained.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}', '\u{200b}']), "{explained:?}");
    let checked = repo.tidings(&["check", "--first-release", "--config-file", "categories.yml"]);
    assert!(checked.code == 3 && checked.stdout.contains("unknown category"), "{checked:?}");
    assert!(!checked.stdout.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}', '\u{200b}']), "{checked:?}");
}

#[test]
fn errors_echo_arguments_without_their_controls() {
    let repo = harbor();
    for arguments in [
        &["show", "--from", "nope\u{1b}[31mX\n::error::x"][..],
        &["show", "1.0\u{1b}[8m\n::error::x", "--first-release"],
        &["--repo", "no\n::error::x\u{9b}31m", "show"],
        &["show", "--format", "x\u{1b}[8m\n::error::x\r::error::y"],
        &["\n::error::x\u{202e}"],
        &["show", "--no\n::error::x\u{1b}]0;x\u{7}"],
        &["notes", "1.0.0", "--config-file", "no\n ::error::x"],
        &["show", "-o", "no\n##[error]x/file"],
        &["-C", "no\n::error::x", "show"],
    ] {
        let outcome = repo.tidings(arguments);
        assert_ne!(outcome.code, 0, "{arguments:?}");
        assert_harmless(outcome);
    }
}

#[cfg(unix)]
#[test]
fn what_a_hook_or_a_remote_says_is_no_command() {
    let repo = harbor();
    repo.author();
    repo.hook("pre-commit", "printf '::error::x\\n  ##[error]y\\033[2J\\n' >&2");
    let stderr = assert_harmless(repo.tidings(&["add", "1.0.0", "--first-release"]));
    assert!(stderr.contains(": :error::x\n") && stderr.contains("# #[error]y"), "{stderr}");
    repo.hook("pre-commit", "printf '::error::x\\n  ##[error]y\\033[2J\\n' >&2; exit 1");
    let stderr = assert_harmless(repo.tidings(&[
        "add",
        "1.0.0",
        "--first-release",
        "--date",
        "2020-01-01",
        "--file",
        "NEWS.md",
    ]));
    assert!(stderr.contains(": :error::x\n"), "{stderr}");
}

#[test]
fn passwords_are_masked_in_every_form_of_address() {
    let repo = harbor();
    for address in [
        "git://user:s3cretpw@127.0.0.1:1/a",
        "user:s3cretpw@host.invalid:path",
        "file://user:s3cretpw@/x",
        "https://127.0.0.1:1/a?private_token=s3cretpw",
        "https://user:s3/cretpw@127.0.0.1:1/a",
        "ssh://user:s3cretpw@127.0.0.1:1/a",
        "ftp://user:s3cretpw@127.0.0.1:1/a",
        "s3cretpw:x@127.0.0.1:1/no\nrepo",
        "//user:s3cretpw@127.0.0.1:1/a",
    ] {
        for command in ["show", "add"] {
            let mut run = tidings(repo.path());
            // ssh is not to look anything up.
            run.env("GIT_SSH_COMMAND", "false").args([command, "1.0.0", "--repo", address]);
            let outcome: Outcome = run.output().unwrap().into();
            assert_ne!(outcome.code, 0, "{address}");
            assert!(!format!("{outcome:?}").contains("cretpw"), "{address}: {}", outcome.stderr);
        }
    }
}

#[test]
fn a_pipe_gets_the_bytes_and_json_escapes_what_a_terminal_would_obey() {
    let repo = harbor();
    // Under GitLab's configuration a title has the bytes of the commit.
    repo.write(".gitlab/changelog_config.yml", "");
    let title = "Ring\u{9b}31m the \u{202e}bell\u{7f}\u{1b}[0m \u{1f469}\u{200d}\u{1f4bb}";
    repo.change(title, "added");
    let text = repo.tidings(&["show", "--first-release"]).success();
    assert!(text.contains(title), "{text:?}");
    let outcome = repo.tidings(&["show", "--first-release", "--format", "json"]);
    assert!(outcome.stdout.contains("Ring\\u009b31m the \\u202ebell\\u007f\\u001b[0m \u{1f469}"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains(|letter: char| letter.is_control() && letter != '\n'), "{:?}", outcome.stdout);
    let document = outcome.json();
    assert!(document["notes"].as_str().unwrap().contains(title), "{document}");
}

#[test]
fn a_report_in_the_log_of_a_job_has_no_command() {
    let repo = harbor();
    repo.commit("##[add-mask]x ##vso[task.complete]y\n\nchangelog: added\n");
    for (arguments, code) in [(&["explain", "--first-release"][..], 0), (&["check", "--first-release"], 3)] {
        for job in ["GITHUB_ACTIONS", "TF_BUILD"] {
            let outcome = Outcome::from(tidings(repo.path()).args(arguments).env(job, "true").output().unwrap());
            assert!(outcome.code == code && outcome.stdout.contains("# #[add-mask]x # #vso[task"), "{outcome:?}");
            assert!(!outcome.stdout.contains("##[") && !outcome.stdout.contains("##vso"), "{outcome:?}");
        }
    }
    // These are meant.
    let check = ["check", "--first-release", "--format", "github"];
    let found = Outcome::from(tidings(repo.path()).args(check).env("GITHUB_ACTIONS", "true").output().unwrap());
    assert!(found.stdout.starts_with("::error title=tidings wrong-case::"), "{found:?}");
}

#[test]
fn a_line_of_a_batch_is_clean_as_well() {
    let repo = harbor();
    let path = repo.path().to_str().unwrap();
    let list = format!(
        "{{\"repo\": {path:?}, \"command\": \"show\", \"options\": {{\"from\": \"no\\u009b\\n::error::x\"}}}}\n"
    );
    repo.write("list.jsonl", list);
    let outcome = repo.tidings(&["batch", "list.jsonl"]);
    assert!(!outcome.stdout.contains('\u{9b}') && outcome.stdout.contains("\"ok\":false"), "{}", outcome.stdout);
    assert_harmless(outcome);
    let mut run = tidings(repo.path());
    run.args([OsStr::new("batch"), OsStr::new("no\u{1b}[31m\n::error::x")]);
    assert_harmless(run.output().unwrap().into());
}

/// What a terminal gets of a command; `None` without the Python that brings one.
#[cfg(unix)]
fn on_a_terminal(repo: &TestRepo, arguments: &[&str]) -> Option<String> {
    let mut command = std::process::Command::new("python3");
    crate::support::isolate(&mut command);
    command.args(["-c", "import pty, sys; pty.spawn(sys.argv[1:])"]).arg(assert_cmd::cargo::cargo_bin!("tidings"));
    let Ok(output) = command.args(arguments).current_dir(repo.path()).output() else {
        crate::support::skip_without("python3");
        return None;
    };
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(unix)]
#[test]
fn a_terminal_obeys_nobody_s_commit() {
    let repo = harbor();
    repo.author();
    repo.tag("v1.0.0");
    repo.change("Ring\u{1b}]52;c;AAAA\u{7} the \u{202e}bell\u{9b}31m", "added");
    for arguments in [
        &["show"][..],
        &["show", "--template", "keep-a-changelog"],
        &["explain"],
        &["check", "v1.0.0.."],
        &["add", "1.1.0", "--dry-run"],
        &["release", "--no-push", "--no-host-release"],
        &["add", "1.1.0"],
        &["notes"],
    ] {
        let Some(shown) = on_a_terminal(&repo, arguments) else { return };
        assert!(!shown.contains("\u{1b}]52"), "{arguments:?}: {shown:?}");
        assert!(!shown.contains(['\u{7}', '\u{202e}', '\u{9b}']), "{arguments:?}: {shown:?}");
        let has_title = shown.contains("Ring\u{fffd}]52;c") || shown.contains("Ring\u{fffd}\\]52;c");
        assert!(has_title || matches!(arguments, ["check", ..] | ["add", "1.1.0"]), "{arguments:?}: {shown:?}");
    }
}
