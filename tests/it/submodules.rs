//! `submodules`: what is new in the submodules, as groups of the section.

use crate::{show::show, support::TestRepo};

/// A crane, and a harbor with it as a submodule, released as 1.0.0.
fn harbor() -> (TestRepo, TestRepo) {
    let crane = TestRepo::new();
    crane.commit("Build crane");
    let harbor = TestRepo::new();
    harbor.write("tidings.yml", "submodules: true\nsource: conventional\n");
    add(&harbor, &crane, "libs/crane");
    harbor.git(&["config", "-f", ".gitmodules", "submodule.libs/crane.url", "https://github.com/harbor/crane.git"]);
    harbor.git(&["add", "."]);
    harbor.commit("Initial");
    harbor.tag("v1.0.0");
    (harbor, crane)
}

fn add(harbor: &TestRepo, submodule: &TestRepo, path: &str) {
    let url = submodule.path().to_str().expect("a UTF-8 path");
    harbor.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, path]);
}

/// Moves the submodule to the newest commit; returns the short IDs of both.
fn update(harbor: &TestRepo, crane: &TestRepo) -> [String; 2] {
    let path = harbor.path().join("libs/crane");
    let directory = path.to_str().expect("a UTF-8 path");
    let old = harbor.git(&["-C", directory, "rev-parse", "HEAD"]);
    harbor.git(&["-C", directory, "fetch", "-q", crane.path().to_str().expect("a UTF-8 path")]);
    harbor.git(&["-C", directory, "checkout", "-q", "FETCH_HEAD"]);
    let new = harbor.git(&["-C", directory, "rev-parse", "HEAD"]);
    harbor.git(&["add", "libs/crane"]);
    harbor.commit("chore: Update crane");
    [old, new].map(|id| id.trim()[..8].to_owned())
}

#[test]
fn a_submodule_is_a_group_of_what_is_new_in_it() {
    let (harbor, crane) = harbor();
    crane.commit("feat: Turn faster");
    crane.commit("docs: Describe crane");
    crane.commit("fix(hook): Close (#7)");
    let [_, new] = update(&harbor, &crane);
    harbor.commit("feat: Add pier");
    let section = show(&harbor, &["1.1.0"]).success();
    let group = section.split("### Submodule libs/crane").nth(1).expect("a group");
    assert!(group.contains(&format!("[Close](https://github.com/harbor/crane/commit/{new}")), "{section}");
    assert!(group.contains("([#7](https://github.com/harbor/crane/pull/7))"), "{section}");
    assert!(group.contains("Turn faster") && !group.contains("Describe") && !group.contains("pier"), "{section}");
    assert!(section.starts_with("## 1.1.0") && section.contains("### Added\n"), "{section}");
    // Without the key, a submodule is a directory as any other.
    harbor.write("tidings.yml", "source: conventional\n");
    assert!(!show(&harbor, &["1.1.0"]).success().contains("Turn faster"));
}

#[test]
fn a_submodule_that_is_not_checked_out_is_a_line_and_a_warning() {
    let (harbor, crane) = harbor();
    crane.commit("feat: Turn faster");
    let [old, new] = update(&harbor, &crane);
    harbor.git(&["clone", "-q", ".", "../clone"]);
    let clone = harbor.beside("clone");
    let outcome = show(&harbor, &["1.1.0", "--repo", clone.to_str().expect("a UTF-8 path")]);
    let warning = outcome.stderr.clone();
    let section = outcome.success();
    assert!(section.contains("### Submodules\n"), "{section}");
    let line = format!("- [libs/crane: {old}..{new}](https://github.com/harbor/crane/compare/{old}");
    assert!(section.contains(&line), "{section}");
    assert!(
        warning.contains("the changes of submodule `libs/crane` are not listed: it is not checked out"),
        "{warning}"
    );
    assert!(warning.contains("run `git submodule update --init -- libs/crane`"), "{warning}");
}

#[test]
fn an_own_configuration_of_the_submodule_decides_what_it_lists() {
    let (harbor, crane) = harbor();
    crane.file("tidings.yml", "source: titles\n");
    crane.commit("Turn faster");
    update(&harbor, &crane);
    assert!(show(&harbor, &["1.1.0"]).success().contains("Turn faster"));
    // A name that leads elsewhere opens nothing.
    harbor.git(&["config", "-f", ".gitmodules", "--rename-section", "submodule.libs/crane", "submodule.../../crane"]);
    harbor.git(&["add", "."]);
    harbor.commit("chore: Rename submodule");
    std::fs::remove_dir_all(harbor.path().join("libs")).expect("a directory");
    let section = show(&harbor, &["1.1.0"]).success();
    assert!(!section.contains("Turn faster") && section.contains("libs/crane: "), "{section}");
}

#[test]
fn added_and_removed_submodules_are_named() {
    let (harbor, crane) = harbor();
    add(&harbor, &crane, "libs/winch");
    harbor.git(&["rm", "-q", "-f", "libs/crane"]);
    harbor.commit("chore: Take winch instead of crane");
    let section = show(&harbor, &["1.1.0"]).success();
    assert!(section.contains("libs/crane: removed") && section.contains("libs/winch: added at "), "{section}");
    harbor.write("tidings.yml", "submodules: true\npaths: [src]\n");
    assert!(!show(&harbor, &["1.1.0"]).success().contains("libs/"));
}
