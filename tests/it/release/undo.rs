//! The plan and the report of a release name what takes it back, and that does so.

use super::Released;
use crate::support::{git_in, tidings};

/// Runs commands as a shell does.
#[track_caller]
fn run(fixture: &Released, commands: &serde_json::Value) {
    let commands = commands.as_array().unwrap();
    assert!(!commands.is_empty());
    for command in commands {
        let words: Vec<_> = command.as_str().unwrap().split(' ').skip(1).collect();
        fixture.repo.git(&words);
    }
}

#[test]
fn a_release_that_was_not_pushed_leaves_nothing_behind() {
    for arguments in [&["--format", "json"][..], &["--format", "json", "-x", "--no-push"]] {
        let fixture = Released::new();
        fixture.repo.write("staged.txt", "mine\n");
        let before = fixture.state();
        let named = fixture.release(arguments).json();
        fixture.release(&["-x", "--no-push"]).success();
        assert_ne!(fixture.state(), before);
        run(&fixture, &named["steps"]["tag"]["undo"]);
        run(&fixture, &named["steps"]["commit"]["undo"]);
        assert_eq!(fixture.state(), before);
    }
}

#[test]
fn a_release_that_was_pushed_is_reverted() {
    let fixture = Released::new();
    let plan = fixture.release(&["--format", "json"]).json();
    let report = fixture.release(&["-x", "--format", "json"]).json();
    let commit = fixture.repo.git(&["rev-parse", "HEAD"]);
    let steps = &report["steps"];
    assert_eq!(steps["commit"]["undo"], serde_json::json!([]), "it is on the remote");
    let push = ["git push origin --delete refs/tags/v1.1.0", "git revert --no-edit <new commit>"];
    assert_eq!(plan["steps"]["push"]["undo"][0], push[0]);
    assert_eq!(plan["steps"]["push"]["undo"][1], push[1]);
    assert_eq!(steps["push"]["undo"][1], format!("git revert --no-edit {commit}"));
    run(&fixture, &steps["push"]["undo"]);
    run(&fixture, &steps["tag"]["undo"]);
    assert_eq!(
        fixture.remote(&["log", "-3", "--format=%s", "main"]),
        "Revert \"Release 1.1.0\"\nRelease 1.1.0\nAdd crane"
    );
    assert_eq!(fixture.remote(&["tag"]), "v1.0.0");
    assert_eq!(fixture.repo.git(&["diff", "main~2", "main"]), "");
    assert_eq!(fixture.release(&["-x"]).success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
}

#[test]
fn a_branch_that_is_not_checked_out_is_taken_back_as_well() {
    let fixture = Released::new();
    let tip = fixture.repo.git(&["rev-parse", "main"]);
    fixture.repo.git(&["switch", "-q", "-c", "other"]);
    let report = fixture.release(&["--branch", "main", "-x", "--no-push", "--format", "json"]).json();
    run(&fixture, &report["steps"]["tag"]["undo"]);
    run(&fixture, &report["steps"]["commit"]["undo"]);
    assert_eq!(fixture.repo.git(&["rev-parse", "main"]), tip);
    let plan = fixture.release(&["--branch", "main", "--format", "json"]).json();
    assert_eq!(plan["steps"]["push"]["undo"][1], "git switch main");
}

#[test]
fn a_commit_that_is_not_that_of_the_release_is_not_named() {
    let fixture = Released::new();
    let log = fixture.repo.read("CHANGELOG.md");
    fixture.repo.file("CHANGELOG.md", log.replace("## 1.0.0", "## 1.1.0 (2024-03-09)\n\nBy hand.\n\n## 1.0.0"));
    fixture.repo.commit("Prepare");
    fixture.repo.commit("Go on");
    let plan = fixture.release(&["1.1.0", "--format", "json"]).json();
    assert_eq!(plan["steps"]["commit"]["undo"], serde_json::json!([]));
    assert_eq!(plan["steps"]["push"]["undo"], serde_json::json!(["git push origin --delete refs/tags/v1.1.0"]));
    let plan = fixture.release(&["-x", "--no-commit", "--no-push", "--format", "json"]).json();
    assert_eq!(plan["steps"]["commit"]["undo"], serde_json::json!([]));
}

#[test]
fn a_bare_repository_has_its_branch_set_back() {
    let fixture = Released::new();
    let bare = fixture.repo.beside("remote.git");
    for (key, value) in [("user.name", "A"), ("user.email", "a@example.org")] {
        git_in(&bare, &["config", key, value], crate::support::TestRepo::EPOCH);
    }
    let tip = fixture.remote(&["rev-parse", "main"]);
    let arguments = ["release", "--date", "2024-03-09", "-x", "--no-push", "--no-host-release", "--format", "json"];
    let report = crate::support::Outcome::from(tidings(&bare).args(arguments).output().unwrap()).json();
    assert_eq!(report["steps"]["commit"]["undo"][0], format!("git update-ref refs/heads/main {tip}"));
}
