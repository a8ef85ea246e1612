//! Where a section goes among others that are grouped, out of order or unreleased.

use crate::support::TestRepo;

/// Inserts the section of a version into a changelog, and returns what became of it.
fn added(changelog: &str, arguments: &[&str]) -> String {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", changelog).commit("Begin");
    repo.change("Add x", "added");
    repo.tidings(&[&["add", "--first-release", "--no-commit"], arguments].concat()).success();
    repo.read("CHANGELOG.md")
}

/// Asserts that these texts follow each other.
#[track_caller]
fn follow(text: &str, parts: &[&str]) {
    let found: Vec<_> = parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"))).collect();
    assert!(found.is_sorted(), "{parts:?}: {text}");
}

#[test]
fn the_group_with_the_longest_series_takes_a_version() {
    let text = "# Changelog\n\n## 1.x\n\n### 1.3.0\n\n- c\n\n## 1.2.x\n\n## 1.1.x\n\n### 1.1.0\n\n- a\n";
    follow(&added(text, &["1.2.0"]), &["## 1.2.x", "### 1.2.0", "## 1.1.x", "### 1.1.0"]);
}

#[test]
fn a_section_ends_where_unreleased_changes_begin() {
    let text = "# Changelog\n\n## 1.1.0\n\n- b\n\n## 1.0.0\n\n- a\n\n### Unreleased\n\n- u\n";
    let replaced = added(text, &["1.0.0", "--replace"]);
    follow(&replaced, &["- b\n", "## 1.0.0", "Add x", "### Unreleased", "- u\n"]);
    assert!(!replaced.contains("- a\n"), "{replaced}");
}

#[test]
fn a_section_of_an_ascending_changelog_goes_after_the_lower_version() {
    let text =
        "# Changelog\n\n## 0.9.0\n\n- a\n\n## 2.0.0\n\n- d\n\n## 1.0.0\n\n- b\n\n## 1.1.0\n\n- c\n\n## 3.0.0\n\n- e\n";
    follow(&added(text, &["1.2.0"]), &["## 2.0.0", "## 1.0.0", "## 1.1.0", "## 1.2.0", "## 3.0.0"]);
}
