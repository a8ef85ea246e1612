//! `tidings init`: settings from what is found, the hook, the schema.

use crate::support::TestRepo;

const SETTINGS: &str = ".gitlab/changelog_config.yml";

#[test]
fn settings_name_the_categories_and_tags_in_use() {
    let repo = TestRepo::new();
    repo.change("Mend it", "bug fix");
    repo.tag("app/v1.2.0");
    repo.change("Add crane", "new: \"shiny\"");
    repo.change("Mend it again", "bug fix");
    repo.tidings(&["init"]).success();
    let text = repo.read(SETTINGS);
    assert!(text.contains("categories:\n  \"bug fix\": \"Bug fix\"\n  \"new: \\\"shiny\\\"\""), "{text}");
    let outcome = repo.tidings(&["base"]);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("app/v1.2.0\n", ""));
    repo.tidings(&["init"]).success();
    repo.write(SETTINGS, "# mine\n");
    assert!(repo.tidings(&["init"]).failure(1).contains("is there already"));
    repo.tidings(&["init", "--force"]).success();
}

#[test]
fn an_empty_repository_gets_the_usual_categories() {
    let repo = TestRepo::new();
    repo.tidings(&["init"]).success();
    assert!(repo.read(SETTINGS).contains("\"added\": \"Added\"") && repo.read(SETTINGS).contains("\n# tag_regex"));
}

#[test]
fn the_hook_goes_where_git_runs_it_from() {
    let repo = TestRepo::new();
    repo.tidings(&["init", "--hook"]).success();
    assert!(repo.read(".git/hooks/commit-msg").contains("tidings check --message \"$1\""));
    repo.git(&["config", "core.hooksPath", "own"]);
    repo.tidings(&["init", "--hook"]).success();
    assert!(repo.read("own/commit-msg").starts_with("#!/bin/sh\n"));
    repo.write("own/commit-msg", "#!/bin/sh\n");
    assert!(repo.tidings(&["init", "--hook"]).failure(1).contains("is there already"));
}

#[test]
fn the_schema_is_json() {
    assert_eq!(TestRepo::new().tidings(&["init", "--schema"]).json()["title"], "Settings of tidings");
}
