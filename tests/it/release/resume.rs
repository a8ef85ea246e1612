//! A release that breaks off at any step goes on there.

use super::{FINISHED, Released};
use crate::support::Outcome;

/// Runs what is left, and checks that it is all there is to a release, and that it is done then.
#[track_caller]
fn resume(fixture: &Released, left: &str) {
    assert_eq!(fixture.release(&["-x"]).success(), format!("released 1.1.0 as v1.1.0: {left}\n"));
    fixture.assert_released();
    assert!(fixture.release(&["-x"]).success().starts_with(FINISHED));
}

#[test]
fn after_each_step() {
    for (without, left) in [
        (&["--no-tag", "--no-push"][..], "tagged, pushed"),
        (&["--no-push"], "pushed"),
        (&["--no-tag"], "tagged, pushed"),
    ] {
        let fixture = Released::new();
        fixture.release(&[&["-x"], without].concat()).success();
        resume(&fixture, left);
    }
}

#[test]
fn after_a_hook_refused_the_commit() {
    let fixture = Released::new();
    fixture.repo.hook("pre-commit", "echo not now; exit 1");
    let before = fixture.state();
    assert_eq!(
        fixture.release(&["-x"]).failure(1),
        "error: git did not create the commit; nothing was changed\n  not now\n"
    );
    assert_eq!(fixture.state(), before);
    fixture.repo.hook("pre-commit", "exit 0");
    resume(&fixture, "committed, tagged, pushed");
}

#[cfg(unix)]
#[test]
fn after_a_tag_could_not_be_made() {
    let fixture = Released::new();
    fixture.repo.git(&["config", "tag.gpgSign", "true"]);
    fixture.repo.git(&["config", "gpg.program", "false"]);
    let stderr = fixture.release(&["-x"]).failure(1);
    assert!(stderr.contains("error: git did not create the tag `v1.1.0`\n"), "{stderr}");
    assert!(
        stderr.contains("hint: run `git config tag.gpgSign false` to turn signing off in this repository"),
        "{stderr}"
    );
    fixture.repo.git(&["config", "tag.gpgSign", "false"]);
    resume(&fixture, "tagged, pushed");
}

/// A push that goes on unseen would collide with the next run.
#[cfg(unix)]
#[test]
fn an_interrupt_during_the_push_waits_for_it() {
    let fixture = Released::new();
    fixture.repo.hook("pre-push", "kill -TERM $(ps -o ppid= -p $PPID); sleep 1");
    assert!(fixture.release(&["-x"]).success().contains("pushed"));
    fixture.assert_released();
}

#[test]
fn after_a_hook_refused_the_push() {
    let fixture = Released::new();
    fixture.repo.hook("pre-push", "echo not to the moon >&2; exit 1");
    let stderr = fixture.release(&["-x"]).failure(1);
    assert!(
        stderr.contains("error: the push to `origin` failed; nothing was changed there\n  not to the moon\n"),
        "{stderr}"
    );
    fixture.repo.hook("pre-push", "exit 0");
    resume(&fixture, "pushed");
}

#[test]
fn after_the_remote_refused_one_of_the_two() {
    for refused in ["refs/heads/main", "refs/tags/v1.1.0"] {
        let fixture = Released::new();
        fixture.remote_hook("update", &format!("test \"$1\" != {refused} || {{ echo protected; exit 1; }}"));
        let there = fixture.remote(&["for-each-ref"]);
        let stderr = fixture.release(&["-x"]).failure(1);
        assert!(stderr.contains("remote: protected"), "{stderr}");
        assert!(stderr.contains("hint: the local commit and tag are kept"), "{stderr}");
        assert_eq!(fixture.remote(&["for-each-ref"]), there, "both or none");
        fixture.remote_hook("update", "exit 0");
        resume(&fixture, "pushed");
    }
}

#[test]
fn when_only_the_branch_was_pushed() {
    let fixture = Released::new();
    fixture.release(&["-x", "--no-push"]).success();
    fixture.repo.git(&["push", "-q"]);
    let plan = fixture.release(&[]).success();
    assert!(plan.contains("\npush: to origin\n    refs/tags/v1.1.0\n  undo: git push origin --delete "), "{plan}");
    assert!(plan.contains("\ncommit: already done\n\n"), "it is on the remote: {plan}");
    resume(&fixture, "pushed");
}

#[test]
fn what_a_killed_run_left_in_the_file_is_taken_up() {
    let fixture = Released::new();
    let diff = fixture.release(&["--format", "json"]).json()["steps"]["commit"]["diff"].as_str().unwrap().to_owned();
    fixture.repo.git_with_input(&["apply"], diff.as_bytes());
    resume(&fixture, "committed, tagged, pushed");
}

#[test]
fn without_git_nothing_is_pushed_and_it_says_so() {
    let fixture = Released::new();
    let mut run = crate::support::tidings(fixture.repo.path());
    run.args(["release", "-x", "--date", "2024-03-09"]).env("PATH", "");
    let stderr = Outcome::from(run.output().unwrap()).failure(1);
    assert!(stderr.contains("git did not start"), "{stderr}");
    assert!(stderr.contains("hint: install git, or add its directory to `PATH`"), "{stderr}");
    resume(&fixture, "committed, tagged, pushed");
}

#[test]
fn changes_that_came_after_the_section_are_told_of_and_taken_in_on_request() {
    let fixture = Released::new();
    fixture.release(&["-x", "--no-tag", "--no-push"]).success();
    fixture.repo.commit("Tidy up");
    assert!(fixture.release(&["1.1.0", "--strict"]).code == 0, "it has no trailer");
    let late = fixture.repo.change("Add mast", "added");
    let stderr = fixture.release(&["1.1.0", "--strict"]).failure(1);
    assert_eq!(
        stderr,
        format!(
            "error: the section of 1.1.0 in `CHANGELOG.md` was written before these changes: {} Add mast\n\
             hint: use `--replace` to replace the section; manual edits in it are lost\n",
            &late[..8]
        )
    );
    let done = fixture.release(&["-x", "--replace"]);
    assert_eq!(done.success(), "released 1.1.0 as v1.1.0: committed, tagged, pushed\n");
    let tag = fixture.remote(&["cat-file", "-p", "v1.1.0"]);
    assert!(tag.contains("### Added") && tag.contains("Add mast"), "{tag}");
    assert!(fixture.release(&["1.1.0", "-x", "--replace"]).success().starts_with(FINISHED));
}
