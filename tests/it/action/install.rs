//! The step that installs the program.

#![cfg(unix)]

use std::{fs, path::Path, process::Command};

use super::runner::{Done, Runner};

/// Serves the files of a directory for any URL that ends in their name; what it was asked for is in `asked`.
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

const NAME: &str = "tidings-x86_64-unknown-linux-musl.tar.gz";

/// A copy of the action whose release is 1.2.3, on a runner whose server has its archive for Linux.
fn runner(inputs: &[(&str, &str)]) -> Runner {
    let runner = unreleased(inputs);
    let digest = sh(&runner.path("served"), &format!("sha256sum {NAME} | cut -d ' ' -f 1"));
    let lines = "version 1.2.3\nserver https://git.example\nrepository harbor/tidings";
    fs::write(runner.path("action/.ci/action/released.txt"), format!("# kept\n{lines}\n{NAME} {digest}")).unwrap();
    runner
}

/// The same where the action names no release.
fn unreleased(inputs: &[(&str, &str)]) -> Runner {
    let runner = Runner::with(inputs).program("curl", CURL).program("cargo", CARGO).copy_of_the_action();
    let served = runner.path("served");
    fs::create_dir(&served).unwrap();
    sh(
        &served,
        &format!("mkdir top && echo released >top/tidings && tar -czf {NAME} top && sha256sum {NAME} >{NAME}.sha256"),
    );
    let served = served.to_str().unwrap().to_owned();
    runner.set("SERVED", &served)
}

fn sh(directory: &Path, script: &str) -> String {
    let output = Command::new("sh").args(["-c", script]).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn install(runner: &Runner) -> Done {
    runner.step("Install tidings", Path::new("/"))
}

/// What the job finds on its PATH after the step.
fn installed(runner: &Runner) -> Option<String> {
    let path = fs::read_to_string(runner.path("path")).ok()?;
    fs::read_to_string(Path::new(path.trim_end()).join("tidings")).ok()
}

fn asked(runner: &Runner) -> String {
    fs::read_to_string(runner.path("served/asked")).unwrap_or_default()
}

#[test]
fn the_release_of_the_action_is_downloaded_once() {
    let runner = runner(&[]);
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("released\n"));
    let url = format!("https://git.example/harbor/tidings/releases/download/v1.2.3/{NAME}\n");
    assert_eq!(asked(&runner), url, "the checksum is the action's own");
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(asked(&runner), url, "a second use finds it installed");
}

#[test]
fn another_version_is_taken_from_where_the_action_was_released() {
    for (wanted, place) in [("v1.0.0", "download/v1.0.0"), ("1.0.0", "download/v1.0.0"), ("latest", "latest/download")]
    {
        let runner = runner(&[("install", wanted)]);
        assert_eq!(install(&runner).outcome.code, 0);
        assert_eq!(installed(&runner).as_deref(), Some("released\n"));
        let url = format!("https://git.example/harbor/tidings/releases/{place}/{NAME}");
        assert_eq!(asked(&runner), format!("{url}\n{url}.sha256\n"));
    }
}

#[test]
fn a_directory_of_windows_is_no_name_of_a_host() {
    let runner = runner(&[]).set("RUNNER_TEMP", "D:\\a\\_temp");
    let done = runner.step("Install tidings", &runner.path("."));
    assert_eq!(done.outcome.code, 0, "{done:?}");
    let program = runner.path("D:\\a\\_temp/tidings/1.2.3/bin/tidings");
    assert_eq!(fs::read_to_string(program).unwrap(), "released\n");
}

#[test]
fn other_runners_name_their_systems_otherwise() {
    for (system, processor, target) in [
        ("Linux", "ARM64", "aarch64-unknown-linux-musl"),
        ("Linux", "aarch64", "aarch64-unknown-linux-musl"),
        ("Darwin", "arm64", "aarch64-apple-darwin"),
        ("macOS", "X64", "x86_64-apple-darwin"),
        ("Windows", "ARM64", "x86_64-pc-windows-msvc"),
        ("MINGW64_NT-10.0", "x86_64", "x86_64-pc-windows-msvc"),
    ] {
        let runner = runner(&[]).set("RUNNER_OS", system).set("RUNNER_ARCH", processor);
        install(&runner);
        assert!(asked(&runner).ends_with(&format!("/tidings-{target}.tar.gz\n")), "{target}: {}", asked(&runner));
    }
    // A runner that sets neither.
    let runner = runner(&[])
        .set("RUNNER_OS", "")
        .set("RUNNER_ARCH", "")
        .program("uname", "[ $1 = -s ] && echo Linux || echo x86_64");
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("released\n"));
}

