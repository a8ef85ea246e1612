//! Tags of any habit: which family is the repository's own, how versions are written in it, and what is never taken for
//! a first release.

use crate::support::TestRepo;

/// Makes a repository with a release for each of these tags, and a fix after the last.
fn released(tags: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    for tag in tags {
        repo.change(&format!("Prepare {tag}"), "added");
        repo.tag(tag);
    }
    repo.change("Mend it", "fixed");
    repo
}

/// Returns the base tag, the next version, and the tag that a release would get.
fn next_release(repo: &TestRepo) -> [String; 3] {
    let plan = repo.tidings(&["release", "--no-push", "--no-host-release", "--format", "json"]).json();
    let printed = |command: &str| repo.tidings(&[command]).success().trim().to_owned();
    [printed("base"), printed("next"), plan["tag"].as_str().unwrap_or_default().to_owned()]
}

#[test]
fn the_only_family_is_taken_whatever_its_prefix() {
    for (tags, expected) in [
        (&["release-1.2.2", "release-1.2.3"][..], ["release-1.2.3", "1.2.4", "release-1.2.4"]),
        (&["twisted-24.1.0"], ["twisted-24.1.0", "24.1.1", "twisted-24.1.1"]),
        (&["curl-8_1_0", "curl-8_9_0", "curl-8_10_0"], ["curl-8_10_0", "8.10.1", "curl-8_10_1"]),
        (&["REL-1-2-9", "REL-1-2-10"], ["REL-1-2-10", "1.2.11", "REL-1-2-11"]),
    ] {
        let repo = released(tags);
        assert_eq!(next_release(&repo), expected, "{tags:?}");
        let section = repo.tidings(&["show"]).success();
        assert!(section.contains("- Mend it") && !section.contains("Prepare"), "{section}");
        let last = repo.tidings(&["show", expected[1]]).success();
        assert!(last.contains("- Mend it") && !last.contains("Prepare"), "a given version follows it too: {last}");
        let all = repo.tidings(&["show", "--all"]).success();
        let headings = all.lines().filter(|line| line.starts_with("## ")).count();
        assert_eq!(headings, 1 + tags.len(), "{all}");
    }
}

#[test]
fn dates_are_versions_with_any_separator() {
    let repo = released(&["2024-02-26", "2024-03-04"]);
    assert_eq!(repo.tidings(&["base"]).success(), "2024-03-04\n");
    assert!(
        repo.tidings(&["next"]).failure(1).contains("tidings init"),
        "the hint says how to set the form of the next version"
    );
    repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("\nversioning: YYYY.0M.0D\n"), "{}", repo.read("tidings.yml"));
    assert_eq!(repo.tidings(&["next", "--date", "2024-03-11"]).success(), "2024.03.11\n");
    let plan = ["release", "--date", "2024-03-11", "--no-push", "--no-host-release", "--format", "json"];
    assert_eq!(repo.tidings(&plan).json()["tag"], "2024-03-11");
}

/// Without padding the newest date would be a semantic version.
#[test]
fn a_date_with_large_numbers_is_none_to_raise_either() {
    let repo = released(&["2021.05.16", "2021.06.06", "2021.12.17"]);
    let refused = repo.tidings(&["next"]).failure(1);
    assert!(refused.contains("the last version `2021.12.17` looks like a date"), "{refused}");
    let unpadded = released(&["2026.6.0", "2026.7.0", "2026.7.1"]);
    assert_eq!(unpadded.tidings(&["next"]).success(), "2026.7.2\n", "a counter is raised");
}

#[test]
fn the_majority_does_not_choose_among_packages() {
    let repo = TestRepo::new();
    for (name, versions) in [("web", &["1.0.0", "1.1.0", "1.2.0"][..]), ("api", &["2.0.0"])] {
        repo.file(&format!("{name}/package.json"), format!("{{\"name\": \"{name}\"}}"));
        for version in versions {
            repo.change(&format!("Change {name}"), "added");
            repo.tag(&format!("{name}-{version}"));
        }
    }
    for command in ["base", "next"] {
        let refused = repo.tidings(&[command]).failure(1);
        assert!(refused.contains("the tags belong to several packages"), "{command}: {refused}");
    }
    repo.git(&["remote", "add", "origin", "https://gitlab.com/group/web.git"]);
    assert_eq!(repo.tidings(&["base"]).success(), "web-1.2.0\n", "one has the name of the project");
}

