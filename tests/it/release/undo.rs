//! The plan and the report of a release name what takes it back, and that does so.

use super::Released;
use crate::support::{git_in, tidings};

/// Runs commands as a shell does.
#[track_caller]
fn run(it: &Released, commands: &serde_json::Value) {
    let commands = commands.as_array().unwrap();
    assert!(!commands.is_empty());
    for command in commands {
        let words: Vec<_> = command.as_str().unwrap().split(' ').skip(1).collect();
        it.repo.git(&words);
    }
}

#[test]
fn a_release_that_was_not_pushed_leaves_nothing_behind() {
    for arguments in [&["--format", "json"][..], &["--format", "json", "-x", "--no-push"]] {
        let it = Released::new();
        it.repo.write("staged.txt", "mine\n");
        let before = it.state();
        let named = it.release(arguments).json();
        it.release(&["-x", "--no-push"]).success();
        assert_ne!(it.state(), before);
        run(&it, &named["steps"]["tag"]["undo"]);
        run(&it, &named["steps"]["commit"]["undo"]);
        assert_eq!(it.state(), before);
    }
}

#[test]
fn a_release_that_was_pushed_is_reverted() {
    let it = Released::new();
    let plan = it.release(&["--format", "json"]).json();
    let report = it.release(&["-x", "--format", "json"]).json();
    let commit = it.repo.git(&["rev-parse", "HEAD"]);
    let steps = &report["steps"];
    assert_eq!(steps["commit"]["undo"], serde_json::json!([]), "it is on the remote");
    let push = ["git push origin --delete refs/tags/v1.1.0", "git revert --no-edit <new commit>"];
    assert_eq!(plan["steps"]["push"]["undo"][0], push[0]);
    assert_eq!(plan["steps"]["push"]["undo"][1], push[1]);
    assert_eq!(steps["push"]["undo"][1], format!("git revert --no-edit {commit}"));
    run(&it, &steps["push"]["undo"]);
    run(&it, &steps["tag"]["undo"]);
    assert_eq!(it.remote(&["log", "-3", "--format=%s", "main"]), "Revert \"Release 1.1.0\"\nRelease 1.1.0\nAdd crane");
    assert_eq!(it.remote(&["tag"]), "v1.0.0");
    assert_eq!(it.repo.git(&["diff", "main~2", "main"]), "");
    assert_eq!(it.release(&["-x"]).success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
}

#[test]
fn a_branch_that_is_not_checked_out_is_taken_back_as_well() {
    let it = Released::new();
    let tip = it.repo.git(&["rev-parse", "main"]);
    it.repo.git(&["switch", "-q", "-c", "other"]);
    let report = it.release(&["--branch", "main", "-x", "--no-push", "--format", "json"]).json();
    run(&it, &report["steps"]["tag"]["undo"]);
    run(&it, &report["steps"]["commit"]["undo"]);
    assert_eq!(it.repo.git(&["rev-parse", "main"]), tip);
    let plan = it.release(&["--branch", "main", "--format", "json"]).json();
    assert_eq!(plan["steps"]["push"]["undo"][1], "git switch main");
}

#[test]
fn a_commit_that_is_not_that_of_the_release_is_not_named() {
    let it = Released::new();
    let log = it.repo.read("CHANGELOG.md");
    it.repo.file("CHANGELOG.md", log.replace("## 1.0.0", "## 1.1.0 (2024-03-09)\n\nBy hand.\n\n## 1.0.0"));
    it.repo.commit("Prepare");
    it.repo.commit("Go on");
    let plan = it.release(&["1.1.0", "--format", "json"]).json();
    assert_eq!(plan["steps"]["commit"]["undo"], serde_json::json!([]));
    assert_eq!(plan["steps"]["push"]["undo"], serde_json::json!(["git push origin --delete refs/tags/v1.1.0"]));
    let plan = it.release(&["-x", "--no-commit", "--no-push", "--format", "json"]).json();
    assert_eq!(plan["steps"]["commit"]["undo"], serde_json::json!([]));
}

#[test]
fn a_bare_repository_has_its_branch_set_back() {
    let it = Released::new();
    let bare = it.repo.beside("remote.git");
    for (key, value) in [("user.name", "A"), ("user.email", "a@example.org")] {
        git_in(&bare, &["config", key, value], crate::support::TestRepo::EPOCH);
    }
    let tip = it.remote(&["rev-parse", "main"]);
    let arguments = ["release", "--date", "2024-03-09", "-x", "--no-push", "--no-host-release", "--format", "json"];
    let report = crate::support::Outcome::from(tidings(&bare).args(arguments).output().unwrap()).json();
    assert_eq!(report["steps"]["commit"]["undo"][0], format!("git update-ref refs/heads/main {tip}"));
}
