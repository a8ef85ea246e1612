//! `source: conventional` and `both`: the type in a title names the category.

use crate::support::TestRepo;

/// A release, and a commit of every kind after it.
fn harbor(settings: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.2.3");
    repo.write(".gitlab/changelog_config.yml", settings);
    repo.commit("feat(api): add crane");
    repo.commit("Fix: mend mast\n\nRefs: 7\n");
    repo.commit("docs: tell of masts");
    repo.commit("Docker: use less\n\nChangelog: performance\n");
    repo.commit("Tidy up");
    repo
}

fn entries(repo: &TestRepo) -> Vec<String> {
    let document = repo.tidings(&["show", "--format", "json"]).json();
    let entry = |entry: &serde_json::Value| {
        let text = |key: &str| entry[key].as_str().unwrap_or("-").to_owned();
        format!("{} {}: {}", text("category"), text("scope"), text("title"))
    };
    document["entries"].as_array().expect("a list of entries").iter().map(entry).collect()
}

#[test]
fn long_titles_are_cut_as_on_gitlab_or_whole() {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    let long = format!("Add {}the crane", "very ".repeat(20));
    repo.commit(&format!("feat: {long} (#12)\n\nChangelog: added\n"));
    let listed = |path: &str, settings: &str| {
        repo.write(path, settings);
        let shown = repo.tidings(&["show", "--format", "json"]).json();
        std::fs::remove_file(repo.path().join(path)).unwrap();
        shown["entries"][0]["title"].as_str().unwrap().to_owned()
    };
    let (whole, cut) = (format!("{long} (#12)"), format!("Add {}...", "very ".repeat(15).trim_end()));
    for (path, settings, expected) in [
        ("tidings.yml", "source: conventional\n", &whole),
        ("tidings.yml", "source: conventional\nlong_titles: cut\n", &cut),
        (".gitlab/changelog_config.yml", "source: conventional\n", &cut),
        ("tidings.yml", "source: trailers\n", &format!("feat: {}", cut.replace(" very very...", "..."))),
        ("tidings.yml", "source: trailers\nlong_titles: whole\n", &format!("feat: {whole}")),
    ] {
        assert_eq!(listed(path, settings), *expected, "{path}: {settings}");
    }
    repo.write("tidings.yml", "long_titles: short\n");
    assert!(repo.tidings(&["show"]).failure(1).contains("`long_titles` must be `cut` or `whole`, not `short`"));
}

#[test]
fn the_source_says_what_names_a_category() {
    assert_eq!(entries(&harbor("")), ["performance -: Docker: use less"]);
    let types = ["added api: add crane", "fixed -: mend mast"];
    assert_eq!(entries(&harbor("source: conventional\n")), types);
    let both = ["added api: add crane", "fixed -: mend mast", "performance -: Docker: use less"];
    assert_eq!(entries(&harbor("source: both\n")), both);
    let mapped = "source: conventional\ntypes: {docs: documentation, fix: none, DOCKER: changed}\n";
    let expected = ["added api: add crane", "changed -: use less", "documentation -: tell of masts"];
    assert_eq!(entries(&harbor(mapped)), expected);
}

#[test]
fn templates_see_title_and_scope() {
    let repo = harbor("source: both\n");
    repo.write(
        "a.tpl",
        "{% each categories %}{% each entries %}{% if scope %}{{ scope }}: {% end %}{{ title }}\n{% end %}{% end %}",
    );
    repo.write(
        "a.hbs",
        "{{#each categories}}{{#each entries}}{{#if scope}}{{scope}}: {{/if}}{{title}}\n{{/each}}{{/each}}",
    );
    for template in ["a.tpl", "a.hbs"] {
        let notes = repo.tidings(&["show", "--template", template]).success();
        assert!(notes.ends_with("api: add crane\nmend mast\nDocker: use less\n"), "{notes}");
    }
}

