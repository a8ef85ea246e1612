//! The base tag if no version is given: which line of history a tag is on, which tags are versions, and the messages.

use crate::support::TestRepo;

/// Runs `tidings base` and `tidings next`; the next version is what a fix asks for.
#[track_caller]
fn expect(repo: &TestRepo, branch: &str, base: &str, next: &str) {
    repo.git(&["checkout", "-q", branch]);
    assert_eq!(repo.tidings(&["base"]).success().trim(), base, "the base on {branch}");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["next"]).success().trim(), next, "the next version on {branch}");
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
}

pub fn branch(repo: &TestRepo, name: &str, at: &str) {
    repo.git(&["checkout", "-q", "-b", name, at]);
}

/// main: v1.0.0, v2.0.0; `rel` branched at v1.0.0.
fn with_maintenance() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("v1.0.0");
    branch(&repo, "rel", "v1.0.0");
    repo.change("Backport", "fixed");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on", "added");
    repo.tag("v2.0.0");
    repo
}

#[test]
fn a_maintenance_branch_goes_on_from_its_own_release() {
    let repo = with_maintenance();
    expect(&repo, "rel", "v1.0.0", "1.0.1");
    expect(&repo, "main", "v2.0.0", "2.0.1");
    repo.git(&["checkout", "-q", "rel"]);
    repo.tag("v1.0.1");
    expect(&repo, "rel", "v1.0.1", "1.0.2");
    let stderr = repo.tidings(&["base", "-v"]).stderr;
    assert!(stderr.contains("`v2.0.0` is on another line of history, which diverged at "), "{stderr}");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge rel", "rel"]);
    expect(&repo, "main", "v2.0.0", "2.0.1");
}

#[test]
fn every_command_without_a_version_starts_at_the_same_tag() {
    let repo = with_maintenance();
    repo.git(&["checkout", "-q", "rel"]);
    for command in [&["show"][..], &["explain"], &["next"]] {
        let document = repo.tidings(&[command, &["--format", "json"]].concat()).json();
        assert_eq!(document["base"]["tag"], "v1.0.0", "{command:?}: {document}");
    }
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("Backport") && !section.contains("Go on"), "{section}");
    assert_eq!(repo.tidings(&["base", "1.5.0"]).success(), "v1.0.0\n", "a given version is compared as GitLab does");
    assert_eq!(repo.tidings(&["base", "3.0.0"]).success(), "v2.0.0\n");
}

#[test]
fn releases_on_stable_branches_alone_are_ours_on_main_and_not_on_the_others() {
    let repo = TestRepo::new();
    repo.commit("One");
    branch(&repo, "1-0-stable", "main");
    repo.commit("Prepare 1.0");
    repo.tag("v1.0.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("Two");
    branch(&repo, "1-1-stable", "main");
    repo.commit("Prepare 1.1");
    repo.tag("v1.1.0");
    repo.commit("Mend 1.1");
    repo.tag("v1.1.1");
    repo.git(&["checkout", "-q", "main"]);
    expect(&repo, "main", "v1.1.1", "1.1.2");
    repo.change("Three", "added");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.1.1\n");
    assert_eq!(repo.tidings(&["next"]).success(), "1.2.0\n");
    let stderr = repo.tidings(&["next"]).stderr;
    assert!(stderr.contains("note: `v1.1.1` is on another branch, which left this one at "), "{stderr}");
    expect(&repo, "1-0-stable", "v1.0.0", "1.0.1");
    expect(&repo, "1-1-stable", "v1.1.1", "1.1.2");
}

/// A fourth number mends a release, and the third goes on after it.
#[test]
fn a_release_branch_of_four_numbers_is_one_series() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Begin");
    for (series, tags) in
        [("8.0", ["8.0.0", "8.0.1", "8.0.1.1", "8.0.2"]), ("8.1", ["8.1.0", "8.1.1", "8.1.2", "8.1.2.1"])]
    {
        branch(&repo, series, "main");
        for tag in tags {
            repo.commit("Release");
            repo.tag(tag);
        }
        repo.git(&["checkout", "-q", "main"]);
        repo.commit("Go on");
    }
    expect(&repo, "main", "8.1.2.1", "8.1.3");
    expect(&repo, "8.0", "8.0.2", "8.0.3");
    expect(&repo, "8.1", "8.1.2.1", "8.1.3");
}

