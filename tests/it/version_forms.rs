//! The forms of versions in tags: two, three and four numbers, leading zeros, series and dates.

use crate::{base_tag::branch, support::TestRepo};

#[test]
fn versions_of_two_and_four_numbers_and_with_leading_zeros_are_read() {
    for (tags, base, next) in [
        (&["v0.9.9", "v1.0", "v1.1"][..], "v1.1", Some("1.1.1")),
        (&["26.1", "26.1.1", "26.1.2", "26.2"], "26.2", Some("26.2.1")),
        (&["1.2.3.4", "1.2.3.10"], "1.2.3.10", Some("1.2.4.0")),
        (&["2025.11.12", "2026.08.19"], "2026.08.19", None),
    ] {
        let repo = TestRepo::new();
        for tag in tags {
            repo.commit("Release");
            repo.tag(tag);
        }
        repo.change("Mend it", "fixed");
        assert_eq!(repo.tidings(&["base"]).success().trim(), base);
        let outcome = repo.tidings(&["next"]);
        match next {
            Some(next) => assert_eq!(outcome.success().trim(), next),
            None => assert!(outcome.failure(1).contains("versioning: YYYY.0M.0D")),
        }
    }
}

#[test]
fn tags_that_move_along_with_a_series_never_count() {
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("v1.2.3").tag("v1").tag("v1.2");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.2.3\n");
    assert_eq!(repo.tidings(&["base", "2.0.0"]).success(), "v1.2.3\n");
}

#[test]
fn a_tag_that_moved_to_a_pre_release_never_counts() {
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("v1.8.0");
    repo.commit("Release candidate");
    repo.tag("v2.0.0-rc.1").tag("v2.0");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.8.0\n");
    repo.tag("v2.0.0");
    repo.change("Mend it again", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "v2.0.0\n");
    assert!(!repo.tidings(&["show", "--all"]).success().contains("## 2.0 "));
}

#[test]
fn calendar_versions_are_counted_from_the_date() {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "versioning: YYYY.0M.MICRO\n");
    repo.commit("Release");
    repo.tag("2026.08.3");
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["next", "--date", "2026-08-30"]).success(), "2026.08.4\n");
    assert_eq!(repo.tidings(&["next", "--date", "2026-09-01"]).success(), "2026.09.0\n");
    let section = repo.tidings(&["show", "2026.09.0", "--date", "2026-09-01"]).success();
    assert!(section.starts_with("## 2026.09.0 (2026-09-01)\n"), "{section}");
    repo.write(".gitlab/changelog_config.yml", "versioning: YEAR.MONTH\n");
    let before = repo.git(&["for-each-ref"]);
    for command in [&["next"][..], &["release", "-x", "--no-push", "--no-host-release"], &["add", "2026.09.0"]] {
        let refused = repo.tidings(command).failure(1);
        assert!(refused.contains("changelog_config.yml:1:13: `versioning` has the unknown part `YEAR`"), "{refused}");
        assert_eq!(repo.git(&["for-each-ref"]), before, "nothing is written");
    }
}

#[test]
fn the_first_version_of_a_month_may_have_two_numbers() {
    let repo = TestRepo::new();
    repo.write("tidings.yml", "versioning: YY.0M.MICRO\n");
    for tag in ["26.01", "26.01.1", "26.08"] {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.change("Mend it", "fixed");
    let next = |date: &str| repo.tidings(&["next", "--date", date]).success();
    assert_eq!([next("2026-08-30"), next("2026-09-01")], ["26.08.1\n", "26.09\n"]);
}

/// maint: v1.7.1 and v1.7.1.2, merged into main, which releases v1.7.2 and v1.7.2.2.
#[test]
fn of_versions_of_four_numbers_the_first_three_are_the_series() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("One");
    repo.tag("v1.7.1");
    branch(&repo, "maint", "v1.7.1");
    repo.change("Mend it", "fixed");
    repo.tag("v1.7.1.2");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge maint", "maint"]);
    repo.tag("v1.7.2");
    repo.change("Go on", "added");
    repo.tag("v1.7.2.2");
    let base = |branch: &str| {
        repo.git(&["checkout", "-q", branch]);
        repo.tidings(&["base"]).success()
    };
    assert_eq!(base("main"), "v1.7.2.2\n");
    repo.git(&["checkout", "-q", "maint"]);
    repo.change("Mend more", "fixed");
    assert_eq!(base("maint"), "v1.7.1.2\n", "v1.7.2.2 is of another series");
    branch(&repo, "next", "main");
    repo.tag("v1.8.0");
    assert_eq!(base("maint"), "v1.7.1.2\n");
}

