//! Properties of every document, and recorded insertions of a section.

mod layouts;
mod unreleased;

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::{
    config::HeadingRule,
    model::{Problem, Section},
};

fn section(version: &str) -> Section {
    Section { version: version.to_owned(), date: Some("2024-03-09".to_owned()), body: "### added\n\n- One".to_owned() }
}

fn inserted(document: impl Into<Vec<u8>>, version: &str) -> String {
    let mut document = Document::parse(document);
    document.insert_as_gitlab(&section(version));
    String::from_utf8(document.into_bytes()).unwrap()
}

fn replace(document: &mut Document) -> Option<Insertion> {
    let replaced = document.replace_all_as_gitlab(&[&section("1.5.0")], std::path::Path::new("CHANGELOG.md"));
    replaced.ok().map(|insertions| insertions[0])
}

/// A directory of `testdata/documents`: the file before and after 1.5.0 was inserted.
macro_rules! recorded {
    ($($case:ident),* $(,)?) => {$(
        #[test]
        fn $case() {
            let before = include_bytes!(concat!("../../../testdata/documents/", stringify!($case), "/before.md"));
            let after = include_str!(concat!("../../../testdata/documents/", stringify!($case), "/after.md"));
            assert_eq!(inserted(*before, "1.5.0"), after);
        }
    )*};
}

recorded![
    a_new_file_is_the_section,
    the_section_goes_before_the_next_lower_version,
    the_lowest_version_goes_to_the_end,
    a_missing_final_newline_is_made_up_for,
    a_missing_empty_line_is_made_up_for,
    only_unrecognised_headings_put_it_at_the_end,
    most_lines_decide_the_line_end,
    a_byte_order_mark_stays_first,
    unreleased_stays_on_top,
    a_header_in_code_is_no_header,
    the_last_of_a_double_version_counts,
    a_version_without_a_space_is_not_there,
    a_version_at_the_end_of_the_file_is_there,
    a_version_in_code_is_not_there,
];

#[test]
fn empty_lines_at_the_end_of_the_file_stay() {
    let text = inserted("## 2.0.0\n\nTwo.\n\n\n", "1.5.0");
    assert!(text.starts_with("## 2.0.0\n\nTwo.\n\n\n\n## 1.5.0 ("), "{text}");
}

#[test]
fn bytes_that_are_no_utf8_stay() {
    let mut document = Document::parse(*b"\xff\xfe\x00\n## 1.0.0\n\x80");
    assert_eq!(document.insert_as_gitlab(&section("1.5.0")), Insertion::Inserted);
    assert!(document.as_bytes().starts_with(b"\xff\xfe\x00\n\n## 1.5.0 ("));
    assert!(document.as_bytes().ends_with(b"- One\n\n## 1.0.0\n\x80"));
}

#[test]
fn replacing_renews_the_section_and_nothing_else() {
    let old = "# Log\r\n\r\n## 1.5.0 (x)\r\n\r\nOld.\r\n\r\n\r\n## [1.0.0]\r\n\r\nOne.\r\n";
    let mut document = Document::parse(old);
    assert_eq!(replace(&mut document), Some(Insertion::Replaced));
    let new = "# Log\r\n\r\n## 1.5.0 (2024-03-09)\r\n\r\n### added\r\n\r\n- One\r\n\r\n\r\n## [1.0.0]\r\n\r\nOne.\r\n";
    assert_eq!(document.as_bytes(), new.as_bytes());
    assert_eq!(replace(&mut document), Some(Insertion::Unchanged));
}

#[test]
fn replacing_twice_is_replacing_once_where_the_new_section_tips_the_balance_of_line_ends() {
    let mut document = Document::parse("1\n2\n3\n4\n5\n## 1.5.0\r\na\r\nb\r\nc\r\nd\r\ne\r\nf\r\n## 1.0.0\n");
    assert_eq!(replace(&mut document), Some(Insertion::Replaced));
    assert_eq!(line_end(document.as_bytes()), "\n");
    assert_eq!(replace(&mut document), Some(Insertion::Unchanged));
}

#[test]
fn replacing_what_is_not_there_inserts_it() {
    let mut document = Document::parse("# Log\n");
    assert_eq!(replace(&mut document), Some(Insertion::Inserted));
    assert!(document.header("1.5.0").is_some());
}

