//! `match:`, `other:` and `trailers_in:` of the configuration: what lists commits beyond the source of entries.

use crate::support::TestRepo;

/// A release, then a commit for each message, under this configuration.
fn harbor(settings: &str, messages: &[&str]) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.write("own.yml", settings);
    for message in messages {
        repo.commit(message);
    }
    repo
}

/// The entries as `title of the category: scope: title`, in the order of the section.
fn entries(repo: &TestRepo) -> Vec<String> {
    let document = repo.tidings(&["show", "--config-file", "own.yml", "--format", "json"]).json();
    let mut titles = document["categories"].as_array().expect("a list").iter().flat_map(|category| {
        let count = usize::try_from(category["count"].as_u64().unwrap()).unwrap();
        std::iter::repeat_n(category["title"].as_str().unwrap().to_owned(), count)
    });
    let entry = |entry: &serde_json::Value| {
        let scope = entry["scope"].as_str().map(|scope| format!("{scope}: ")).unwrap_or_default();
        format!("{}: {scope}{}", titles.next().unwrap(), entry["title"].as_str().unwrap())
    };
    document["entries"].as_array().expect("a list of entries").iter().map(entry).collect()
}

#[test]
fn areas_brackets_and_emoji_are_sorted_by_rules_in_their_order() {
    let rules = "match:\n- {title: '^Release ', skip: true}\n- {title: '^✨ ', category: added}\n\
                 - {title: '^\\[(ie/\\w+)\\] ', category: changed, scope: $1}\n\
                 - {title: '^(\\w+): ', body: 'CVE-\\d+', category: security, scope: $1}\n\
                 - {title: '^(?P<area>\\w+): ', category: '$area changes', scope: '${area}'}\n\
                 - {author: '<bot@', category: Robots}\n- {trailer: '^Kind: (.*)$', category: $1}\n\
                 categories: {added: New}\n";
    let repo = harbor(
        rules,
        &["Release 1.2", "✨ Sparkle", "[ie/tv] Mend it", "net: Close it\n\nSee CVE-7.\n", "net: Open it", "Plain"],
    );
    repo.git(&["commit", "-q", "--allow-empty", "--author", "Bot <bot@harbor.example>", "-m", "Renew"]);
    repo.commit("Turn\n\nKind: removed\n");
    let expected = [
        "New: ✨ Sparkle",
        "Changed: ie/tv: Mend it",
        "Removed: Turn",
        "Security: net: Close it",
        "Robots: Renew",
        "net changes: net: Open it",
    ];
    assert_eq!(entries(&repo), expected);
    let text = repo.tidings(&["explain", "--config-file", "own.yml"]).success();
    assert!(text.contains("Release 1.2  (skipped: a rule of `match`)"), "{text}");
    assert!(text.contains("Plain  (no trailer)"), "{text}");
}

#[test]
fn rules_come_before_any_source() {
    let rules = "match: [{title: mast, category: Masts}]\n";
    let messages = ["fix(api): mend mast", "feat: add crane", "Paint\n\nChangelog: changed\n"];
    let of = |source: &str| entries(&harbor(&format!("{rules}source: {source}\n"), &messages));
    assert_eq!(of("trailers"), ["Changed: Paint", "Masts: fix(api): mend mast"]);
    let repo = harbor("", &messages);
    repo.write(".gitlab/changelog_config.yml", rules);
    let kept = repo.tidings(&["show"]).success();
    assert!(kept.contains("### changed (1 change)\n"), "GitLab's file: {kept}");
    assert_eq!(of("conventional"), ["Added: add crane", "Masts: api: mend mast"]);
    assert_eq!(of("titles"), ["Changes: Paint", "Changes: feat: add crane", "Masts: fix(api): mend mast"]);
    assert_eq!(entries(&harbor(rules, &messages[..2])), ["Added: add crane", "Masts: api: mend mast"]);
}