/// No directory shows what the tags are of.
#[test]
fn two_families_of_which_none_has_clearly_more_are_refused_after_init_too() {
    let repo = released(&["chart-1.0.0", "controller-v2.0.0", "chart-1.1.0", "controller-v2.1.0", "chart-1.2.0"]);
    for command in ["base", "next"] {
        let refused = repo.tidings(&[command]).failure(1);
        assert!(refused.contains("the tags are of 2 families"), "{command}: {refused}");
    }
    repo.tidings(&["init", "--yes"]).success();
    for command in ["base", "next"] {
        let refused = repo.tidings(&[command]).failure(1);
        assert!(refused.contains("the tags are of 2 families") && refused.contains("`tag_prefix`"), "{refused}");
    }
    repo.write("tidings.yml", "tag_prefix: controller-v\n");
    assert_eq!(repo.tidings(&["base"]).success(), "controller-v2.1.0\n");
}

#[test]
fn tags_that_cannot_be_read_are_no_first_release() {
    for (tags, regex) in [
        (&["v1", "v2", "v3"][..], "^v(?P<major>\\d+)$"),
        (&["1.0.0.Final", "1.1.0.Final"], "^(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)\\.Final$"),
        (&["build-76", "build-77"], "^build\\-(?P<major>\\d+)$"),
    ] {
        let repo = released(tags);
        let last = tags.last().unwrap();
        let before = repo.git(&["for-each-ref"]);
        let commands = ["next", "base", "show", "show --next", "show --all", "show 5.0.0", "explain", "add --next"];
        for command in commands.into_iter().chain(["add 5.0.0", "add --all", "release -x", "release 5.0.0 -x"]) {
            let error = repo.tidings(&command.split(' ').collect::<Vec<_>>()).failure(1);
            assert!(error.contains(&format!("such as `{last}`, but none is read as a version")), "{command}: {error}");
            assert!(error.contains(&format!("set `tag_regex: '{regex}'`")), "{command}: {error}");
            assert!(error.contains("`--first-release`"), "{command}: {error}");
        }
        assert_eq!(repo.git(&["for-each-ref"]), before, "nothing is written");
        assert_eq!(repo.tidings(&["next", "--initial", "3.1.0"]).success(), "3.1.0\n");
        assert_eq!(repo.tidings(&["next", "--first-release"]).success(), "0.1.0\n");
        repo.tidings(&["show", "--first-release"]).success();

        repo.tidings(&["init", "--yes"]).success();
        assert!(
            repo.read("tidings.yml").contains(&format!("\ntag_regex: '{regex}'\n")),
            "{}",
            repo.read("tidings.yml")
        );
        assert_eq!(repo.tidings(&["base"]).success().trim(), *last);
        repo.tidings(&["next"]).success();
    }
    for (tag, next) in [
        ("1.0.0.Final", ["1.0.0.Final", "1.0.1", "1.0.1.Final"]),
        // A version with fewer numbers goes on with the last one that it has.
        ("v3", ["v3", "4.0.0", "v4"]),
        ("build-77", ["build-77", "78.0.0", "build-78"]),
    ] {
        let repo = released(&[tag]);
        repo.tidings(&["init", "--yes"]).success();
        assert_eq!(next_release(&repo), next);
    }
}

#[test]
fn several_tags_of_a_commit_are_one_release() {
    let repo = TestRepo::new();
    repo.author();
    repo.change("Begin", "added");
    repo.tag("v1.0.0").tag("v0.100.0");
    repo.git(&["checkout", "-q", "-b", "release-1.1"]);
    repo.commit("Prepare");
    repo.tag("v1.1.0-rc.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the release", "release-1.1"]);
    repo.git(&["checkout", "-q", "release-1.1"]);
    repo.commit("Release it");
    repo.tag("v1.1.0").tag("v0.101.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.change("Add light", "added");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.1.0\n");
    assert_eq!(repo.tidings(&["next"]).success(), "1.2.0\n");
    let all = repo.tidings(&["show", "--all"]).success();
    let headings: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next()).collect();
    assert_eq!(headings, ["Unreleased", "1.1.0", "1.0.0"]);
}

