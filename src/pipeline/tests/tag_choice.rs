//! Which tags the range of a section may start after, and where it starts.

use crate::{
    git::{self, Repo},
    model::{Version, hints},
    pipeline::{
        self, ChangelogRequest, Scope,
        base::tags::{Tags, commits_before},
        range::range_start::{RangeStart, follow_last_release},
    },
    support::TestRepo,
};

/// Makes a repository with a commit for each of these lists of tags, and a configuration in a file.
fn tagged(commits: &[&[&str]], file: &str, config: &str) -> TestRepo {
    let fixture = TestRepo::new();
    for tags in commits {
        fixture.commit("Go on");
        for tag in *tags {
            fixture.tag(tag);
        }
    }
    fixture.file(file, config).commit("Configure");
    fixture
}

fn request(version: Option<&str>) -> ChangelogRequest {
    ChangelogRequest { version: version.map(|version| version.parse().unwrap()), ..ChangelogRequest::unreleased() }
}

const OWN: &str = "tidings.yml";
const GITLAB: &str = ".gitlab/changelog_config.yml";
const PACKAGES: &str = "packages:\n  api: {tag_prefix: api-}\n  web: {tag_prefix: web-}\n";

/// Returns the prefix of the family that is followed, and how many tags are left of how many that are read.
#[track_caller]
fn narrowed(fixture: &TestRepo, version: Option<&str>) -> Result<(Option<String>, String), String> {
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let scope = Scope::open(&repo, request(version)).unwrap();
    Tags::for_range(&scope).map(|tags| (tags.family.clone(), tags.count())).map_err(|error| error.to_string())
}

#[test]
fn the_family_of_the_repository_is_chosen_among_its_tags() {
    let some = |family: &str, count: &str| Ok((Some(family.to_owned()), count.to_owned()));
    let all = |count: &str| Ok((None, count.to_owned()));
    let unclear = |newest: &str| {
        Err(format!("the tags are of 2 families, and none is clearly the repository's own: the newest are {newest}"))
    };
    for (commits, config, expected) in [
        (&[&["r-1.0.0"][..], &["r-1.1.0"]][..], "", some("r-", "2 tags that begin with `r-`")),
        (&[&["r-1.0.0"], &["r-2"]], "", some("r-", "2 tags that begin with `r-`, of which 1 are read as versions")),
        (&[&["api-1.0.0"], &["web-1.0.0"], &["web-1.1.0"], &["web-1.2.0"]], "", some("web-", "3 tags that begin with `web-`")),
        (&[&["1.0.0"], &["web-1.0.0"], &["web-1.1.0"], &["web-1.2.0"]], "", some("web-", "3 tags that begin with `web-`")),
        (&[&["api-1.0.0"], &["web-1.0.0"]], "", unclear("`web-1.0.0`, `api-1.0.0`")),
        (&[&["web-1.0.0"], &["v1.0.0"]], "", all("2 tags, of which 1 are read as versions")),
        (&[&["v1.0.0"], &["v1.1.0-rc.1"], &["nightly"]], "", all("3 tags, of which 2 are read as versions")),
        (&[&["nightly"]], "", all("1 tag, of which 0 are read as versions")),
        (&[], "", all("0 tags")),
        // The configuration decides.
        (&[&["api-1.0.0"], &["web-1.0.0"]], "tag_prefix: api-\n", all("1 tag")),
        (&[&["api-1.0.0"], &["web-1.0.0"]], "tag_regex: '^api-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'\n", all("2 tags, of which 1 are read as versions")),
        // Beside packages the repository has bare versions of its own, as long as they are current.
        (&[&["api-1.0.0"], &["v1.0.0"]], PACKAGES, all("2 tags, of which 1 are read as versions")),
        (&[&["v1.0.0"], &["api-1.0.0"], &["api-1.1.0"], &["web-1.0.0"]], PACKAGES, Err("the tags are of 3 families, and none is clearly the repository's own: the newest are `web-1.0.0`, `api-1.1.0`, `v1.0.0`".to_owned())),
        (&[&["api-1.0.0"], &["api-1.1.0"], &["nightly"]], PACKAGES, Err("the configuration has packages, and no tag is of the repository as a whole".to_owned())),
        (&[&["v1.0.0"], &["v1.1.0"]], PACKAGES, all("2 tags")),
                (&[], PACKAGES, all("0 tags")),
    ] {
        assert_eq!(narrowed(&tagged(commits, OWN, config), None), expected, "{commits:?} {config}");
    }
    let fixture = tagged(&[&["api-1.0.0"], &["web-1.0.0"]], OWN, "");
    fixture.git(&["remote", "add", "origin", "https://git.example/harbor/api.git"]);
    assert_eq!(narrowed(&fixture, None), some("api-", "1 tag that begin with `api-`"), "that with the project's name");
}

