//! Whole repositories: commits, merges, reverts and trailers of every shape.

#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use super::{cases, json};
use crate::support::{isolate, tidings};

/// What the service knows of people and merge requests from its database is not in a repository.
fn without_people(notes: &str) -> String {
    let line = |line: &str| {
        let line = line.split_once(" ([merge request](").map_or(line, |(line, _)| line);
        line.rsplit_once(" by @").map_or(line, |(line, _)| line).to_owned() + "\n"
    };
    notes.lines().map(line).collect()
}

pub(super) fn build(case: &Path, repository: &Path) {
    fs::create_dir(repository).expect("the directory is made");
    let script = "git init -q -b main && . \"$1\" && . \"$2\" && git switch -q main";
    let mut bash = Command::new("bash");
    isolate(&mut bash);
    let status = bash
        .current_dir(repository)
        .args(["-c", script, "bash"])
        .args([case.with_file_name("repo_lib.sh"), case.join("repo.sh")])
        .status()
        .expect("bash runs");
    assert!(status.success(), "{}", case.display());
}

pub(super) fn show(repository: &Path, input: &Value) -> Command {
    let text = |key: &str| input[key].as_str();
    let mut command = tidings(repository);
    command.args(["show", text("version").expect("a version is text")]);
    for (option, key) in [
        ("--date", "date"),
        ("--from", "from"),
        ("--to", "to"),
        ("--trailer", "trailer"),
        ("--project-path", "project"),
        ("--host", "host"),
    ] {
        command.args(text(key).iter().flat_map(|value| [option, value]));
    }
    command
}

/// A version that is not `v?` and a semantic version is refused here, whatever else is given.
pub(super) fn is_refused_on_purpose(name: &str) -> bool {
    ["given-any-version-text", "not-semver-version", "four-part", "double-v-prefix"]
        .iter()
        .any(|part| name.contains(part))
}

#[test]
fn sections_are_those_of_the_service() {
    for (name, case) in cases("service-") {
        let (input, expected) = (json(&case.join("input.json")), json(&case.join("expected.json")));
        let place = TempDir::new().expect("a temporary directory");
        let repository = place.path().join("repo");
        build(&case, &repository);
        let output = show(&repository, &input).output().expect("the program runs");
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        match expected["notes"].as_str().filter(|_| !is_refused_on_purpose(&name)) {
            Some(notes) => assert_eq!(without_people(&stdout), without_people(notes), "{name}: {stderr}"),
            None => assert!(!output.status.success(), "{name}: {stdout}"),
        }
    }
}
