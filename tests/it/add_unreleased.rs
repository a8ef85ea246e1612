//! `tidings add --unreleased`: the text below `Unreleased` is what is unreleased, after every push.

use super::support::TestRepo;

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
    repo.tag("v1.0.0");
    repo
}

/// Returns the changelog after an update, with the identifiers of commits replaced.
#[track_caller]
fn update(repo: &TestRepo) -> String {
    repo.tidings(&["add", "--unreleased"]).success();
    let text = repo.read("CHANGELOG.md");
    let id = regex::Regex::new(r" \([^)]*[0-9a-f]{8}[^)]*\)+").unwrap();
    id.replace_all(&text, "").into_owned()
}

const RELEASED: &str = "## 1.0.0 (2024-01-01)\n\nOne.\n";

#[test]
fn every_push_brings_the_text_up_to_date() {
    let repo = repo();
    assert_eq!(update(&repo), format!("# Log\n\n{RELEASED}"), "nothing is unreleased");
    repo.change("Add search", "added");
    let first = format!("# Log\n\n## Unreleased\n\n### Added\n\n- Add search\n\n{RELEASED}");
    assert_eq!(update(&repo), first);
    assert_eq!(
        repo.git(&["log", "-1", "--format=%B"]),
        "Update unreleased changes\n\nTidings-Unreleased: CHANGELOG.md"
    );
    let head = repo.git(&["rev-parse", "HEAD"]);
    let stderr = repo.tidings(&["add", "--unreleased"]).success();
    assert_eq!(stderr, "the unreleased changes in CHANGELOG.md are up to date\n");
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head, "no second commit");

    repo.change("Fix crash", "fixed");
    let bad = repo.change("Add moon", "added");
    update(&repo);
    let text = repo
        .read("CHANGELOG.md")
        .replace("- Fix crash", "- Fix the crash")
        .replace("### Fixed", "By hand.\n\n### Fixed");
    repo.file("CHANGELOG.md", &text).commit("Reword");
    repo.commit(&format!("Revert \"Add moon\"\n\nThis reverts commit {bad}."));
    repo.change("Add stars", "added");
    let second = format!(
        "# Log\n\n## Unreleased\n\n### Added\n\n- Add stars\n- Add search\n\nBy hand.\n\n### Fixed\n\n- Fix the crash\n\n{RELEASED}"
    );
    assert_eq!(update(&repo), second);

    let document = repo.tidings(&["add", "--unreleased", "--format", "json"]).json();
    assert_eq!((&document["version"], &document["status"]), (&"Unreleased".into(), &"unchanged".into()));
}

#[test]
fn a_release_makes_its_section_of_the_text() {
    let repo = repo();
    repo.change("Add search", "added");
    repo.change("Fix crash", "fixed");
    update(&repo);
    let text = repo.read("CHANGELOG.md").replace("- Fix crash", "- Fix the crash");
    repo.file("CHANGELOG.md", &text).commit("Reword");
    repo.change("Add stars", "added");
    repo.tidings(&["release", "1.1.0", "--date", "2024-03-09", "--no-push", "-x"]).success();
    let text = repo.read("CHANGELOG.md");
    assert!(text.starts_with("# Log\n\n## Unreleased\n\n## 1.1.0 (2024-03-09)\n\n### Added"), "{text}");
    for title in ["- Add search", "- Add stars", "- Fix the crash"] {
        assert_eq!(text.matches(title).count(), 1, "{title}: {text}");
    }
    assert!(!text.contains("- Fix crash"), "{text}");
    assert_eq!(text.matches("### ").count(), 2, "{text}");
    repo.change("Add sun", "added");
    let text = update(&repo);
    assert!(text.starts_with("# Log\n\n## Unreleased\n\n### Added\n\n- Add sun\n\n## 1.1.0"), "{text}");
}

#[test]
fn an_added_section_takes_the_text_that_was_generated() {
    for commands in [["add", "1.1.0", "--date", "2024-03-09"].as_slice(), &["release", "1.1.0", "--no-push", "-x"]] {
        let repo = repo();
        repo.change("Add search", "added");
        repo.change("Add moon", "added");
        repo.change("Fix crash", "fixed");
        update(&repo);
        let text = repo.read("CHANGELOG.md").replace("- Fix crash", "- Fix the crash");
        let kept: String = text.split_inclusive('\n').filter(|line| !line.contains("Add moon")).collect();
        repo.file("CHANGELOG.md", &kept).commit("Edit");
        assert!(!update(&repo).contains("Add moon"), "what people strike out stays away");
        repo.change("Add stars", "added");
        repo.tidings(commands).success();
        let text = repo.read("CHANGELOG.md");
        for title in ["- Add search", "- Add stars", "- Fix the crash", "### Added", "### Fixed"] {
            assert_eq!(text.matches(title).count(), 1, "{commands:?} {title}: {text}");
        }
        assert!(text.starts_with("# Log\n\n## Unreleased\n\n## 1.1.0 ("), "{text}");
        assert!(!text.contains("Add moon") && !text.contains("- Fix crash"), "{commands:?}: {text}");
    }
}

#[test]
fn what_people_strike_out_stays_away_when_nothing_is_left() {
    let repo = repo();
    repo.change("Add moon", "added");
    update(&repo);
    repo.file("CHANGELOG.md", format!("# Log\n\n## Unreleased\n\n{RELEASED}")).commit("Edit");
    repo.tidings(&["add", "1.1.0", "--date", "2024-03-09"]).success();
    let expected = format!("# Log\n\n## Unreleased\n\n## 1.1.0 (2024-03-09)\n\nNo changes.\n\n{RELEASED}");
    assert_eq!(repo.read("CHANGELOG.md"), expected);
}

#[test]
fn an_added_section_takes_the_text_when_an_entry_would_stand_twice() {
    let repo = repo();
    repo.change("Add search", "added");
    update(&repo);
    repo.git(&["commit", "--quiet", "--amend", "-m", "Squashed, without a trailer"]);
    repo.tidings(&["add", "1.1.0", "--date", "2024-03-09"]).success();
    let text = repo.read("CHANGELOG.md");
    assert_eq!(text.matches("- Add search").count(), 1, "{text}");
}

#[test]
fn text_that_a_release_leaves_there_is_not_kept_up_to_date() {
    let repo = repo();
    repo.write(".tidings.yml", "unreleased: keep\n");
    repo.change("Add search", "added");
    let error = repo.tidings(&["add", "--unreleased"]).failure(1);
    assert!(error.contains("hint: set `unreleased: move`"), "{error}");
    repo.tidings(&["add", "--unreleased", "1.1.0"]).failure(2);
    let hosted = repo.tidings(&["add", "--unreleased", "--project", "group/app"]);
    assert!(hosted.failure(2).contains("`--unreleased` cannot be used with `--project`"));
}

#[test]
fn its_own_commits_are_not_listed_by_title() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Add search");
    repo.write(".tidings.yml", "source: titles\n");
    assert!(update(&repo).contains("- Add search\n"));
    assert!(!repo.tidings(&["show"]).success().contains("Update unreleased changes"));
}