#[test]
fn builds_of_a_version_are_one_release_and_those_of_a_candidate_are_none() {
    let repo = released(&["1.0.0+ce.0", "1.0.0+ee.0", "1.1.0+rc1.ee.0"]);
    assert_eq!(repo.tidings(&["base"]).success(), "1.0.0+ee.0\n");
    let all = repo.tidings(&["show", "--all"]).success();
    assert_eq!(all.matches("\n## ").count(), 1, "{all}");
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n", "a candidate leads there");
}

#[test]
fn the_family_of_the_project_comes_first_then_bare_versions() {
    let repo =
        released(&["v0.9.0", "@harbor/web@1.0.0", "@harbor/pier@2.0.0", "@harbor/web@1.1.0", "@harbor/web@1.2.0"]);
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pier.git"]);
    assert_eq!(repo.tidings(&["base"]).success(), "@harbor/pier@2.0.0\n");
    repo.git(&["remote", "set-url", "origin", "https://github.com/harbor/mast.git"]);
    assert_eq!(repo.tidings(&["base"]).success(), "@harbor/web@1.2.0\n", "that of most releases");
    repo.tag("v1.0.0");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.0.0\n");
}

#[test]
fn a_fourth_number_goes_if_other_versions_have_three() {
    assert_eq!(next_release(&released(&["v1.8.2", "v1.8.2.3"])), ["v1.8.2.3", "1.8.3", "v1.8.3"]);
    assert_eq!(next_release(&released(&["v1.8.2.1", "v1.8.2.3"])), ["v1.8.2.3", "1.8.3.0", "v1.8.3.0"]);
}

#[test]
fn a_maintenance_branch_of_four_numbers_goes_on_with_the_fourth() {
    let repo = released(&["v1.5.5", "v1.5.5.1"]);
    repo.git(&["branch", "maint"]);
    for tag in ["v1.5.6", "v1.6.0"] {
        repo.change(&format!("Prepare {tag}"), "added");
        repo.tag(tag);
    }
    repo.git(&["checkout", "-q", "maint"]);
    repo.change("Mend more", "fixed");
    assert_eq!(next_release(&repo), ["v1.5.5.1", "1.5.5.2", "v1.5.5.2"]);
    repo.write("tidings.yml", "source: titles\n");
    let estimate = repo.tidings(&["next"]);
    assert!(estimate.stderr.contains("patch 1.5.5.2, as on a maintenance line"), "{}", estimate.stderr);
    assert_eq!(estimate.success(), "1.5.5.2\n");
}

#[test]
fn releases_before_the_numbers_went_back_make_no_maintenance_line() {
    let repo = TestRepo::new();
    repo.author();
    for tag in ["2013.4", "1.0", "1.1", "1.2"] {
        repo.commit(&format!("Work for {tag}"));
        repo.tag(tag);
    }
    repo.commit("Work more");
    let next = repo.tidings(&["next"]);
    assert!(next.stderr.contains("minor 1.3, as 2 of the last 2 releases"), "{}", next.stderr);
    assert_eq!(next.success(), "1.3\n");
}

#[test]
fn a_version_of_two_numbers_that_is_older_than_its_first_patch_is_a_release() {
    let repo = released(&["v1.2.3", "v2.0", "v2.0.0", "v2.0.1"]);
    let all = repo.tidings(&["show", "--all"]).success();
    let headings: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next()).collect();
    assert_eq!(headings, ["Unreleased", "2.0.1", "2.0.0", "2.0", "1.2.3"]);
}

#[test]
fn packages_that_only_tags_show_are_not_released_as_one() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("package.json", "{\"private\": true, \"workspaces\": [\"packages/*\"]}");
    for (name, version) in [("core", "1.0.0"), ("cli", "1.0.0")] {
        let manifest = format!("{{\"name\": \"@harbor/{name}\", \"version\": \"{version}\"}}");
        repo.file(&format!("packages/{name}/package.json"), manifest).change(&format!("Begin {name}"), "added");
    }
    repo.tag("@harbor/core@1.0.0").tag("@harbor/cli@1.0.0");
    repo.file("packages/cli/a", "1").change("Mend it", "fixed");
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/core.git"]);
    assert_eq!(repo.tidings(&["base"]).success(), "@harbor/core@1.0.0\n");
    for command in ["next", "release", "release -x", "add --next"] {
        let error = repo.tidings(&command.split(' ').collect::<Vec<_>>()).failure(1);
        assert!(error.contains("`core`") && error.contains("`cli`") && error.contains("`tidings init`"), "{error}");
    }
    repo.tidings(&["init", "--yes"]).success();
    assert_eq!(repo.tidings(&["base"]).success(), "@harbor/core@1.0.0\n", "as before");
    for command in ["next", "release", "release -x", "add --next", "add 1.0.0", "release 1.0.0 -x"] {
        let error = repo.tidings(&command.split(' ').collect::<Vec<_>>()).failure(1);
        assert!(error.contains("`--package core`") && error.contains("`--all-packages`"), "{command}: {error}");
    }
    let shown = repo.tidings(&["show"]);
    assert!(!shown.stderr.contains("tidings init"), "they are in the configuration: {}", shown.stderr);
    assert!(shown.success().contains("\n# cli\n"));
    assert_eq!(repo.tidings(&["next", "--package", "cli"]).success(), "1.0.1\n");
    assert_eq!(repo.git(&["tag", "--list"]), "@harbor/cli@1.0.0\n@harbor/core@1.0.0");
}