#[test]
fn a_given_version_has_the_form_that_the_tags_have() {
    let refused = Err("`1.2` is not a semantic version".to_owned());
    let all = |count: &str| Ok((None, count.to_owned()));
    let regex = "tag_regex: '^v(?P<major>\\d+)\\.(?P<minor>\\d+)$'\n";
    for (tags, file, config, version, expected) in [
        (&["v1.0.0"][..], OWN, "", "1.2.0", all("1 tag")),
        (&["v1.0.0"], OWN, "", "1.2", refused.clone()),
        (&["v1.0.0", "v0.9"], OWN, "", "1.2", all("2 tags")),
        (&["v1.0"], OWN, regex, "1.2", all("1 tag")),
        (&["v1.0.0"], OWN, "versioning: YYYY.MM\n", "1.2", all("1 tag")),
        (&["v1.0.0"], GITLAB, "", "1.2", refused),
        // As in GitLab, any semantic version counts, and no other.
        (
            &["api-1.0.0", "v1.0.0", "v0.9", "web-1.0.0"],
            GITLAB,
            "",
            "1.2.0",
            all("4 tags, of which 1 are read as versions"),
        ),
        (&["api-1.0.0", "api-1.1.0"], GITLAB, "", "1.2.0", all("2 tags, of which 0 are read as versions")),
        (&["v1.0.0", "v0.9"], OWN, "", "1.2.0", all("2 tags")),
    ] {
        let found = narrowed(&tagged(&[tags], file, config), Some(version));
        match (&found, &expected) {
            (Err(found), Err(expected)) => assert!(found.contains("1.2"), "{tags:?} {config}: {found} {expected}"),
            _ => assert_eq!(found, expected, "{tags:?} {config}"),
        }
    }
}

#[test]
fn a_stable_version_follows_no_pre_release() {
    let fixture = tagged(&[&["v1.0.0"], &["v1.1.0-rc.1"]], OWN, "");
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    for (pre_releases, version, word, base) in [
        (false, None, "stable version", "v1.0.0"),
        (true, None, "version", "v1.1.0-rc.1"),
        (true, Some("1.1.0"), "stable version", "v1.0.0"),
        (true, Some("1.1.0-rc.2"), "version", "v1.1.0-rc.1"),
        (false, Some("1.1.0-rc.2"), "stable version", "v1.0.0"),
    ] {
        let mut request = request(version);
        request.range.pre_releases = pre_releases;
        let scope = Scope::open(&repo, request).unwrap();
        assert_eq!(Tags::for_range(&scope).unwrap().release_word(), word, "{pre_releases} {version:?}");
        assert_eq!(pipeline::base(&scope).unwrap().tag, base, "{pre_releases} {version:?}");
    }
    let prefixed = tagged(&[&["api-1.0.0"], &["api-1.1.0-rc.1"]], OWN, "tag_prefix: api-\n");
    let repo = Repo::open_isolated(prefixed.path()).unwrap();
    let mut stable = request(Some("1.1.0"));
    stable.range.pre_releases = true;
    assert_eq!(pipeline::base(&Scope::open(&repo, stable).unwrap()).unwrap().tag, "api-1.0.0");
}

#[test]
fn a_version_that_is_tagged_elsewhere_is_told() {
    let fixture = tagged(&[&["v0.1.0.0", "v1.0.0"], &["v1.1.0"]], OWN, "");
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let version = |text: &str| text.parse::<Version>().unwrap();
    let mut at_tag = request(None);
    at_tag.range.to = "v1.1.0".to_owned();
    let scope = Scope::open(&repo, at_tag).unwrap();
    let tags = Tags::load(&scope).unwrap();
    assert_eq!(tags.named_after(&version("1.0.0")), Some("v1.0.0"), "not one that only ends like it");
    assert_eq!(tags.tagged_elsewhere(&scope, &version("1.1.0")).unwrap(), None);
    assert_eq!(tags.tagged_elsewhere(&scope, &version("1.2.0")).unwrap(), None);
    let told = tags.tagged_elsewhere(&scope, &version("1.0.0")).unwrap().unwrap();
    assert_eq!(told.message, "1.0.0 is tagged as `v1.0.0`, and this section ends at another commit");
    let other = tagged(&[&["curl-8_1_0"]], OWN, "");
    let repo = Repo::open_isolated(other.path()).unwrap();
    let tags = Tags::for_range(&Scope::open(&repo, request(None)).unwrap()).unwrap();
    assert_eq!(tags.named_after(&version("8.1.0")), None, "its name does not end in the version");
}