#[test]
fn a_breaking_change_raises_the_major_part() {
    let repo = harbor("source: conventional\n");
    let next = || repo.tidings(&["next"]).success();
    assert_eq!(next(), "1.3.0\n");
    repo.commit("chore!: drop the old crane");
    assert_eq!(next(), "2.0.0\n");
    repo.tag("v2.0.0").commit("fix: mend it\n\nBREAKING CHANGE: the lever is on the left.\n");
    assert_eq!(next(), "3.0.0\n");
    assert_eq!(entries(&repo), ["breaking -: mend it"]);
    repo.tag("v3.0.0").commit("chore: renew");
    assert!(repo.tidings(&["next"]).failure(5).contains("nothing to release: no unreleased change bumps the version"));
}

#[test]
fn explain_tells_types_and_reverts() {
    let repo = harbor("source: both\n");
    let crane = repo.git(&["rev-parse", "HEAD~4"]);
    repo.commit(&format!("revert: feat(api): add crane\n\nThis reverts commit {crane}.\n"));
    repo.commit("Revert \"feat: add sail\"\n\nThis reverts commit 0123456789012345678901234567890123456789.\n");
    let text = repo.tidings(&["explain"]).success();
    let whys: Vec<&str> = text.lines().filter_map(|line| Some(line.rsplit_once("  (")?.1)).collect();
    let revert = format!("reverted by {})", &repo.git(&["rev-parse", "HEAD~1"])[..8]);
    let expected = [
        "changed)",
        "reverts another commit of the range)",
        "no trailer or known type)",
        "performance)",
        "type `docs` is not listed)",
        "fixed)",
        &revert,
    ];
    assert_eq!(whys, expected);
    let counts = "7 commits: 3 in (1 changed, 1 fixed, 1 performance), 1 reverted, 1 without a trailer or known type, \
                  1 of other types, 1 reverting others\n";
    assert!(text.ends_with(counts), "{text}");
    assert_eq!(entries(&repo).last().unwrap(), "changed -: Revert add sail");
}

#[test]
fn check_takes_a_type_for_a_trailer() {
    let repo = harbor("source: conventional\n");
    repo.tidings(&["check", "HEAD~4..HEAD~2", "--require", "each"]).success();
    repo.tidings(&["check", "HEAD~1..", "--require", "each"]).failure(3);
    repo.write("message", "feta: add sail\n");
    let outcome = repo.tidings(&["check", "--message", "message"]);
    assert_eq!(outcome.stdout, "line 1 unknown-type: unknown type `feta`; did you mean `feat`?\n");
    repo.write("message", "feat: add sail\n");
    repo.tidings(&["check", "--message", "message", "--require", "each"]).success();
}

#[test]
fn a_history_of_conventional_titles_is_noticed() {
    let repo = TestRepo::new();
    repo.commit("feat: add crane");
    let outcome = repo.tidings(&["show", "--first-release"]);
    assert!(outcome.stderr.contains("listing Conventional Commits (1 of 1 commit)"), "{}", outcome.stderr);
}

/// The lines of a section from its first heading on, with the id of a commit as `ID`.
fn lines(repo: &TestRepo, options: &[&str]) -> Vec<String> {
    let text = repo.tidings(&[&["show"], options].concat()).success();
    let ids = repo.git(&["rev-list", "HEAD"]);
    let without_ids =
        |line: &str| ids.lines().fold(line.to_owned(), |line, id| line.replace(id, "ID").replace(&id[..8], "ID"));
    text.lines().skip(2).filter(|line| !line.is_empty()).map(without_ids).collect()
}

