//! `--pre-releases`: a section for each pre-release, of what is new since the one before it.

use super::support::TestRepo;

/// Two pre-releases and a stable version after 1.0.0, and one more change.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    for (title, tag) in [
        ("Add sky", "v1.0.0"),
        ("Add sun", "v1.1.0-rc.1"),
        ("Add moon", "v1.1.0-rc.2"),
        ("Add stars", "v1.1.0"),
        ("Add mars", "v1.2.0-beta.1"),
        ("Add venus", ""),
    ] {
        repo.change(title, "added");
        if !tag.is_empty() {
            repo.tag(tag);
        }
    }
    repo
}

/// Returns the titles of a section.
#[track_caller]
fn titles(repo: &TestRepo, args: &[&str]) -> Vec<String> {
    let document = repo.tidings(&[args, &["--format", "json"]].concat()).json();
    let entries = document["entries"].as_array().unwrap().iter();
    entries.map(|entry| entry["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_section_covers_what_is_new_since_the_release_before() {
    let repo = repo();
    for (version, plain, with_option) in [
        (None, vec!["Add venus", "Add mars"], vec!["Add venus"]),
        (Some("1.2.0-beta.2"), vec!["Add venus", "Add mars"], vec!["Add venus"]),
        (Some("1.2.0"), vec!["Add venus", "Add mars"], vec!["Add venus", "Add mars"]),
        (Some("1.1.0-rc.2"), vec!["Add moon", "Add sun"], vec!["Add moon"]),
        (Some("1.1.0-rc.1"), vec!["Add sun"], vec!["Add sun"]),
        (Some("1.1.0"), vec!["Add stars", "Add moon", "Add sun"], vec!["Add stars", "Add moon", "Add sun"]),
    ] {
        let args: Vec<&str> = ["show"].into_iter().chain(version).collect();
        assert_eq!(titles(&repo, &args), plain, "{version:?}");
        assert_eq!(titles(&repo, &[&args[..], &["--pre-releases"]].concat()), with_option, "{version:?}");
    }
    let base = repo.tidings(&["show", "1.1.0-rc.2", "--pre-releases", "--format", "json"]).json()["base"].take();
    assert_eq!((&base["tag"], &base["version"]), (&"v1.1.0-rc.1".into(), &"1.1.0-rc.1".into()));
    assert_eq!(base["reason"], "the highest version below 1.1.0-rc.2 of 5 tags");
}

#[test]
fn the_configuration_asks_for_them() {
    let repo = repo();
    repo.write("tidings.yml", "pre_releases: true\n");
    assert_eq!(titles(&repo, &["show"]), ["Add venus"]);
    assert_eq!(titles(&repo, &["show", "--from", "v1.1.0"]), ["Add venus", "Add mars"]);
    assert_eq!(titles(&repo, &["show", "1.1.0-rc.2"]), ["Add moon"]);
}

#[test]
fn all_sections_have_those_of_pre_releases_among_them() {
    let repo = repo();
    let text = repo.tidings(&["show", "--all", "--pre-releases"]).success();
    let lines = text.lines().filter(|line| line.starts_with("## ") || line.starts_with("- "));
    let lines: Vec<&str> = lines.map(|line| line.split(" (").next().unwrap()).collect();
    let expected = [
        "## Unreleased",
        "- Add venus",
        "## 1.2.0-beta.1",
        "- Add mars",
        "## 1.1.0",
        "- Add stars",
        "- Add moon",
        "- Add sun",
        "## 1.1.0-rc.2",
        "- Add moon",
        "## 1.1.0-rc.1",
        "- Add sun",
        "## 1.0.0",
        "- Add sky",
    ];
    assert_eq!(lines, expected, "{text}");
    let stable = repo.tidings(&["show", "--all"]).success();
    assert!(!stable.contains("rc.") && !stable.contains("beta"), "{stable}");
}

#[test]
fn a_pre_release_is_released_with_what_is_new() {
    let repo = repo();
    repo.tidings(&["release", "--pre", "beta", "--pre-releases", "--no-push", "-x"]).success();
    let text = repo.read("CHANGELOG.md");
    assert!(text.contains("## 1.2.0-beta.2 (") && text.contains("- Add venus"), "{text}");
    assert!(!text.contains("Add mars"), "{text}");
    assert_eq!(repo.git(&["describe", "--tags", "--exact-match"]), "v1.2.0-beta.2");
    repo.change("Add pluto", "added");
    repo.tidings(&["release", "--pre-releases", "--no-push", "-x"]).success();
    let text = repo.read("CHANGELOG.md");
    let stable = &text[text.find("## 1.2.0 (").unwrap()..text.find("## 1.2.0-beta.2").unwrap()];
    assert!(["pluto", "venus", "mars"].iter().all(|name| stable.contains(name)), "{text}");
    repo.tidings(&["show", "--pre-releases", "--from", "v1.0.0"]).failure(2);
}
