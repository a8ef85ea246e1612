//! Builds repositories with the git program, with pinned people and dates: the same calls give the same ids.

use std::{
    cell::Cell,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use super::run::{Outcome, isolate, tidings};

/// A repository in a temporary directory, which is removed when it is dropped.
#[derive(Debug)]
pub struct TestRepo {
    directory: TempDir,
    path: PathBuf,
    clock: Cell<i64>,
}

impl TestRepo {
    /// The first commit's time; every commit and tag is a minute after the one before.
    pub const EPOCH: i64 = 1_700_000_000;

    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        Self::with_options(&[])
    }

    /// An empty repository made by `git init` with more options, such as `--bare`.
    pub fn with_options(options: &[&str]) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let path = directory.path().join("repo");
        let repo = Self { directory, path, clock: Cell::new(Self::EPOCH) };
        fs::create_dir(&repo.path).expect("a directory for the repository");
        repo.git(&[&["init", "-q", "-b", "main"], options].concat());
        repo
    }

    /// A repository with the release 1.0.0 and one change since.
    pub fn with_release() -> Self {
        let repo = Self::new();
        repo.commit("Initial");
        repo.tag("v1.0.0");
        repo.change("Add crane", "added");
        repo
    }

    /// The path of the repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path beside the repository, for clones and work trees.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs git here and gives its stdout without the final newline.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.path, arguments, self.clock.get())
    }

    /// Sets the time of the next commit to noon of a day, such as `2026-08-20`.
    pub fn set_day(&self, day: &str) {
        let noon = format!("{day}T11:59:00Z").parse::<chrono::DateTime<chrono::Utc>>().expect("it is a day");
        self.clock.set(noon.timestamp());
    }

    /// Sets the name and address with which git and the program commit.
    #[track_caller]
    pub fn author(&self) {
        self.git(&["config", "user.name", "Ida"]);
        self.git(&["config", "user.email", "ida@harbor.example"]);
    }

    /// Runs git here with this on its stdin, and gives its stdout as it is.
    #[track_caller]
    pub fn git_with_input(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let mut command = Command::new("git");
        isolate(&mut command);
        command.args(arguments).current_dir(&self.path).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("git is on the PATH");
        let mut stdin = child.stdin.take().expect("it was piped");
        let output = std::thread::scope(|scope| {
            scope.spawn(move || stdin.write_all(input).expect("git reads its input"));
            child.wait_with_output().expect("git ends")
        });
        assert!(output.status.success(), "git {arguments:?} failed");
        output.stdout
    }

    /// Runs git in a directory beside the repository.
    #[track_caller]
    pub fn git_beside(&self, name: &str, arguments: &[&str]) -> String {
        git_in(&self.beside(name), arguments, self.clock.get())
    }

    /// Commits without touching a file; the message is taken as it is.
    #[track_caller]
    pub fn commit(&self, message: &str) -> String {
        self.clock.set(self.clock.get() + 60);
        self.commit_bytes(message.as_bytes())
    }

    /// Commits at the clock's present time, with a message of any bytes.
    #[track_caller]
    pub fn commit_bytes(&self, message: &[u8]) -> String {
        let file = self.beside("message");
        fs::write(&file, message).expect("the message is written");
        let file = file.to_str().expect("the path is UTF-8");
        self.git(&["commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", file]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits with a `Changelog:` trailer.
    #[track_caller]
    pub fn change(&self, title: &str, category: &str) -> String {
        self.commit(&format!("{title}\n\nChangelog: {category}\n"))
    }

    /// Commits a listed change of another author.
    #[track_caller]
    pub fn change_by(&self, author: &str, title: &str, category: &str) -> String {
        self.clock.set(self.clock.get() + 60);
        let message = format!("{title}\n\nChangelog: {category}\n");
        self.git(&["commit", "-q", "--allow-empty", "--author", author, "-m", &message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Writes and stages a file.
    #[track_caller]
    pub fn file(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        self.write(path, content);
        self.git(&["add", "--", path]);
        self
    }

    /// Writes a file without staging it.
    #[track_caller]
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let full = self.path.join(path);
        fs::create_dir_all(full.parent().expect("a file has a directory")).expect("the directory is made");
        fs::write(full, content).expect("the file is written");
        self
    }

    /// A hook of this repository: a shell script.
    #[track_caller]
    pub fn hook(&self, name: &str, script: &str) {
        let path = self.path.join(".git/hooks").join(name);
        fs::create_dir_all(path.parent().expect("a hook has a directory")).expect("the directory is made");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the hook is written");
        #[cfg(unix)]
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    }

    /// The content of a file of the work tree.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path.join(path)).expect("the file is there and UTF-8")
    }

    /// A lightweight tag on HEAD.
    #[track_caller]
    pub fn tag(&self, name: &str) -> &Self {
        self.git(&["tag", name]);
        self
    }

    /// An annotated tag on HEAD.
    #[track_caller]
    pub fn annotated_tag(&self, name: &str) -> &Self {
        self.clock.set(self.clock.get() + 60);
        self.git(&["tag", "-a", "-m", name, name]);
        self
    }

    /// Runs the program here.
    #[track_caller]
    pub fn tidings(&self, arguments: &[&str]) -> Outcome {
        tidings(&self.path).args(arguments).output().expect("the program runs").into()
    }
}

/// Runs git in a directory with fixed people and time.
#[track_caller]
pub fn git_in(directory: &Path, arguments: &[&str], time: i64) -> String {
    let mut command = Command::new("git");
    isolate(&mut command);
    let date = format!("{time} +0000");
    let output = command
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .envs([("GIT_AUTHOR_NAME", "Ida"), ("GIT_AUTHOR_EMAIL", "ida@harbor.example")])
        .envs([("GIT_COMMITTER_NAME", "Ida"), ("GIT_COMMITTER_EMAIL", "ida@harbor.example")])
        .envs([("GIT_AUTHOR_DATE", &date), ("GIT_COMMITTER_DATE", &date)])
        .output()
        .expect("git is on the PATH");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.truncate(text.trim_end_matches('\n').len());
    text
}
