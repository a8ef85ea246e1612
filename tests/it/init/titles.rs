//! Rules for titles that are not Conventional Commits, as `init` proposes them.

use super::*;

/// What `show` lists after `init`, and the configuration.
fn listed_after_init(titles: &[&str]) -> (Vec<String>, String) {
    let repo = TestRepo::new();
    for title in titles {
        repo.commit(title);
    }
    repo.tidings(&["init", "--yes"]).success();
    let shown = repo.tidings(&["show", "--strict"]).success();
    let lines = shown.lines().filter(|line| line.starts_with("### ") || line.starts_with("- "));
    (lines.map(|line| line.split(" (").next().unwrap().to_owned()).collect(), repo.read(SETTINGS))
}

#[test]
fn titles_that_begin_with_an_area_are_sorted_by_rules() {
    let titles = [
        "travis: run it",
        "travis(linux): run it again",
        "travis: and again",
        "fix: stop it",
        "fix(io): mend it",
        "fix: close it",
        "time: tell it",
        "net/tcp: add a crane",
        "io,net: raise it",
        "Say more",
        "hull-1.0.0",
        "hull-1.1.0",
        "1.2.0",
        "Bump crane from 1.0.1 to 1.1.0",
        "docs: once",
    ];
    let (listed, settings) = listed_after_init(&titles);
    assert!(settings.contains("\nsource: titles\n") && settings.contains("^(travis)"), "{settings}");
    let fixed = ["### Fixed", "- close it", "- **io:** mend it", "- stop it"];
    let rest =
        ["### Changes", "- **docs:** once", "- Bump crane from 1.0.1 to 1.1.0", "- Say more", "- **io,net:** raise it"];
    assert_eq!(listed[..4], fixed);
    assert_eq!(listed[4..9], rest);
    assert_eq!(listed[9..], ["- **net/tcp:** add a crane", "- **time:** tell it"]);
}

#[test]
fn titles_that_begin_with_brackets_or_emoji_are_sorted_by_rules() {
    let (listed, settings) =
        listed_after_init(&["[ie/tv] Mend it", "[ie/sea] Add it", "[ci] a", "[ci] b", "[ci] c", "Say more"]);
    assert_eq!(listed, ["### Changes", "- Say more", "- **ie/sea:** Add it", "- **ie/tv:** Mend it"]);
    assert!(
        settings.contains("  - { title: '^\\[([^\\]]+)\\] ?', category: \"changes\", scope: \"$1\" }\n"),
        "{settings}"
    );
    let emoji = ["✨ Add a crane", ":bug: Mend it", "🔒️ Lock it", "📝 Say more", "💥 Drop it", "♻️ Tidy", "Plain"];
    let (listed, settings) = listed_after_init(&emoji);
    let expected = [
        "### Breaking changes",
        "- 💥 Drop it",
        "### Added",
        "- ✨ Add a crane",
        "### Fixed",
        "- :bug: Mend it",
        "### Changed",
        "- ♻️ Tidy",
        "### Security",
        "- 🔒️ Lock it",
        "### Changes",
        "- Plain",
    ];
    assert_eq!(listed, expected);
    assert!(settings.contains("\n  - { title: '^(?:📝)', skip: true }\n"), "{settings}");
}

#[test]
fn rules_are_not_proposed_where_commits_are_sorted_already() {
    for titles in [
        &["feat: a", "fix: b", "net: c", "docs: d"][..],
        &["Say more", "Say less", "net: c", "d", "e", "f", "g", "h", "i", "j", "k", "l"],
        &["net: a\n\nChangelog: added", "io: b", "io: c"],
    ] {
        let repo = TestRepo::new();
        for title in titles {
            repo.commit(title);
        }
        repo.tidings(&["init", "--yes"]).success();
        assert!(!repo.read(SETTINGS).contains("\nmatch:"), "{titles:?}");
    }
}
