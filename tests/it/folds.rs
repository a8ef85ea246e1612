//! Fixes of what is not released yet, which are folded into what they mend; and the text of a first release.

use crate::support::TestRepo;

/// A release, then a change and two fixes: one of the change, one of the release.
fn mended() -> TestRepo {
    let repo = TestRepo::new();
    let old = repo.change("Add mast", "added");
    repo.tag("v1.0.0");
    let new = repo.change("Add crane", "added");
    repo.commit(&format!("Mend mast\n\nFixes: {} (\"Add mast\")\nChangelog: fixed\n", &old[..12]));
    repo.commit(&format!("Mend crane\n\nFixes: {} (\"Add crane\")\nChangelog: fixed\n", &new[..12]));
    repo.commit("Mend sail\n\nChangelog: none\n");
    repo
}

/// The titles of the entries, sorted.
fn titles(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let document = repo.tidings(&[&["show", "--format", "json"], arguments].concat()).json();
    let entries = document["entries"].as_array().unwrap().iter();
    let mut titles: Vec<_> = entries.map(|entry| entry["title"].as_str().unwrap().to_owned()).collect();
    titles.sort_unstable();
    titles
}

#[test]
fn a_fix_of_something_unreleased_is_no_news() {
    let repo = mended();
    assert_eq!(titles(&repo, &[]), ["Add crane", "Mend mast"]);
    assert_eq!(titles(&repo, &["--first-release"]), ["Add crane", "Add mast"], "then nothing is released");
    let stderr = repo.tidings(&["explain"]).success();
    let crane = repo.git(&["rev-parse", "--short=8", "HEAD~3"]);
    assert!(stderr.contains(&format!("Mend crane  (mends {crane}, which is not released either)")), "{stderr}");
    assert!(stderr.contains("Mend sail  (skipped: `Changelog: none`)"), "{stderr}");
    assert!(stderr.contains("1 mending what is not released either"), "{stderr}");
    let document = repo.tidings(&["explain", "--format", "json"]).json();
    assert_eq!(document["commits"][1]["folded_into"], repo.git(&["rev-parse", "HEAD~3"]));
    assert_eq!(document["counts"]["folded"], 1);
    repo.tidings(&["check", "v1.0.0..HEAD", "--require", "each"]).success();
}

#[test]
fn under_gitlabs_rules_every_trailer_is_an_entry() {
    let repo = mended();
    repo.write(".gitlab/changelog_config.yml", "categories: {added: Added}\n");
    assert_eq!(titles(&repo, &[]), ["Add crane", "Mend crane", "Mend mast", "Mend sail"]);
    std::fs::remove_dir_all(repo.path().join(".gitlab")).unwrap();
    repo.git(&["remote", "add", "origin", "https://gitlab.com/harbor/pilot.git"]);
    assert_eq!(titles(&repo, &["--offline"]).len(), 4, "a project on GitLab without a configuration");
}

#[test]
fn fix_ups_that_were_never_squashed_are_folded() {
    let repo = TestRepo::new();
    repo.write("tidings.yml", "source: titles\n");
    repo.commit("Initial");
    repo.tag("v1.0.0");
    for title in ["Add crane", "fixup! Add crane", "squash! Add crane", "fixup! Add mast"] {
        repo.commit(title);
    }
    assert_eq!(titles(&repo, &[]), ["Add crane", "fixup! Add mast"]);
}

#[test]
fn a_first_release_may_have_a_text_of_its_own() {
    let repo = TestRepo::new();
    repo.write("tidings.yml", "first_release: |\n  It has {{#each categories}}{{count}} things{{/each}}.\n");
    repo.change("Add crane", "added");
    assert_eq!(
        repo.tidings(&["show", "1.0.0", "--date", "2024-03-09"]).success(),
        "## 1.0.0 (2024-03-09)\n\nIt has 1 things.\n"
    );
    assert!(repo.tidings(&["show", "--template", "section"]).success().contains("- Add crane"));
    repo.tag("v1.0.0");
    repo.change("Add mast", "added");
    assert!(repo.tidings(&["show"]).success().contains("- Add mast"));
    let all = repo.tidings(&["show", "--all"]).success();
    assert!(all.contains("It has 1 things.") && !all.contains("Add crane"), "{all}");
}
