//! Committing files: what agrees afterwards, what stays, and what is refused.

mod branches;
#[cfg(unix)]
mod faults;
mod formats;
mod refusals;
mod several;
mod work_tree;

use std::{fs, path::Path};

use crate::{
    git::{
        Repo,
        commit::{self, CommitRequest, CommitResult, FileEdit},
    },
    model,
    support::TestRepo,
};

const FILE: &str = "CHANGELOG.md";

/// A repository with a changelog and another file, and an author.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file(FILE, "# Log\n").file("other.txt", "other\n");
    repo.commit("Begin");
    repo
}

fn request<'a>(files: &'a [&'a Path], branch: Option<&'a str>) -> CommitRequest<'a> {
    CommitRequest { branch, files, message: "Add a line\n\n\nMore.  \n", sign: false }
}

/// The edit of these tests: one more line.
#[expect(clippy::unnecessary_wraps, reason = "an edit may fail")]
fn add_line(_: &Path, old: &[u8]) -> anyhow::Result<FileEdit> {
    Ok((!old.ends_with(b"line\n")).then(|| [old, b"line\n"].concat()).into())
}

fn commit_at(directory: &Path, file: &str, branch: Option<&str>) -> anyhow::Result<Option<CommitResult>> {
    commit::commit(&Repo::open_isolated(directory)?, &request(&[Path::new(file)], branch), &mut add_line)
}

#[track_caller]
fn committed(repo: &TestRepo, file: &str, branch: Option<&str>) -> CommitResult {
    let done = commit_at(repo.path(), file, branch).unwrap_or_else(|error| panic!("{error:?}"));
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    done.expect("there was something to do")
}

/// Commits, and checks that what else is staged, edited or untracked is as before, and `git status` says the same.
#[track_caller]
fn committed_alone(repo: &TestRepo) -> CommitResult {
    let status = || repo.git(&["status", "--porcelain=v2", "--untracked-files=all"]);
    let before = status();
    let done = committed(repo, FILE, None);
    assert_eq!(status(), before);
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), FILE);
    assert_eq!(repo.git(&["show", "HEAD:CHANGELOG.md"]), "# Log\nline");
    done
}

/// The message of a refusal and its hints; checks that nothing has changed.
#[track_caller]
fn refused(repo: &TestRepo, file: &str, branch: Option<&str>) -> String {
    let state = || {
        let refs = repo.git(&["for-each-ref"]) + &repo.git(&["rev-parse", "-q", "HEAD"]);
        let status = repo.git(&["status", "--porcelain=v2", "--ignored", "--untracked-files=all"]);
        (refs, status, fs::read(repo.path().join(FILE)).ok())
    };
    let before = state();
    let error = commit_at(repo.path(), file, branch).expect_err("it is refused");
    assert_eq!(state(), before);
    let message = error.to_string();
    [&[message.as_str()], model::hints(&error).as_slice()].concat().join(" | ")
}