#[test]
fn everything_else_goes_last_under_a_heading_of_its_own() {
    let settings = "other: Other changes\ncategories: {added: New}\n";
    let repo = harbor(settings, &["Tidy\n\nChangelog: added\n", "Mend", "Turn\n\nChangelog: zeta\n"]);
    repo.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    repo.commit("Side");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side"]);
    assert_eq!(entries(&repo), ["New: Tidy", "zeta: Turn", "Other changes: Side", "Other changes: Mend"]);
    repo.tidings(&["check", "HEAD~1..", "--config-file", "own.yml", "--require", "each"]).success();
    let messages = ["chore: renew", "Mend", "feat: add crane", "Add changelog for version 1.1.0", "Release api 1.2.0"];
    let repo = harbor("source: conventional\nother: Rest\n", &messages);
    assert_eq!(entries(&repo), ["Added: add crane", "Rest: Mend"]);
}

#[test]
fn rules_that_cannot_work_are_refused_with_their_line() {
    let repo = harbor("", &[]);
    for (settings, refusal) in [
        ("match: [{category: x}]", "own.yml:1:9: `match` needs a pattern: `title`, `body`, `author` or `trailer`"),
        ("match: [{title: x}]", "own.yml:1:9: `match` needs either a `category` or `skip: true`"),
        ("match: [{title: x, category: y, skip: true}]", "needs either a `category` or `skip: true`"),
        ("match: [{title: x, category: $1}]", "`match` refers to group `1`, which the pattern does not define"),
        ("match:\n- title: '('\n", "own.yml:2:10: `title` has an invalid pattern"),
        ("match: yes", "`match` must be a list of mappings"),
        ("trailers_in: body", "`trailers_in` must be `last` or `any`, not `body`"),
    ] {
        repo.write("own.yml", settings);
        let found = repo.tidings(&["show", "--config-file", "own.yml"]).failure(1);
        assert!(found.contains(refusal), "{settings}: {found}");
    }
}

#[test]
fn a_trailer_that_a_host_pushed_up_is_found_or_reported() {
    let squashed =
        "Add crane (#7)\n\n* Add crane\n\nChangelog: added\n\n* Mend it\n\nCo-authored-by: A <a@x.example>\n";
    let prose = "Tell\n\nChangelog: the file is new\n\nMore.\n";
    let repo = harbor("trailers_in: any\n", &[squashed, prose, "Paint\n\nChangelog: changed\n"]);
    assert_eq!(entries(&repo), ["Added: Add crane (#7)", "Changed: Paint"]);
    let text = repo.tidings(&["explain"]).success();
    let reason = "(no trailer: `Changelog: added` is ignored because it is not in the last paragraph";
    assert!(text.contains(reason), "{text}");
    assert!(repo.tidings(&["check"]).stdout.contains("`Changelog: added` is ignored"));
}

#[test]
fn a_breaking_change_in_the_body_counts_and_is_explained() {
    let body = "fix: mend mast (#7)\n\n* fix: mend mast\n\nBREAKING CHANGE: the lever is on the left\n";
    let repo = harbor("source: conventional\n", &[body]);
    assert_eq!(entries(&repo), ["Breaking changes: mend mast (#7)"]);
    assert_eq!(repo.tidings(&["next", "--config-file", "own.yml"]).success(), "2.0.0\n");
    let text = repo.tidings(&["explain", "--config-file", "own.yml"]).success();
    assert!(text.contains("(breaking: because of `BREAKING CHANGE: the lever is on the left`)"), "{text}");
    let repo =
        harbor("source: conventional\n", &["fix: mend mast (#7)\n\n- fix: mend mast\n- feat!: turn the lever\n"]);
    assert_eq!(entries(&repo), ["Fixed: mend mast (#7)"], "{}", "items are no entries, and bump nothing");
    assert_eq!(repo.tidings(&["next", "--config-file", "own.yml"]).success(), "1.0.1\n");
}