#[test]
fn headings_are_in_their_usual_order_with_scopes_and_without_doubled_numbers() {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    repo.commit("perf: hurry");
    repo.commit("fix(api): mend mast (#12)");
    repo.commit("feat(css): minify (#7)");
    repo.commit("refactor(api)!: drop the old crane");
    let link = |text: &str| format!("[{text}](https://github.com/harbor/pilot/commit/ID)");
    let pull = |number: u8| format!(" ([#{number}](https://github.com/harbor/pilot/pull/{number}))");
    let expected = [
        "### Breaking changes".to_owned(),
        format!("- **api:** {}", link("drop the old crane")),
        "### Added".to_owned(),
        format!("- **css:** {}{}", link("minify"), pull(7)),
        "### Fixed".to_owned(),
        format!("- **api:** {}{}", link("mend mast"), pull(12)),
        "### Performance".to_owned(),
        format!("- {}", link("hurry")),
    ];
    assert_eq!(lines(&repo, &[]), expected);
    let path = repo.beside("section.hbs");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/section.hbs"), &path).unwrap();
    let counted = expected.map(|line| if line.starts_with('#') { line + " (1 change)" } else { line });
    assert_eq!(lines(&repo, &["--template", path.to_str().unwrap()]), counted);
    assert_eq!(lines(&repo, &["--template", "section"]), counted);
    let kept = lines(&repo, &["--template", "keep-a-changelog"]);
    assert_eq!(
        kept[..2],
        ["### Breaking changes".to_owned(), format!("- **api:** drop the old crane ({})", link("ID"))]
    );
    assert_eq!(kept[3], "- **css:** minify ([#7](https://github.com/harbor/pilot/pull/7))");
    assert!(lines(&repo, &["--template", "github-release"])[4].starts_with("* **css:** minify by Ida in https://"));
    assert_eq!(lines(&repo, &["--template", "compact"])[1], "- **Added**: css: minify (`ID`)");
}

#[test]
fn the_numbers_that_a_forge_links_are_links_and_stand_once() {
    let repo = TestRepo::new();
    let original = repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.commit(&format!("fix: bump otel (#32521)\n\n(cherry picked from commit {original})\n"));
    repo.commit("fix(tiller): roll back (#3722) (#4820)");
    repo.commit("fix: build after #7, not `#8` or a#9");
    let page = "https://github.com/harbor/pilot";
    let own = ["--source", "conventional", "--host", "https://github.com", "--project-path", "harbor/pilot"];
    let link = |number: u32, kind: &str| format!("([#{number}]({page}/{kind}/{number}))");
    let expected = [
        format!("- [build after #7, not `#8` or a#9]({page}/commit/ID) {}", link(7, "issues")),
        format!("- **tiller:** [roll back]({page}/commit/ID) {} {}", link(4820, "pull"), link(3722, "issues")),
        format!("- [bump otel]({page}/commit/ID) {}", link(32521, "issues")),
    ];
    assert_eq!(lines(&repo, &own)[1..], expected);
    let kept = lines(&repo, &[&own[..], &["--template", "keep-a-changelog"]].concat());
    assert_eq!(kept[2], format!("- **tiller:** roll back {} {}", link(3722, "issues"), link(4820, "pull")));
    assert_eq!(kept[3], format!("- bump otel {} ([ID]({page}/commit/ID))", link(32521, "issues")));
    let gitlab = ["show", "--source", "titles", "--host", "https://gitlab.com", "--project-path", "harbor/pilot"];
    let shown = repo.tidings(&gitlab).success();
    assert!(shown.contains("bump otel (#32521)"), "an issue on GitLab: {shown}");
}

#[test]
fn what_breaks_is_marked_under_another_heading() {
    let repo = harbor("source: both\ncategories: {added: New}\n");
    repo.commit("feat(api)!: turn the lever\n\nChangelog: added\n");
    repo.commit("fix!: mend it");
    let found = lines(&repo, &[]);
    assert_eq!(found[..2], ["### Breaking changes (1 change)", "- mend it (`ID`)"], "{found:?}");
    assert_eq!(found[2..4], ["### New (2 changes)", "- **api:** [**breaking**] turn the lever (`ID`)"], "{found:?}");
    let document = repo.tidings(&["show", "--format", "json"]).json();
    assert_eq!((&document["source"], &document["entries"][1]["breaking"]), (&"both".into(), &true.into()));
    assert_eq!(document["entries"][0]["breaking"], serde_json::Value::Null);
}
