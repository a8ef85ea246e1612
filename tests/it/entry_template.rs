//! `entry`: how an entry is written, in all categories or in one.

use super::support::TestRepo;

fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("feat: Begin");
    repo.tag("v1.0.0");
    repo.commit("feat(mast): add *sail*");
    repo.commit("fix: mend plank");
    repo.commit("feat(api)!: drop oars\n\nBREAKING CHANGE: row with\nyour hands");
    repo
}

/// Writes the configuration and returns the lines of the section.
fn lines(repo: &TestRepo, keys: &str) -> Vec<String> {
    repo.write("tidings.yml", format!("source: conventional\n{keys}"));
    let shown = repo.tidings(&["show"]).success();
    shown.lines().skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn an_entry_is_written_as_the_configuration_says() {
    let repo = repo();
    let shown = lines(&repo, "entry: \"* {{escape title}} by {{author.name}} in {{@root.version}}\"\n");
    let name = repo.git(&["log", "-1", "--format=%an"]);
    let expected = [
        "### Breaking changes".to_owned(),
        format!("* drop oars by {name} in Unreleased"),
        "  row with".to_owned(),
        "  your hands".to_owned(),
        "### Added".to_owned(),
        format!(r"* add \*sail\* by {name} in Unreleased"),
        "### Fixed".to_owned(),
        format!("* mend plank by {name} in Unreleased"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn each_entry_is_on_a_line_of_its_own() {
    let repo = repo();
    repo.commit("fix: mend mast");
    repo.commit("feat(api)!: drop wheel\n\nBREAKING CHANGE: steer");
    for (entry, expected) in [
        (
            "- {{title}}",
            "- drop wheel\n  steer\n- drop oars\n  row with\n  your hands\n### Added\n- add *sail*\n### Fixed\n- mend mast\n- mend plank",
        ),
        (
            "- {{title}}{{#if body}}!{{/if}}",
            "- drop wheel!\n- drop oars!\n### Added\n- add *sail*\n### Fixed\n- mend mast\n- mend plank",
        ),
    ] {
        let shown = lines(&repo, &format!("entry: {entry:?}\n")).join("\n");
        assert_eq!(shown, format!("### Breaking changes\n{expected}"), "{entry}");
    }
}

#[test]
fn a_category_has_a_form_of_its_own() {
    let repo = repo();
    let keys = "entry:\n  fixed: |\n    - {{capitalize title}}!\n  breaking: \"- {{title}}: {{breaking_text}}\"\n";
    let shown = lines(&repo, keys).join("\n");
    assert!(shown.contains("### Fixed\n- Mend plank!"), "{shown}");
    assert!(shown.contains("- drop oars: row with\nyour hands"), "{shown}");
    assert!(shown.contains(r"- **mast:** add \*sail\* ("), "the usual form: {shown}");
    let shown = lines(&repo, &format!("{keys}  default: \"+ {{{{title}}}}\"\n")).join("\n");
    assert!(shown.contains("### Added\n+ add *sail*"), "{shown}");
}

#[test]
fn entries_and_categories_stand_as_in_the_usual_section() {
    let repo = repo();
    repo.commit("fix: mend mast");
    repo.write("tidings.yml", "source: conventional\nentry: \"- {{title}}\"\n");
    let expected = "## Unreleased\n\n### Breaking changes\n\n- drop oars\n\n  row with\n  your hands\n\n\
                    ### Added\n\n- add *sail*\n\n### Fixed\n\n- mend mast\n- mend plank\n";
    assert_eq!(repo.tidings(&["show"]).success(), expected);
}

#[test]
fn a_mistake_is_told_with_its_line() {
    let repo = repo();
    for (template, message) in [
        ("- {{#if title}}", "tidings.yml:4:"),
        ("- {{titel}}", "`titel` is not defined"),
        ("- {{> other}}", "partials"),
    ] {
        repo.write("tidings.yml", format!("source: conventional\nentry:\n  added: |\n    {template}\n"));
        let error = repo.tidings(&["show"]).failure(1);
        assert!(error.contains(message) && error.contains("tidings.yml"), "{template}: {error}");
    }
    repo.write("tidings.yml", "entry: [a]\n");
    assert!(repo.tidings(&["show"]).failure(1).contains("tidings.yml"));
}
