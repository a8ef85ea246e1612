//! `tidings add`: the section goes into the file, and one commit is made.

use super::support::{Outcome, TestRepo, tidings};

/// A released version, and two changes since.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add search", "added");
    repo.change("Fix crash", "fixed");
    repo
}

#[track_caller]
fn add(repo: &TestRepo, arguments: &[&str]) -> Outcome {
    repo.tidings(&[&["add", "--date", "2024-03-09"], arguments].concat())
}

const ADDED: &str = "# Log\n\n## 1.1.0 (2024-03-09)\n";

#[test]
fn a_section_is_committed_alone_and_once() {
    let repo = repo();
    repo.file("staged.txt", "staged\n").write("untracked.txt", "x\n");
    let stderr = add(&repo, &["v1.1.0"]).success();
    let id = repo.git(&["rev-parse", "--short=8", "HEAD"]);
    assert_eq!(stderr, format!("added 1.1.0 to CHANGELOG.md: commit {id} on main\n"));
    assert_eq!(
        repo.git(&["log", "-1", "--format=%B", "--name-only"]),
        "Add changelog for version v1.1.0\n\n\nCHANGELOG.md"
    );
    assert!(repo.read("CHANGELOG.md").starts_with(ADDED));
    assert!(repo.read("CHANGELOG.md").ends_with("\n\n## 1.0.0 (2024-01-01)\n\nOne.\n"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "A  staged.txt\n?? untracked.txt");
    assert_eq!(add(&repo, &["v1.1.0"]).success(), "1.1.0 is already in CHANGELOG.md\n");
    assert_eq!(repo.git(&["rev-parse", "--short=8", "HEAD"]), id);
}

#[test]
fn the_next_version_is_added_on_request() {
    let repo = repo();
    assert!(add(&repo, &["--next"]).success().starts_with("added 1.1.0 to CHANGELOG.md: commit "));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for version 1.1.0");
    repo.tag("v1.1.0");
    assert!(add(&repo, &["--next"]).failure(5).contains("nothing to release"));
    add(&repo, &["--next", "1.2.0"]).failure(2);
    assert!(add(&repo, &[]).failure(2).contains("a version is required"));
}

#[test]
fn the_section_is_what_show_prints() {
    let repo = repo();
    // Under GitLab's configuration a title has the bytes of the commit.
    repo.write(".gitlab/changelog_config.yml", "");
    repo.change("Ring \u{1b}[31mthe\u{1b}[0m \u{7} \u{7f} bell", "added");
    let section = repo.tidings(&["show", "1.1.0", "--date", "2024-03-09"]).success();
    repo.tidings(&["add", "1.1.0", "--date", "2024-03-09", "--file", "docs/NEWS.md"]).success();
    assert!(section.contains("\u{1b}[31mthe\u{1b}[0m \u{7} \u{7f} bell"), "{section:?}");
    assert_eq!(repo.read("docs/NEWS.md"), section);
    let json = repo.tidings(&["show", "1.1.0", "--date", "2024-03-09", "--format", "json"]).json();
    assert_eq!(json["notes"], section);
    let notes = repo.tidings(&["notes", "1.1.0", "--file", "docs/NEWS.md"]).success();
    assert!(section.ends_with(&notes), "{notes:?}");
    let shown = repo.tidings(&["explain", "1.1.0", "--color", "always"]).success();
    assert!(shown.contains(" Ring \u{fffd}[31mthe\u{fffd}[0m \u{fffd} \u{fffd} bell"), "{shown:?}");
}

#[test]
fn replacing_renews_what_is_there() {
    let repo = repo();
    add(&repo, &["1.1.0"]).success();
    repo.change("Add moon", "added");
    let document = add(&repo, &["1.1.0", "--replace", "--message", "Renew {version}", "--format", "json"]).json();
    assert_eq!(document["status"], "committed");
    assert_eq!(document["commit"], repo.git(&["rev-parse", "HEAD"]));
    assert_eq!((&document["branch"], &document["file"]), (&"main".into(), &"CHANGELOG.md".into()));
    assert!(document["diff"].as_str().unwrap().contains("\n+"), "{document}");
    assert!(repo.read("CHANGELOG.md").contains("Add moon"));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Renew 1.1.0");
    let again = add(&repo, &["1.1.0", "--replace"]).success();
    assert_eq!(again, "the section of 1.1.0 in CHANGELOG.md is up to date\n");
    let document = add(&repo, &["1.1.0", "--format", "json"]).json();
    assert_eq!((&document["status"], &document["commit"]), (&"unchanged".into(), &serde_json::Value::Null));
}

#[test]
fn a_dry_run_prints_a_diff_that_git_applies() {
    let repo = repo();
    let diff = add(&repo, &["1.1.0", "--dry-run"]).success();
    assert!(diff.starts_with("--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -1,5 +1,"), "{diff}");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.git_with_input(&["apply"], diff.as_bytes());
    let applied = repo.read("CHANGELOG.md");
    repo.git(&["checkout", "-q", "--", "."]);
    assert_eq!(add(&repo, &["1.1.0", "--dry-run", "--format", "json"]).json()["status"], "shown");
    add(&repo, &["1.1.0"]).success();
    assert_eq!(repo.read("CHANGELOG.md"), applied);
}

#[test]
fn without_a_commit_only_the_file_changes() {
    let repo = repo();
    repo.write("CHANGELOG.md", "# Log\r\n\r\nEdited by hand.\r\n");
    assert_eq!(add(&repo, &["1.1.0", "--no-commit"]).success(), "added 1.1.0 to CHANGELOG.md (not committed)\n");
    assert!(repo.read("CHANGELOG.md").starts_with("# Log\r\n\r\nEdited by hand.\r\n\r\n## 1.1.0 (2024-03-09)\r\n"));
    assert_eq!(repo.git(&["status", "--porcelain"]), " M CHANGELOG.md");
    assert_eq!(add(&repo, &["1.1.0", "--no-commit"]).success(), "1.1.0 is already in CHANGELOG.md\n");
    add(&repo, &["1.1.0", "--no-commit", "--branch", "main"]).failure(2);
}

#[test]
fn on_another_branch_the_section_ends_at_its_tip() {
    let repo = repo();
    repo.git(&["branch", "stable", "HEAD~1"]);
    repo.tag("stable");
    let stderr = add(&repo, &["1.0.1", "--branch", "stable"]).success();
    assert!(stderr.ends_with(" on stable\n"), "{stderr}");
    let file = repo.git(&["show", "refs/heads/stable:CHANGELOG.md"]);
    assert!(file.contains("Add search") && !file.contains("Fix crash"), "{file}");
    let missing = add(&repo, &["1.0.2", "--branch", "nowhere"]).failure(1);
    assert_eq!(missing, "error: branch `nowhere` not found\nhint: run `git branch --list` to list the branches\n");
}

#[test]
fn from_a_directory_below_the_top_the_same_file_is_meant() {
    let repo = repo();
    repo.file("docs/a.md", "a\n").commit("Docs");
    let run = tidings(&repo.path().join("docs")).args(["add", "1.1.0", "--date", "2024-03-09"]).output().unwrap();
    Outcome::from(run).success();
    assert!(repo.read("CHANGELOG.md").starts_with(ADDED));
    let run =
        tidings(&repo.beside("")).args(["add", "1.2.0", "--repo", "repo", "--date", "2024-03-09"]).output().unwrap();
    Outcome::from(run).success();
    assert!(repo.read("CHANGELOG.md").starts_with("# Log\n\n## 1.2.0 ("));
}

#[test]
fn a_section_takes_the_style_of_the_file_unless_the_configuration_is_that_of_gitlab() {
    let repo = repo();
    let kept = "# Log\n\n## [0.9.0] - 2020-01-01\n\nOld.\n";
    let mixed = format!("{kept}\n## 0.8.0 (2019-01-01)\n\nOlder.\n");
    repo.file("KEPT.md", kept).file("MIXED.md", &mixed).file("LOG.rst", "1.0\n===\n").commit("Keep");
    let added = |file: &str, options: &[&str]| {
        let args = ["1.1.0", "--file", file, "--no-commit"];
        add(&repo, &[&args, options].concat()).success();
        repo.read(file)
    };
    assert!(added("KEPT.md", &[]).starts_with("# Log\n\n## [1.1.0] - 2024-03-09\n\n### "));
    let own = added("MIXED.md", &["--strict"]);
    assert!(own.starts_with("# Log\n\n## [1.1.0] - 2024-03-09\n"), "{own}");
    let stderr = add(&repo, &["1.1.0", "--file", "LOG.rst"]).failure(1);
    assert!(
        stderr.starts_with("error: `LOG.rst` is written in reStructuredText") && stderr.contains("\nhint: "),
        "{stderr}"
    );

    repo.write("MIXED.md", &mixed);
    repo.write(".gitlab/changelog_config.yml", "categories: {}\n");
    let gitlab = added("MIXED.md", &[]);
    assert!(gitlab.contains("Old.\n\n## 1.1.0 (2024-03-09)\n\n### "), "{gitlab}");
    repo.write("MIXED.md", &mixed);
    repo.write(".gitlab/changelog_config.yml", "heading: file\n");
    assert!(added("MIXED.md", &[]).starts_with("# Log\n\n## [1.1.0] - 2024-03-09\n\n### fixed (1 change)\n"));
}

#[test]
fn the_only_file_that_is_named_like_a_changelog_is_the_changelog() {
    for (files, expected) in [
        (&["HISTORY.md", "docs/CHANGES.md"][..], Ok("HISTORY.md")),
        (&["docs/Changelog.md", "src/NEWS.md"], Ok("docs/Changelog.md")),
        (&["packages/a/CHANGELOG.md", "packages/b/x"], Ok("packages/a/CHANGELOG.md")),
        (&["packages/a/CHANGELOG.md", "packages/b/CHANGELOG.md"], Ok("CHANGELOG.md")),
        (&["CHANGELOG.md", "NEWS.md"], Ok("CHANGELOG.md")),
        (&["CHANGES.md", "NEWS.md"], Err("several files may be the changelog: `CHANGES.md`, `NEWS.md`")),
        (&["changes.rst"], Err("`changes.rst` is written in reStructuredText")),
    ] {
        let repo = TestRepo::new();
        repo.author();
        for file in files {
            repo.file(file, "## 1.0.0 (x)\n");
        }
        repo.commit("Add the files\n\nChangelog: added");
        let run = add(&repo, &["1.1.0", "--first-release", "--no-commit"]);
        match expected {
            Ok(file) => {
                assert_eq!(run.success(), format!("added 1.1.0 to {file} (not committed)\n"));
                assert!(repo.tidings(&["notes", "1.1.0", "--file", file]).success().contains("Add the files"));
            }
            Err(reason) => assert!(run.failure(1).contains(reason), "{files:?}"),
        }
    }
}

#[test]
fn a_page_about_releases_is_not_the_changelog() {
    let repo = repo();
    repo.file("docs/releases.md", "# Releases\n\n## Release Cycle\n\nWeekly.\n\n## Supported Versions\n")
        .commit("Explain");
    let run = add(&repo, &["1.1.0", "--no-commit"]);
    assert_eq!(run.success(), "added 1.1.0 to CHANGELOG.md (not committed)\n");
}

#[test]
fn what_moved_into_a_section_is_reported() {
    let repo = repo();
    let text = "## Unreleased\n\n- By hand\n\n## 1.0.0 (x)\n";
    repo.file("CHANGELOG.md", text).file(".gitlab/changelog_config.yml", "unreleased: move\n").commit("Write");
    let stderr = add(&repo, &["1.1.0", "--no-commit", "--format", "json"]).json();
    assert!(stderr["notes"].as_str().unwrap().contains("\n- By hand\n"), "{stderr}");
    let new = repo.read("CHANGELOG.md");
    assert!(new.starts_with("## Unreleased\n\n## 1.1.0 (2024-03-09)\n\n- By hand\n\n### "), "{new}");
}

#[test]
fn a_section_that_is_marked_as_unreleased_gets_its_date() {
    let repo = repo();
    let text = "# Log\n\n## 1.1.0 (Unreleased)\n\n- By hand\n\n## 1.0.0 (2024-01-01)\n\n- One\n";
    repo.file("CHANGELOG.md", text).commit("Write");
    let stderr = add(&repo, &["1.1.0"]).success();
    assert!(stderr.starts_with("added 1.1.0 to CHANGELOG.md: commit "), "{stderr}");
    assert_eq!(repo.read("CHANGELOG.md"), text.replace("Unreleased", "2024-03-09"));
    assert_eq!(add(&repo, &["1.1.0"]).success(), "1.1.0 is already in CHANGELOG.md\n");
    repo.file("CHANGELOG.md", text).file(".gitlab/changelog_config.yml", "").commit("Configure");
    assert_eq!(add(&repo, &["1.1.0"]).success(), "1.1.0 is already in CHANGELOG.md\n", "GitLab leaves it");
}

#[test]
fn a_new_file_in_the_form_of_keep_a_changelog_has_its_headings() {
    let repo = repo();
    repo.git(&["rm", "-q", "--ignore-unmatch", "CHANGELOG.md"]);
    repo.git(&["commit", "-q", "--allow-empty", "-m", "Begin"]);
    add(&repo, &["1.1.0", "--template", "keep-a-changelog", "-q"]).success();
    let new = repo.read("CHANGELOG.md");
    let opening = "# Changelog\n\nThe format is that of [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).\n\n";
    assert!(new.starts_with(&format!("{opening}## [1.1.0] - 2024-03-09\n\n### ")), "{new}");
    add(&repo, &["1.2.0", "--template", "keep-a-changelog", "-q"]).success();
    let next = repo.read("CHANGELOG.md");
    assert!(next.starts_with(&format!("{opening}## [1.2.0] - 2024-03-09\n\n")), "{next}");
}

#[test]
fn an_empty_section_can_be_refused() {
    let repo = repo();
    let head = repo.git(&["rev-parse", "HEAD"]);
    let stderr = add(&repo, &["1.1.0", "--from", "HEAD", "--fail-on-empty"]).failure(5);
    assert!(stderr.ends_with("error: the section has no entries\n"), "{stderr}");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    let added = add(&repo, &["1.1.0", "--from", "HEAD"]);
    let stderr = "the section of 1.1.0 has no entries: no commits since HEAD\n\
                hint: run `tidings explain` to see why, or use `--fail-on-empty` to add no such section\n";
    assert!(added.stderr.contains(stderr), "{}", added.stderr);
    added.success();
    assert!(repo.read("CHANGELOG.md").contains("## 1.1.0 (2024-03-09)\n\nNo changes.\n"));
}

#[test]
fn a_dry_run_finds_what_the_run_would_find() {
    let repo = repo();
    let same = |arguments: &[&str]| {
        let dry = add(&repo, &[arguments, &["--dry-run"]].concat());
        assert_eq!(add(&repo, arguments).failure(dry.code), dry.stderr);
        dry.stderr
    };
    assert!(same(&["1.1.0", "--message", " "]).contains("the commit message is empty"));
    repo.git(&["config", "commit.gpgSign", "maybe"]);
    assert!(same(&["1.1.0"]).contains("the git setting `commit.gpgSign` is `maybe`"));
    repo.git(&["config", "--unset", "commit.gpgSign"]);
    // Only a commit needs an author.
    repo.git(&["config", "--unset", "user.name"]);
    assert!(add(&repo, &["1.1.0", "--dry-run"]).success().contains("+## 1.1.0"));
    assert!(add(&repo, &["1.1.0"]).failure(1).contains("git does not know the author"));
}

#[test]
fn nobody_and_no_date_commit_nothing() {
    let repo = repo();
    let dated = tidings(repo.path()).args(["add", "1.1.0"]).env("GIT_COMMITTER_DATE", "soon").output().unwrap();
    assert_eq!(
        Outcome::from(dated).failure(1),
        "error: `GIT_COMMITTER_DATE` is `soon`, which is not a date\n\
         hint: write it as `2024-01-31T12:00:00+01:00`, or as `1706698800 +0100`\n"
    );
    repo.git(&["config", "--unset", "user.name"]);
    assert_eq!(
        add(&repo, &["1.1.0"]).failure(1),
        "error: git does not know the author: no name or no e-mail address is set\n\
         hint: set them with `git config user.name \"...\"` and `git config user.email \"...\"`\n"
    );
    let mut named = tidings(repo.path());
    named.args(["add", "1.1.0"]).envs([("GIT_AUTHOR_NAME", "Bo <b>,"), ("GIT_COMMITTER_NAME", "Cy")]);
    named.envs([("GIT_AUTHOR_DATE", "2024-01-02T03:04:05+0200"), ("GIT_COMMITTER_DATE", "1700000000 +0000")]);
    Outcome::from(named.output().unwrap()).success();
    let people = repo.git(&["log", "-1", "--format=%an %ai %cn %ct"]);
    assert_eq!(people, "Bo b 2024-01-02 03:04:05 +0200 Cy 1700000000");
}

#[test]
fn a_detached_head_is_told_of() {
    let repo = repo();
    repo.git(&["checkout", "-q", "--detach"]);
    let outcome = add(&repo, &["1.1.0", "--strict"]);
    assert!(outcome.stderr.starts_with("`HEAD` is detached, so no branch has commit "), "{}", outcome.stderr);
    assert!(outcome.success().starts_with("added 1.1.0 to CHANGELOG.md: commit "));
}

#[test]
fn what_hooks_say_is_passed_on() {
    let repo = repo();
    repo.hook("pre-commit", "echo checked; exit ${REFUSE:-0}");
    let refused = tidings(repo.path()).args(["add", "1.1.0"]).env("REFUSE", "1").output().unwrap();
    assert_eq!(
        Outcome::from(refused).failure(1),
        "error: git did not create the commit; nothing was changed\n  checked\n"
    );
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(add(&repo, &["1.1.0"]).stderr, "checked\n");
}

#[cfg(unix)]
#[test]
fn an_interrupt_during_a_hook_takes_everything_back() {
    let repo = repo();
    let program = "$(ps -o ppid= -p $PPID)";
    for (signal, of) in [("TERM", program), ("INT", program), ("KILL", "$PPID")] {
        repo.hook("pre-commit", &format!("grep -q 1.1.0 CHANGELOG.md && kill -{signal} {of} && exit 1"));
        let stderr = add(&repo, &["1.1.0"]).failure(1);
        assert!(stderr.starts_with("error: git did not create the commit; nothing was changed\n"), "{stderr}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        // What git cannot remove when it is killed.
        let _ = std::fs::remove_file(repo.path().join(".git/index.lock"));
    }
}

#[test]
fn a_url_is_nothing_to_commit_to() {
    let repo = repo();
    let stderr = add(&repo, &["1.1.0", "--repo", "https://git.harbor.example/pilot.git"]).failure(2);
    assert!(stderr.starts_with("error: `https://git.harbor.example/pilot.git` is not on this machine"), "{stderr}");
}