/// The number behind the dash counts the releases of a version, which semantic versioning takes for pre-releases.
#[test]
fn of_versions_that_were_never_released_without_it_a_number_behind_a_dash_is_a_revision() {
    let repo = TestRepo::new();
    repo.author();
    for tag in ["7.0.8-0", "7.0.8-1", "7.1.0-0", "7.1.1-0", "7.1.1-9", "7.1.1-10"] {
        repo.change(&format!("Release {tag}"), "fixed");
        repo.tag(tag);
    }
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "7.1.1-10\n");
    assert_eq!(repo.tidings(&["next"]).success(), "7.1.1-11\n");
    assert_eq!(repo.tidings(&["next", "--level", "minor"]).success(), "7.2.0-0\n");
    let section = repo.tidings(&["show", "7.1.1-11", "--date", "2026-08-30"]).success();
    assert!(section.starts_with("## 7.1.1-11 (2026-08-30)\n") && section.contains("Mend it"), "{section}");
    assert!(!section.contains("Release"), "{section}");
    assert_eq!(repo.tidings(&["show", "--all"]).success().matches("\n## 7").count(), 6);
    let plan = repo.tidings(&["release", "--no-push", "--no-host-release"]).success();
    assert!(plan.starts_with("release 7.1.1-11 of main as 7.1.1-11\n"), "{plan}");
    repo.git(&["tag", "7.2.0-rc1"]);
    assert_eq!(repo.tidings(&["base"]).success(), "7.1.1-10\n", "a pre-release");
}

