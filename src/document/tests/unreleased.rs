//! What is unreleased in a document, and what sections take from there.

use std::path::Path;

use crate::{
    config::HeadingRule,
    document::{
        Document, InsertOptions, Insertion,
        outline::LINE_LEVEL,
        unreleased::{add_text, with_level},
    },
    model::{Date, Section},
};

fn section(version: &str, body: &str) -> Section {
    Section { version: version.to_owned(), date: Some("2024-03-09".to_owned()), body: body.to_owned() }
}

fn options(rule: HeadingRule) -> InsertOptions {
    let date: Date = "2024-03-09".parse().unwrap();
    InsertOptions::new(rule, date)
}

#[test]
fn a_page_of_headings_without_versions_is_another_page() {
    for (text, has_unreleased, is_other) in [
        ("", false, false),
        ("# Log\n", false, false),
        ("# Log\n\n## New pilot\n", false, true),
        ("# Log\n\n## 1.0.0\n", false, false),
        ("# Log\n\n## Unreleased\n", true, false),
        ("## Unreleased\n", true, false),
        ("# Log\n\n## [next]\n\n[next]: https://x/compare/v1.0.0...HEAD\n", true, false),
    ] {
        let document = Document::parse(text);
        assert_eq!(document.has_unreleased_heading(), has_unreleased, "{text}");
        assert_eq!(document.is_other_page(), is_other, "{text}");
    }
}

#[test]
fn an_entry_below_unreleased_is_found_again() {
    let document = Document::parse("## Unreleased\n\n### Added\n\n- one\n\n## 1.0.0\n\n- two\n");
    for (body, is_there) in [("### Added\n\n- one", true), ("### Fixed\n\n- one", true), ("### Added\n\n- two", false)]
    {
        assert_eq!(document.has_unreleased_entry_of(&section("1.1.0", body)), is_there, "{body}");
    }
}

#[test]
fn what_is_unreleased_goes_into_the_highest_version_alone() {
    let text = |version: &str| format!("## Unreleased\n\n- one\n\n## {version}\n\n- two\n");
    for (text, version, moves) in [
        (text("1.0.0"), "1.1.0", true),
        (text("1.0.0"), "1.0.0", true),
        (text("1.0.0"), "0.9.0", false),
        (text("2.0.0 (unreleased)"), "1.1.0", true),
    ] {
        let (_, moved) = Document::parse(text.clone()).move_unreleased(&section(version, "- new"), None);
        assert_eq!(moved.body.contains("- one"), moves, "{version}: {text}");
    }
}

#[test]
fn a_text_is_added_below_its_title_or_at_the_top() {
    for (body, title, text, expected) in [
        ("### Added\n\n- one", "### Added", "- two", "### Added\n\n- two\n- one"),
        ("### Added (1 change)\n\n- one", "### Added", "- two", "### Added (2 changes)\n\n- two\n- one"),
        ("### Added\n\n- one", "### Added", "Words.", "### Added\n\nWords.\n\n- one"),
        ("### Added\n\nWords.", "### Added", "- two", "### Added\n\n- two\n\nWords."),
        ("### Added\n\n- one", "### Fixed", "- two", "### Fixed\n\n- two\n\n### Added\n\n- one"),
        ("### Added\n\n- one", "", "- two", "- two\n\n### Added\n\n- one"),
        ("- one", "", "- two", "- two\n- one"),
        ("added\n\n- one", "### Added", "- two", "### Added\n\n- two\n\nadded\n\n- one"),
        ("", "### Added", "- two", "### Added\n\n- two"),
    ] {
        assert_eq!(add_text(body, title, text), expected, "{body} {title} {text}");
    }
}

#[test]
fn headings_move_with_the_level_of_their_version() {
    for (body, from, to, expected) in [
        ("### Added\n\n#### More", 2, 3, "#### Added\n\n##### More"),
        ("### Added", 2, 1, "## Added"),
        ("### Added", 2, 2, "### Added"),
        ("### Added", 2, LINE_LEVEL, "### Added"),
        ("###### Added", 2, 4, "###### Added"),
        ("```\n# no heading\n```\n#12 too", 2, 3, "```\n# no heading\n```\n#12 too"),
    ] {
        assert_eq!(with_level(body, from, to), expected, "{body} {from} {to}");
    }
}

/// Inserts sections, and returns what was done and the new text.
#[track_caller]
fn inserted(text: &str, versions: &[&str], options: &InsertOptions) -> (Vec<Insertion>, String) {
    let sections: Vec<Section> = versions.iter().map(|version| section(version, "- new")).collect();
    let all: Vec<_> = sections.iter().map(|section| (section, options)).collect();
    let mut document = Document::parse(text);
    let done = document.insert_all(&all, Path::new("CHANGELOG.md")).unwrap();
    (done, String::from_utf8(document.into_bytes()).unwrap())
}

