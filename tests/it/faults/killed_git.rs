//! Git alone is killed, between the branch and the index.

use std::fs;

use super::{FILE, PROGRAM, repo, start};
use crate::support::TestRepo;

/// A repository whose next commit of git is killed when the branch has moved.
fn armed() -> (TestRepo, std::path::PathBuf) {
    let repo = repo();
    let flag = repo.beside("armed");
    let armed = flag.display();
    repo.hook(
        "reference-transaction",
        &format!("[ $1 = committed ] && [ -e '{armed}' ] && rm '{armed}' && kill -9 $PPID; exit 0"),
    );
    repo.hook("pre-commit", "exit 0");
    fs::write(&flag, "").unwrap();
    (repo, flag)
}

#[test]
fn the_run_says_that_its_commit_is_made_and_the_next_one_writes_the_index() {
    let (repo, flag) = armed();
    let outcome = repo.tidings(&["add", "1.1.0"]);
    assert!(!flag.exists(), "git was killed: {outcome:?}");
    assert!(outcome.stderr.contains("the commit is made, but what came after it failed"), "{outcome:?}");
    assert!(!outcome.stdout.contains("already"), "{outcome:?}");
    assert!(repo.git(&["show", "HEAD:CHANGELOG.md"]).contains("## 1.1.0"));
    let lock = repo.path().join(".git/index.lock");
    if lock.exists() {
        assert!(outcome.stderr.contains("index.lock") && outcome.stderr.contains("take it back"), "{outcome:?}");
        let held = repo.tidings(&["add", "1.1.0"]);
        assert!(held.code == 1 && held.stderr.contains("index.lock"), "{held:?}");
        fs::remove_file(lock).unwrap();
    }
    repo.tidings(&["add", "1.1.0"]).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.file("other.txt", "more\n").commit("Unrelated");
    assert!(repo.git(&["show", &format!("HEAD:{FILE}")]).contains("## 1.1.0"), "nothing takes it back");
}

#[test]
fn a_commit_without_the_section_is_not_said_to_have_it() {
    let repo = repo();
    // The commit of git loses the file, as if git could not read it.
    repo.hook(
        "pre-commit",
        "GIT_INDEX_FILE=${GIT_INDEX_FILE:-.git/index} git rm -q --cached --force CHANGELOG.md; exit 0",
    );
    let refused = repo.tidings(&["add", "1.1.0"]);
    assert!(refused.code == 1 && refused.stderr.contains("without the change of `CHANGELOG.md`"), "{refused:?}");
    assert!(refused.stderr.contains("git reset --soft HEAD~1"), "{refused:?}");
}

#[test]
fn what_a_killed_run_has_staged_is_said_until_it_is_settled() {
    let repo = repo();
    repo.hook("pre-commit", &format!("{PROGRAM}; kill -9 $program; kill -9 $PPID"));
    assert_eq!(start(&repo, &["add", "1.1.0"]).wait_with_output().unwrap().status.code(), None);
    fs::remove_file(repo.path().join(".git/hooks/pre-commit")).unwrap();
    let _ = fs::remove_file(repo.path().join(".git/index.lock"));
    assert!(repo.git(&["status", "--porcelain"]).contains(FILE), "the section is there");
    for arguments in [&["check"][..], &["show"], &["next"], &["doctor"]] {
        let outcome = repo.tidings(arguments);
        assert!(
            outcome.stderr.contains("may have left its change of `CHANGELOG.md` staged"),
            "{arguments:?}: {outcome:?}"
        );
    }
    let outcome = repo.tidings(&["add", "1.1.0", "--strict"]);
    assert!(!outcome.stderr.contains("was killed"), "it is settled before the rest: {outcome:?}");
    outcome.success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let settled = repo.tidings(&["show"]);
    assert!(!settled.stderr.contains("was killed"), "{settled:?}");
}