/// Lines of changelogs, good and odd, so that documents are likely to be interesting.
fn documents() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        select(vec![
            "# Log",
            "## 1.0.0 (x)",
            "## 2.0.0",
            "##\t1.5.0-rc.1",
            "## 1.5.0+b",
            "##1.5.0 ",
            " ## 1.5.0",
            "## v1.5.0",
            "## [1.5.0]",
            "## Unreleased",
            "- an entry",
            "",
            " ",
            "\u{feff}",
            "## 1.5.0foo",
            "### 1.5.0",
            "[1.5.0]: x",
        ])
        .prop_map(|line| line.as_bytes().to_vec()),
        vec(any::<u8>(), 0..6),
    ];
    let code = select(vec!["```\n## 1.5.0\n```", "~~~~ md\r\n## 1.0.0\r\n~~~\r\n~~~~", "```"]);
    let part = prop_oneof![9 => line, 1 => code.prop_map(|code| code.as_bytes().to_vec())];
    vec((part, select(vec!["\n", "\r\n", "\r"])), 0..12).prop_flat_map(|parts| {
        let text: Vec<u8> = parts.into_iter().flat_map(|(part, end)| [part, end.into()].concat()).collect();
        any::<bool>().prop_map(move |cut| text[..text.len().saturating_sub(usize::from(cut))].to_vec())
    })
}

/// Whether `after` is `before` with bytes inserted at one offset.
fn only_adds(before: &[u8], after: &[u8]) -> bool {
    let same_start = before.iter().zip(after).take_while(|(left, right)| left == right).count();
    let same_end = before.iter().rev().zip(after.iter().rev()).take_while(|(left, right)| left == right).count();
    after.len() >= before.len() && same_start + same_end >= before.len()
}

/// Headings and definitions of a version `%`.
const FORMS: [&str; 21] = [
    "## %",
    "## [%] - 2024-01-31",
    "## [v%](https://x/compare/v1.0.0...v%) (2024-01-31)",
    "# Version %",
    "### % / 2024-01-31",
    "% (Jan 5, 2024)\n---",
    "Release %\n=====",
    "**%**",
    "v%",
    "## % (13.01.2024)",
    "## ~~%~~",
    "## % - Unreleased",
    "<a name=\"%\"></a>\n## %",
    "## Upgrading to %",
    "## Pilot %",
    "## % \u{201c}Name\u{201d} (2024-01-31) [YANKED]",
    "[%]: https://x/compare/v0.1.0...v%",
    "[v%]: https://x/releases/tag/v%",
    "<!--\n## %\n-->",
    "```\n## %\n```",
    "    ## %",
];

/// Documents with versions in many forms, comments and definitions.
fn styled_documents() -> impl Strategy<Value = Vec<u8>> {
    let version = prop_oneof![
        4 => (0u8..3, 0u8..8, 0u8..3).prop_map(|(major, minor, patch)| format!("{major}.{minor}.{patch}")),
        1 => select(vec!["1.5", "2.0.0-rc.1", "2.0.0b1", "1.5.0-beta", "1.x", "1.4.x", "1.2.3.4"]).prop_map(str::to_owned),
    ];
    let heading = (select(&FORMS[..]), version).prop_map(|(form, version)| form.replace('%', &version));
    let other = select(vec![
        "# Log",
        "",
        "- one",
        "Words.",
        "---",
        "## Unreleased",
        "## [Unreleased]",
        "[unreleased]: https://x/compare/v1.4.0...HEAD",
        "### Fixed",
        "## Older",
        "<!-- next-header -->",
        "<details>",
        "</details>",
        "[x]: https://x",
        "+++",
        "title: x",
        "é **",
        "\u{feff}",
    ]);
    let line = prop_oneof![2 => heading, 3 => other.prop_map(str::to_owned)];
    (vec(line, 0..14), select(vec!["\n", "\n\n", "\r\n", "\r\n\r\n"]), any::<bool>()).prop_map(|(lines, end, ends)| {
        let mut text = lines.join(end);
        text += if ends { end } else { "" };
        text.into_bytes()
    })
}

fn insert_styled(document: &mut Document, replace: bool) -> Result<Insertion, Problem> {
    let date = "2024-03-09".parse().expect("a date");
    let base_tag = Some("v1.4.9".to_owned());
    let options = InsertOptions { base_tag, replace, ..InsertOptions::new(HeadingRule::File, date) };
    document.insert(&section("1.5.0"), std::path::Path::new("CHANGELOG.md"), &options)
}

#[test]
fn a_name_that_all_headings_but_a_withdrawn_one_have_is_not_that_of_a_package() {
    let mut document = Document::parse("## ~~2.0.0~~\n\n## Pilot 2.0.1\n");
    assert_eq!(insert_styled(&mut document, false).ok(), Some(Insertion::Inserted));
    assert_eq!(insert_styled(&mut document, false).ok(), Some(Insertion::Unchanged));
}

