//! The order and the headings of entries, and replacements in titles.

use crate::support::TestRepo;

fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("feat: Begin");
    repo.tag("v1.0.0");
    repo.commit("feat(mast): [HARBOR-1] add sail");
    repo.commit("fix(deck): mend plank");
    repo.commit("feat(deck)!: drop oars");
    repo.commit("docs: tell [HARBOR-22] it");
    repo
}

/// The headings and the titles of a section.
fn section(repo: &TestRepo, keys: &str) -> Vec<String> {
    repo.write("tidings.yml", format!("source: conventional\n{keys}"));
    let section = repo.tidings(&["show"]).success();
    let line = |line: &str| {
        let title = line.strip_prefix("- ").and_then(|line| line.rsplit_once(" (")).map(|(title, _)| title.to_owned());
        title.or_else(|| line.strip_prefix("### ").map(|heading| format!("# {heading}")))
    };
    section.lines().filter_map(line).collect()
}

#[test]
fn entries_are_sorted_and_grouped_as_the_configuration_says() {
    let repo = harbor();
    let added = ["# Breaking changes", "**deck:** drop oars", "# Added", r"**mast:** \[HARBOR-1\] add sail", "# Fixed"];
    assert_eq!(section(&repo, "")[..5], added);
    let scopes = ["# deck", r"\[**breaking**\] drop oars", "mend plank", "# mast", r"\[HARBOR-1\] add sail"];
    assert_eq!(
        section(&repo, "group_by: scope\n"),
        scopes.map(|line| line.replace(r"\[**breaking**\]", "[**breaking**]"))
    );
    let sorted = section(&repo, "sort: title\ntypes: {feat: changed, fix: changed, '*': changed}\n");
    assert_eq!(
        sorted[2..],
        ["# Changed", r"**mast:** \[HARBOR-1\] add sail", "**deck:** mend plank", r"tell \[HARBOR-22\] it"]
    );
    repo.write("tidings.yml", "sort: up\n");
    assert!(
        repo.tidings(&["show"])
            .failure(1)
            .contains("`sort` must be `newest`, `oldest`, `scope`, `title` or `category`")
    );
}

#[test]
fn titles_are_replaced_before_anything_is_read_from_them() {
    let repo = harbor();
    let keys =
        "replace:\n- {match: '\\[HARBOR-(\\d+)\\] ', with: ''}\n- {match: '^docs: (.*)', with: 'feat: document $1'}\n";
    let found = section(&repo, keys);
    assert!(found.contains(&"**mast:** add sail".to_owned()), "{found:?}");
    assert!(found.contains(&"document tell it".to_owned()), "{found:?}");
    assert!(repo.tidings(&["explain"]).success().contains("feat: document tell it  (added)"));
    repo.write("tidings.yml", "replace:\n- {match: 'a', with: '$1'}\n");
    assert!(repo.tidings(&["show"]).failure(1).contains("refers to group `1`, which the pattern does not define"));
    repo.write("tidings.yml", "replace:\n- {with: 'x'}\n");
    assert!(repo.tidings(&["show"]).failure(1).contains("needs a pattern in `match`"));
}