#[test]
fn a_number_behind_a_dash_is_a_pre_release_where_versions_have_releases_without_it() {
    let repo = TestRepo::new();
    for tag in ["1.0.0-0", "1.0.0", "1.1.0-0", "1.1.0", "1.2.0-0", "1.3.0-0", "1.4.0-0"] {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.change("Mend it", "fixed");
    assert_eq!(repo.tidings(&["base"]).success(), "1.1.0\n");
}

/// Returns the tag that a release would get after these tags and a change of this category.
fn next_tag(tags: &[&str], category: &str) -> serde_json::Value {
    let repo = TestRepo::new();
    repo.author();
    for tag in tags {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.change("Change it", category);
    repo.tidings(&["release", "--no-push", "--format", "json"]).json()["tag"].clone()
}

#[test]
fn the_first_release_of_a_series_is_written_as_those_before_it() {
    for (tags, category, next) in [
        (&["v2.41", "v2.41.1", "v2.42", "v2.42.1"][..], "added", "v2.43"),
        (&["v2.41", "v2.41.1", "v2.42", "v2.42.1"], "fixed", "v2.42.2"),
        (&["v2.42", "v2.42.1"], "removed", "v3.0"),
        (&["v1.0", "v1.1.0", "v1.1.1"], "added", "v1.2.0"),
        (&["v1.8.2.2", "v1.8.2", "v1.8.2.3"], "removed", "v2.0.0"),
    ] {
        assert_eq!(next_tag(tags, category), next, "{tags:?}");
    }
}

#[test]
fn an_estimate_writes_the_first_release_of_a_series_as_those_before_it() {
    let repo = TestRepo::new();
    for tag in ["v2.40", "v2.41", "v2.42", "v2.42.1"] {
        repo.commit("Release");
        repo.tag(tag);
    }
    repo.commit("Change it");
    let outcome = repo.tidings(&["next", "--source", "titles", "--format", "json"]).json();
    assert_eq!(outcome["version"], "2.43");
    assert_eq!(outcome["estimate"]["candidates"][1]["version"], "2.43");
}

#[test]
fn counters_with_leading_zeros_count_on_in_their_width() {
    for (tags, category, next) in [
        (&["V0.21.09", "V0.21.10", "V0.22.00"][..], "fixed", "V0.22.01"),
        (&["V0.21.09", "V0.21.10"], "removed", "V0.22.00"),
        (&["v9.2.0994", "v9.2.0995"], "fixed", "v9.2.0996"),
        (&["v9.2.0999"], "fixed", "v9.2.1000"),
    ] {
        assert_eq!(next_tag(tags, category), next, "{tags:?}");
    }
}

#[test]
fn a_branch_that_is_named_like_the_next_series_makes_its_first_release() {
    for (name, category, next) in [
        ("3.4.x", "fixed", "3.4.0"),
        ("v3.4", "fixed", "3.4.0"),
        ("release/3.4", "fixed", "3.4.0"),
        ("4.0.x", "added", "4.0.0"),
        ("4.x", "fixed", "4.0.0"),
        ("3.4.x", "removed", "4.0.0"),
        ("3.3.x", "fixed", "3.3.1"),
        ("3.2.x", "fixed", "3.3.1"),
        ("stable/2025.1", "fixed", "3.3.1"),
        ("fix-3.4", "fixed", "3.3.1"),
    ] {
        let repo = TestRepo::new();
        repo.commit("Release");
        repo.tag("3.3.0");
        repo.git(&["checkout", "-q", "-b", name]);
        repo.change("Change it", category);
        assert_eq!(repo.tidings(&["next"]).success().trim(), next, "{name}");
        assert_eq!(repo.tidings(&["next", "--to", name]).success().trim(), next, "{name}");
        repo.git(&["update-ref", &format!("refs/remotes/origin/{name}"), "HEAD"]);
        assert_eq!(repo.tidings(&["next", "--to", &format!("origin/{name}")]).success().trim(), next, "{name}");
    }
    let repo = TestRepo::new();
    repo.commit("Release");
    repo.tag("3.3.0");
    repo.git(&["checkout", "-q", "-b", "3.4.x"]);
    repo.commit("Change it");
    let outcome = repo.tidings(&["next", "--source", "titles", "--format", "json"]).json();
    assert_eq!((&outcome["version"], &outcome["estimate"]), (&"3.4.0".into(), &serde_json::Value::Null));
    assert_eq!(repo.tidings(&["next", "--level", "patch"]).success().trim(), "3.3.1");
    // A release of the series is on another branch.
    repo.git(&["checkout", "-q", "-b", "other", "3.3.0"]);
    repo.commit("Release");
    repo.tag("3.4.0");
    repo.git(&["checkout", "-q", "3.4.x"]);
    assert_ne!(repo.tidings(&["next", "--source", "titles"]).success().trim(), "3.4.0");
}

/// Makes a repository of releases, each with the date of its commit and its tags.
fn dated(releases: &[(&str, &[&str])]) -> TestRepo {
    let repo = TestRepo::new();
    for (date, tags) in releases {
        repo.set_day(date);
        repo.change("Go on", "fixed");
        for tag in *tags {
            repo.tag(tag);
        }
    }
    repo
}

#[test]
fn versions_that_agree_with_the_dates_of_their_tags_are_dates() {
    for (releases, scheme, date, next) in [
        (
            &[("2026-07-30", &["v2026.7.21"][..]), ("2026-08-20", &["v2026.8.10"]), ("2026-08-21", &[])][..],
            "YYYY.MM.MICRO",
            "2026-09-01",
            "2026.9.0",
        ),
        (
            &[
                ("2025-10-30", &["25.1.0"]),
                ("2025-11-30", &["25.2.0"]),
                ("2026-03-03", &["26.1.0"]),
                ("2026-03-04", &[]),
            ],
            "YY.MINOR.MICRO",
            "2027-02-01",
            "27.1.0",
        ),
    ] {
        let repo = dated(releases);
        let refused = repo.tidings(&["next"]).failure(1);
        assert!(refused.contains("looks like a date") && refused.contains("tidings init"), "{refused}");
        repo.tidings(&["init", "--yes"]).success();
        let settings = repo.read("tidings.yml");
        assert!(settings.contains(&format!("\nversioning: {scheme}\n")), "{settings}");
        assert_eq!(repo.tidings(&["next", "--date", date]).success().trim(), next);
    }
}

#[test]
fn one_of_several_packages_has_dates_as_versions() {
    let repo = TestRepo::new();
    repo.file("crane/Cargo.toml", "[package]\nname = \"crane\"\nversion = \"2026.8.1\"\n");
    repo.file("mast/Cargo.toml", "[package]\nname = \"mast\"\nversion = \"1.2.0\"\n").change("Begin", "added");
    for (date, tags) in
        [("2026-07-20", ["crane-v2026.7.4", "mast-v1.1.0"]), ("2026-08-20", ["crane-v2026.8.1", "mast-v1.2.0"])]
    {
        repo.set_day(date);
        repo.file("crane/a", date).file("mast/a", date).change("Go on", "fixed");
        repo.tag(tags[0]).tag(tags[1]);
    }
    repo.file("crane/b", "").file("mast/b", "").change("Mend both", "fixed");
    repo.tidings(&["init", "--yes"]).success();
    let next = repo.tidings(&["next", "--all-packages", "--date", "2026-09-02"]).success();
    assert_eq!(next, "mast 1.2.1\ncrane 2026.9.0\n");
}

#[test]
fn a_day_that_is_one_number_is_not_raised_as_a_number() {
    let repo = dated(&[
        ("2024-01-16", &["20240116.0"]),
        ("2024-05-02", &["20240116.1"]),
        ("2024-07-22", &["20240722.0"]),
        ("2024-08-01", &[]),
    ]);
    let next = |options: &[&str]| repo.tidings(&[&["next"], options].concat());
    assert_eq!(next(&["--level", "minor"]).success(), "20240722.1\n");
    let refused = next(&["--level", "major"]).failure(1);
    assert!(refused.contains("looks like a date") && refused.contains("versioning: YYYY0M0D.MICRO"), "{refused}");
    repo.write("tidings.yml", "versioning: YYYY0M0D.MICRO\n");
    assert_eq!(next(&["--date", "2024-09-01"]).success(), "20240901.0\n");
    assert_eq!(next(&["--date", "2024-07-22"]).success(), "20240722.1\n");
}

#[test]
fn old_dates_show_nothing_of_the_form_of_later_versions() {
    let repo = dated(&[
        ("2007-06-29", &["2007-06-29"]),
        ("2024-01-16", &["3.12.0"]),
        ("2024-05-02", &["3.12.1"]),
        ("2024-08-01", &[]),
    ]);
    assert_eq!(repo.tidings(&["next"]).success(), "3.12.2\n");
    assert_eq!(repo.tidings(&["next", "--level", "minor"]).success(), "3.13.0\n");
    assert_eq!(repo.tidings(&["next", "--level", "major"]).success(), "4.0.0\n");
}
