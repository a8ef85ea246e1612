//! Commits whose message lists several changes: squashed commits, marked blocks, and trailers with a text.

use crate::support::TestRepo;

/// A release, and a commit with this message after it.
fn after_release(message: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("feat: Begin");
    repo.tag("v1.0.0");
    repo.commit(message);
    repo
}

fn titles(repo: &TestRepo) -> Vec<String> {
    let section = repo.tidings(&["show", "--template", "keep-a-changelog"]).success();
    let title = |line: &str| Some(line.strip_prefix("- ")?.rsplit_once(" (")?.0.to_owned());
    section.lines().filter_map(title).collect()
}

const LIST: &str = "Sail on (#7)\n\n* feat(mast): add second mast\n\n* fix: mend torn sail\n\n* address review";

#[test]
fn the_list_of_a_squashed_commit_is_listed_and_counts() {
    let repo = after_release(LIST);
    repo.write("tidings.yml", "source: conventional\n");
    assert_eq!(titles(&repo), ["**mast:** add second mast", "mend torn sail"]);
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    let document = repo.tidings(&["show", "--format", "json"]).json();
    let entries = document["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["commit"]["id"], entries[1]["commit"]["id"]);
    let explained = repo.tidings(&["explain"]).success();
    assert!(explained.contains("Sail on (#7)  (added, fixed: lists `feat(mast): add second mast`"), "{explained}");
    for mode in ["one", "marked"] {
        repo.write("tidings.yml", format!("source: conventional\nentries_per_commit: {mode}\n"));
        assert_eq!(titles(&repo), [""; 0], "{mode}");
        repo.tidings(&["next"]).failure(5);
    }
}

#[test]
fn a_title_with_a_type_stands_for_its_list_unless_all_is_wanted() {
    let repo = after_release(&LIST.replace("Sail on", "fix: sail on"));
    repo.write("tidings.yml", "source: conventional\n");
    assert_eq!(titles(&repo), ["sail on (#7)"]);
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n", "what is not listed does not count");
    repo.write("tidings.yml", "source: conventional\nentries_per_commit: all\n");
    assert_eq!(titles(&repo), ["**mast:** add second mast", "sail on (#7)", "mend torn sail"]);
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    let repo = after_release("fix: sail on\n\n* fix: sail on\n\n* refactor!: drop the oars");
    repo.write("tidings.yml", "source: conventional\n");
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n", "what breaks in the list counts");
    assert_eq!(titles(&repo), ["sail on"]);
}

#[test]
fn each_of_several_trailers_may_have_a_text() {
    let repo =
        after_release("Sail on\n\nChangelog: fixed: Mend the mast\nChangelog: added\nChangelog: removed: Drop oars");
    repo.write("tidings.yml", "source: trailers\nrepeated_trailers: all\n");
    assert_eq!(titles(&repo), ["Sail on", "Mend the mast", "Drop oars"]);
    repo.write("tidings.yml", "source: trailers\n");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("Sail on") && !section.contains("] Drop oars"), "{section}");
}

#[test]
fn what_breaks_is_told_below_its_title() {
    let repo = after_release(
        "feat(mast)!: drop the oars\n\nRow no more.\n\nBREAKING CHANGE: `row <n>` is gone.\n\nSail with <sail> instead.\n\n\
         Reviewed-by: Ida <ida@x.example>",
    );
    repo.commit("fix: mend plank");
    repo.write("tidings.yml", "source: conventional\n");
    let section = repo.tidings(&["show"]).success();
    let told = ")\n\n  `row <n>` is gone.\n\n  Sail with \\<sail> instead.\n\n### Fixed\n";
    assert!(section.contains("- **mast:** drop the oars (") && section.contains(told), "{section}");
    let entry = &repo.tidings(&["show", "--format", "json"]).json()["entries"][0];
    assert_eq!(entry["breaking_text"], "`row <n>` is gone.\n\nSail with <sail> instead.");
    repo.write("tidings.yml", "source: conventional\nbodies: true\n");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains(")\n\n  Row no more.\n\n  BREAKING CHANGE: `row <n>` is gone.\n"), "{section}");
    assert!(!section.contains("Reviewed-by"), "{section}");
    // With GitLab's configuration an entry is a line.
    repo.file(".gitlab/changelog_config.yml", "source: conventional\nbodies: true\n");
    std::fs::remove_file(repo.path().join("tidings.yml")).unwrap();
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("drop the oars") && !section.contains("gone"), "{section}");
}

#[test]
fn a_breaking_change_without_a_text_is_a_finding() {
    let repo = after_release("fix: mend it\n\nBREAKING CHANGE:\n\nReviewed-by: Ida <ida@x.example>");
    repo.write("tidings.yml", "source: conventional\n");
    let checked = repo.tidings(&["check"]);
    assert!(checked.stdout.contains("empty-breaking-change: the breaking change has no text"), "{checked:?}");
    checked.failure(3);
}