#[test]
fn tags_after_the_end_count_if_all_are() {
    let fixture = tagged(&[&[], &["a-1.0.0"], &["b-1.0.0", "nightly"], &["c-1.0.0"]], OWN, "");
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let names = git::tags::names(&repo).unwrap();
    let before = |revision: &str| {
        let commits = commits_before(&repo, &names, git::revision::resolve(&repo, revision).unwrap()).unwrap();
        commits.into_iter().flat_map(|commit| commit.tags).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(before("HEAD"), "c-1.0.0 b-1.0.0 a-1.0.0");
    assert_eq!(before("b-1.0.0"), "b-1.0.0 a-1.0.0");
    assert_eq!(before("a-1.0.0"), "a-1.0.0");
    assert_eq!(before("a-1.0.0~1"), "c-1.0.0 b-1.0.0 a-1.0.0");
}

#[test]
fn builds_of_a_version_count_for_it_only_behind_them() {
    let fixture = tagged(&[&["v1.1.0"], &["v1.2.0+ce.0"], &[]], OWN, "");
    fixture.git(&["checkout", "-q", "-b", "side", "v1.1.0"]);
    fixture.commit("Mend it");
    fixture.tag("v1.1.1");
    fixture.git(&["checkout", "-q", "main"]);
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    for (to, version, expected) in [
        ("main", "1.2.0", "v1.2.0+ce.0"),
        ("v1.2.0+ce.0", "1.2.0", "v1.1.1"),
        ("side", "1.2.0", "v1.1.1"),
        ("side", "1.3.0", "v1.2.0+ce.0"),
        // Reachability does not count for the others.
        ("main", "1.1.5", "v1.1.1"),
    ] {
        let mut request = request(Some(version));
        request.range.to = to.to_owned();
        let found = pipeline::base(&Scope::open(&repo, request).unwrap()).unwrap();
        assert_eq!(found.tag, expected, "{version} at {to}");
    }
}

#[test]
fn a_range_starts_at_the_root_only_before_the_first_release() {
    let start = |fixture: &TestRepo, change: &dyn Fn(&mut ChangelogRequest)| {
        let repo = Repo::open_isolated(fixture.path()).unwrap();
        let mut request = request(None);
        change(&mut request);
        let scope = Scope::open(&repo, request).unwrap();
        RangeStart::resolve(&scope, &Tags::for_range(&scope).unwrap()).map_err(|error| hints(&error)[0].to_owned())
    };
    let unchanged = |_: &mut ChangelogRequest| {};
    let released = tagged(&[&["v1.0.0"]], OWN, "");
    let found = start(&released, &unchanged).unwrap();
    assert_eq!(found.base().map(|base| base.tag.as_str()), Some("v1.0.0"));
    assert_eq!(found.commit(), found.base().map(|base| base.commit));
    assert_eq!(start(&released, &|request| request.range.first_release = true), Ok(RangeStart::Root));
    let found = start(&released, &|request| request.range.from = Some("v1.0.0~0".to_owned())).unwrap();
    assert!(
        matches!(&found, RangeStart::Revision { revision, .. } if revision == "v1.0.0~0") && found.base().is_none()
    );
    // A first pre-release does not count as a release, and nothing comes before the lowest version.
    assert_eq!(start(&tagged(&[&["v1.0.0-rc.1"]], OWN, ""), &unchanged), Ok(RangeStart::Root));
    let below = start(&released, &|request| request.version = Some("0.9.0".parse().unwrap()));
    assert_eq!(below, Err("no stable tag is below 0.9.0".to_owned()));
    // What a shallow clone lacks may be the tag.
    let untagged = tagged(&[&[], &[]], OWN, "");
    let url = format!("file://{}", untagged.path().display());
    untagged.git(&["clone", "-q", "--depth=1", &url, "../shallow"]);
    let repo = Repo::open_isolated(&untagged.beside("shallow")).unwrap();
    let scope = Scope::open(&repo, request(None)).unwrap();
    let error = RangeStart::resolve(&scope, &Tags::for_range(&scope).unwrap()).unwrap_err();
    assert!(hints(&error)[0].starts_with("this clone is shallow and may lack tags"), "{error:#}");
}

#[test]
fn a_job_that_always_says_first_release_goes_on_after_it() {
    for (tags, is_first, expected) in [
        (&["v1.0.0"][..], true, Some("`--first-release` is not needed: `v1.0.0` is the last release")),
        (&["v1.0.0"], false, None),
        (&["v1.0.0-rc.1"], true, None),
    ] {
        let fixture = tagged(&[tags], OWN, "");
        let repo = Repo::open_isolated(fixture.path()).unwrap();
        let mut request = request(None);
        request.range.first_release = is_first;
        let mut scope = Scope::open(&repo, request).unwrap();
        let tags = Tags::for_range(&scope).unwrap();
        let told = follow_last_release(&mut scope, &tags).unwrap();
        assert_eq!(told.as_deref(), expected, "{:?}", tags.names);
        assert_eq!(scope.request.range.first_release, is_first && expected.is_none());
    }
}
