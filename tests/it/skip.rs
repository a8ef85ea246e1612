//! `skip:` and `links:` of the configuration.

use crate::support::TestRepo;

fn harbor(settings: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.write(".gitlab/changelog_config.yml", settings);
    repo.change("Add crane, see #7", "added");
    repo.change("Fix mast (#8, #7)", "fixed");
    repo
}

#[test]
fn what_is_skipped_is_out_and_says_why() {
    let repo = harbor("");
    let id = repo.git(&["rev-parse", "HEAD"]);
    repo.write(".gitlab/changelog_config.yml", format!("skip:\n  commits: ['{}']\n  messages: [crane]\n", &id[..10]));
    let text = repo.tidings(&["explain"]).success();
    assert!(text.contains(&format!("Fix mast (#8, #7)  (skipped: commit `{}`)", &id[..10])), "{text}");
    assert!(text.contains("Add crane, see #7  (skipped: message `crane`)"), "{text}");
    assert!(text.ends_with("2 commits: 0 in, 0 reverted, 0 without a trailer, 2 skipped\n"), "{text}");
    let outcome = repo.tidings(&["show"]);
    assert_eq!(outcome.stderr, "none of 2 commits since v1.0.0 is listed: 2 skipped\n");
    assert!(outcome.success().contains("No changes."));
    repo.tidings(&["next"]).failure(5);
    repo.write(".gitlab/changelog_config.yml", "skip: {authors: ida@harbor.example}\n");
    repo.tidings(&["check", "--require", "each"]).success();
}

#[test]
fn references_are_links_in_every_template() {
    let repo = harbor("links: {'#(\\d+)': 'https://x.example/$1'}\n");
    let notes = |template: &str| repo.tidings(&["show", "--template", template]).success();
    let id = &repo.git(&["rev-parse", "HEAD"])[..8];
    let section = format!("- Fix mast (#8, #7) (`{id}`) ([#8](https://x.example/8)) ([#7](https://x.example/7))\n");
    assert!(notes("section").contains(&section), "{}", notes("section"));
    let path = repo.beside("section.hbs");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/templates/section.hbs"), &path).unwrap();
    assert_eq!(notes(path.to_str().unwrap()), notes("section"));
    let linked = "Fix mast ([#8](https://x.example/8), [#7](https://x.example/7))";
    assert!(notes("keep-a-changelog").contains(&format!("- {linked} (")), "{}", notes("keep-a-changelog"));
    assert!(notes("github-release").contains(&format!("* {linked} by Ida")), "{}", notes("github-release"));
    assert!(notes("compact").contains("Fix mast (#8, #7)"));
}

#[test]
fn json_goes_through_render_unchanged() {
    let repo = harbor("source: both\nlinks: {'#(\\d+)': 'https://x.example/$1'}\n");
    repo.commit("feat(api): add sail #9");
    let json = repo.tidings(&["show", "--format", "json"]).success();
    repo.write("context.json", &json);
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["entries"][0]["linked_title"], "add sail [#9](https://x.example/9)");
    let rendered = repo.tidings(&["render", "--context", "context.json"]).success();
    assert_eq!(document["notes"], rendered);
    repo.write("context.json", "{\n");
    let refused = repo.tidings(&["render", "--context", "context.json"]).failure(1);
    assert!(refused.starts_with("error: context.json:2:1: EOF while parsing an object"), "{refused}");
}
