//! `tidings next`, and `show --next`: the version that the unreleased changes ask for.

use serde_json::json;

use crate::support::TestRepo;

/// A tagged commit, and one change of each category after it.
fn since(tag: &str, categories: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag(tag);
    for category in categories {
        repo.change("Change it", category);
    }
    repo
}

#[track_caller]
fn next(repo: &TestRepo, arguments: &[&str]) -> String {
    repo.tidings(&[&["next"], arguments].concat()).success()
}

#[test]
fn the_highest_level_of_the_categories_raises_the_last_stable_tag() {
    assert_eq!(next(&since("v1.2.3", &["fixed"]), &[]), "1.2.4\n");
    assert_eq!(next(&since("v1.2.3", &["fixed", "added", "other"]), &[]), "1.3.0\n");
    assert_eq!(next(&since("v1.2.3", &["added", "removed"]), &[]), "2.0.0\n");
    assert_eq!(next(&since("v0.2.3", &["removed"]), &[]), "0.3.0\n");
    assert_eq!(next(&since("v0.2.3", &["added"]), &[]), "0.2.4\n");
}

#[test]
fn options_raise_mark_and_begin() {
    let repo = since("1.2.3+ee.0", &["fixed"]);
    assert_eq!(next(&repo, &["--level", "major"]), "2.0.0\n");
    assert_eq!(next(&repo, &["--pre", "rc", "--build", "b7"]), "1.2.4-rc.1+b7\n");
    repo.tag("v1.2.4-rc.1").tag("v9.0.0-rc.7");
    assert_eq!(next(&repo, &["--pre", "rc"]), "9.0.0-rc.8\n", "never below a pre-release that is there");
    let hint = repo.tidings(&["next", "--pre", "r_c"]).failure(2);
    assert!(hint.contains("`r_c` cannot be a pre-release"), "{hint}");
}

#[test]
fn the_section_of_the_next_version_is_the_one_of_that_version() {
    let repo = since("v1.2.3", &["fixed"]);
    let shown = |arguments: &[&str]| {
        let mut document =
            repo.tidings(&[&["show", "--date", "2024-03-09", "--format", "json"], arguments].concat()).json();
        let reason = document["base"]["reason"].take();
        (document, reason)
    };
    let (next, reason) = shown(&["--next"]);
    assert_eq!(reason, "the highest stable version of 1 tag");
    assert_eq!((next, "the highest stable version below 1.2.4 of 1 tag".into()), shown(&["1.2.4"]));
}

#[test]
fn the_version_follows_the_last_one_wherever_the_range_starts() {
    let repo = since("v1.2.3", &["fixed"]);
    repo.tag("v2.0.0");
    repo.change("Mend it", "fixed");
    repo.change("Light the lamp", "added");
    assert_eq!(next(&repo, &[]), "2.1.0\n");
    for (from, expected) in [("v1.2.3", "2.1.0\n"), ("v2.0.0^{commit}", "2.1.0\n"), ("HEAD~1", "2.1.0\n")] {
        let outcome = repo.tidings(&["next", "--from", from]);
        assert_eq!((outcome.stderr.as_str(), outcome.stdout.as_str()), ("", expected), "{from}");
    }
    repo.change("Mend the lamp", "fixed");
    assert_eq!(next(&repo, &["--from", "HEAD~1"]), "2.0.1\n");
    let document = repo.tidings(&["next", "--from", "HEAD~1", "--format", "json"]).json();
    assert_eq!(document["base"]["tag"], "v2.0.0");
}

#[test]
fn without_a_stable_tag_it_is_the_initial_version() {
    let repo = TestRepo::new();
    repo.change("Add crane", "added");
    assert_eq!(next(&repo, &[]), "0.1.0\n");
    assert_eq!(next(&repo, &["--initial", "1.0.0"]), "1.0.0\n");
    repo.tag("alpha");
    assert_eq!(next(&repo, &[]), "0.1.0\n", "a name without a number is no release");
}

