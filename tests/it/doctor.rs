//! `tidings doctor` and `--version --verbose`: what a report of a problem should contain.

use serde_json::json;

use crate::support::{Outcome, TestRepo, tidings};

#[test]
fn it_reports_what_is_found_and_what_would_go_wrong() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
    repo.git(&["remote", "add", "origin", "https://ida:secret@github.com/harbor/pilot.git"]);
    repo.tag("v1.0.0").tag("0.9.0").tag("build-7").tag("build-8");
    repo.change("Add crane", "added");
    let output = tidings(repo.path()).args(["doctor", "--format", "json"]).env("GITLAB_TOKEN", "s3cret").output();
    let outcome = Outcome::from(output.unwrap());
    assert!(!outcome.stdout.contains("s3cret") && !outcome.stdout.contains("ida:"), "{}", outcome.stdout);
    let report = outcome.json();
    assert_eq!(report["repository"]["forge"], "GitHub");
    assert_eq!(report["repository"]["project"], "harbor/pilot");
    let families = json!([
        { "prefix": "build-", "count": 2 },
        { "prefix": "", "count": 1 },
        { "prefix": "v", "count": 1 },
    ]);
    assert_eq!(report["tags"]["families"], families);
    assert_eq!(report["tokens"]["variables"][0], "GITLAB_TOKEN");
    assert_eq!(report["last_release"]["tag"], "v1.0.0");
    assert_eq!(report["next_release"]["tag"], "v1.1.0");
    assert_eq!(report["changelog_file"]["exists"], true);
    assert_eq!(report["problems"].as_array().unwrap().len(), 0, "{report}");
    repo.write("CHANGELOG.md", "## a 1.0.0\n\n## b 1.0.0\n\n## a 0.9.0\n");
    let text = repo.tidings(&["doctor"]).success();
    assert!(text.contains("problem: the newest headings of `CHANGELOG.md` name several"), "{text}");
    assert!(text.contains("\nnext release\n") || text.contains("\nproblems\n  next release: "), "{text}");
}

#[test]
fn that_there_is_nothing_to_release_is_no_problem() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Add crane", "added");
    repo.tag("v1.0.0");
    let text = repo.tidings(&["doctor"]).success();
    assert!(text.contains("\nnext release\n  reason: nothing to release: "), "{text}");
    assert!(text.ends_with("\nproblems\n  none\n"), "{text}");
}

#[test]
fn packages_with_releases_of_their_own_are_no_problem() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("crane/a.txt", "a\n").change("Add crane", "added");
    repo.tag("crane-v1.0.0");
    repo.write("tidings.yml", "packages:\n  crane: {paths: [crane], tag_prefix: crane-v}\n");
    let text = repo.tidings(&["doctor"]).success();
    assert!(text.contains("\nlast release\n  reason: each package has one of its own"), "{text}");
    assert!(text.ends_with("\nproblems\n  none\n"), "{text}");
    let text = repo.tidings(&["doctor", "--package", "crane"]).success();
    assert!(text.contains("\n  tag: crane-v1.0.0\n"), "{text}");
}

#[test]
fn a_broken_setting_is_part_of_the_report() {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "source: nowhere\n");
    repo.commit("Begin");
    let text = repo.tidings(&["doctor"]).success();
    assert!(text.contains("problems\n") && text.contains("`source` must be"), "{text}");
}

#[test]
fn the_version_says_how_the_program_was_built_on_request() {
    let repo = TestRepo::new();
    let short = repo.tidings(&["--version"]).success();
    let long = repo.tidings(&["--version", "--verbose"]).success();
    assert!(short.starts_with("tidings ") && short.lines().count() == 1, "{short}");
    assert!(long.contains("  version: ") && long.contains("  profile: "), "{long}");
    assert!(long.contains("\n  object formats: sha1\n  object formats: sha256\n  tls: rustls\n"), "{long}");
    let target = long.lines().find_map(|line| line.strip_prefix("  target: ")).unwrap();
    assert!(target.starts_with(std::env::consts::ARCH) && target.split('-').count() >= 3, "{target}");
    assert_eq!(repo.tidings(&["-V", "-v"]).success(), long);
}

#[test]
#[cfg(unix)] // whose arguments may be any bytes
fn the_version_is_printed_beside_an_argument_that_is_not_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = TestRepo::new();
    let cache = std::ffi::OsStr::from_bytes(b"\xff");
    let output = tidings(repo.path()).arg("--cache").arg(cache).args(["--version", "-v"]).output();
    assert!(Outcome::from(output.unwrap()).success().contains("  version: "));
}

#[test]
fn a_shallow_clone_is_reported_with_what_its_origin_has_unless_offline() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Add crane", "added");
    repo.tag("v1.0.0");
    repo.change("Add hull", "added");
    repo.git(&["clone", "-q", "--depth=1", &format!("file://{}", repo.path().display()), "../clone"]);
    let report = |arguments: &[&str]| {
        let output = tidings(&repo.beside("clone")).args(["doctor", "--format", "json"]).args(arguments).output();
        Outcome::from(output.unwrap()).json()
    };
    assert_eq!(report(&[])["last_release"]["tag"], "v1.0.0");
    let alone = report(&["--offline"]);
    assert!(alone["last_release"].is_null() && alone["tags"]["count"] == 0, "{alone}");
}
