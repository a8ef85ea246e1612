//! A checkout of another user: git refuses it until `safe.directory` names it.

use std::{
    fs,
    io::{self, Write as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use crate::support::{Outcome, TestRepo, tidings};

/// A repository with a remote that belongs to somebody else; `None` if this user cannot give files away.
fn foreign() -> Option<TestRepo> {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Log\n").change("Add crane", "added");
    repo.git(&["remote", "add", "origin", "https://gitlab.com/g/p.git"]);
    let uid = fs::metadata(repo.path()).unwrap().uid();
    if give(repo.path(), uid + 1) {
        return Some(repo);
    }
    let _ = writeln!(io::stderr(), "skipped: only root can give files to another user");
    None
}

fn give(path: &Path, uid: u32) -> bool {
    let below = path.is_dir().then(|| fs::read_dir(path).unwrap()).into_iter().flatten();
    below.into_iter().all(|entry| give(&entry.unwrap().path(), uid))
        && std::os::unix::fs::lchown(path, Some(uid), None).is_ok()
}

fn trusted(repo: &TestRepo, arguments: &[&str]) -> Outcome {
    let mut command = tidings(repo.path());
    command.args(arguments).env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "safe.directory");
    command.env("GIT_CONFIG_VALUE_0", fs::canonicalize(repo.path()).unwrap());
    command.output().unwrap().into()
}

#[test]
fn it_is_said_that_the_settings_of_the_repository_are_not_used() {
    let Some(repo) = foreign() else { return };
    let outcome = repo.tidings(&["show", "--first-release"]);
    assert!(outcome.stderr.contains("warning: ") && outcome.stderr.contains("belongs to another user"), "{outcome:?}");
    let cure = format!("git config --global --add safe.directory {}", fs::canonicalize(repo.path()).unwrap().display());
    assert!(outcome.stderr.contains(&cure), "{outcome:?}");
    outcome.success();
    assert!(repo.tidings(&["show", "--first-release", "--strict"]).failure(1).contains("belongs to another user"));
    let outcome = trusted(&repo, &["show", "--first-release"]);
    assert!(!outcome.stderr.contains("belongs to another user"), "{outcome:?}");
    assert!(outcome.success().contains("](https://gitlab.com/g/p/-/commit/"));
}

#[test]
fn nothing_is_written_to_it() {
    let Some(repo) = foreign() else { return };
    let tip = repo.path().join(".git/refs/heads/main");
    let before = fs::read_to_string(&tip).unwrap();
    repo.write(".git/tidings/journal", "the journal of a killed run");
    for arguments in [
        &["add", "1.0.0", "--first-release"][..],
        &["add", "1.0.0", "--first-release", "--dry-run"],
        &["add", "1.0.0", "--first-release", "--no-commit"],
        &["release", "1.0.0", "--first-release", "--no-push", "--no-host-release", "-x"],
        &["release", "1.0.0", "--first-release", "--no-push", "--no-host-release"],
        &["init", "--hook"],
    ] {
        let stderr = repo.tidings(arguments).failure(1);
        assert!(
            stderr.contains("belongs to another user") && stderr.contains("safe.directory"),
            "{arguments:?}: {stderr}"
        );
    }
    assert_eq!(fs::read_to_string(&tip).unwrap(), before);
    assert_eq!(repo.read("CHANGELOG.md"), "# Log\n");
    assert_eq!(fs::read_dir(repo.path().join(".git/tidings")).unwrap().count(), 1, "nothing is settled");
    trusted(&repo, &["release", "1.0.0", "--first-release", "--no-push", "--no-host-release"]).success();
}
