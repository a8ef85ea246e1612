//! `tidings notes`: a version's section, cut out of the file.

use super::support::TestRepo;

const LOG: &str =
    "# Log\n\n## Unreleased\n\n- Soon\n\n## [1.1.0] - 2024-02-01\n\n- Two\n\n## 1.0.0 (2024-01-01)\n\n- One\n";

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", LOG).commit("Begin");
    repo
}

#[test]
fn the_highest_version_is_the_default() {
    let repo = repo();
    assert_eq!(repo.tidings(&["notes"]).success(), "- Two\n");
    assert_eq!(repo.tidings(&["notes", "v1.0.0"]).success(), "- One\n");
    let document = repo.tidings(&["notes", "1.1.0", "--format", "json"]).json();
    let expected = serde_json::json!({
        "version": "1.1.0", "file": "CHANGELOG.md", "heading": "## [1.1.0] - 2024-02-01", "notes": "- Two",
    });
    assert_eq!(document, expected);
}

#[test]
fn the_work_tree_goes_before_head() {
    let repo = repo();
    repo.write("CHANGELOG.md", "## 1.0.0\n\n- Edited\n");
    assert_eq!(repo.tidings(&["notes"]).success(), "- Edited\n");
    let bare = repo.beside("bare.git");
    repo.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    assert_eq!(repo.tidings(&["notes", "--repo", bare.to_str().unwrap()]).success(), "- Two\n");
}

#[test]
fn what_is_missing_is_named_with_what_is_near() {
    let repo = repo();
    assert_eq!(
        repo.tidings(&["notes", "1.0.5"]).failure(1),
        "error: version `1.0.5` not found in `CHANGELOG.md`\nhint: it has `1.0.0` and `1.1.0`\n"
    );
    assert_eq!(
        repo.tidings(&["notes", "--file", "NEWS.md"]).failure(1),
        "error: `NEWS.md` not found\nhint: use `--file` for another file, or run `tidings add VERSION` to create it\n"
    );
    repo.write("CHANGELOG.md", "# Log\n");
    assert!(repo.tidings(&["notes"]).failure(1).starts_with("error: `CHANGELOG.md` has no section of a version\n"));
    repo.tidings(&["notes", "latest"]).failure(2);
}

#[test]
fn a_section_that_is_marked_as_unreleased_is_only_printed_by_name() {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", "## 1.2.0 (Unreleased)\n\n- Soon\n\n## 1.1.0\n\n- Two\n").commit("Write");
    assert_eq!(repo.tidings(&["notes"]).success(), "- Two\n");
    assert_eq!(repo.tidings(&["notes", "1.2.0"]).success(), "- Soon\n");
    repo.file("CHANGELOG.md", "## 1.2.0 (Unreleased)\n\n- Soon\n").commit("Write");
    assert!(repo.tidings(&["notes"]).failure(1).contains("`1.2.0` is marked as unreleased"));
}
