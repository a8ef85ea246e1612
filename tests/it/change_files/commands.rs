//! Change files beside commits, and what `explain`, `doctor` and `init` say of them.

use serde_json::json;

use super::{changeset, harbor, short, shown};
use crate::support::TestRepo;

#[test]
fn they_are_listed_beside_commits_and_describe_those_that_add_them() {
    let repo = harbor();
    repo.write("tidings.yml", "source: [files, conventional]\n");
    repo.commit("feat: add crane (#3)");
    let crane = short(&repo, "HEAD");
    changeset(&repo, "sail", "harbor: major", "Add sail");
    repo.commit("feat: add sail (#7)");
    let sail = short(&repo, "HEAD");
    let expected = [format!("added|add crane|harbor/pilot#3|{crane}"), format!("major|Add sail|harbor/pilot#7|{sail}")];
    assert_eq!(shown(&repo, &[]), expected);
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("### Added\n") && section.contains("### Major Changes\n"), "{section}");
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n");
    let explained = repo.tidings(&["explain"]).success();
    assert!(explained.contains(&format!("- {sail} feat: add sail (#7)  (skipped: described by `.changeset/sail.md`)")));
    repo.write("tidings.yml", "source: [both, conventional]\n");
    let refused = repo.tidings(&["show"]).failure(1);
    assert!(refused.contains("tidings.yml:1:9: `source` must be one source, or a list of `files`"), "{refused}");
}

#[test]
fn explain_says_which_file_gives_an_entry_and_doctor_which_wait() {
    let repo = harbor();
    changeset(&repo, "bad", "harbor: fix", "Mend mast");
    changeset(&repo, "sail", "harbor: minor", "Add sail");
    repo.commit("Add sail (#7)");
    let sail = short(&repo, "HEAD");
    let explained = repo.tidings(&["explain"]).success();
    let listed = format!("+ .changeset/sail.md Add sail  (harbor minor; added by {sail})\n- .changeset/bad.md:2:1: ");
    assert!(explained.contains(&listed), "{explained}");
    assert!(explained.ends_with("1 change in change files, 1 commit\n"), "{explained}");
    let document = repo.tidings(&["explain", "--format", "json"]).json();
    let first = &document["change_files"][0];
    let found = json!([first["path"], first["category"], first["packages"], first["listed"]]);
    assert_eq!(found, json!([".changeset/sail.md", "minor", ["harbor"], true]));
    assert_eq!(document["change_files"][1]["listed"], json!(false));
    let doctor = repo.tidings(&["doctor", "--format", "json"]).json();
    let found = &doctor["change_files"];
    assert_eq!(found["configured_in"], json!(".changeset/config.json"));
    assert_eq!(found["waiting"], json!([".changeset/sail.md"]));
    assert!(found["broken"][0].as_str().unwrap().starts_with(".changeset/bad.md:2:1: "), "{found}");
}

#[test]
fn init_writes_the_source_and_the_categories_of_the_tool() {
    for (file, content, expected) in [
        (".changeset/config.json", "{}", "\"major\": \"Major Changes\""),
        (".changie.yaml", "kinds:\n  - {label: Added}\n", "\"Added\": \"Added\""),
        ("pyproject.toml", "[tool.towncrier]\n", "\"feature\": \"Features\""),
        ("towncrier.toml", "[tool.towncrier]\n", "\"feature\": \"Features\""),
        ("changelog.d/scriv.ini", "[scriv]\n", "\"Fixed\": \"Fixed\""),
        (".changes/config.json", "{\"packages\": {}, \"changeTags\": {\"bug\": \"Bugs\"}}", "\"bug\": \"Bugs\""),
    ] {
        let repo = TestRepo::new();
        repo.file(file, content).commit("feat: begin");
        let told = repo.tidings(&["init", "--yes"]);
        assert!(told.stderr.contains(&format!("`{file}` configures change files")), "{}", told.stderr);
        told.success();
        let written = repo.read("tidings.yml");
        assert!(written.contains("\nsource: files\n") && written.contains(expected), "{file}: {written}");
        repo.tidings(&["show"]).success();
        repo.tidings(&["init", "--yes", "--force", "--from", file]).success();
        assert_eq!(repo.read("tidings.yml"), written, "{file}");
    }
    let repo = TestRepo::new();
    repo.file(".changeset/config.json", "{}").change("Add sail", "added");
    repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("\nsource: trailers\n"));
}

#[cfg(unix)]
#[test]
fn without_a_text_the_editor_opens() {
    let repo = harbor();
    let editor = |script: &str| repo.git(&["config", "core.editor", script]);
    editor("sed -i -e '1s/^/Add a crane/'");
    let written = repo.tidings(&["change", "--minor", "harbor"]).success();
    assert_eq!(written, "wrote .changeset/add-a-crane.md\n");
    assert_eq!(repo.read(".changeset/add-a-crane.md"), "---\n\"harbor\": minor\n---\n\nAdd a crane\n");
    // Nothing is written of what is empty, and nothing is asked for what the tool would refuse.
    editor("true");
    assert!(repo.tidings(&["change", "--minor", "harbor"]).failure(2).contains("the change has no text"));
    editor("touch opened");
    repo.tidings(&["change"]).failure(2);
    assert!(!repo.path().join("opened").exists());
    editor("false");
    assert!(repo.tidings(&["change", "--minor", "harbor"]).failure(1).contains("the editor ended with"));
}

#[test]
fn a_name_that_would_be_read_as_something_else_is_no_package() {
    let repo = TestRepo::new();
    repo.file(".changeset/config.json", "{}").commit("Begin");
    for name in ["a\": major\n---\nx", "a\\", "a\nb"] {
        let stderr = repo.tidings(&["change", "--major", name, "Add a crane"]).failure(2);
        assert!(stderr.contains("is not the name of a package"), "{stderr}");
    }
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
