//! The program without a command, and the words of other tools.

use crate::support::{TestRepo, tidings};

#[track_caller]
fn lines(repo: &TestRepo) -> String {
    repo.tidings(&[]).success()
}

#[test]
fn without_a_command_it_says_what_it_would_do_next() {
    let repo = TestRepo::new();
    repo.change("Initial", "added");
    repo.tag("v1.0.0");
    assert_eq!(
        lines(&repo),
        "unreleased: no commits since v1.0.0\nnext:       nothing to release\nrun:        `tidings explain` says what \
         each commit is\n"
    );
    repo.change("Add crane", "added");
    repo.commit("Paint it");
    let text = lines(&repo);
    let expected = "unreleased: 1 change in 2 commits since v1.0.0\nnext:       1.1.0\nrun:        `tidings show` prints \
                    the changes, `tidings release` the plan\n";
    assert_eq!(text, expected);
    let document = repo.tidings(&["--format", "json"]).json();
    assert_eq!(document["next"], "1.1.0");
    // Who comes from another tool expects a changelog in the file.
    repo.write("CHANGELOG.md", "Mine\n");
    let refused = repo.tidings(&["-o", "CHANGELOG.md"]).failure(2);
    assert!(refused.contains("`tidings add --all`"), "{refused}");
    assert_eq!(repo.read("CHANGELOG.md"), "Mine\n");
    assert!(repo.tidings(&["-C", "nowhere"]).failure(1).contains("nowhere"));
}

#[test]
fn packages_share_the_three_lines() {
    let repo = TestRepo::new();
    repo.write("tidings.yml", "packages: {api: {paths: api}, web: {paths: web}}\n");
    repo.commit("Initial");
    repo.tag("api/v1.0.0").tag("web/v2.0.0");
    repo.file("api/crane", "");
    repo.change("Add crane", "added");
    let text = lines(&repo);
    assert!(text.starts_with("unreleased: changes in 1 of 2 packages: api 1\nnext:       api 1.1.0\n"), "{text}");
    assert!(text.contains("`tidings release --all-packages` the plan"), "{text}");
}

#[test]
fn outside_of_a_repository_it_prints_its_help() {
    let directory = tempfile::tempdir().unwrap();
    let output = tidings(directory.path()).output().unwrap();
    let help = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{help}");
    assert!(help.contains("Usage: tidings [OPTIONS] <COMMAND>") && help.contains("Print the next version"), "{help}");
}

#[test]
fn words_of_other_tools_are_answered_with_ours() {
    let repo = TestRepo::new();
    for (words, tip) in [
        (["show", "--unreleased"], "run `tidings show`"),
        (["show", "--latest"], "`tidings notes`"),
        (["show", "--prepend=CHANGELOG.md"], "run `tidings add VERSION`"),
        (["show", "--bump"], "run `tidings show --next`"),
        (["show", "--tag=1.2.0"], "name the version itself, as in `tidings show 1.2.0`"),
        (["show", "-u"], "run `tidings show`"),
        (["generate", "CHANGELOG.md"], "`tidings show --all`"),
        (["--strip", "header"], "run `tidings notes`"),
        (["--release-as", "minor"], "`tidings release --level minor`"),
        (["version", "minor"], "run `tidings release`"),
        (["pre", "enter"], "run `tidings release --pre rc`"),
        (["release-pr", "--debug"], "run `tidings release --request`"),
        // An option of ours, before its command or without one.
        (["--from", "v1.0.0"], "write the command first, as in `tidings show --from`"),
        (["-x", "release"], "write the command first, as in `tidings release -x`"),
    ] {
        let stderr = repo.tidings(&words).failure(2);
        let (_, after) = stderr.split_once("tip: ").unwrap_or_else(|| panic!("{stderr}"));
        assert!(after.contains(tip) && !stderr.contains("Usage:"), "{stderr}");
    }
}
