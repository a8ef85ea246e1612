//! `tidings check`: findings in every format, as a gate and as a hook.

use crate::support::{Outcome, TestRepo, tidings};

/// A release, then a commit with a misspelt category and one with a long title.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Fix 100% of the masts", "fixd");
    repo.commit(&"x".repeat(80));
    repo
}

#[test]
fn each_finding_is_a_line_and_the_exit_code_is_3() {
    let repo = harbor();
    let id = repo.git(&["rev-parse", "HEAD~1"]);
    let outcome = repo.tidings(&["check"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    let expected = "unknown-category: unknown category `fixd`; did you mean `fixed`?  (Fix 100% of the masts)";
    assert_eq!(lines[1], format!("{} {expected}", &id[..8]));
    assert!(outcome.failure(3).contains("the check found 2 problems"));
}

#[test]
fn a_range_may_be_given_and_what_is_fine_is_silent() {
    let repo = harbor();
    assert_eq!(repo.tidings(&["check", "HEAD~1..HEAD", "--require", "none", "--max-title", "0"]).success(), "");
    assert_eq!(repo.tidings(&["check", "HEAD"]).success(), "", "an empty range");
    repo.tidings(&["check", "HEAD~1..", "--max-title", "0"]).failure(3);
    assert!(repo.tidings(&["check", "v1.0.0...HEAD"]).failure(2).contains("two dots"));
}

#[test]
fn the_settings_say_how_long_a_title_may_be() {
    let repo = harbor();
    let check = |options: &[&str]| repo.tidings(&[&["check", "HEAD~1..", "--require", "none"], options].concat());
    check(&[]).failure(3);
    repo.write(".gitlab/changelog_config.yml", "max_title: 80\n");
    check(&[]).success();
    check(&["--max-title", "79"]).failure(3);
    repo.write(".gitlab/changelog_config.yml", "max_title: long\n");
    assert!(check(&[]).failure(1).contains("`max_title` must be a number of characters, not `long`"));
}

#[test]
fn a_merge_request_in_ci_is_the_range() {
    let repo = harbor();
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.change("Add crane", "added");
    let mut command = tidings(repo.path());
    let output = command.args(["check", "-v"]).env("CI_MERGE_REQUEST_DIFF_BASE_SHA", &base).output().unwrap();
    assert!(output.status.success() && output.stdout.is_empty());
    let head = repo.git(&["rev-parse", "HEAD"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("looked at 1 commit of {base}..{}\n", &head[..8]));
}

#[test]
fn what_the_target_of_a_merge_request_got_meanwhile_is_not_checked() {
    let repo = harbor();
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["switch", "-q", "-c", "topic"]);
    let tip = repo.change("Add crane", "added");
    repo.git(&["switch", "-q", "main"]);
    repo.change("Mend it", "fixd");
    repo.git(&["merge", "-q", "--no-edit", "topic"]);
    let mut command = tidings(repo.path());
    command.arg("check").env("CI_MERGE_REQUEST_DIFF_BASE_SHA", base);
    assert_eq!(command.output().unwrap().status.code(), Some(3));
    assert!(command.env("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", tip).output().unwrap().status.success());
}

#[test]
fn what_is_odd_about_the_range_is_told_as_well() {
    let repo = harbor();
    let shallow = repo.git(&["clone", "-q", "--depth=2", "--no-local", "--no-tags", ".", "../shallow"]);
    assert_eq!(shallow, "");
    let mut command = tidings(&repo.beside("shallow"));
    let output = command.args(["check", "--first-release", "--allow-shallow"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning: "), "{output:?}");
}

#[test]
fn a_mistake_is_a_finding_and_no_warning_as_well() {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "categories: {added: Added, fixed: Fixed}\n");
    repo.change("Fix the masts", "fixd");
    let typo = repo.tidings(&["check", "--first-release"]);
    assert!(typo.stdout.contains("unknown-category: unknown category `fixd`"), "{typo:?}");
    assert_eq!(typo.stderr, "error: the check found 1 problem\n");
    repo.commit("Tidy up");
    let none = repo.tidings(&["check", "HEAD~1.."]);
    assert!(none.stdout.starts_with("missing-trailer: no commit of the range"), "{none:?}");
    assert_eq!(none.stderr, "error: the check found 1 problem\n");
    let explained = repo.tidings(&["explain", "--from", "HEAD~1"]);
    assert!(explained.stderr.contains("warning: the commit of the range has no `Changelog:` trailer"), "{explained:?}");
}

#[test]
fn only_options_that_matter_are_taken() {
    let repo = harbor();
    for command in ["check", "next", "explain"] {
        for option in ["--template=x", "--date=2024-01-01", "--host=x"] {
            if (command, option) == ("next", "--date=2024-01-01") {
                continue; // versions by the calendar are counted from it
            }
            assert!(repo.tidings(&[command, option]).failure(2).contains("unexpected argument"), "{command} {option}");
        }
    }
    for command in ["check", "next", "explain", "base", "notes"] {
        let refusal = repo.tidings(&[command, "--project", "a/b"]).failure(2);
        assert!(refusal.contains("reads a repository, not a project"), "{refusal}");
    }
}

#[test]
fn machines_read_json_annotations_and_code_quality() {
    let repo = harbor();
    let id = repo.git(&["rev-parse", "HEAD~1"]);
    let stdout = |format: &str| repo.tidings(&["check", "--format", format]).stdout;
    let document: serde_json::Value = serde_json::from_str(&stdout("json")).unwrap();
    assert_eq!(document["commit_count"], 2);
    assert_eq!(document["findings"][1]["commit"], id);
    assert_eq!(document["findings"][1]["rule"], "unknown-category");
    let annotations = stdout("github");
    assert!(annotations.starts_with("::error title=tidings title::"), "{annotations}");
    let title = repo.git(&["log", "-1", "--format=%s", &id]);
    assert!(
        annotations.lines().nth(1).unwrap().ends_with(&format!("  ({})", title.replace('%', "%25"))),
        "{annotations}"
    );
    let report = repo.beside("report.json");
    repo.tidings(&["check", "--format", "gitlab", "-o", report.to_str().unwrap()]).failure(3);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).unwrap()).unwrap();
    assert_eq!(report[1]["location"]["path"], format!("commit/{id}"));
    assert_ne!(report[0]["fingerprint"], report[1]["fingerprint"]);
    assert!(repo.tidings(&["show", "--format", "github"]).failure(2).contains("`tidings check`"));
}

#[test]
fn a_message_is_checked_before_it_is_committed() {
    let repo = TestRepo::new();
    repo.write("message", "Add crane\n\nBody.\n\nChangelog: addd\n# A remark of git.\n");
    let outcome = repo.tidings(&["check", "--message", "message"]);
    assert_eq!(outcome.stdout, "unknown-category: unknown category `addd`; did you mean `added`?\n");
    repo.write("message", "Tidy up\n\n# ------------------------ >8 ------------------------\nChangelog: x\n");
    assert_eq!(repo.tidings(&["check", "--message", "message"]).success(), "");
    repo.tidings(&["check", "--message", "message", "--require", "each"]).failure(3);
    repo.tidings(&["check", "--message", "absent"]).failure(1);
}

#[test]
fn a_message_comes_from_stdin_too() {
    let repo = TestRepo::new();
    repo.write("message", "#12 Add crane.\n\n## Why\n\nChangelog: addd\n");
    let stdin = std::fs::File::open(repo.path().join("message")).unwrap();
    let output = tidings(repo.path()).args(["check", "--message", "-"]).stdin(stdin).output().unwrap();
    let found = Outcome::from(output).stdout;
    assert!(found.contains("did you mean `added`?"));
    assert!(found.contains("line 1 title: the title ends with a period"), "nothing of it is a comment: {found}");
}

#[test]
fn a_message_is_checked_as_git_will_keep_it() {
    let check = |message: &str, editor: &str, settings: &[(&str, &str)]| {
        let repo = TestRepo::new();
        repo.write("message", message);
        for (key, value) in settings {
            repo.git(&["config", key, value]);
        }
        let mut command = tidings(repo.path());
        let output = command.args(["check", "--message", "message"]).env("GIT_EDITOR", editor).output().unwrap();
        Outcome::from(output).stdout
    };
    for (mark, settings) in [
        ("#", &[][..]),
        (";", &[("core.commentChar", ";")]),
        ("//", &[("core.commentChar", "#"), ("core.commentString", "//")]),
        ("%", &[("core.commentChar", "auto")]),
    ] {
        let remarks = format!("{mark} Please enter the message.\n{mark}\n{mark} On branch main\n");
        let message = format!("Add crane\n\nChangelog: added\n{remarks}");
        assert_eq!(check(&message, "vi", settings), "", "{mark}");
        let scissors = format!("{message}{mark} {0} >8 {0}\n+ Changelog: x\n", "-".repeat(24));
        assert_eq!(check(&scissors, "vi", settings), "", "{mark}");
    }
    let long = format!("#12 {}\n\nChangelog: added\n", "x".repeat(80));
    let found = "the title has 84 characters";
    assert!(check(&long, ":", &[]).contains(found), "without an editor nothing is a comment");
    assert!(check(&long, "vi", &[("commit.cleanup", "whitespace")]).contains(found));
    assert!(!check(&long, ":", &[("commit.cleanup", "strip")]).contains(found));
}
