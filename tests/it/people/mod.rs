//! `--people`: what a section gets from a server.

mod github;
mod gitlab;

use std::process::Command;

use tempfile::TempDir;

use crate::support::{Outcome, TestRepo, tidings};

/// A repository with three entries, all without a merge: two of Ida's and one of Olaf's.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Mend quay", "fixed");
    repo.change("Add crane", "added");
    repo.change_by("Olaf <olaf@harbor.example>", "Add mast", "added");
    repo
}

/// The ids of the entries' commits, the oldest first.
fn commits(repo: &TestRepo) -> Vec<String> {
    repo.git(&["rev-list", "--reverse", "v1.0.0..HEAD"]).lines().map(str::to_owned).collect()
}

/// `tidings show 1.1.0 --people`, with a directory for the cache.
fn show(repo: &TestRepo, host: &str, path: &str, cache: &TempDir) -> Command {
    let mut command = tidings(repo.path());
    command.args(["show", "1.1.0", "--people", "--date", "2024-03-09", "--host", host, "--project-path", path]);
    command.arg("--cache").arg(cache.path());
    command
}

fn run(mut command: Command) -> Outcome {
    command.output().expect("the program runs").into()
}

/// The entries' lines, each without the link to its commit: `Add crane by @ida`.
fn entries(section: &str) -> Vec<String> {
    let entry = |line: &str| {
        let (title, rest) = line.strip_prefix("- [")?.split_once("](")?;
        Some(title.to_owned() + rest.split_once(')')?.1)
    };
    section.lines().filter_map(entry).collect()
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}
