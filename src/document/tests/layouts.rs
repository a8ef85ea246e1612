//! Changelog files as people lay them out: where a new section goes in, and in what form. `testdata/README.md` says how
//! the cases of `testdata/layouts` are written.

use std::{fmt::Write as _, fs, path::Path};

use crate::{
    config::HeadingRule,
    document::{Document, InsertOptions, Insertion},
    model::{Date, Section},
};
use serde_json::Value;

/// Cases as differences: `@@ NAME VERSION BASE-TAG`, then lines that stay, go or come. `-` is no base tag.
const CASES: &str = include_str!("../../../testdata/layouts.diff");

fn options(base_tag: Option<&str>, rule: HeadingRule) -> InsertOptions {
    let date: Date = "2024-03-09".parse().unwrap();
    InsertOptions { base_tag: base_tag.map(str::to_owned), ..InsertOptions::new(rule, date) }
}

fn section(version: &str, body: &str) -> Section {
    Section { version: version.to_owned(), date: Some("2024-03-09".to_owned()), body: body.to_owned() }
}

fn insert(text: &[u8], version: &str, file: &str, options: &InsertOptions) -> Result<(Insertion, Vec<u8>), String> {
    let mut document = Document::parse(text);
    let inserted = document.insert(&section(version, "- new"), Path::new(file), options);
    inserted.map(|insertion| (insertion, document.into_bytes())).map_err(|problem| problem.to_string())
}

