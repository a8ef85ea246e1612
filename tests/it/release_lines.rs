//! Lines of history beyond `base` and `next`: packages, `check`, the plan of a release, and the messages.

use crate::support::TestRepo;

const SETTINGS: &str = "packages:\n  api: {}\n  web: {}\n";

/// Two packages at 1.0.0; `rel` parted there and has a change of each, main went on to 2.0.0 of both.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("tidings.yml", SETTINGS).file("api/a", "1").file("web/a", "1").commit("Begin");
    repo.tag("api/v1.0.0").tag("web/v1.0.0");
    repo.git(&["checkout", "-q", "-b", "rel"]);
    repo.file("api/a", "2").file("web/a", "2").change("Backport", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    repo.file("api/a", "3").file("web/a", "3").change("Go on", "added");
    repo.tag("api/v2.0.0").tag("web/v2.0.0");
    repo.file("web/a", "4").change("Mend the web", "fixed");
    repo
}

#[test]
fn each_package_goes_on_from_the_release_of_its_own_line() {
    let repo = harbor();
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "web 2.0.1\n");
    repo.git(&["checkout", "-q", "rel"]);
    assert_eq!(repo.tidings(&["base", "--package", "api"]).success(), "api/v1.0.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "api"]).success(), "1.0.1\n");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "api 1.0.1\nweb 1.0.1\n");
    let url = format!("file://{}", repo.path().display());
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    let by_url = ["--repo", &url, "--to", "rel", "--config-ref", "rel"];
    assert_eq!(repo.tidings(&[&["next", "--package", "web"], &by_url[..]].concat()).success(), "1.0.1\n");
}

#[test]
fn check_looks_at_the_commits_of_its_own_line() {
    let repo = harbor();
    repo.git(&["checkout", "-q", "main"]);
    repo.write("tidings.yml", "tag_prefix: api/v\n");
    repo.git(&["checkout", "-q", "-B", "trunk", "api/v2.0.0"]);
    repo.tidings(&["check", "--require", "each"]).success();
    repo.git(&["checkout", "-q", "rel"]);
    repo.commit("No trailer");
    let document = repo.tidings(&["check", "--require", "each", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&document.stdout).unwrap();
    let text = found.to_string();
    assert!(text.contains(&repo.git(&["rev-parse", "HEAD"])), "{text}");
    assert!(!text.contains(&repo.git(&["rev-parse", "main"])), "{text}");
}

#[test]
fn the_plan_names_the_line_that_the_release_is_of() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("One");
    repo.tag("v1.0.0");
    repo.git(&["checkout", "-q", "-b", "rel"]);
    repo.change("Backport", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on", "added");
    repo.tag("v2.0.0");
    repo.git(&["checkout", "-q", "rel"]);
    let options = ["release", "--no-push", "--no-host-release"];
    let plan = repo.tidings(&options);
    let stderr = format!("{}{}", plan.stdout, plan.stderr);
    assert!(stderr.contains("release 1.0.1 of rel as v1.0.1"), "{stderr}");
    assert!(stderr.contains("`v2.0.0` is on another line of history, which diverged at "), "{stderr}");
    let section = repo.tidings(&[&options[..], &["-x"]].concat());
    assert_eq!(section.code, 0, "{}", section.stderr);
    assert!(repo.read("CHANGELOG.md").contains("- Backport") && !repo.read("CHANGELOG.md").contains("Go on"));
    // The version that the rule leads to is tagged on a third line.
    repo.git(&["checkout", "-q", "-b", "side", "v1.0.0"]);
    repo.change("Beside", "fixed");
    let refused = repo.tidings(&[&options[..], &["--from", "v1.0.0", "-x"]].concat()).failure(1);
    assert!(refused.contains("the version after `v1.0.0` is 1.0.1, but the tag `v1.0.1` exists already"), "{refused}");
}

/// Main left at 2.26.0, where the releases of the second major version went on, and has no stable release of its own yet.
fn with_new_major_version() -> TestRepo {
    let repo = TestRepo::new();
    repo.change("Begin", "other");
    repo.tag("release-2.26.0");
    repo.git(&["checkout", "-q", "-b", "second"]);
    for version in ["2.28.0", "2.28.1", "2.30.0"] {
        repo.change("Go on", "added");
        repo.tag(&format!("release-{version}"));
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Rewrite", "fixed");
    repo
}

#[test]
fn a_new_series_is_not_below_one_of_another_line() {
    let repo = with_new_major_version();
    assert_eq!(repo.tidings(&["next"]).success(), "2.26.1\n", "a maintenance line has patches");
    let next = |level: &str| repo.tidings(&["next", "--level", level]);
    let refused = next("minor").failure(1);
    let expected =
        "the version after `release-2.26.0` is 2.27.0, which is below `release-2.30.0`, which is on another line";
    assert!(refused.contains(expected) && refused.contains("name the version yourself"), "{refused}");
    assert_eq!(next("major").success(), "3.0.0\n");
    repo.git(&["checkout", "-q", "second"]);
    repo.change("Go on", "added");
    assert_eq!(next("minor").success(), "2.31.0\n");
}

#[test]
fn no_version_is_below_a_pre_release_of_its_history() {
    let repo = with_new_major_version();
    repo.tag("preview-3.1.8");
    repo.change("Go on", "added");
    repo.tag("nightly-2024.1.5").tag("web-preview-7.0.0").tag("prerelease-3.1.10");
    repo.change("Go on", "fixed");
    let next = |level: &str| repo.tidings(&["next", "--level", level]);
    let refused = next("major").failure(1);
    let expected =
        "the version after `release-2.26.0` is 3.0.0, which is below `prerelease-3.1.10`, which is in this history";
    assert!(refused.contains(expected), "{refused}");
    assert!(next("patch").failure(1).contains("prerelease-3.1.10"));
    repo.git(&["checkout", "-q", "second"]);
    repo.change("Mend", "fixed");
    assert_eq!(next("patch").success(), "2.30.1\n");
}

#[test]
fn pre_releases_that_are_made_beside_the_line_one_by_one_are_of_it() {
    let repo = TestRepo::new();
    repo.change("Begin", "other");
    repo.tag("v1.0.0");
    let next = || repo.tidings(&["next"]).success();
    for (number, expected) in [(1, "1.0.1\n"), (2, "2.0.0\n")] {
        repo.change("Rewrite", "fixed");
        repo.git(&["checkout", "-q", "--detach"]);
        repo.commit("Set the version");
        repo.tag(&format!("v2.0.0-beta.{number}"));
        repo.git(&["checkout", "-q", "main"]);
        repo.change("Go on", "fixed");
        assert_eq!(next(), expected, "after {number}");
    }
}

#[test]
fn pre_releases_of_a_branch_say_nothing_about_another_one() {
    let repo = TestRepo::new();
    repo.change("Begin", "other");
    repo.tag("v1.0.0");
    repo.change("Mend", "fixed");
    repo.git(&["checkout", "-q", "-b", "beta"]);
    repo.change("Rewrite", "removed");
    repo.tag("v2.0.0-beta.1");
    repo.change("Go on", "added");
    repo.tag("v2.0.0-beta.2");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Mend more", "fixed");
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
}