#[test]
fn a_release_from_before_a_new_form_of_tags_is_no_base() {
    let repo = TestRepo::new();
    for patch in 1..4 {
        repo.commit("Release");
        repo.tag(&format!("7.4.{patch}"));
    }
    for patch in 0..5 {
        repo.change("Mend it", "fixed");
        repo.tag(&format!("9.4.{patch}.v2024030{patch}")).tag(&format!("9.5.{patch}.RC1"));
    }
    repo.change("Mend more", "fixed");
    for command in ["base", "next", "show", "explain"] {
        let refused = repo.tidings(&[command]).failure(1);
        let warning = "`9.4.4.v20240304` is newer than the base tag `7.4.3` and looks like a release, but is not read as a \
                    version, like 4 other releases";
        assert!(refused.contains(warning), "{command}: {refused}");
        assert!(refused.contains(r"tag_regex: '^(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)\.v\d+$'"), "{refused}");
    }
    assert!(repo.tidings(&["show", "--from", "9.4.4.v20240304"]).success().contains("Mend more"));
    repo.write("tidings.yml", "tag_regex: '^(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)(\\.v\\d+)?$'\n");
    assert_eq!(repo.tidings(&["base"]).success(), "9.4.4.v20240304\n");
    assert_eq!(repo.tidings(&["show", "10.0.0"]).code, 0);
}

#[test]
fn a_revision_with_letters_is_no_release_to_pass_over() {
    for (release, revision) in [("3.7", "3.7a"), ("v1.9.17", "v1.9.17p1"), ("APP_1_1_1", "APP_1_1_1w")] {
        let repo = released(&[release]);
        repo.tag(revision);
        repo.change("Mend more", "fixed");
        for command in ["base", "next", "show"] {
            let refused = repo.tidings(&[command]).failure(1);
            let problem = format!("`{revision}` is a later release of the base tag `{release}`");
            assert!(refused.contains(&problem), "{command}: {refused}");
            assert!(refused.contains(&format!("`--from {revision}`")), "{refused}");
        }
        assert!(repo.tidings(&["show", "--from", revision]).success().contains("- Mend more"));
    }
    let repo = TestRepo::new();
    repo.change("Add it", "added");
    repo.tag("26.2a");
    repo.change("Mend it", "fixed");
    repo.tag("26.2");
    repo.change("Mend more", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "26.2\n", "a pre-release of it is older");
}

/// The releases are made on branches of their own, and the numbers have `_` between them.
#[test]
fn a_new_form_of_tags_on_release_branches_leaves_no_older_base_either() {
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("V_2_1_0");
    for minor in 1..5 {
        repo.change("Mend it", "fixed");
        repo.git(&["checkout", "-q", "--detach"]);
        repo.commit("Release");
        repo.tag(&format!("V_10_{minor}_P1"));
        repo.git(&["checkout", "-q", "main"]);
    }
    for command in ["base", "next", "show"] {
        let refused = repo.tidings(&[command]).failure(1);
        assert!(
            refused.contains("`V_10_4_P1` is newer than the base tag `V_2_1_0` and looks like a release"),
            "{refused}"
        );
        assert!(refused.contains(r"tag_regex: '^V_(?P<major>\d+)_(?P<minor>\d+)_P(?P<patch>\d+)$'"), "{refused}");
    }
    // The branch left before the releases whose tags are not read.
    repo.git(&["checkout", "-q", "-b", "maintenance", "V_2_1_0"]);
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["next"]).success(), "2.1.1\n");
}
