//! Styles that are read from files of many forms, and sections that are written in them.

use super::*;

/// A file with this section, and what is recognised in it.
fn described(section: &str) -> String {
    let file = format!("# Changelog\n\n## 1.1.0 (2024-03-09)\n\n{section}\n\n## 1.0.0 (2024-03-08)\n\nOld.\n");
    Document::parse(file).entry_style().map(|style| style.describe()).unwrap_or_default()
}

/// Entries in the forms that files of projects and tools have, `N` being a title and `L` an address, and the example of
/// an entry that shows what is recognised.
const FORMS: [(&str, &str); 70] = [
    ("- Add N", "- **scope:** title"),
    ("- Add N.", "- **scope:** title."),
    ("- **api:** add N", "- **scope:** title"),
    ("- **api**: add N", "- **scope**: title"),
    ("- **api** add N", "- **scope** title"),
    ("- api: add N", "- scope: title"),
    ("- *(api)* Add N", "- *(scope)* title"),
    ("- (api) Add N", "- (scope) title"),
    ("- [api] Add N", "- [scope] title"),
    ("- \\[`api`\\] Add N", "- \\[`scope`\\] title"),
    ("- `api`: add N", "- `scope`: title"),
    ("- `crane` lifts N", "- **scope:** title"),
    ("- Add N (heavy)", "- **scope:** title"),
    ("- **[api]** Add N", "- **[scope]** title"),
    ("- [13.x] Add N", "- **scope:** title"),
    ("1. Add N", "1. **scope:** title"),
    ("2) Add N", "1) **scope:** title"),
    ("* Add N", "* **scope:** title"),
    ("+ Add N", "+ **scope:** title"),
    (" *  Add N", " *  **scope:** title"),
    ("  * Add N", "  * **scope:** title"),
    ("-   Add N", "-   **scope:** title"),
    ("- Add N (`1a2b3c4d`)", "- **scope:** title (`1a2b3c4d`)"),
    ("- Add N (1a2b3c4)", "- **scope:** title (1a2b3c4)"),
    ("- Add N (#12)", "- **scope:** title (#12)"),
    ("- Add N #12", "- **scope:** title #12"),
    ("- Add N (!12)", "- **scope:** title (#12)"),
    ("- Add N. (#12)", "- **scope:** title. (#12)"),
    ("- Add N\n  and more (#12)", "- **scope:** title (#12)"),
    ("- Add N (#12).", "- **scope:** title (#12)."),
    ("- Add N ([#12](L/pull/12))", "- **scope:** title ([#12](\u{2026}))"),
    ("- Add N\n[#12](L/pull/12)", "- **scope:** title [#12](\u{2026})"),
    ("- Add N [\\#12](L/pull/12)", "- **scope:** title [\\#12](\u{2026})"),
    (
        "- Add N [\\#12](L/pull/12) ([ida](https://github.com/ida))",
        "- **scope:** title [\\#12](\u{2026}) ([name](\u{2026}))",
    ),
    ("- Add N [[GH-12](L/pull/12)]", "- **scope:** title [[GH-12](\u{2026})]"),
    ("- Add N [#12]", "- **scope:** title [#12]"),
    ("- Add N [[#12](L/pull/12)]", "- **scope:** title [[#12](\u{2026})]"),
    ("- Add N ([issue 12](L/issues/12))", "- **scope:** title"),
    ("- Add N ([#12])", "- **scope:** title ([#12])"),
    ("- Add N ([!12](L/-/merge_requests/12))", "- **scope:** title ([#12](\u{2026}))"),
    ("- Add N ([merge request](L/-/merge_requests/12))", "- **scope:** title ([merge request](\u{2026}))"),
    ("- Add N ([1a2b3c4](L/commit/1a2b3c4))", "- **scope:** title ([1a2b3c4](\u{2026}))"),
    ("- Add N ([`1a2b3c4`](L/commit/1a2b3c4))", "- **scope:** title ([`1a2b3c4`](\u{2026}))"),
    ("- Add N - ([1a2b3c4](L/commit/1a2b3c4))", "- **scope:** title - ([1a2b3c4](\u{2026}))"),
    (
        "- Add N ([#12](L/issues/12)) ([1a2b3c4](L/commit/1a2b3c4))",
        "- **scope:** title ([#12](\u{2026})) ([1a2b3c4](\u{2026}))",
    ),
    (
        "- **api:** add N ([1a2b3c4](L/commit/1a2b3c4)), closes [#9](L/issues/9)",
        "- **scope:** title ([1a2b3c4](\u{2026}))",
    ),
    (
        "- **api:** add N (#12) ([1a2b3c4d](L/commit/1a2b3c4d), closes [#9](L/issues/9))",
        "- **scope:** title (#12) ([1a2b3c4d](\u{2026}))",
    ),
    ("- Add N (#12) (1a2b3c4)", "- **scope:** title (#12) (1a2b3c4)"),
    ("- Add N by @ida", "- **scope:** title by @name"),
    ("- Add N. (Ida Ba, #12)", "- **scope:** title. (Ida, #12)"),
    ("- Add N. Pull request [#12](L/pull/12) by ida", "- **scope:** title. Pull request [#12](\u{2026}) by Ida"),
    ("- Add N - ([1a2b3c4](L/commit/1a2b3c4)) - Ida Ba", "- **scope:** title - ([1a2b3c4](\u{2026})) - Ida"),
    ("- Add N. Contributed by @ida", "- **scope:** title. Contributed by @name"),
    ("- Add N by [@ida](https://github.com/ida)", "- **scope:** title by [@name](\u{2026})"),
    ("- Add N by @ida in #12", "- **scope:** title by @name in #12"),
    ("- Add N by @ida in L/pull/12", "- **scope:** title by @name in \u{2026}"),
    (
        "- Add N - by [@ida](https://github.com/ida) in [#12](L/pull/12)",
        "- **scope:** title - by [@name](\u{2026}) in [#12](\u{2026})",
    ),
    ("- Add N in #12", "- **scope:** title in #12"),
    ("- Add N ([#12](L/pull/12)) by @ida", "- **scope:** title ([#12](\u{2026})) by @name"),
    (
        "- Add N ([#12](L/pull/12), [@ida](https://github.com/ida))",
        "- **scope:** title ([#12](\u{2026}), [@name](\u{2026}))",
    ),
    ("- Add N @ida (#12)", "- **scope:** title @name (#12)"),
    ("- Add N, see #12 (@ida)", "- **scope:** title, see #12 (@name)"),
    ("- Add N. Closes #9, see #12 (@ida)", "- **scope:** title, see #12 (@name)"),
    ("- Add N. {issue}`9` {pr}`12`", "- **scope:** title. {pr}`12`"),
    ("- [Add N](L/commit/1a2b3c4)", "- **scope:** [title](\u{2026})"),
    (
        "- **api**: [Add N](L/commit/1a2b3c4) ([#12](L/issues/12)) by [ida](https://github.com/ida)",
        "- **scope**: [title](\u{2026}) ([#12](\u{2026})) by [name](\u{2026})",
    ),
    ("- 1a2b3c4: Add N", "- 1a2b3c4: **scope:** title"),
    ("- [`1a2b3c4`](L/commit/1a2b3c4) add N (#12)", "- [`1a2b3c4`](\u{2026}) **scope:** title (#12)"),
    (
        "- [#12](L/pull/12) [`1a2b3c4`](L/commit/1a2b3c4) Thanks [@ida](https://github.com/ida)! - Add N",
        "- [#12](\u{2026}) [`1a2b3c4`](\u{2026}) Thanks [@name](\u{2026})! - **scope:** title",
    ),
    (
        "- [`1a2b3c4`](L/commit/1a2b3c4) ([#12](L/pull/12) by [@ida](https://github.com/ida)) Add N",
        "- [`1a2b3c4`](\u{2026}) ([#12](\u{2026}) by [@name](\u{2026})) **scope:** title",
    ),
];

