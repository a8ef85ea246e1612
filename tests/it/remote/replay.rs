//! Real releases by URL. The recorded repository lacks its trees, so a script stands in for the packer that would miss
//! them; a whole repository needs none.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::Value;

use crate::support::{Outcome, remote::Server, tidings};

/// Every so many releases are tried.
const STRIDE: usize = 90;

const PACKER: &str = r#"#!/bin/sh
input=$(cat)
wants=$(printf '%s\n' "$input" | sed '/^--not/,$d' | grep -v '^--')
case "$input $*" in
    *--shallow\ *|*tree:1*)
        printf '%s\n' "$wants"
        case "$*" in *tree:1*) for id in $wants; do git rev-parse -q --verify "$id^{tree}"; done ;; esac ;;
    *) printf '%s\n' "$input" | git rev-list --stdin ;;
esac | sort -u | git pack-objects --stdout -q
"#;

fn show(directory: &Path, release: &Value, repo: &str, settings: &Path) -> Outcome {
    let text = |key: &str| release[key].as_str().unwrap_or_default().to_owned();
    let mut command = tidings(directory);
    command.args(["show", &text("version"), "--to", &text("to"), "--date", &text("date"), "--repo", repo]);
    command.args(["--host", "https://gitlab.com", "--project-path", &text("project")]);
    command.env("GIT_CONFIG_GLOBAL", settings).env("GIT_NO_LAZY_FETCH", "1").output().unwrap().into()
}

#[test]
fn real_releases_are_the_same_by_url() {
    let replay = directory_or_return!("TIDINGS_REPLAY");
    let repository = replay.join("omnibus-gitlab.git");
    let directory = tempfile::tempdir().unwrap();
    let (packer, settings) = (directory.path().join("packer"), directory.path().join("settings"));
    fs::write(&packer, PACKER).unwrap();
    fs::set_permissions(&packer, fs::Permissions::from_mode(0o755)).unwrap();
    let uploadpack = format!("[uploadpack]\n\tallowFilter = true\n\tpackObjectsHook = {}\n", packer.display());
    fs::write(&settings, uploadpack).unwrap();
    let Some(server) = Server { packer: Some(packer), ..Server::of_directory(&replay) }.http() else { return };
    let recorded = fs::read_to_string(replay.join("omnibus-gitlab.jsonl")).unwrap();
    for release in recorded.lines().step_by(STRIDE) {
        let release: Value = serde_json::from_str(release).unwrap();
        let local = show(directory.path(), &release, repository.to_str().unwrap(), &settings).success();
        for url in [format!("file://{}", repository.display()), server.url("http", "omnibus-gitlab.git")] {
            let remote = show(directory.path(), &release, &url, &settings);
            assert_eq!(remote.success(), local, "{} from {url}", release["version"]);
        }
    }
}