#[test]
fn a_file_begins_with_its_first_sections() {
    let file = options(HeadingRule::File);
    let both = "## 1.1.0 (2024-03-09)\n\n- new\n\n## 1.0.0 (2024-03-09)\n\n- new\n";
    let new = || vec![Insertion::Inserted; 2];
    for versions in [["1.1.0", "1.0.0"], ["1.0.0", "1.1.0"]] {
        assert_eq!(inserted("# Log\n", &versions, &file), (new(), format!("# Log\n\n{both}")), "{versions:?}");
        assert_eq!(inserted("", &versions, &file), (new(), both.to_owned()), "{versions:?}");
    }
    let opened = InsertOptions { opening: "# All changes\n", ..file.clone() };
    let once = |text: &str, options: &InsertOptions| inserted(text, &["1.1.0"], options).1;
    assert_eq!(once("", &opened), "# All changes\n\n## 1.1.0 (2024-03-09)\n\n- new\n");
    let kept = "## 1.0.0\n\n- one\n";
    assert_eq!(once(kept, &opened), format!("## 1.1.0\n\n- new\n\n{kept}"), "the file has a beginning");
    for (form, expected) in [
        ("# Version {version}", "# Version 1.1.0\n\n- new\n"),
        ("{version} of {date}\n===", "1.1.0 of 2024-03-09\n===\n\n- new\n"),
        ("**{version}**", "**1.1.0**\n\n- new\n"),
    ] {
        assert_eq!(once("", &options(HeadingRule::Text(form.to_owned()))), expected);
    }
}

#[test]
fn the_level_of_a_configured_heading_is_that_of_its_categories() {
    let inserted = |form: &str| {
        let mut document = Document::parse("");
        let options = options(HeadingRule::Text(form.to_owned()));
        document.insert(&section("1.1.0", "### Added\n\n- new"), Path::new("C.md"), &options).unwrap();
        String::from_utf8(document.into_bytes()).unwrap()
    };
    assert_eq!(inserted("# {version}"), "# 1.1.0\n\n## Added\n\n- new\n");
    assert_eq!(inserted("### {version}"), "### 1.1.0\n\n#### Added\n\n- new\n");
    assert_eq!(inserted("{version}\n==="), "1.1.0\n===\n\n## Added\n\n- new\n");
    assert_eq!(inserted("{version}\n---"), "1.1.0\n---\n\n### Added\n\n- new\n");
    assert_eq!(inserted("**{version}**"), "**1.1.0**\n\n### Added\n\n- new\n");
}

#[test]
fn a_heading_is_proposed_where_the_file_shows_none() {
    let proposed = |text: &str, packages: &[&str]| {
        let document = Document::parse(text);
        let refusal = document.refusal(Path::new("C.md")).is_some();
        (refusal, document.proposed_heading(Path::new("C.md"), packages))
    };
    let usual = |hashes: &str| Some(format!("{hashes} {{version}} ({{date}})"));
    assert_eq!(proposed("## 1.0.0\n\n- one\n", &[]), (false, usual("##")));
    let packages = "# a 1.0.0\n\n# b 1.0.0\n\n# a 0.9.0\n";
    assert_eq!(proposed(packages, &["c", "b"]), (true, Some("# b {version}".to_owned())));
    assert_eq!(proposed(packages, &["c"]), (true, usual("#")));
}

#[test]
fn a_line_is_added_to_an_open_end() {
    for (text, at, expected) in [
        ("a\nb", 2, (3, "\nx")),
        ("a\nb\n", 2, (4, "x\n")),
        ("a\nb", 1, (2, "x\n")),
        ("", 0, (0, "x\n")),
        ("a", 0, (0, "x\n")),
    ] {
        let (span, new) = Document::parse(text).new_line(at, "x");
        assert_eq!((span.start, new.as_str()), expected, "{text:?} {at}");
    }
}

#[test]
fn text_below_unreleased_goes_below_categories_that_are_no_headings() {
    for (before, body, after) in [
        (
            "## Unreleased\n\n* Features\n  * Lift by hand\n\n* Docs\n  * Tell of it\n\n\
             ## 1.0.0\n\n* Features\n  * Lift\n  * Lower\n\n* Bugfixes\n  * Turn\n",
            "* Features\n  * Add a line\n\n* Bugfixes\n  * Mend the tail",
            "## Unreleased\n\n## 1.1.0\n\n* Docs\n  * Tell of it\n\n* Features\n  * Lift by hand\n  * Add a line\n\n\
             * Bugfixes\n  * Mend the tail\n\n## 1.0.0\n\n* Features\n  * Lift\n  * Lower\n\n* Bugfixes\n  * Turn\n",
        ),
        (
            "## Unreleased\n\nFEATURES:\n\n* Lift by hand\n\n## 1.0.0\n\nFEATURES:\n\n* Lift\n* Lower\n\nBUG FIXES:\n\n* Turn\n",
            "FEATURES:\n\n* Add a line\n\nBUG FIXES:\n\n* Mend the tail",
            "## Unreleased\n\n## 1.1.0\n\nFEATURES:\n\n* Lift by hand\n* Add a line\n\nBUG FIXES:\n\n* Mend the tail\n\n\
             ## 1.0.0\n\nFEATURES:\n\n* Lift\n* Lower\n\nBUG FIXES:\n\n* Turn\n",
        ),
    ] {
        let options = InsertOptions { moves_unreleased: true, ..options(HeadingRule::File) };
        let mut document = Document::parse(before);
        document.insert(&section("1.1.0", body), Path::new("C.md"), &options).unwrap();
        assert_eq!(String::from_utf8(document.into_bytes()).unwrap(), after);
    }
}