#[test]
fn the_form_of_an_entry_is_that_of_the_file() {
    let mut failures = Vec::new();
    for (form, expected) in FORMS {
        let entry = |number: &str| form.replace('N', number).replace('L', "https://github.com/harbor/pilot");
        let section = format!("### Added\n\n{}\n{}\n{}", entry("one"), entry("two"), entry("three"));
        let (found, expected) = (described(&section), format!("`{expected}` below `### Added`"));
        if found != expected {
            failures.push(format!("{form}\n  {found}\n  {expected}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_line_in_italics_that_ends_with_a_colon_is_no_author() {
    let is_signed = |line: &str| {
        let entries = ["Lift", "Lower", "Turn"].map(|title| format!("- {title}\n\n  *{line}*\n"));
        let file = format!("# Changelog\n\n## 1.1.0 (2024-03-09)\n\n### Added\n\n{}", entries.join("\n"));
        Document::parse(file).entry_style().is_some_and(|style| style.is_signed)
    };
    assert!(is_signed("Ida Reef") && !is_signed("Related requests:"));
}

/// Sections whose categories are in various places, and what is recognised.
const PLACES: [(&str, &str); 16] = [
    ("- Lift\n- Lower\n- Turn", "`- **scope:** title` directly below the version"),
    (
        "- Lift\n  #3\n- Slip no more, by day or night\n  #1\n- Turn\n  #2",
        "`- **scope:** title #12` directly below the version",
    ),
    (
        "- [FEATURE] Crane: lift #1\n- [BUGFIX] Rope: slip #2\n- [CHANGE] Sail: turn #3",
        "`- [FEATURE] scope: title #12` directly below the version",
    ),
    (
        "- **added:** Lift ([#1])\n- **fixed:** Slip ([#2])\n- **breaking:** Turn ([#3])",
        "`- **added:** **scope:** title ([#12])` directly below the version",
    ),
    (" *  New: Lift.\n *  Fix: Slip.\n *  Upgrade: Rope 2.", "` *  New: scope: title.` directly below the version"),
    (
        "- feat(crane): lift (#1)\n- fix: slip (#2)\n- docs: tell (#3)",
        "`- feat(scope): title (#12)` directly below the version",
    ),
    (
        "- fix: slip\n\n- feat: lift\n\n- breaking: turn",
        "`- feat(scope): title` directly below the version, with empty lines between",
    ),
    (
        "FEATURES:\n\n* crane: lift\n\nBUG FIXES:\n\n* rope: slip\n* sail: turn",
        "`* scope: title` below `FEATURES:`, `BUG FIXES:`",
    ),
    ("Features:\n  * lift\n\nFixes:\n  * slip\n  * turn", "`  * **scope:** title` below `Features:`, `Fixes:`"),
    (
        "**Added**\n\n- lift\n\n**Bug Fixes:**\n\n- slip\n- turn",
        "`- **scope:** title` below `**Added**`, `**Bug Fixes**`",
    ),
    (
        "### Features\n\n- feat(crane): lift\n- feat: hoist\n\n### Bug Fixes\n\n- fix(rope): slip",
        "`- feat(scope): title` below `### Features`, `### Bug Fixes`",
    ),
    (
        "#### Added (2 changes)\n\n- a\n- b\n\n#### Fixed (1 change)\n\n- c",
        "`- **scope:** title` below `#### Added`, `#### Fixed` with their numbers of entries",
    ),
    (
        "### \u{1f41b} Bug Fixes\n* a\n* b\n\n### :sparkles: Features\n* c\n\n### Docs\n* d",
        "`* **scope:** title` below `### \u{1f41b} Bug Fixes`, `### :sparkles: Features`",
    ),
    (
        "### Fixes\n\n- **rope:**\n  - slip (1a2b3c4)\n  - fray (1a2b3c4)\n- **sail:** turn (1a2b3c4)",
        "`- **scope:** title (1a2b3c4)` below `### Fixes`",
    ),
    (
        "### Added\n\n- Lift\n- Slip\n- Turn\n\n### Contributors\n\n- [@ida](https://x/ida)\n- [@lena](https://x/lena)",
        "`- **scope:** title` below `### Added`",
    ),
    (
        "- Lift what lies on the pier, and lower it\n  into the ship\n- Slip\n- Turn the sail round, as the wind\n  does, but slower\n- Paint the hull when it is dry, and\n  only then",
        "`- **scope:** title` directly below the version, wrapped at 42",
    ),
];

#[test]
fn categories_are_where_the_file_has_them() {
    for (section, expected) in PLACES {
        assert_eq!(described(section), expected, "{section}");
    }
    let among_entries = "- Lift\n    - Faster\n- Slip\n    - Breaking changes:\n        - Less\n- Bug fixes\n    - Turn\n- Hoist\n- Moor";
    assert_eq!(described(among_entries), "`- **scope:** title` directly below the version");
    assert_eq!(described("### Added\n\n- a\n- b"), "", "two entries show no style");
    assert_eq!(described("Prose alone."), "");
}

#[test]
fn the_order_of_categories_is_that_of_the_richest_section() {
    let file = "## 1.2.0\n\n### Fixed\n\n- a\n\n## 1.1.0\n\n### Added\n\n- b\n\n### Fixed\n\n- c\n\n### Security\n\n- d\n\n## 1.0.0\n\n### Removed\n\n- e\n\n### Security\n\n- f\n";
    let style = Document::parse(file).entry_style().unwrap();
    let titles: Vec<&str> = style.titles.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(titles, ["Removed", "Added", "Fixed", "Security"]);
}

/// Entries, of which the first few have a form.
fn some(count: usize, form: &str, all: usize) -> String {
    let entries: Vec<&str> = (0..all).map(|at| if at < count { form } else { "- Lift" }).collect();
    entries.join("\n")
}

#[test]
fn what_three_of_ten_entries_have_is_their_form_and_less_is_not() {
    let plain = "`- **scope:** title` directly below the version";
    for (count, all, is_shown) in [(3, 10, true), (2, 7, false), (1, 2, true)] {
        let all = all.max(FEWEST);
        let expected = if is_shown { "`- **scope:** title (#12)` directly below the version" } else { plain };
        assert_eq!(described(&some(count, "- Slip (#7)", all)), expected, "{count} of {all}");
    }
    for (count, all, is_shown) in [(3, 10, true), (2, 7, false), (1, 3, false)] {
        let expected = if is_shown { "`- **added:** **scope:** title` directly below the version" } else { plain };
        assert_eq!(described(&some(count, "- **added:** Slip", all)), expected, "{count} of {all}");
    }
}

#[test]
fn what_one_of_two_has_is_not_usual() {
    for (section, expected) in [
        ("- a\n\n- b\n- c", "`- **scope:** title` directly below the version"),
        ("### Added (1 change)\n\n- a\n\n### Fixed\n\n- b\n- c", "`- **scope:** title` below `### Added`, `### Fixed`"),
    ] {
        assert_eq!(described(section), expected, "{section}");
    }
}

#[test]
fn lines_are_wrapped_where_six_of_them_show_it() {
    let long = "- Lift all that lies on the pier, and lower it slowly";
    let wrapped = "- Lift what lies on the pier, and lower it\n  into the ship and then onto the quay where\n  it stays\n- Slip\n- Turn the sail\n  round";
    for section in [[long; 7].join("\n"), wrapped.to_owned()] {
        assert_eq!(described(&section), "`- **scope:** title` directly below the version", "{section}");
    }
    let more = format!("{wrapped} as\n  the wind does");
    assert_eq!(described(&more), "`- **scope:** title` directly below the version, wrapped at 44");
}

#[test]
fn only_the_items_of_the_first_level_outside_of_code_are_entries() {
    let plain = "`- **scope:** title` directly below the version";
    assert_eq!(described("- Lift\n  - rope (#1)\n  - sail (#2)\n- Lower\n- Turn"), plain);
    assert_eq!(described("- Lift\n\n```\n- a (#1)\n- b (#2)\n- c (#3)\n```\n\n- Lower\n- Turn"), plain);
    let below_zero = "- Lift at\n  -5 degrees (#1)";
    assert_eq!(described(&[below_zero; 3].join("\n")), plain.replace("title", "title (#12)"));
}

#[test]
fn the_newest_five_sections_with_entries_show_the_style() {
    let older = |at: usize| format!("## 1.{}.0\n\n* a (#1)\n* b (#2)\n\n", 14 - at);
    let newer = |at: usize| format!("## 2.{}.0\n\n{}\n\n", 6 - at, if at == 2 { "Prose." } else { "- a" });
    let sections: Vec<String> = (0..6).map(newer).chain((0..15).map(older)).collect();
    let style = Document::parse(sections.concat()).entry_style().unwrap();
    assert_eq!(style.describe(), "`- **scope:** title` directly below the version");
}

#[test]
fn titles_stand_as_far_apart_as_in_the_file() {
    for (section, below, above) in [
        ("### Added\n- a\n- b\n\n\n### Fixed\n- c", 0, 2),
        ("### Added\n\n- a\n- b\n\n### Fixed\n\n- c", 1, 1),
        ("### Added\n\n\n- a\n- b\n### Fixed\n\n\n- c", 2, 1),
    ] {
        let style = Document::parse(format!("## 1.1.0\n\n{section}\n")).entry_style().unwrap();
        let title = style.heading.unwrap();
        assert_eq!((title.below, title.above), (below, above), "{section}");
    }
}

#[test]
fn categories_that_only_another_section_has_come_after_the_others() {
    let file =
        "## 1.2.0\n\n### Security\n\n- d\n\n## 1.1.0\n\n### Added\n\n- a\n\n### Fixed\n\n- b\n\n### Changed\n\n- c\n";
    let style = Document::parse(file).entry_style().unwrap();
    let titles: Vec<&str> = style.titles.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(titles, ["Added", "Fixed", "Changed", "Security"]);
}

#[test]
fn a_title_stands_for_a_category_whatever_its_pictures() {
    for (title, expected) in
        [("Bug Fixes:", Some("fixed")), (":bug: Fixes", Some("fixed")), (":Added", Some("added")), (":tada:", None)]
    {
        assert_eq!(words::category(title), expected, "{title}");
    }
}

#[test]
fn dependencies_that_got_a_version_are_no_entries() {
    let plain = "`- **scope:** title` directly below the version";
    assert_eq!(described("  - rope@1.2.0\n  - @dock/sail@0.1.0"), "");
    assert_eq!(described("- Lift\n- Lower\n- Turn\n\n  - rope@1.2.0\n  - `@dock/sail@0.1.0`"), plain);
}

#[test]
fn underlined_titles_are_those_of_the_section_before_those_of_its_parts() {
    let features = |sign: &str| format!("Features\n{}\n\n- Add sail. (#1)\n- Add mast. (#2)\n\n\n", sign.repeat(8));
    let section = features("-") + "Web\n---\n\n" + &features("~") + "Mail\n----\n\n" + &features("~");
    let file = format!(
        "Harbor 1.1.0 (2024-03-09)\n=========================\n\n{section}Harbor 1.0.0\n============\n\nOld.\n"
    );
    let style = Document::parse(file).entry_style().unwrap().describe();
    assert_eq!(style, "`- **scope:** title. (#12)` below `Features` above `-`");
}
