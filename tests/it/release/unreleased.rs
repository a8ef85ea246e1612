//! What the changelog file says is unreleased, and what a release makes of it.

use super::Released;

const MARKED: &str = "# Log\n\n## 1.1.0 (Unreleased)\n\n- By hand\n\n## Previous Releases\n\nSee [them](x).\n\n## 1.0.0 (2024-01-01)\n\nOne.\n";

fn with_file(name: &str, text: &str) -> Released {
    let fixture = Released::new();
    if name != "CHANGELOG.md" {
        fixture.repo.git(&["rm", "-q", "CHANGELOG.md"]);
    }
    fixture.repo.file(name, text).commit("Write");
    fixture
}

#[test]
fn a_section_that_is_marked_as_unreleased_gets_its_date_in_the_commit() {
    let fixture = with_file("CHANGELOG.md", MARKED);
    let plan = fixture.release(&["--no-push", "--no-host-release"]).success();
    assert!(plan.contains("    -## 1.1.0 (Unreleased)\n    +## 1.1.0 (2024-03-09)\n"), "{plan}");
    assert!(plan.contains("tag: v1.1.0\n    1.1.0 (2024-03-09)\n\n    - By hand\n  undo"), "{plan}");
    let blocked = fixture.release(&["1.1.0", "--no-commit", "--no-push", "--no-host-release"]).failure(3);
    assert!(blocked.contains("the section of 1.1.0 in `CHANGELOG.md` is marked as unreleased"), "{blocked}");
    fixture.release(&["-x", "--no-push", "--no-host-release"]).success();
    assert_eq!(fixture.repo.read("CHANGELOG.md"), MARKED.replace("(Unreleased)", "(2024-03-09)"));
    assert_eq!(fixture.repo.git(&["tag", "-l", "--format=%(contents)", "v1.1.0"]), "1.1.0 (2024-03-09)\n\n- By hand");
    let again = fixture.release(&["-x", "--no-push", "--no-host-release"]);
    assert!(again.stdout.contains("nothing left to do for 1.1.0") || again.code == 5, "{again:?}");
}

#[test]
fn a_line_below_the_heading_is_a_mark_too() {
    let text = |line: &str| {
        format!(
            "Version 1.1.0\n-------------\n\n{line}\n\n-   By hand\n\n\nVersion 1.0.0\n-------------\n\nReleased 2024-01-01\n\n-   One\n"
        )
    };
    let fixture = with_file("CHANGES.rst", &text("Unreleased"));
    fixture.release(&["1.1.0", "-x", "--no-push", "--no-host-release"]).success();
    assert_eq!(fixture.repo.read("CHANGES.rst"), text("Released 2024-03-09"));
    assert!(fixture.repo.tidings(&["notes"]).success().starts_with("Released 2024-03-09"));
}

#[test]
fn under_the_configuration_of_gitlab_the_file_stays_as_it_is() {
    let fixture = with_file("CHANGELOG.md", MARKED);
    fixture.repo.write(".gitlab/changelog_config.yml", "");
    fixture.repo.commit("Configure");
    let plan = fixture.release(&["1.1.0", "--no-push", "--no-host-release"]).success();
    assert!(plan.contains("commit: already done"), "{plan}");
}

#[test]
fn what_is_written_below_unreleased_is_released_and_counts() {
    let text = "# Log\n\n## [Unreleased]\n\n### Added\n\n- **breaking:** new rig\n\n## [1.0.0] - 2024-01-01\n\nOne.\n";
    let fixture = with_file("CHANGELOG.md", text);
    assert_eq!(fixture.repo.tidings(&["next"]).success(), "2.0.0\n");
    let plan = fixture.release(&["--no-push", "--no-host-release"]);
    assert!(
        plan.stderr.contains("the text below `Unreleased` in `CHANGELOG.md` goes into the section"),
        "{}",
        plan.stderr
    );
    let plan = plan.success();
    assert!(
        plan.starts_with("release 2.0.0 of main as v2.0.0") && plan.contains("- **breaking:** new rig\n"),
        "{plan}"
    );
    fixture.repo.write("tidings.yml", "unreleased: keep\n");
    assert_eq!(fixture.repo.tidings(&["next"]).success(), "1.1.0\n");
    fixture.release(&["-x", "--no-push", "--no-host-release"]).success();
    assert!(
        fixture
            .repo
            .read("CHANGELOG.md")
            .starts_with("# Log\n\n## [Unreleased]\n\n### Added\n\n- **breaking:** new rig\n\n## [1.1.0]")
    );
}

#[test]
fn an_older_version_does_not_take_what_is_unreleased() {
    let text = "# Log\n\n## Unreleased\n\n- Soon\n\n## 1.1.0 (2024-02-01)\n\nTwo.\n";
    let fixture = with_file("CHANGELOG.md", text);
    fixture.repo.tidings(&["add", "1.0.1", "--date", "2024-01-02"]).success();
    assert!(fixture.repo.read("CHANGELOG.md").starts_with(text.trim_end()));
}

#[test]
fn changes_that_a_section_has_are_not_said_to_be_missing() {
    let fixture = Released::new();
    let short = fixture.repo.git(&["rev-parse", "--short=8", "HEAD"]);
    let text = format!("## 1.1.0 (2024-03-09)\n\n- Add crane ({short})\n\n## 1.0.0 (2024-01-01)\n");
    fixture.repo.file("CHANGELOG.md", &text).commit("Write");
    for title in ["Mend mast", "Add rope", "Add sail", "Add oar", "Add keel"] {
        fixture.repo.change(title, "added");
    }
    let renewed = text.replace("- Add crane", "- Mend mast\n- Add crane");
    fixture.repo.file("CHANGELOG.md", renewed).commit("Renew");
    let plan = fixture.release(&["1.1.0", "--no-push", "--no-host-release"]);
    assert!(!plan.stderr.contains("Mend mast") && plan.stderr.contains("Add keel"), "{}", plan.stderr);
    assert!(plan.stderr.contains("; and 1 more"), "{}", plan.stderr);
}