#[test]
fn another_checksum_ends_the_job() {
    let wrong = "0".repeat(64);
    for inputs in [vec![("install", "v1.0.0"), ("sha256", wrong.as_str())], vec![("install", "v1.0.0")], vec![]] {
        let runner = runner(&inputs);
        sh(&runner.path("served"), &format!("echo tampered | gzip >{NAME}"));
        let done = install(&runner);
        assert_eq!(done.outcome.code, 1);
        assert!(done.outcome.stdout.starts_with("::error title=tidings::the checksum of https://"), "{done:?}");
        assert_eq!(installed(&runner), None);
    }
}

#[test]
fn a_checksum_may_be_in_upper_case() {
    let runner = runner(&[]);
    let digest = sh(&runner.path("served"), &format!("sha256sum {NAME} | cut -d ' ' -f 1")).trim().to_uppercase();
    let runner = runner.with_input("sha256", &digest);
    assert_eq!(install(&runner).outcome.code, 0);
}

#[test]
fn who_built_it_is_asked_where_there_is_something_that_knows() {
    let said_by = |script: &str| {
        let runner = runner(&[]).program("gh", script);
        let file = runner.path("action/.ci/action/released.txt");
        fs::write(&file, fs::read_to_string(&file).unwrap().replace("git.example", "github.com")).unwrap();
        (install(&runner).outcome, asked(&runner))
    };
    let (outcome, asked) = said_by("echo \"$@\" >>\"$SERVED/asked\"");
    assert_eq!(outcome.code, 0, "{outcome:?}");
    assert!(asked.contains("attestation verify ") && asked.ends_with("--repo harbor/tidings\n"), "{asked}");
    let (outcome, _) = said_by("[ $3 = --help ]");
    assert!(outcome.code == 1 && outcome.stdout.contains("no workflow of harbor/tidings attests to"), "{outcome:?}");
    let (outcome, _) = said_by("exit 1");
    assert_eq!(outcome.code, 0, "an old one that knows no attestations: {outcome:?}");
}

#[test]
fn it_is_built_where_that_is_asked_for_and_nowhere_else() {
    let runner = runner(&[("install", "source")]);
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("built\n"));
    assert!(asked(&runner).starts_with("install --locked --path "), "{}", asked(&runner));
    // The same job may take a released one after that.
    let runner = runner.with_input("install", "");
    assert_eq!(install(&runner).outcome.code, 0);
    assert_eq!(installed(&runner).as_deref(), Some("released\n"));

    let pinned = runner.with_input("install", "source").with_input("sha256", "aaaa");
    assert!(install(&pinned).outcome.stdout.contains("`sha256` is of a released binary"));
    let done = install(&unreleased(&[]));
    assert!(done.outcome.code == 1 && done.outcome.stdout.contains("names no release"), "{done:?}");
    let done = install(&self::runner(&[]).set("RUNNER_ARCH", "S390X"));
    assert!(done.outcome.code == 1 && done.outcome.stdout.contains("`install: source` builds one"), "{done:?}");
}

#[test]
fn a_release_that_was_asked_for_must_be_there() {
    let runner = runner(&[("install", "v9.9.9")]).set("RUNNER_OS", "macOS").set("RUNNER_ARCH", "ARM64");
    let done = install(&runner);
    assert_eq!(done.outcome.code, 1);
    assert!(done.outcome.stdout.contains("there is no binary of release 9.9.9 for macOS on ARM64"), "{done:?}");
    assert!(asked(&runner).contains("tidings-aarch64-apple-darwin.tar.gz"), "{}", asked(&runner));
    let done = install(&self::runner(&[("install", "main")]));
    assert!(done.outcome.stdout.contains("`install` takes a version, latest or source"), "{done:?}");
}