#[test]
fn a_first_release_has_the_version_of_the_manifest() {
    let repo = TestRepo::new();
    repo.file("package.json", "{\"version\": \"0.3.0-dev\"}").change("Add crane", "added");
    assert_eq!(next(&repo, &[]), "0.3.0\n");
    let reason = "a first release: no stable tag found, and the manifest has 0.3.0";
    let explained = repo.tidings(&["next", "-v"]).stderr;
    assert!(explained.contains(reason), "{explained}");
    assert_eq!(next(&repo, &["--initial", "1.0.0"]), "1.0.0\n");
    repo.file("tidings.yml", "version_files: [{ path: VERSION, regex: '^(.*)$' }]\n").file("VERSION", "0.4.0\n");
    repo.commit("Set up");
    assert_eq!(next(&repo, &[]), "0.4.0\n", "the configured files count");
    repo.file("VERSION", "0.0.0\n").commit("Leave it to the release");
    assert_eq!(next(&repo, &[]), "0.1.0\n");
    repo.tag("v0.2.0");
    repo.change("Add a hook", "fixed");
    assert_eq!(next(&repo, &[]), "0.2.1\n");
}

#[test]
fn a_first_release_is_said_in_vain_after_one() {
    let warning = "`--first-release` is not needed: `v1.4.0` is the last release\n";
    let repo = TestRepo::new();
    repo.author();
    repo.change("Begin", "added");
    repo.tag("v9.0.0-rc.7");
    assert_eq!(next(&repo, &["--first-release", "--initial", "1.0.0"]), "1.0.0\n", "a pre-release is not a release");
    repo.git(&["tag", "-d", "v9.0.0-rc.7"]);
    repo.tag("v1.4.0").change("Mend it", "fixed");
    for options in [&[][..], &["--initial", "1.0.0"]] {
        let outcome = repo.tidings(&[&["next", "--first-release"], options].concat());
        assert_eq!(outcome.stdout, "1.4.1\n", "never below the last version");
        assert!(outcome.stderr.contains(warning), "{}", outcome.stderr);
    }
    let section = repo.tidings(&["show", "--next", "--first-release"]);
    assert!(section.stderr.contains(warning), "{}", section.stderr);
    assert_eq!(section.stdout, repo.tidings(&["show", "--next"]).success());
    let release = ["release", "--no-push", "--no-host-release", "--first-release"];
    let plan = repo.tidings(&release);
    assert!(plan.stdout.contains("1.4.1") && plan.stderr.contains(warning), "{}{}", plan.stdout, plan.stderr);
    assert!(!plan.stdout.contains("Begin"), "{}", plan.stdout);
    repo.tidings(&["add", "--next", "--first-release", "--no-commit"]).success();
    assert!(!repo.read("CHANGELOG.md").contains("Begin"), "{}", repo.read("CHANGELOG.md"));
    assert!(repo.read("CHANGELOG.md").contains("## 1.4.1"), "{}", repo.read("CHANGELOG.md"));
    let whole = repo.tidings(&["show", "--first-release"]).success();
    assert!(whole.contains("Begin"), "without a version it is the whole history: {whole}");

    std::fs::remove_file(repo.path().join("CHANGELOG.md")).unwrap();
    repo.tidings(&[&release[..], &["-x"]].concat()).success();
    let again = repo.tidings(&[&release[..], &["-x"]].concat()).success();
    assert!(again.contains("nothing left to do for 1.4.1"), "{again}");
    repo.commit("Tidy up");
    repo.tidings(&[&release[..], &["-x"]].concat()).failure(5);
}

#[test]
fn a_first_release_is_said_in_vain_for_a_tag_that_is_not_the_first() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Begin", "added");
    repo.tag("v1.4.0").change("Mend it", "fixed");
    repo.tag("v1.4.1");
    let release = ["release", "--no-commit", "--no-push", "--no-host-release", "--first-release"];
    let notes = || repo.tidings(&[&release[..], &["--format", "json"]].concat()).json()["notes"].to_string();
    let later = notes();
    assert!(later.contains("Mend it") && !later.contains("Begin"), "{later}");
    repo.git(&["reset", "-q", "--hard", "v1.4.0"]);
    repo.git(&["tag", "-d", "v1.4.1"]);
    assert!(notes().contains("Begin"), "the first one has the whole history: {}", notes());
}