#[test]
fn a_release_branch_of_two_numbers_is_one_series() {
    let repo = TestRepo::new();
    repo.change("Add it", "added");
    repo.tag("v25.0");
    for first in 28..31 {
        repo.git(&["checkout", "-q", "main"]);
        repo.change("Add more", "added");
        branch(&repo, &format!("{first}.x"), "HEAD");
        for second in 0..3 {
            repo.change("Mend it", "fixed");
            repo.tag(&format!("v{first}.{second}"));
        }
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Add still more", "added");
    assert_eq!(repo.tidings(&["base"]).success(), "v30.2\n");
    repo.git(&["checkout", "-q", "29.x"]);
    repo.change("Mend more", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v29.2\n");
}

#[test]
fn a_release_may_be_a_commit_beside_main() {
    let repo = TestRepo::new();
    for version in ["v1.0.0", "v1.1.0", "v2.0.0"] {
        repo.change("Work", "added");
        repo.git(&["checkout", "-q", "--detach"]);
        repo.commit("Set the version");
        repo.tag(version);
        repo.git(&["checkout", "-q", "main"]);
    }
    expect(&repo, "main", "v2.0.0", "2.0.1");
}

/// The release before the parting is of both lines, so it does not show which of them is the branch.
#[test]
fn a_release_branch_that_left_at_a_release_counts_on_the_default_branch() {
    let repo = TestRepo::new();
    repo.change("Add it", "added");
    repo.tag("v2.9.98");
    repo.change("Add more", "added");
    repo.tag("v2.9.99");
    branch(&repo, "release/3.0", "HEAD");
    for tag in ["v3.0.0", "v3.0.1"] {
        repo.change("Mend it", "fixed");
        repo.tag(tag);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Add still more", "added");
    expect(&repo, "main", "v3.0.1", "3.1.0");
    // The same, where the remote has another default branch.
    repo.git(&["update-ref", "refs/remotes/origin/release/3.0", "release/3.0"]);
    repo.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/3.0"]);
    expect(&repo, "main", "v2.9.99", "2.10.0");
}

#[test]
fn a_release_counts_whose_line_is_here_rewritten() {
    let repo = TestRepo::new();
    repo.change("Add it", "added");
    repo.tag("v1.0.0");
    repo.change("Mend one", "fixed");
    repo.change("Mend two", "fixed");
    repo.tag("v1.1.0");
    branch(&repo, "rewritten", "v1.0.0");
    repo.change("Mend first", "fixed");
    repo.git(&["cherry-pick", "--allow-empty", "main~1"]);
    expect(&repo, "rewritten", "v1.0.0", "1.0.1");
    repo.git(&["cherry-pick", "--allow-empty", "main"]);
    expect(&repo, "rewritten", "v1.1.0", "1.1.1");
}

#[test]
fn a_release_after_the_commit_on_the_default_branch_is_no_base() {
    let repo = TestRepo::new();
    repo.change("Add it", "added");
    repo.tag("v1.7.15");
    repo.change("Mend it", "fixed");
    repo.change("Mend more", "fixed");
    repo.tag("v1.7.17");
    repo.git(&["checkout", "-q", "--detach", "HEAD~1"]);
    assert_eq!(repo.tidings(&["base"]).success(), "v1.7.15\n");
    assert_eq!(repo.tidings(&["next"]).success(), "1.7.16\n");
}

#[test]
fn a_tag_of_rewritten_history_counts_and_one_without_shared_history_does_not() {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.commit("Two");
    repo.tag("v1.0.0");
    repo.git(&["reset", "-q", "--hard", "HEAD~1"]);
    repo.commit("Two, amended");
    expect(&repo, "main", "v1.0.0", "1.0.1");
    let stderr = repo.tidings(&["base", "-v"]).stderr;
    assert!(stderr.contains("`v1.0.0` is on another branch"), "{stderr}");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.commit("Elsewhere");
    repo.tag("v9.0.0");
    expect(&repo, "main", "v1.0.0", "1.0.1");
}

#[test]
fn another_build_of_a_release_on_a_branch_of_its_own_is_no_base() {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("v1.0.0");
    branch(&repo, "release-1.1", "main");
    repo.change("Prepare", "added");
    branch(&repo, "labels", "release-1.1");
    repo.commit("Build it otherwise");
    repo.tag("v1.1.0+labels");
    repo.git(&["checkout", "-q", "release-1.1"]);
    repo.commit("Release");
    repo.tag("v1.1.0");
    expect(&repo, "release-1.1", "v1.1.0", "1.1.1");
    expect(&repo, "labels", "v1.1.0+labels", "1.1.1");
    // The next build is tagged before the release that it is of.
    repo.git(&["checkout", "-q", "release-1.1"]);
    repo.change("Mend it", "fixed");
    branch(&repo, "labels-1.1.1", "release-1.1");
    repo.commit("Build it otherwise");
    repo.tag("v1.1.1+labels");
    expect(&repo, "release-1.1", "v1.1.0", "1.1.1");
    expect(&repo, "labels-1.1.1", "v1.1.1+labels", "1.1.2");
    repo.git(&["checkout", "-q", "release-1.1"]);
    let stderr = repo.tidings(&["base", "-v"]).stderr;
    assert!(stderr.contains("`v1.1.1+labels` is another build, as `v1.1.0+labels` is of `v1.1.0`"), "{stderr}");
}

#[test]
fn patches_of_a_release_branch_count_on_main_of_the_same_series() {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("v4.1.0");
    branch(&repo, "release-4.1", "v4.1.0");
    for patch in 1..=4 {
        repo.commit("Patch");
        repo.tag(&format!("v4.1.{patch}"));
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("Go on");
    expect(&repo, "main", "v4.1.4", "4.1.5");
    repo.change("Add it", "added");
    assert_eq!(repo.tidings(&["next"]).success(), "4.2.0\n");
}

#[test]
fn a_trunk_of_several_series_went_on_without_a_branch_that_has_no_tag() {
    let repo = TestRepo::new();
    repo.commit("One");
    repo.tag("1.32.0");
    repo.commit("A few more");
    branch(&repo, "1.32.x", "main");
    repo.commit("Ours");
    repo.git(&["checkout", "-q", "main"]);
    for minor in 33..=35 {
        repo.commit("Go on");
        repo.tag(&format!("1.{minor}.0"));
    }
    expect(&repo, "1.32.x", "1.32.0", "1.32.1");
}

/// Releases are commits beside their branches. 2.x left at 1.8.0, and 1.x went on.
#[test]
fn releases_beside_a_branch_show_that_a_higher_series_left_before_them() {
    let repo = TestRepo::new();
    let release = |version: &str, branch: &str| {
        repo.git(&["checkout", "-q", "--detach", branch]);
        repo.commit("Set the version");
        repo.tag(version);
        repo.git(&["checkout", "-q", branch]);
    };
    repo.change("Begin", "added");
    release("1.8.0", "main");
    branch(&repo, "2.x", "main");
    repo.change("Drop it", "removed");
    release("2.0.0", "2.x");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on", "added");
    release("1.9.0", "main");
    repo.change("Mend it", "fixed");
    release("1.9.1", "main");
    expect(&repo, "main", "1.9.1", "1.9.2");
    expect(&repo, "2.x", "2.0.0", "2.0.1");
}

/// 3.x left main and had several series, while main came to a pre-release of 4.0.0.
#[test]
fn a_line_of_lower_series_is_no_trunk_where_a_higher_pre_release_is_in_the_history() {
    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v3.3.0");
    repo.commit("Go on");
    branch(&repo, "3.x", "main");
    for minor in 4..=6 {
        repo.change("Go on", "added");
        repo.tag(&format!("v3.{minor}.0"));
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Drop it", "removed");
    assert_eq!(repo.tidings(&["base"]).success(), "v3.3.0\n", "it may be a maintenance branch of 3.3");
    repo.tag("v4.0.0-beta.1");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v3.6.0\n");
    assert_eq!(repo.tidings(&["next"]).success(), "4.0.0\n");
    branch(&repo, "3.3.x", "v3.3.0");
    expect(&repo, "3.3.x", "v3.3.0", "3.3.1");
    expect(&repo, "3.x", "v3.6.0", "3.6.1");
}

#[test]
fn a_version_that_is_tagged_is_never_given_again() {
    let repo = with_maintenance();
    branch(&repo, "side", "v1.0.0");
    repo.commit("Beside");
    repo.tag("v1.0.1");
    repo.git(&["checkout", "-q", "rel"]);
    let outcome = repo.tidings(&["next", "--from", "v1.0.0"]);
    let refused = outcome.failure(1);
    assert!(refused.contains("the version after `v1.0.0` is 1.0.1, but the tag `v1.0.1` exists already"), "{refused}");
}

/// maint: v1.9.0 to v1.9.2 and topics after it, merged into main, which releases v1.10.0 and merges each topic by itself.
#[test]
fn a_line_that_merged_the_maintenance_branch_is_another_one() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Nine");
    repo.tag("v1.9.0");
    branch(&repo, "maint", "v1.9.0");
    repo.change("Mend it", "fixed");
    repo.tag("v1.9.1");
    branch(&repo, "topic", "v1.9.1");
    repo.change("Mend the topic", "fixed");
    repo.git(&["checkout", "-q", "maint"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the topic into maint", "topic"]);
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on", "added");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the topic", "topic"]);
    repo.tag("v1.10.0");
    expect(&repo, "maint", "v1.9.1", "1.9.2");
    expect(&repo, "main", "v1.10.0", "1.10.1");
    let stderr = {
        repo.git(&["checkout", "-q", "maint"]);
        repo.tidings(&["base", "-v"]).stderr
    };
    assert!(stderr.contains("`v1.10.0` is on another line of history"), "{stderr}");
}

/// 2.2.x releases by requests and is merged into main, which 2.3.x was released from since.
#[test]
fn a_branch_that_releases_by_requests_goes_on_from_its_own_release() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Begin");
    branch(&repo, "2.2.x", "main");
    for patch in 0..3 {
        repo.change(&format!("Mend {patch}"), "fixed");
        repo.git(&["checkout", "-q", "-b", &format!("release-{patch}")]);
        repo.commit("Prepare");
        repo.commit("Release");
        repo.tag(&format!("2.2.{patch}"));
        repo.git(&["checkout", "-q", "2.2.x"]);
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the release", &format!("release-{patch}")]);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on", "added");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge 2.2.x", "2.2.x"]);
    repo.commit("Release");
    repo.tag("2.3.0");
    repo.change("Mend more", "fixed");
    repo.tag("2.3.1");
    repo.git(&["checkout", "-q", "2.2.x"]);
    repo.change("Backport", "fixed");
    expect(&repo, "2.2.x", "2.2.2", "2.2.3");
    expect(&repo, "main", "2.3.1", "2.3.2");
    // A branch of main for its next release is its own.
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Go on further", "added");
    branch(&repo, "2.4.x", "main");
    repo.change("Mend the next one", "fixed");
    repo.tag("2.4.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Mend main", "fixed");
    expect(&repo, "main", "2.4.0", "2.4.1");
}

/// main is dev up to v1.9.1; since v1.9.2, it merges dev for each release.
#[test]
fn a_branch_of_development_goes_on_from_the_releases_that_merged_it() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Begin");
    repo.tag("v1.9.0");
    repo.change("Mend it", "fixed");
    repo.tag("v1.9.1");
    branch(&repo, "dev", "v1.9.0");
    repo.git(&["merge", "-q", "--ff-only", "main"]);
    repo.git(&["checkout", "-q", "-B", "main", "v1.9.0"]);
    for version in ["v1.9.2", "v1.9.3", "v1.10.0"] {
        repo.git(&["checkout", "-q", "dev"]);
        repo.change(&format!("Before {version}"), "fixed");
        repo.git(&["checkout", "-q", "main"]);
        repo.git(&["merge", "-q", "--no-ff", "-m", "Merge dev", "dev"]);
        repo.tag(version);
    }
    repo.git(&["checkout", "-q", "dev"]);
    repo.change("Go on", "added");
    expect(&repo, "dev", "v1.10.0", "1.11.0");
    expect(&repo, "main", "v1.10.0", "1.10.1");
}

/// Each release is a commit beside its branch, and each branch is merged into the next one, before or after a release.
#[test]
fn a_branch_that_is_merged_forward_goes_on_from_the_releases_beside_it() {
    for merged_after_more in [false, true] {
        let repo = TestRepo::new();
        repo.author();
        let release = |version: &str, branch: &str| {
            repo.git(&["checkout", "-q", "--detach", branch]);
            repo.commit("Release");
            repo.tag(version);
            repo.git(&["checkout", "-q", branch]);
        };
        repo.change("Begin", "added");
        branch(&repo, "3.3.x", "main");
        release("v3.3.0", "3.3.x");
        repo.git(&["checkout", "-q", "main"]);
        repo.change("Go on", "added");
        branch(&repo, "3.4.x", "main");
        release("v3.4.0", "3.4.x");
        for patch in 1..=3 {
            repo.git(&["checkout", "-q", "3.3.x"]);
            repo.change(&format!("Mend {patch}"), "fixed");
            release(&format!("v3.3.{patch}"), "3.3.x");
            if merged_after_more {
                repo.change(&format!("Mend {patch} again"), "fixed");
            }
            repo.git(&["checkout", "-q", "3.4.x"]);
            repo.git(&["merge", "-q", "--no-ff", "-m", "Merge 3.3.x", "3.3.x"]);
            release(&format!("v3.4.{patch}"), "3.4.x");
            repo.git(&["checkout", "-q", "main"]);
            repo.git(&["merge", "-q", "--no-ff", "-m", "Merge 3.4.x", "3.4.x"]);
        }
        expect(&repo, "3.3.x", "v3.3.3", "3.3.4");
        expect(&repo, "3.4.x", "v3.4.3", "3.4.4");
        expect(&repo, "main", "v3.4.3", "3.4.4");
    }
}

#[test]
fn a_tag_whose_object_is_missing_is_named_on_any_line() {
    let repo = with_maintenance();
    repo.write(".git/refs/tags/v1.1.0", format!("{}\n", "f".repeat(40)));
    repo.git(&["checkout", "-q", "rel"]);
    let run = repo.tidings(&["base", "-v"]);
    assert!(run.stderr.contains("`v1.1.0` leads to an object that is missing, so it does not count"), "{run:?}");
    assert_eq!(run.success(), "v1.0.0\n");
}

/// A fork of a project that was at 2.0 begins at 0.2 again.
#[test]
fn a_release_that_a_later_one_of_a_lower_version_contains_does_not_count() {
    let repo = TestRepo::new();
    repo.commit("Upstream");
    repo.tag("v2.0.0");
    repo.commit("Fork");
    repo.tag("v0.2.0");
    repo.change("Mend it", "fixed");
    repo.tag("v0.2.1");
    repo.change("Mend more", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v0.2.1\n");
    assert_eq!(repo.tidings(&["next"]).success(), "0.2.2\n");
    let stderr = repo.tidings(&["next", "-v"]).stderr;
    assert!(stderr.contains("`v2.0.0` is in the history of `v0.2.1`, a later release of a lower version"), "{stderr}");
    repo.tag("v3.0.0");
    repo.change("Go on", "added");
    assert_eq!(repo.tidings(&["base"]).success(), "v3.0.0\n");
}

/// Every release has a second tag of a lower number, and that of the last one was moved.
#[test]
fn a_release_branch_counts_that_left_after_the_numbers_went_back() {
    let repo = TestRepo::new();
    repo.author();
    for tag in ["2007-06-29", "1.6.0"] {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.commit("Begin again");
    branch(&repo, "3.14", "main");
    for tag in ["3.14.0", "3.14.1"] {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.git(&["checkout", "-q", "main"]);
    repo.commit("Go on");
    expect(&repo, "main", "3.14.1", "3.14.2");
}

#[test]
fn the_numbers_that_accompany_releases_never_went_back() {
    let repo = TestRepo::new();
    for minor in 0..2 {
        repo.change("Go on", "added");
        repo.tag(&format!("v3.{minor}.0")).tag(&format!("v0.30{minor}.0"));
    }
    repo.change("Mend it", "fixed");
    repo.tag("v0.302.0");
    repo.change("Mend more", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v3.1.0\n");
    assert_eq!(repo.tidings(&["next"]).success(), "3.1.1\n");
}

#[test]
fn the_family_of_the_newest_tags_is_taken_if_it_is_clear() {
    let repo = TestRepo::new();
    repo.commit("Old");
    repo.tag("v0.1.5");
    for minor in 1..=30 {
        repo.commit("Release");
        repo.tag(&format!("tokio-1.{minor}.0"));
    }
    repo.commit("Release");
    repo.tag("tokio-util-0.7.0");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "tokio-1.30.0\n");
    assert_eq!(repo.tidings(&["next"]).success(), "1.30.1\n");
    for minor in 1..=30 {
        repo.commit("Release");
        repo.tag(&format!("tokio-util-0.8.{minor}")).tag(&format!("tokio-macros-2.{minor}.0"));
    }
    let refused = repo.tidings(&["show"]).failure(1);
    assert!(refused.contains("`tokio-util-0.8.30`") && refused.contains("tidings init"), "{refused}");
    repo.git(&["remote", "add", "origin", "https://github.com/tokio-rs/tokio.git"]);
    assert_eq!(repo.tidings(&["base"]).success(), "tokio-1.30.0\n", "the family with the name of the project");
    assert!(repo.tidings(&["show"]).stderr.contains("is newer than the base tag `tokio-1.30.0`"));
    repo.git(&["remote", "set-url", "origin", "https://github.com/tokio-rs/mini.git"]);
    repo.tidings(&["base"]).failure(1);
}

#[test]
fn a_newer_tag_that_is_not_read_is_reported() {
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("v1.0.0");
    repo.commit("Release");
    repo.tag("release.2.0.0.0.0");
    repo.change("Mend it", "fixed");
    let stderr = repo.tidings(&["next"]).stderr;
    assert!(
        stderr.contains("`release.2.0.0.0.0` is newer than the base tag `v1.0.0`") && stderr.contains("1 of 2 tags"),
        "{stderr}"
    );
    assert!(stderr.contains("`tag_regex`"), "{stderr}");
    repo.tag("app-1.0.0").commit("Release");
    repo.tag("app-cli-2.0.0");
    repo.write("tidings.yml", "tag_prefix: app-\n");
    assert_eq!(repo.tidings(&["show", "--strict", "--source", "titles"]).stderr, "", "the tag is not one of `app`");
    repo.tag("app-1.1.1.1.1");
    assert!(repo.tidings(&["show"]).stderr.contains("`app-1.1.1.1.1` is newer than the base tag `app-1.0.0`"));
}

#[test]
fn a_pre_release_in_the_history_leads_to_its_stable_version() {
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("v1.0.0");
    repo.commit("Candidate");
    repo.tag("v2.0.0-rc.1");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n");
    assert!(repo.tidings(&["next", "-v"]).stderr.contains("`v2.0.0-rc.1` is a pre-release of it"));
    assert_eq!(repo.tidings(&["next", "--pre", "rc"]).success(), "2.0.0-rc.2\n");
    repo.change("Remove it", "removed");
    repo.tag("v2.0.0");
    repo.change("Remove more", "removed");
    assert_eq!(repo.tidings(&["next", "--pre", "rc"]).success(), "3.0.0-rc.1\n");
}

#[test]
fn the_numbers_of_one_of_several_packages_went_back() {
    let repo = TestRepo::new();
    let packages = ["api", "cli"].map(|name| format!("  {name}:\n    paths: [{name}]\n    tag_prefix: {name}/v\n"));
    repo.file(".gitlab/changelog_config.yml", format!("packages:\n{}", packages.concat()));
    repo.file("cli/a", "0").change("Begin", "added");
    // The range of `api` has the others in it.
    repo.tag("api/v1.0.0");
    for version in ["2.0.0", "0.3.0", "0.3.1"] {
        repo.file("cli/a", version).change("Go on", "added");
        repo.tag(&format!("cli/v{version}"));
    }
    repo.file("api/a", "1").file("cli/a", "1").change("Mend both", "fixed");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "api 1.0.1\ncli 0.3.2\n");
    assert_eq!(repo.tidings(&["next", "--package", "cli"]).success(), "0.3.2\n");
    repo.tag("cli/v2.0.1");
    repo.file("cli/a", "2").change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "api 1.0.1\ncli 2.0.2\n");
}
