//! The step that installs the program.

#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use super::runner::{Done, Runner};

/// Serves the files of a folder for any URL that ends in their name; what it was asked for is in `asked`.
const CURL: &str = r#"
while [ $# -gt 1 ]; do
    case $1 in --output) shift; file=$1 ;; --proto) shift; [ "$1" = "=https" ] || exit 9 ;; esac
    shift
done
printf '%s\n' "$1" >>"$SERVED/asked"
cp "$SERVED/${1##*/}" "$file" 2>/dev/null || exit 22
"#;

/// Installs a program that is nothing but its name.
const CARGO: &str = r#"
for last; do :; done
printf '%s\n' "$*" >>"$SERVED/asked"
mkdir -p "$last/bin" && echo built >"$last/bin/tidings"
"#;

/// A runner whose server has a released binary for Linux.
fn runner(inputs: &[(&str, &str)]) -> Runner {
    let runner = Runner::with(inputs).program("curl", CURL).program("cargo", CARGO);
    let served = runner.path("served");
    fs::create_dir(&served).unwrap();
    fs::write(served.join("tidings"), "released\n").unwrap();
    let name = "tidings-x86_64-unknown-linux-gnu.tar.gz";
    sh(&served, &format!("tar -czf {name} tidings && sha256sum {name} >{name}.sha256"));
    let served = served.to_str().unwrap().to_owned();
    runner.set("SERVED", &served)
}

fn sh(folder: &Path, script: &str) {
    assert!(Command::new("sh").args(["-c", script]).current_dir(folder).status().unwrap().success());
}

fn install(runner: &Runner) -> Done {
    runner.step("Install tidings", Path::new("/"))
}

fn installed(runner: &Runner) -> Option<String> {
    fs::read_to_string(runner.path("temp/tidings/bin/tidings")).ok()
}

fn asked(runner: &Runner) -> String {
    fs::read_to_string(runner.path("served/asked")).unwrap_or_default()
}

#[test]
fn the_release_of_the_action_is_downloaded_once() {
    let runner = runner(&[("ref of the action", "v1.2.3")]);
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("released\n"));
    let url = "https://github.com/harbor/tidings/releases/download/v1.2.3/tidings-x86_64-unknown-linux-gnu.tar.gz";
    assert_eq!(asked(&runner), format!("{url}\n{url}.sha256\n"));
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(asked(&runner).lines().count(), 2, "a second use finds it installed");
    assert_eq!(
        fs::read_to_string(runner.path("path")).unwrap().trim(),
        runner.path("temp/tidings/bin").to_str().unwrap()
    );
}

#[test]
fn what_is_packed_for_a_release_is_what_is_installed() {
    const CARGO: &str = r#"mkdir -p "$CARGO_TARGET_DIR/aarch64-apple-darwin/release"
echo packed >"$CARGO_TARGET_DIR/aarch64-apple-darwin/release/tidings""#;
    let runner = runner(&[("install", "v1.2.3")]).set("RUNNER_OS", "macOS").set("RUNNER_ARCH", "ARM64");
    let runner = runner.program("cargo", CARGO);
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/package");
    let path = format!("{}:{}", runner.path("bin").display(), std::env::var("PATH").unwrap());
    let mut pack = Command::new(package);
    pack.arg("aarch64-apple-darwin").current_dir(runner.path("served"));
    pack.env("PATH", path).env("CARGO_TARGET_DIR", runner.path("target"));
    assert!(pack.status().unwrap().success());
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("packed\n"));
}

#[test]
fn another_checksum_ends_the_job() {
    let wrong = "0".repeat(64);
    for inputs in [vec![("install", "v1.2.3"), ("sha256", wrong.as_str())], vec![("ref of the action", "v1.2.3")]] {
        let runner = runner(&inputs);
        sh(&runner.path("served"), "echo tampered | gzip >tidings-x86_64-unknown-linux-gnu.tar.gz");
        let done = install(&runner);
        assert_eq!(done.outcome.code, 1);
        assert!(done.outcome.stdout.starts_with("::error title=tidings::the checksum of https://"), "{done:?}");
        assert_eq!(installed(&runner), None);
    }
}

#[test]
fn without_a_release_it_is_built() {
    for inputs in
        [vec![], vec![("ref of the action", "main")], vec![("install", "source"), ("ref of the action", "v1.2.3")]]
    {
        let runner = runner(&inputs);
        assert_eq!(install(&runner).outcome.code, 0);
        assert_eq!(installed(&runner).as_deref(), Some("built\n"), "{inputs:?}");
        assert!(asked(&runner).starts_with("install --quiet --locked --path "), "{}", asked(&runner));
    }
    let elsewhere = runner(&[("ref of the action", "v1.2.3")]).set("RUNNER_OS", "Linux").set("RUNNER_ARCH", "S390X");
    assert_eq!(install(&elsewhere).outcome.code, 0);
    assert_eq!(installed(&elsewhere).as_deref(), Some("built\n"));
}

#[test]
fn a_release_that_was_asked_for_must_be_there() {
    let runner = runner(&[("install", "v9.9.9")]).set("RUNNER_OS", "macOS").set("RUNNER_ARCH", "ARM64");
    let done = install(&runner);
    assert_eq!(done.outcome.code, 1);
    assert!(done.outcome.stdout.contains("there is no binary of release v9.9.9 for macOS on ARM64"), "{done:?}");
    assert!(asked(&runner).contains("tidings-aarch64-apple-darwin.tar.gz"), "{}", asked(&runner));
}