#[test]
fn words_in_parentheses_that_all_headings_begin_with_stay() {
    let mut document = Document::parse("# Log\n\n## (pilot) 1.4.9\n\n- b\n\n## (pilot) 1.4.8\n\n- a\n");
    assert_eq!(insert_styled(&mut document, false).ok(), Some(Insertion::Inserted));
    let text = String::from_utf8_lossy(document.as_bytes()).into_owned();
    assert!(text.starts_with("# Log\n\n## (pilot) 1.5.0\n"), "{text}");
}

#[test]
fn a_version_within_a_paragraph_is_not_a_heading() {
    let document = Document::parse("1.4.9\n\n- b\n\nNobody uses\n1.4.7\nany more.\n\n1.4.8\n\n- a\n");
    assert_eq!(document.versions(), ["1.4.9", "1.4.8"]);
}

#[test]
fn a_section_in_a_comment_ends_at_the_next_heading_in_that_comment() {
    let before = "# Log\n\n<!--\n## 1.0.0 -->\n\nThe rest.\n";
    let mut document = Document::parse(before);
    document.insert_as_gitlab(&section("1.5.0"));
    assert_eq!(replace(&mut document), Some(Insertion::Unchanged));
    assert!(only_adds(before.as_bytes(), document.as_bytes()));
}

#[test]
fn a_section_that_was_replaced_is_not_replaced_again() {
    let mut document = Document::parse("## 1.5.0    0\n### added[1.5.0]: https://x.example");
    assert_eq!(replace(&mut document), Some(Insertion::Replaced));
    assert_eq!(replace(&mut document), Some(Insertion::Unchanged));
}

#[test]
fn replacing_a_heading_that_ends_a_comment_is_refused() {
    for before in ["<!--\n## 1.5.0 -->\n# 6 -->\n", "# \n<!-- w\n## 1.5.0 sam\0-->\n# 6 -->1230n"] {
        let mut document = Document::parse(before);
        assert_eq!(replace(&mut document), None);
        assert_eq!(document.as_bytes(), before.as_bytes());
    }
}

#[test]
fn replacing_a_section_leaves_a_comment_after_it_whole() {
    let comment = "<!--\n## 0.0.0\n-->";
    let mut document = Document::parse(format!("## 0.0.0\n## 1.5.0\n{comment}"));
    assert_eq!(insert_styled(&mut document, true).ok(), Some(Insertion::Replaced));
    let text = String::from_utf8_lossy(document.as_bytes()).into_owned();
    assert!(text.contains("- One") && text.ends_with(comment), "{text}");
}

#[test]
fn a_block_reaches_to_the_first_fence_of_its_kind_and_length() {
    for (text, expected) in [
        ("a\n````md\n```\n~~~~\n````\nb\n", &[false, true, true, true, true, false][..]),
        ("   ~~~ `x`\n ~~~~ \r\nb", &[true, true, false]),
        // A line that is not a fence, or a fence that is never closed, hides nothing.
        ("``\na\n``\n", &[false; 3]),
        ("    ```\na\n```\n", &[false; 3]),
        ("```a`b\n```\nc\n", &[false; 3]),
        ("~~~\n```\na\n```\n~~~ no close\n", &[false, true, true, true, false]),
        ("````\n```\na\n```\n", &[false, true, true, true]),
        ("```\na\n```\nb\n```\nc\n```\n", &[true, true, true, false, true, true, true]),
    ] {
        let fenced: Vec<_> = split(text.as_bytes()).iter().map(|line| line.fenced).collect();
        assert_eq!(fenced, expected, "{text}");
    }
}

#[test]
fn the_line_end_of_most_lines_counts() {
    assert_eq!(line_end(b"a\r\nb\r\nc\n"), "\r\n");
    assert_eq!(line_end(b"a\r\nb\n"), "\n");
    assert_eq!(line_end(b"a\rb"), "\n");
}