#[test]
fn nothing_to_release_exits_with_5_and_says_why() {
    let repo = since("v1.2.3", &[]);
    repo.commit("Tidy up");
    let outcome = repo.tidings(&["next", "--source", "both", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(document["version"], json!(null));
    assert_eq!(document["reason"], "no commit since v1.2.3 has a `Changelog:` trailer or known type in its title");
    assert!(outcome.failure(5).contains("nothing to release: no unreleased change bumps the version"));
    repo.commit("docs: Say it");
    let unlisted = repo.tidings(&["next", "--source", "conventional"]).stderr;
    assert!(unlisted.contains("no commit since v1.2.3 is of a type that is listed"), "{unlisted}");
    assert!(
        repo.tidings(&["show", "--next", "--source", "both"])
            .failure(5)
            .contains("nothing to release: no unreleased change bumps the version")
    );
}

#[test]
fn the_reason_and_the_advice_follow_the_source_of_entries() {
    let repo = since("v1.2.3", &[]);
    repo.commit("Mend it");
    for (source, reason, advice) in [
        ("merge-requests", "has a merge or pull request in its message", "set `forge` if numbers in titles"),
        ("conventional", "has a known type in its title", "begin titles with a type"),
    ] {
        let stderr = repo.tidings(&["next", "-v", "--source", source]).failure(5);
        assert_eq!(stderr.matches(&format!("  no commit since v1.2.3 {reason}\n")).count(), 1, "{stderr}");
        assert!(stderr.contains(&format!("hint: {advice}")), "{stderr}");
    }
}

#[test]
fn the_settings_say_what_a_category_asks_for() {
    let repo = since("v0.2.3", &["added", "docs"]);
    repo.file(".service/changelog_config.yml", "bump: { added: major, docs: none }\n");
    assert_eq!(next(&repo, &[]), "1.0.0\n");
    let document = repo.tidings(&["next", "--format", "json"]).json();
    assert_eq!(document["level"], "major");
    assert_eq!(document["base"]["tag"], "v0.2.3");
    let categories = json!([
        { "category": "added", "level": "major", "count": 1 },
        { "category": "docs", "level": "none", "count": 1 },
    ]);
    assert_eq!(document["categories"], categories);
    repo.file(".service/changelog_config.yml", "bump: { added: none, docs: none }\n");
    assert!(repo.tidings(&["next"]).failure(5).contains("no category since v0.2.3 bumps the version"));
}

#[test]
fn a_section_goes_under_the_next_version() {
    let notes = since("v1.2.3", &["added"]).tidings(&["show", "--next", "--date", "2024-03-09"]).success();
    assert!(notes.starts_with("## 1.3.0 (2024-03-09)\n"), "{notes}");
    let first = TestRepo::new();
    first.change("Add crane", "added");
    let notes = first.tidings(&["show", "--next", "--date", "2024-03-09"]).success();
    assert!(notes.starts_with("## 0.1.0 (2024-03-09)\n"), "{notes}");
}

#[test]
fn every_trailer_asks_where_every_one_counts() {
    let repo = since("v1.2.3", &[]);
    repo.commit("Do two things\n\nChangelog: added\nChangelog: fixed\n");
    assert_eq!(next(&repo, &[]), "1.2.4\n", "the last one alone");
    repo.write(".gitlab/changelog_config.yml", "repeated_trailers: all\n");
    assert_eq!(next(&repo, &[]), "1.3.0\n");
    let document = repo.tidings(&["explain", "--format", "json"]).json();
    assert_eq!(document["commits"][0]["categories"], json!(["added", "fixed"]));
}

#[test]
fn the_reason_names_what_decided_and_what_was_lowered() {
    let reason = |tag: &str, categories: &[&str]| {
        let repo = since(tag, categories);
        let document = repo.tidings(&["next", "--format", "json"]).json();
        let reason = document["reason"].as_str().unwrap().to_owned();
        assert!(repo.tidings(&["next", "-v"]).stderr.contains(&reason), "{reason}");
        reason
    };
    assert_eq!(reason("v1.2.3", &["fixed", "fixed", "performance"]), "patch since v1.2.3: 1 `performance`, 2 `fixed`");
    let lowered = "patch since v0.2.3: 1 `fixed`; 2 `added` ask for minor, one level less below 1.0.0";
    assert_eq!(reason("v0.2.3", &["fixed", "added", "added"]), lowered);
}

#[test]
fn conventional_commits_ask_for_their_own_levels_also_below_one() {
    for (tag, title, expected) in [
        ("v1.2.3", "perf: x", "1.2.4\n"),
        ("v1.2.3", "revert: x", "1.2.4\n"),
        ("v1.2.3", "feat: x", "1.3.0\n"),
        ("v1.2.3", "fix!: x", "2.0.0\n"),
        ("v0.2.3", "fix: x", "0.2.4\n"),
        ("v0.2.3", "feat: x", "0.3.0\n"),
        ("v0.2.3", "feat!: x", "0.3.0\n"),
    ] {
        let repo = since(tag, &[]);
        repo.commit(title);
        assert_eq!(next(&repo, &["--source", "conventional"]), expected, "{tag} {title}");
    }
    assert_eq!(next(&since("v1.2.3", &["performance"]), &[]), "1.2.4\n", "as a trailer too");
}

#[test]
fn changes_that_ask_for_more_than_a_pre_release_has_begin_a_new_line() {
    let repo = since("v1.0.0", &["added"]);
    repo.tag("v1.1.0-rc.1");
    assert_eq!(next(&repo, &["--pre", "rc"]), "1.1.0-rc.2\n");
    repo.change("Drop it", "removed");
    assert_eq!(next(&repo, &["--pre", "rc"]), "2.0.0-rc.1\n");
    assert_eq!(next(&repo, &[]), "2.0.0\n");
}

/// Releases of these versions, each with a commit before it, and a commit after the last one.
fn releases(versions: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    for version in versions {
        repo.commit(&format!("Work for {version} on it"));
        repo.tag(&format!("v{version}"));
    }
    repo.commit("Add crane");
    repo
}

#[test]
fn where_entries_have_no_kinds_the_last_releases_make_an_estimate() {
    let repo = releases(&["0.14.0", "0.14.1", "0.15.0", "0.16.0", "0.17.0", "0.17.1"]);
    let next = repo.tidings(&["next"]);
    let words = "an estimate, since the changes have no kinds: minor 0.18.0, as 3 of the last 5 releases; patch would be \
                 0.17.2 (2 of the last 5)";
    assert!(next.stderr.contains(&format!("the version is {words}\n")), "{}", next.stderr);
    assert_eq!(next.success(), "0.18.0\n");
    let document = repo.tidings(&["next", "--format", "json"]).json();
    assert_eq!((&document["reason"], &document["estimate"]["level"]), (&words.into(), &"minor".into()));
    assert_eq!(document["estimate"]["candidates"][0]["version"], "0.17.2");
    assert_eq!(document["estimate"]["last"][0]["version"], "0.17.1");
    let chosen = repo.tidings(&["next", "--level", "patch", "--format", "json"]).json();
    assert_eq!((&chosen["version"], chosen["estimate"].is_null()), (&"0.17.2".into(), true));
    repo.git(&["checkout", "-q", "-b", "old", "v0.14.1"]);
    repo.commit("Mend mast");
    let old = repo.tidings(&["next"]);
    assert!(old.stderr.contains("patch 0.14.2, as on a maintenance line"), "{}", old.stderr);
    assert_eq!(old.success(), "0.14.2\n");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("tidings.yml", "source: titles\nbump: {changes: minor}\n");
    assert_eq!(repo.tidings(&["next"]).stderr, "", "what the configuration says is no estimate");
}

#[test]
fn the_patches_of_maintenance_branches_do_not_count_for_an_estimate_of_the_main_line() {
    let repo = TestRepo::new();
    repo.author();
    for series in ["1.0", "1.1", "1.2"] {
        repo.commit(&format!("Work for {series} on it"));
        repo.git(&["checkout", "-q", "-b", series]);
        for patch in 0..3 {
            repo.commit(&format!("Prepare {series}.{patch}"));
            repo.tag(&format!("v{series}.{patch}"));
        }
        repo.git(&["checkout", "-q", "main"]);
    }
    repo.commit("Add crane");
    let next = repo.tidings(&["next"]);
    let words = ": minor 1.3.0, as 2 of the last 2 releases of this branch\n";
    assert!(next.stderr.ends_with(words), "{}", next.stderr);
    assert_eq!(next.success(), "1.3.0\n");

    // A branch that begins at the first release of its series.
    repo.tag("v1.3.0");
    repo.git(&["checkout", "-q", "-b", "1.3"]);
    repo.commit("Mend crane");
    repo.tag("v1.3.1");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("Add mast");
    assert_eq!(repo.tidings(&["next"]).success(), "1.4.0\n");

    // A branch that is merged into the main one from time to time.
    for patch in ["1.3.2", "1.3.3"] {
        repo.git(&["checkout", "-q", "1.3"]);
        repo.commit(&format!("Mend mast for {patch}"));
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge branch '1.3'", "1.3"]);
        repo.git(&["checkout", "-q", "1.3"]);
        repo.commit(&format!("Prepare {patch}"));
        repo.tag(&format!("v{patch}"));
        repo.git(&["checkout", "-q", "main"]);
    }
    assert_eq!(repo.tidings(&["next"]).success(), "1.4.0\n");

    // On the maintenance branch itself the patch is next.
    repo.git(&["checkout", "-q", "1.2"]);
    repo.commit("Mend mast");
    assert_eq!(repo.tidings(&["next"]).success(), "1.2.3\n");
}

#[test]
fn releases_that_are_tagged_beside_their_branch_count_for_its_estimate() {
    let repo = TestRepo::new();
    repo.author();
    for version in ["1.0.0", "1.0.1", "1.0.2", "1.1.0", "1.1.1"] {
        repo.commit(&format!("Work for {version} on it"));
        repo.git(&["checkout", "-q", "--detach"]);
        repo.commit(&format!("Set the version {version}"));
        repo.tag(&format!("v{version}"));
        repo.git(&["checkout", "-q", "main"]);
    }
    repo.commit("Add crane");
    let next = repo.tidings(&["next"]);
    let words = ": patch 1.1.2, as 3 of the last 4 releases of this branch; minor would be 1.2.0 (1 of the last 4)\n";
    assert!(next.stderr.ends_with(words), "{}", next.stderr);
}

#[test]
fn an_estimate_after_two_releases_is_as_the_last_one_did() {
    let next = releases(&["1.0.0", "1.1.0"]).tidings(&["next"]);
    let words = ": minor 1.2.0, as the last release did; patch would be 1.1.1\n";
    assert!(next.stderr.ends_with(words), "{}", next.stderr);
}

/// `next` is asked for a version all the same, but nothing is released of itself that no section would show.
#[test]
fn changes_that_are_not_listed_are_estimated_and_not_released() {
    let repo = releases(&["1.0.0"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/app.git"]);
    repo.commit("Add sail (#7)");
    repo.tag("v1.0.1");
    repo.commit("Add crane");
    for settings in ["source: merge-requests\n", "source: titles\nmatch:\n  - { title: '^Add ', skip: true }\n"] {
        repo.write("tidings.yml", settings);
        let next = repo.tidings(&["next"]);
        let words = "the version is an estimate, since none of the changes is listed: patch 1.0.2";
        assert!(next.stderr.contains(words), "{}", next.stderr);
        assert_eq!(next.success(), "1.0.2\n");
        let release = ["release", "--no-push", "--no-host-release"];
        repo.tidings(&release).failure(3);
        let nothing = repo.tidings(&[&release[..], &["--accept-estimate"]].concat()).failure(5);
        assert!(nothing.contains("nothing to release") && nothing.contains("`--level`"), "{nothing}");
        repo.tidings(&[&release[..], &["--level", "patch"]].concat()).success();
    }
    repo.tag("v1.0.2");
    repo.commit("Bump version to 1.0.3");
    repo.tidings(&["next"]).failure(5);
}

#[test]
fn an_estimate_is_only_released_if_that_is_accepted() {
    let repo = releases(&["1.0.0", "1.1.0", "1.2.0"]);
    let local = ["--no-push", "--no-host-release"];
    let release = |options: &[&str]| repo.tidings(&[&["release"], &local[..], options].concat());
    let refused = release(&["-x"]).failure(1);
    assert!(
        refused.contains("the version 1.3.0 is an estimate, since the changes have no kinds: minor 1.3.0"),
        "{refused}"
    );
    assert!(
        refused.contains(
            "hint: name the version, choose its part with `--level`, or take the estimate with `--accept-estimate`"
        ),
        "{refused}"
    );
    assert_eq!(repo.git(&["tag", "--points-at", "HEAD"]), "");
    release(&[]).failure(3);
    let refused = repo.tidings(&["add", "--next"]).failure(1);
    assert!(refused.contains("hint: name the version, such as `tidings add 1.3.0`"), "{refused}");
    release(&["--accept-estimate"]).success();
    release(&["--level", "patch"]).success();
    release(&["-x", "--accept-estimate"]).success();
    assert_eq!(repo.git(&["tag", "--points-at", "HEAD"]), "v1.3.0");
}

#[test]
fn without_commits_it_is_not_the_trailer_that_is_missing() {
    let repo = releases(&["1.0.0"]);
    repo.tag("v1.1.0");
    let stderr = repo.tidings(&["next"]).failure(5);
    assert!(stderr.contains("there is no commit since v1.1.0") && !stderr.contains("trailer"), "{stderr}");
}
