//! Ctrl-C: what was begun is removed or taken back. Only Unix knows signals between processes.

use std::{
    fs,
    os::unix::process::ExitStatusExt as _,
    process::{Command, Stdio},
    thread,
};

use crate::support::{Outcome, TestRepo, tidings};

/// The process that runs git, as a hook sees it.
const PROGRAM: &str = "program=$(ps -o ppid= -p $PPID)";

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Add crane", "added");
    repo
}

#[test]
fn an_answer_that_is_not_whole_is_removed() {
    for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
        let directory = tempfile::tempdir().unwrap();
        let files = || fs::read_dir(directory.path()).unwrap().count();
        fs::write(directory.path().join("answer.md"), "old").unwrap();
        let mut waiting = tidings(directory.path())
            .args(["render", "--context", "-", "-o", "answer.md"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while files() == 1 {
            assert!(waiting.try_wait().unwrap().is_none(), "it reads its stdin");
            thread::yield_now();
        }
        assert!(Command::new("kill").args([signal, &waiting.id().to_string()]).status().unwrap().success());
        assert_eq!(waiting.wait().unwrap().signal(), Some(number));
        assert_eq!(files(), 1);
        assert_eq!(fs::read_to_string(directory.path().join("answer.md")).unwrap(), "old");
    }
}

#[test]
fn a_commit_that_was_begun_is_taken_back_before_the_program_ends() {
    let repo = repo();
    repo.hook("pre-commit", &format!("{PROGRAM}; kill -INT $program; exit 1"));
    let answer = repo.beside("answer");
    let outcome = tidings(repo.path()).args(["add", "1.0.0", "--first-release", "-o"]).arg(&answer).output().unwrap();
    let stderr = Outcome::from(outcome).failure(1);
    assert!(stderr.starts_with("error: git did not create the commit; nothing was changed\n"), "{stderr}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert!(!answer.exists());
}

#[test]
fn a_second_interrupt_does_not_wait() {
    let repo = repo();
    repo.hook("pre-commit", &format!("{PROGRAM}; while kill -INT $program 2>/dev/null; do :; done; exit 1"));
    let answer = repo.beside("directory").join("answer");
    fs::create_dir(repo.beside("directory")).unwrap();
    let output = tidings(repo.path()).args(["add", "1.0.0", "--first-release", "-o"]).arg(answer).output().unwrap();
    assert_eq!(output.status.signal(), Some(2), "{output:?}");
    assert_eq!(fs::read_dir(repo.beside("directory")).unwrap().count(), 0);
}

#[test]
fn the_directory_through_which_a_quarantine_is_read_is_removed() {
    let (repo, directory) = (repo(), tempfile::tempdir().unwrap());
    let files = || fs::read_dir(directory.path()).unwrap().count();
    let mut waiting = tidings(repo.path())
        .args(["check", "--message", "-"])
        .envs([("TMPDIR", directory.path()), ("GIT_ALTERNATE_OBJECT_DIRECTORIES", &repo.path().join(".git/objects"))])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while files() == 0 {
        assert!(waiting.try_wait().unwrap().is_none(), "it reads its stdin");
        thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &waiting.id().to_string()]).status().unwrap().success());
    assert_eq!((waiting.wait().unwrap().signal(), files()), (Some(2), 0));
}
