//! `tidings explain` and `tidings base`: why a section is as it is.

use serde_json::json;

use crate::support::TestRepo;

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.tag("v1.1.0-rc1");
    let crane = repo.change("Add crane", "added");
    repo.change("Fix mast", "fixed");
    repo.commit(&format!("Revert \"Add crane\"\n\nThis reverts commit {crane}.\n"));
    repo
}

#[test]
fn every_commit_is_in_or_out_and_says_why() {
    let repo = harbor();
    let text = repo.tidings(&["explain", "1.1.0"]).success();
    let id = |revision: &str| repo.git(&["rev-parse", revision])[..8].to_owned();
    let (revert, fix, add, base) = (id("HEAD"), id("HEAD~1"), id("HEAD~2"), id("v1.0.0"));
    let expected = [
        format!("base v1.0.0 ({base}), the highest stable version below 1.1.0 of 2 tags"),
        format!("range v1.0.0..{revert}"),
        format!("- {revert} Revert \"Add crane\"  (no trailer)"),
        format!("+ {fix} Fix mast  (fixed)"),
        format!("- {add} Add crane  (reverted by {revert})"),
        "3 commits: 1 in (1 fixed), 1 reverted, 1 without a trailer".to_owned(),
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn what_looks_like_a_mistake_is_explained() {
    let repo = TestRepo::new();
    repo.commit("Add crane\n\nChanglog: added\n");
    let text = repo.tidings(&["explain"]).success();
    let meant = ": `Changlog:` is not the trailer `Changelog:`; did you mean `Changelog:`?)";
    assert!(text.contains(meant) && text.starts_with("range: the whole history up to"), "{text}");
    let document = repo.tidings(&["explain", "--format", "json"]).json();
    assert_eq!(document["commits"][0]["findings"][0]["rule"], "misspelt-trailer");
    repo.write(".gitlab/changelog_config.yml", "source: conventional\n");
    repo.commit("release: cut 1.0.0");
    let text = repo.tidings(&["explain"]).success();
    assert!(text.contains("cut 1.0.0  (type `release` is unknown)"), "{text}");
}

#[test]
fn json_has_every_commit_and_the_counts() {
    let repo = harbor();
    let document = repo.tidings(&["explain", "1.1.0", "--format", "json"]).json();
    assert_eq!(document["base"]["tag"], "v1.0.0");
    assert_eq!(document["commits"][1]["category"], "fixed");
    assert_eq!(document["commits"][2]["reverted_by"], repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(document["counts"]["categories"], json!([{ "category": "fixed", "count": 1 }]));
    assert_eq!(document["counts"]["no_trailer"], 1);
}

#[test]
fn the_base_tag_is_printed_alone_and_with_its_reason() {
    let repo = harbor();
    let outcome = repo.tidings(&["base", "1.1.0", "-v"]);
    assert!(outcome.stderr.contains("the highest stable version below 1.1.0 of 2 tags"), "{}", outcome.stderr);
    assert_eq!(outcome.success(), "v1.0.0\n");
    assert_eq!(repo.tidings(&["base", "--format", "json"]).json()["version"], "1.0.0");
    let stderr = repo.tidings(&["base", "0.5.0"]).failure(1);
    assert!(stderr.contains("no stable tag is below 0.5.0"), "{stderr}");
    assert!(stderr.contains("`tidings show --first-release`") && !stderr.contains("--from"), "{stderr}");
}

#[test]
fn tags_that_are_no_version_or_no_commit_are_passed_over() {
    let repo = TestRepo::new();
    repo.file("a", "content").commit("Initial");
    repo.tag("release-1");
    let stderr = repo.tidings(&["base", "2.0.0"]).failure(1);
    assert!(stderr.contains("`release-1`") && stderr.contains("tag_regex"), "{stderr}");
    repo.tag("v1.0.0");
    repo.git(&["tag", "v1.5.0", "HEAD:a"]);
    assert_eq!(repo.tidings(&["base", "2.0.0"]).success(), "v1.0.0\n");
}

#[test]
fn a_build_of_the_version_itself_counts_where_the_section_contains_it() {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("1.0.0+ee.0");
    repo.change("Add crane", "added");
    repo.tag("1.1.0+ee.0");
    repo.commit("Later");
    let document = repo.tidings(&["show", "1.1.0", "--to", "HEAD~1", "--format", "json"]).json();
    assert_eq!(document["base"]["tag"], "1.0.0+ee.0", "a build that is the end itself is not its own base");
    let document = repo.tidings(&["show", "1.1.0", "--to", "HEAD~2", "--format", "json"]).json();
    assert_eq!(document["base"]["tag"], "1.0.0+ee.0", "that build came later");
}
