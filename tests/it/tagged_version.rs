//! `show V` of a version that is tagged ends at its tag and has its date; it is warned of where it ends elsewhere.

use crate::support::TestRepo;

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.annotated_tag("v1.1.0");
    repo
}

#[test]
fn a_version_that_is_tagged_ends_at_its_tag() {
    let repo = harbor();
    repo.change("Add sail", "added");
    let whole = repo.tidings(&["show", "1.1.0", "--to", "v1.1.0"]).success();
    let shown = repo.tidings(&["show", "1.1.0"]);
    assert_eq!((shown.stdout.as_str(), shown.stderr.as_str()), (whole.as_str(), ""));
    let commit = repo.git(&["rev-parse", "v1.1.0^{commit}"]);
    for command in [&["show"][..], &["explain"]] {
        let document = repo.tidings(&[command, &["1.1.0", "--format", "json"]].concat()).json();
        assert_eq!(document["to"], commit, "{command:?}");
    }
    assert_eq!(repo.tidings(&["base", "1.1.0"]).success(), "v1.0.0\n");
    repo.author();
    repo.tidings(&["add", "1.1.0"]).success();
    assert!(!repo.git(&["show", "HEAD:CHANGELOG.md"]).contains("Add sail"));
}

#[test]
fn a_version_that_is_tagged_below_the_end_is_warned_of() {
    let repo = harbor();
    repo.write(".gitlab/changelog_config.yml", "categories: {added: Added}\n");
    let stderr = |arguments: &[&str]| repo.tidings(arguments).stderr;
    assert_eq!(stderr(&["show", "1.1.0"]), "");
    repo.change("Add sail", "added");
    let warning = "warning: 1.1.0 is tagged as `v1.1.0`, and this section ends at another commit\n\
                   hint: end it there with `--to v1.1.0`\n";
    assert_eq!(stderr(&["show", "1.1.0"]), warning);
    assert_eq!(stderr(&["explain", "1.1.0"]), warning);
    assert_eq!(stderr(&["show", "1.1.0", "--to", "v1.1.0"]), "");
    assert_eq!(stderr(&["show", "1.2.0"]), "");
    assert!(repo.tidings(&["show", "1.1.0"]).success().contains("Add sail"));
}

#[test]
fn a_section_that_ends_at_a_tag_has_the_date_of_the_tag() {
    let repo = harbor();
    repo.git(&["config", "user.name", "Ida"]);
    let heading = |arguments: &[&str]| {
        let text = repo.tidings(&[&["show", "1.1.0"], arguments].concat()).success();
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(heading(&["--to", "v1.1.0"]), "## 1.1.0 (2023-11-14)");
    assert_eq!(heading(&["--to", "refs/tags/v1.1.0"]), "## 1.1.0 (2023-11-14)");
    assert_eq!(heading(&["--to", "v1.1.0", "--date", "2024-03-09"]), "## 1.1.0 (2024-03-09)");
    assert_ne!(heading(&["--to", "HEAD"]), "## 1.1.0 (2023-11-14)");
}

#[test]
fn a_build_that_is_the_end_is_not_its_own_base() {
    let repo = harbor();
    repo.change("Add sail", "added");
    repo.tag("v1.2.0+ee.0");
    let document = repo.tidings(&["explain", "1.2.0", "--to", "v1.2.0+ee.0", "--format", "json"]).json();
    assert_eq!(document["base"]["tag"], "v1.1.0");
    assert_eq!(repo.tidings(&["base", "1.2.0"]).success(), "v1.1.0\n");
}