proptest! {
    #[test]
    fn in_the_style_of_the_file_inserting_twice_is_inserting_once(before in prop_oneof![3 => styled_documents(), 1 => documents()]) {
        let mut document = Document::parse(before.clone());
        let Ok(first) = insert_styled(&mut document, false) else {
            prop_assert_eq!(document.as_bytes(), before);
            return Ok(());
        };
        let once = document.as_bytes().to_vec();
        prop_assert_eq!(first == Insertion::Unchanged, once == before);
        prop_assert_eq!(insert_styled(&mut document, false).ok(), Some(Insertion::Unchanged));
        if first == Insertion::Inserted {
            let found = document.section("1.5.0").map(|found| String::from_utf8_lossy(found.body).into_owned());
            prop_assert!(found.is_some_and(|body| body.contains("- One")));
        }
        if insert_styled(&mut document, true).is_ok() {
            let replaced = document.as_bytes().to_vec();
            prop_assert_eq!(insert_styled(&mut document, true).ok(), Some(Insertion::Unchanged));
            prop_assert_eq!(document.as_bytes(), replaced);
        } else {
            // A section in another form may be one that only a configured heading replaces.
            prop_assert_eq!(first, Insertion::Unchanged);
            prop_assert_eq!(document.as_bytes(), before);
        }
    }

    #[test]
    fn in_the_style_of_the_file_every_other_line_stays(before in prop_oneof![3 => styled_documents(), 1 => documents()]) {
        let mut document = Document::parse(before.clone());
        if insert_styled(&mut document, false).is_ok() {
            // Comparisons with an open end begin with the new version.
            let is_kept = |line: &&[u8]| !line.windows(9).any(|part| part == b"/compare/");
            let mut after = document.as_bytes().split_inclusive(|byte| *byte == b'\n');
            let ends = |line: &[u8], other: &[u8]| other == line || !line.ends_with(b"\n") && other.starts_with(line);
            for line in before.split_inclusive(|byte| *byte == b'\n').filter(is_kept) {
                prop_assert!(after.any(|other| ends(line, other)), "{}", String::from_utf8_lossy(line));
            }
        }
    }

    #[test]
    fn a_document_prints_as_it_was_parsed(bytes in vec(any::<u8>(), 0..200), text in documents()) {
        prop_assert_eq!(Document::parse(bytes.clone()).into_bytes(), bytes);
        prop_assert_eq!(Document::parse(text.clone()).into_bytes(), text);
    }

    #[test]
    fn inserting_twice_is_inserting_once(before in documents()) {
        let mut document = Document::parse(before.clone());
        let first = document.insert_as_gitlab(&section("1.5.0"));
        let once = document.as_bytes().to_vec();
        prop_assert_eq!(first == Insertion::Unchanged, once == before);
        prop_assert_eq!(document.insert_as_gitlab(&section("1.5.0")), Insertion::Unchanged);
        prop_assert_eq!(replace(&mut document) == Some(Insertion::Unchanged), first == Insertion::Inserted);
        prop_assert_eq!(replace(&mut document), Some(Insertion::Unchanged));
    }

    #[test]
    fn replacing_all_at_once_is_replacing_each(before in vec((0..6_u8, 0..3_u8), 0..8), new in vec((0..8_u8, 0..3_u8), 0..8)) {
        let text = |(minor, form): &(u8, u8)| {
            let below = ["", "\n### added\n\n- one\n", "\ntext\n\n- two\n- three\n\n"][usize::from(*form)];
            format!("## 1.{minor}.0{}\n{below}\n", if minor % 2 == 0 { " (2026-01-01)" } else { "" })
        };
        let section = |(minor, form): (u8, u8)| {
            let (version, body) = (format!("1.{minor}.0"), ["- x", "- new", "### fixed\n\n- one"][usize::from(form)].to_owned());
            Section { version, date: Some("2026-02-02".to_owned()), body }
        };
        let file = std::path::Path::new("CHANGELOG.md");
        let mut all = Document::parse(before.iter().map(text).collect::<String>());
        let mut each = all.clone();
        let mut seen = std::collections::HashSet::new();
        let sections: Vec<Section> = new.into_iter().filter(|(minor, _)| seen.insert(*minor)).map(section).collect();
        let expected: Vec<_> = sections.iter().map(|one| each.replace_all_as_gitlab(&[one], file).unwrap()[0]).collect();
        prop_assert_eq!(all.replace_all_as_gitlab(&sections.iter().collect::<Vec<_>>(), file).unwrap(), expected);
        prop_assert_eq!(String::from_utf8_lossy(all.as_bytes()), String::from_utf8_lossy(each.as_bytes()));
    }

    #[test]
    fn inserting_only_adds(before in documents()) {
        let mut document = Document::parse(before.clone());
        document.insert_as_gitlab(&section("1.5.0"));
        prop_assert!(only_adds(&before, document.as_bytes()));
    }

    #[test]
    fn a_header_follows_an_empty_line(before in documents()) {
        let mut document = Document::parse(before);
        if document.insert_as_gitlab(&section("1.5.0")) == Insertion::Inserted {
            let header = document.header("1.5.0").unwrap();
            let above = document.lines.iter().take_while(|line| line.span.start < header).last();
            let above = above.map(|line| &document.bytes[line.span.clone()]);
            prop_assert!(above.is_none_or(|line| is_blank(line) && line.ends_with(b"\n")));
        }
    }

    #[test]
    fn what_was_inserted_can_be_cut_out(before in documents()) {
        let mut document = Document::parse(before);
        if document.section("1.5.0").is_none() {
            document.insert_as_gitlab(&section("1.5.0"));
            let body = String::from_utf8_lossy(document.section("1.5.0").unwrap().body).replace("\r\n", "\n");
            prop_assert_eq!(body, "### added\n\n- One");
        }
    }
}
