//! Which tags are versions, and what is said if none of them is a release to start after.

use crate::{
    config::Config,
    git::{self, Repo},
    model::{Version, hints},
    pipeline::{self, ChangelogRequest, Scope, base::tags::Tags},
    support::TestRepo,
};

/// Makes a repository with a commit for each of these lists of tags.
fn tagged(commits: &[&[&str]]) -> TestRepo {
    let fixture = TestRepo::new();
    for tags in commits {
        fixture.commit("Go on");
        for tag in *tags {
            fixture.tag(tag);
        }
    }
    fixture
}

/// Returns the tags of stable versions, the highest first.
#[track_caller]
fn stable(commits: &[&[&str]], prefix: Option<&str>) -> String {
    let fixture = tagged(commits);
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let config = Config { tag_prefix: prefix.map(str::to_owned), ..Config::default() };
    let tags = Tags::select(&git::tags::names(&repo).unwrap(), &repo, &config).unwrap();
    tags.stable().into_iter().map(|found| found.tag).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_tag_of_two_numbers_that_moves_with_its_series_is_no_release() {
    for (commits, expected) in [
        // On the commit of a version of the series, or of a pre-release of it.
        (&[&["v1.2.3", "v1.2"][..]][..], "v1.2.3"),
        (&[&["v1.2.3"], &["v1.2.4", "v1.2"]], "v1.2.4 v1.2.3"),
        (&[&["v1.2.0", "v1.2"]], "v1.2.0"),
        (&[&["v1.1.0"], &["v1.2.0-rc.1", "v1.2"]], "v1.1.0"),
        (&[&["1.2.0-rc.1", "1.2"], &["1.2.0"]], "1.2.0"),
        // Not older than the first version of the series, on whatever commit.
        (&[&["v1.2.0"], &["v1.2"]], "v1.2.0"),
        (&[&["v1.2.0"], &["v1.2.1"], &["v1.2"]], "v1.2.1 v1.2.0"),
        (&[&["v1.2"], &["v1.2.0"]], "v1.2.0 v1.2"),
        // Alone, beside other series, or on a commit of its own.
        (&[&["v1.2"]], "v1.2"),
        (&[&["v1.2", "v1.3.1"]], "v1.3.1 v1.2"),
        (&[&["v1.2", "v1.3.0-rc.1"]], "v1.2"),
        (&[&["v1.2"], &["v1.2.3"]], "v1.2.3 v1.2"),
        (&[&["v1.2.3"], &["v1.2"]], "v1.2.3 v1.2"),
        (&[&["v1.2"], &["v1.2.0-rc.1"]], "v1.2"),
        // Four numbers are of the series of the first three.
        (&[&["v1.2.3", "v1.2.3.4"]], "v1.2.3.4 v1.2.3"),
    ] {
        assert_eq!(stable(commits, None), expected, "{commits:?}");
    }
    let of_package = &[&["api-v1.2.3", "api-v1.2", "v1.2"][..]];
    assert_eq!(stable(of_package, Some("api-")), "api-v1.2.3", "only tags with the prefix count");
    assert_eq!(stable(of_package, Some("web-")), "");
}

/// Returns the hints of the failure to find a base tag.
#[track_caller]
fn hints_without_base(tags: &[&str], config: &str, version: Option<&str>) -> Vec<String> {
    let fixture = tagged(&[tags, &[]]);
    fixture.file("tidings.yml", config).commit("Configure");
    hints_in(&fixture, version)
}

#[track_caller]
fn hints_in(fixture: &TestRepo, version: Option<&str>) -> Vec<String> {
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let version = version.map(|version| version.parse::<Version>().unwrap());
    let request = ChangelogRequest { version, ..ChangelogRequest::unreleased() };
    let scope = Scope::open(&repo, request).unwrap();
    let error = pipeline::base(&scope).unwrap_err();
    assert_eq!(error.to_string(), "no release tag found to start after");
    hints(&error).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_missing_base_tag_is_explained_by_the_tags_that_are_there() {
    let last = "for a first release, run `tidings show --first-release`";
    for (tags, config, version, expected) in [
        (&["v1.0.0-rc.1"][..], "", None, Some("no tag is a stable version; if `v1.0.0-rc.1` is one, set `tag_regex`")),
        (&["v1.0.0", "v1.1.0-rc.1"], "", Some("0.9.0"), Some("no stable tag is below 0.9.0")),
        (&["v1.0.0"], "", Some("1.0.0-rc.1"), Some("no stable tag is below 1.0.0")),
        (&["v1.0.0"], "tag_prefix: api/\n", Some("1.0.0"), Some("no tag begins with `api/`")),
        (&[], "", Some("1.0.0"), None),
    ] {
        let hints = hints_without_base(tags, config, version);
        match expected {
            Some(expected) => assert!(hints[0].starts_with(expected) && hints.len() == 2, "{tags:?}: {hints:?}"),
            None => assert_eq!(hints.len(), 1, "{tags:?}: {hints:?}"),
        }
        assert_eq!(hints[hints.len() - 1], last);
    }
}

#[test]
fn tags_of_another_history_are_not_said_to_be_missing() {
    let fixture = tagged(&[&["api-v1.0.0"]]);
    fixture.git(&["checkout", "-q", "--orphan", "other"]);
    fixture.file("tidings.yml", "tag_prefix: api-\n").commit("Begin again");
    assert_eq!(hints_in(&fixture, None), ["for a first release, run `tidings show --first-release`"]);
}