#[test]
fn a_section_takes_the_style_of_the_file() {
    let mut failures = String::new();
    for case in CASES.split("@@ ").skip(1) {
        let (head, lines) = case.split_once('\n').unwrap();
        let [name, version, base] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("{head}") };
        let text = |mark: char| -> String {
            let lines = lines.lines().filter(|line| line.starts_with([' ', mark]));
            lines.flat_map(|line| [&line[1..], "\n"]).collect()
        };
        let options = options(Some(base).filter(|base| *base != "-"), HeadingRule::File);
        for end in ["\n", "\r\n"] {
            let [before, after] = ['-', '+'].map(|mark| text(mark).replace('\n', end));
            let found = insert(before.as_bytes(), version, "CHANGELOG.md", &options);
            if found != Ok((Insertion::Inserted, after.clone().into_bytes())) {
                let found = found.map_or_else(|problem| problem, |(_, new)| String::from_utf8(new).unwrap());
                let _ = writeln!(failures, "{name}:\n{found}");
                break;
            }
            let again = insert(after.as_bytes(), version, "CHANGELOG.md", &options);
            assert_eq!(again, Ok((Insertion::Unchanged, after.into_bytes())), "{name}, again");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// The lines that show something, without the carriage return that CRLF leaves.
fn shown(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_start_matches('\u{feff}');
    text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

/// What a recorded case says the lines are afterwards.
fn expected(case: &Value, old: &[u8]) -> Vec<String> {
    let given = |value: &Value| value.as_str().map(str::to_owned);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let before = String::from_utf8_lossy(old);
    let lines: Vec<&str> = before.trim_start_matches('\u{feff}').split('\n').collect();
    let place = case["insert_before_line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a line") - 1;
    let (head, tail) = lines.split_at(place.min(lines.len()));
    let (adds, replaces) = (list(&case["footer"]["add"]), list(&case["footer"]["replace"]));
    let mut section: Vec<String> =
        case["expected_heading"].as_str().expect("a heading").lines().map(str::to_owned).collect();
    section.push("- new".to_owned());
    section.extend(adds.iter().filter(|add| add["in_section"] == true).filter_map(|add| given(&add["line"])));
    section.extend(given(&case["separator"]));
    let text = [head.join("\n"), section.join("\n"), tail.join("\n")].join("\n");
    let mut lines = shown(text.as_bytes());
    for replace in &replaces {
        lines
            .iter_mut()
            .filter(|line| **line == replace["old"])
            .for_each(|line| *line = given(&replace["new"]).unwrap());
    }
    for add in adds.iter().filter(|add| add["in_section"] != true) {
        let at = |value: &Value| lines.iter().rposition(|line| Some(line.as_str()) == value.as_str());
        let place = at(&add["before"]).or_else(|| at(&add["after"]).map(|at| at + 1)).expect("a neighbour");
        lines.insert(place, given(&add["line"]).unwrap());
    }
    lines
}

#[test]
fn recorded_layouts_are_as_expected() {
    let (mut count, mut failures) = (0, String::new());
    for entry in fs::read_dir(crate::support::testdata("layouts")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(case) = fs::read(path.join("case.json")) else { continue };
        let case: Value = serde_json::from_slice(&case).unwrap();
        let old = fs::read(path.join("file.md")).unwrap();
        let rule = if case["settings"].is_null() { HeadingRule::File } else { HeadingRule::GitLabFirst };
        let options = options(case["tags"].as_array().and_then(|tags| tags.last()?.as_str()), rule);
        let file = case["file"].as_str().unwrap_or("CHANGELOG.md");
        let found = insert(&old, case["new_version"].as_str().unwrap(), file, &options);
        let is_right = match (&found, case["outcome"].as_str().unwrap()) {
            (Err(_), outcome) => outcome == "refuse" || case["or_refuse"] == true,
            (Ok((insertion, new)), "insert") => {
                *insertion == Insertion::Inserted && shown(new) == expected(&case, &old)
            }
            (Ok((insertion, _)), outcome) => *insertion == Insertion::Unchanged && outcome == "unchanged",
        };
        count += 1;
        if !is_right {
            let found = found.map_or_else(|problem| problem, |(_, new)| String::from_utf8_lossy(&new).into_owned());
            let _ = writeln!(failures, "{}:\n{found}", path.display());
        }
    }
    assert!(count > 100 && failures.is_empty(), "{count} cases\n{failures}");
}

#[test]
fn what_no_rule_is_sure_of_is_refused() {
    let options = options(Some("v1.0.0"), HeadingRule::File);
    for (file, text, reason) in [
        ("CHANGES.rst", "1.0\n===\n", "written in reStructuredText"),
        ("HISTORY.rdoc", "=== 1.0.0\n", "written in RDoc"),
        ("HISTORY.textile", "h2. 1.0.0\n", "written in Textile"),
        ("HISTORY.org", "* 1.0.0\n", "written in Org"),
        ("CHANGES", "1.0\n---\n\n- one :issue:`12`\n", "written in another markup language"),
        ("NEWS", "== 1.0.0\n\n* one\n", "written in another markup language"),
        ("ChangeLog", "2024-02-05  Ida  <ida@harbor.example>\n\n\t* a.c: One.\n", "a log of another format"),
        ("changelog", "pilot (1.0.0-1) unstable; urgency=low\n\n  * One.\n", "a log of another format"),
        ("C.md", "- 1.0.0 - one\n- 0.9.0 - two\n", "versions in lists or tables"),
        ("C.md", "| version |\n|---|\n| 1.0.0 |\n", "has no heading of a version: found `| version |`"),
        ("C.md", "# Log\n\n## The new pilot\n\n- one\n", "found `## The new pilot`"),
        ("C.md", "# a-1.0.0\n\n# b-1.0.0\n\n# a-0.9.0\n", "several packages: `a`, `b`"),
        ("C.md", "# a 1.0.0\n\n# b 1.0.0\n\n# 0.9.0\n", "several packages: none, `a`, `b`"),
        ("C.md", "## 1.0.0/0.4.1\n\n## 0.9.0/0.4.0\n", "several versions, such as `1.0.0/0.4.1`"),
        ("C.md", "# 1.x\n\n## 1.0.0\n", "takes 2.0.0"),
        ("C.md", "## 1.0.0 (03/09/2024)\n\n## 0.9.0 (04/10/2023)\n", "distinguished in `03/09/2024`"),
        ("C.md", "\u{feff}## 1.0.0\r\rOne.\r", "carriage returns alone"),
    ] {
        let refusal = insert(text.as_bytes(), "2.0.0", file, &options).expect_err(text);
        assert!(refusal.contains(reason), "{text:?}: {refusal}");
    }
    for text in ["\u{feff}## 1.0.0\n\nOne.\n", "## 1.0.0\n\nOne.\n"] {
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let refusal = insert(&wide, "2.0.0", "C.md", &options).expect_err("it is UTF-16");
        assert!(refusal.contains("UTF-16"), "{refusal}");
    }
}

#[test]
fn the_configuration_decides_what_the_file_does_not() {
    let added = |text: &str, rule: HeadingRule| {
        let (_, new) = insert(text.as_bytes(), "2.0.0", "C.md", &options(None, rule)).unwrap();
        String::from_utf8(new).unwrap()
    };
    let given = |form: &str| HeadingRule::Text(form.to_owned());
    let packages = "# a-1.0.0\n\n# b-1.0.0\n\n# a-0.9.0\n";
    assert_eq!(added(packages, given("# b-{version}")), packages.replacen("# b-", "# b-2.0.0\n\n- new\n\n# b-", 1));
    let prose = "# Log\n\nWords.\n\n## Thanks\n\n- to all\n";
    let section = "{version} of {date}\n---\n";
    assert_eq!(added(prose, given(section)), prose.replace("## T", "2.0.0 of 2024-03-09\n---\n\n- new\n\n## T"));
    let dates = "## 1.0.0 (03/09/2024)\n";
    assert!(added(dates, given("## {version} ({date})")).starts_with("## 2.0.0 (2024-03-09)\n\n- new\n\n## 1.0.0"));
    // GitLab puts a section at the end unless it finds a heading of its own, and then before the first.
    let kept = "## [1.0.0]\n\nOne.\n";
    assert_eq!(added(kept, HeadingRule::GitLab), format!("{kept}\n## 2.0.0 (2024-03-09)\n\n- new\n"));
    assert_eq!(added(kept, HeadingRule::GitLabFirst), format!("## [2.0.0]\n\n- new\n\n{kept}"));
    let mixed = format!("{kept}\n## 0.9.0 (x)\n");
    assert!(added(&mixed, HeadingRule::GitLabFirst).contains("One.\n\n## 2.0.0 (2024-03-09)\n\n- new\n\n## 0.9.0"));
}

#[test]
fn categories_go_one_level_below_the_version() {
    let body = "### Added\n\n- new\n\n```\n### code\n```";
    for (text, expected) in [
        ("# 1.0.0\n", "# 2.0.0\n\n## Added\n\n- new\n\n```\n### code\n```\n\n# 1.0.0\n"),
        ("### 1.0.0\n", "### 2.0.0\n\n#### Added\n\n- new\n\n```\n### code\n```\n\n### 1.0.0\n"),
        ("1.0.0\n=====\n", "2.0.0\n=====\n\n## Added\n\n- new\n\n```\n### code\n```\n\n1.0.0\n=====\n"),
        // The categories of lerna have one level below `# 1.1.0` and `## 1.1.1`.
        (
            "# 1.1.0\n\n### Added\n\n## 1.0.1\n\n### Added\n",
            "# 2.0.0\n\n### Added\n\n- new\n\n```\n### code\n```\n\n# 1.1.0\n\n### Added\n\n## 1.0.1\n\n### Added\n",
        ),
    ] {
        let mut document = Document::parse(text);
        document.insert(&section("2.0.0", body), Path::new("C.md"), &options(None, HeadingRule::File)).unwrap();
        assert_eq!(String::from_utf8(document.into_bytes()).unwrap(), expected);
    }
}

#[test]
fn what_is_written_below_unreleased_moves_into_the_section() {
    let options = InsertOptions { moves_unreleased: true, ..options(Some("v1.0.0"), HeadingRule::File) };
    let moved = |text: &str, body: &str| {
        let mut document = Document::parse(text);
        for expected in [Insertion::Inserted, Insertion::Unchanged] {
            assert_eq!(document.insert(&section("1.1.0", body), Path::new("C.md"), &options).unwrap(), expected);
        }
        String::from_utf8(document.into_bytes()).unwrap()
    };
    let text = "# Log\n\n## [Unreleased]\n\nBy hand.\n\n### Added\n\n- mine\n\n### Fixed\n\n<!-- what is mended -->\n\n\
                ---\n\n## [1.0.0] - 2024-01-05\n\n- one\n\n[unreleased]: https://x/compare/v1.0.0...HEAD\n";
    assert_eq!(
        moved(text, "### Changed\n\n- a\n\n### Added (1 change)\n\n- b"),
        "# Log\n\n## [Unreleased]\n\n### Fixed\n\n<!-- what is mended -->\n\n---\n\n## [1.1.0] - 2024-03-09\n\nBy hand.\n\n\
         ### Changed\n\n- a\n\n### Added (2 changes)\n\n- mine\n- b\n\n## [1.0.0] - 2024-01-05\n\n- one\n\n\
         [unreleased]: https://x/compare/v1.1.0...HEAD\n"
    );
    let first = moved("# Unreleased\n\n## Added\n\n- mine\n\n# 1.0.0\n", "No changes.");
    assert_eq!(first, "# Unreleased\n\n# 1.1.0\n\n## Added\n\n- mine\n\n# 1.0.0\n");
    // The heading of a comment stays with it, and an entry is where people put it.
    let text = "## Unreleased\n\n### Fixed\n\n<!-- what is mended -->\n\n- Mast, see #7\n\n### Docs\n\n<!-- pages -->\n\n## 1.0.0\n";
    assert_eq!(
        moved(text, "### Changes\n\n- Mend the mast (#7)\n- b"),
        "## Unreleased\n\n### Fixed\n\n<!-- what is mended -->\n\n### Docs\n\n<!-- pages -->\n\n## 1.1.0\n\n### Fixed\n\n\
         - Mast, see #7\n\n### Changes\n\n- b\n\n## 1.0.0\n"
    );
    assert_eq!(moved("## Unreleased\n\n## 1.0.0\n", "- b"), "## Unreleased\n\n## 1.1.0\n\n- b\n\n## 1.0.0\n");
}

#[test]
fn link_definitions_of_what_is_moved_are_at_the_end_of_the_section() {
    let options = InsertOptions { moves_unreleased: true, ..options(Some("1.0.0"), HeadingRule::File) };
    let text = "# Unreleased\n\n- mine ([#1])\n- more,\n  too ([#2])\n\n[#1]: https://x/1\n[#2]: https://x/2\n\n# 1.0.0\n\n- one\n";
    let mut document = Document::parse(text);
    let body = "- mend ([#2])\n- new ([#3])\n\n[#2]: https://x/pull/2\n[#3]: https://x/3";
    document.insert(&section("1.1.0", body), Path::new("C.md"), &options).unwrap();
    assert_eq!(
        String::from_utf8(document.into_bytes()).unwrap(),
        "# Unreleased\n\n# 1.1.0\n\n- mine ([#1])\n- more,\n  too ([#2])\n- new ([#3])\n\n\
         [#1]: https://x/1\n[#2]: https://x/2\n[#3]: https://x/3\n\n# 1.0.0\n\n- one\n"
    );
    let generated = "- old ([#1])\n\n[#1]: https://x/1";
    let options = InsertOptions { generated: Some(generated.to_owned()), ..options };
    let mut document = Document::parse(format!("## Unreleased\n\n{generated}\n\n## 1.0.0\n"));
    let body = "- old ([#1])\n- new ([#3])\n\n[#1]: https://x/1\n[#3]: https://x/3";
    document.insert(&section("1.1.0", body), Path::new("C.md"), &options).unwrap();
    let expected = format!("## Unreleased\n\n## 1.1.0\n\n{body}\n\n## 1.0.0\n");
    assert_eq!(String::from_utf8(document.into_bytes()).unwrap(), expected);
}

#[test]
fn after_a_first_version_the_next_one_links_to_a_comparison() {
    let text = "# Log\n\n## [Unreleased]\n\n## [1.0.0] - 2024-01-05\n\n- one\n\n\
                [unreleased]: https://x/compare/v1.0.0...HEAD\n[1.0.0]: https://x/releases/tag/v1.0.0\n";
    let with = |text: &str, version: &str, base: Option<&str>| {
        let mut document = Document::parse(text);
        let options = options(base, HeadingRule::File);
        document.insert(&section(version, "- new"), Path::new("C.md"), &options).unwrap();
        String::from_utf8(document.into_bytes()).unwrap()
    };
    let second = with(text, "1.1.0", Some("v1.0.0"));
    let links = "[unreleased]: https://x/compare/v1.1.0...HEAD\n[1.1.0]: https://x/compare/v1.0.0...v1.1.0\n\
                 [1.0.0]: https://x/releases/tag/v1.0.0\n";
    assert!(second.ends_with(links), "{second}");
    let third = with(&second, "1.2.0", Some("v1.1.0"));
    assert!(third.contains("\n[1.2.0]: https://x/compare/v1.1.0...v1.2.0\n[1.1.0]: "), "{third}");
    let older = with(text, "0.9.0", None);
    assert!(older.ends_with("\n[0.9.0]: https://x/releases/tag/v0.9.0\n"), "{older}");
}

#[test]
fn every_version_that_was_written_is_read_again() {
    let olds = [
        "",
        "## 1.0.0 (2024-01-31)\n\n- a\n",
        "## [1.0.0] - 31.01.2024\n\n- a\n",
        "# v1.0.0\n\n- a\n",
        "1.0.0\n=====\n\n- a\n",
    ];
    for old in olds {
        let mut text = old.as_bytes().to_vec();
        let versions =
            ["1.0.999", "1.0.1000", "1.0.2024", "1.1.2024", "1.12.2000", "5.4.1234", "40.2.9999", "2024.1.5"];
        for version in versions {
            let (insertion, new) = insert(&text, version, "CHANGELOG.md", &options(None, HeadingRule::File)).unwrap();
            assert_eq!(insertion, Insertion::Inserted, "{version} in {old}");
            text = new;
        }
        for version in versions {
            let again = insert(&text, version, "CHANGELOG.md", &options(None, HeadingRule::File));
            assert_eq!(again, Ok((Insertion::Unchanged, text.clone())), "{version}");
        }
    }
}
