//! People and numbers in sections: who contributed, and who for the first time, without a server.

use serde_json::Value;

use crate::support::TestRepo;

const LIST: &str =
    "{{#each contributors}}{{name}} {{reference}} {{commits}} {{first_time}} {{commit.short_id}}\n{{/each}}";
const IDA: &str = "Ida Lund <ida@harbor.example>";
const OLAF: &str = "Olaf Berg <7+olaf@users.noreply.github.com>";

/// Two releases by Ida, who writes under two names, then work of hers, of Olaf and of Mia, whom a trailer names alone.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    repo.change_by("ida <old@harbor.example>", "Build the pier", "added");
    repo.tag("v1.0.0");
    repo.change_by(IDA, "Mend the pier", "fixed");
    repo.change_by("bot[bot] <bot@harbor.example>", "Count the ships", "other");
    repo.tag("v1.1.0");
    let mia =
        "added\nco-authored-by: Mia *b* Lind <mia@harbor.example>\nCo-authored-by: Ida Lund <other@harbor.example>";
    repo.change_by("Ida Lund <new@harbor.example>", "Add the crane (#8)", mia);
    repo.git(&["commit", "-q", "--allow-empty", "--author", OLAF, "-m", "Say what is not listed"]);
    repo.change_by("dependabot[bot] <49+dependabot[bot]@users.noreply.github.com>", "Bump it", "other");
    repo
}

fn list(repo: &TestRepo, arguments: &[&str], field: &str) -> Vec<String> {
    let document = repo.tidings(&[&["show", "--format", "json"], arguments].concat()).json();
    let text = |one: &Value| format!("{} {}", one["name"].as_str().unwrap(), one[field]);
    document["contributors"].as_array().expect("contributors").iter().map(text).collect()
}

#[test]
fn a_template_sees_who_contributed_and_who_did_for_the_first_time() {
    let repo = harbor();
    repo.write(".mailmap", "Ida Lund <ida@harbor.example> <new@harbor.example>\n");
    repo.write("people.hbs", LIST.replace("{{reference}}", "{{#if reference}}{{reference}}{{/if}}"));
    let shown = repo.tidings(&["show", "--template", "people.hbs"]).success();
    let lines: Vec<&str> = shown.lines().skip(2).map(|line| line.rsplit_once(' ').unwrap().0).collect();
    assert_eq!(lines, ["Olaf Berg @olaf 1 true", "Ida Lund  1 false", "Mia *b* Lind  1 true"]);
    repo.change_by(IDA, "Paint the crane", "changed");
    let by_commits = list(&repo, &["--template", "people.hbs"], "commits");
    assert_eq!(by_commits, ["Ida Lund 2", "Olaf Berg 1", "Mia *b* Lind 1"]);
    repo.write(".mailmap", "Mia Lind <mia@harbor.example> <old@harbor.example>\n");
    let first = list(&repo, &["--template", "people.hbs"], "first_time");
    assert_eq!(first, ["Ida Lund false", "Olaf Berg true", "Mia *b* Lind false"], "Mia wrote as ida");
    let root = list(&repo, &["1.0.0", "--first-release", "--to", "v1.0.0", "--template", "github-release"], "commits");
    assert_eq!(root, ["Mia Lind 1"]);
}

#[test]
fn new_contributors_stand_at_the_end_of_the_templates_for_people() {
    let repo = harbor();
    let shown = repo.tidings(&["show", "--template", "github-release"]).success();
    let olaf = repo.git(&["rev-parse", "HEAD~1"]);
    let end = format!(
        "\n## New Contributors\n* @olaf made their first contribution in [{short}](https://github.com/harbor/pilot/commit/{olaf})\n\
         * Mia \\*b\\* Lind made their first contribution in https://github.com/harbor/pilot/pull/8\n",
        short = &olaf[..8],
    );
    assert!(shown.ends_with(&end), "{shown}");
    let shown = repo.tidings(&["show", "--template", "keep-a-changelog", "--source", "trailers"]).success();
    assert!(shown.contains("\n\n### New contributors\n\n- @olaf made their first contribution in ["), "{shown}");
    let first = ["show", "1.0.0", "--first-release", "--to", "v1.0.0", "--template", "github-release"];
    assert!(!repo.tidings(&first).success().contains("New Contributors"), "everybody is new there");
    for template in ["section", "compact"] {
        assert!(!repo.tidings(&["show", "--template", template]).success().contains("Olaf"), "{template}");
    }
}

#[test]
fn the_context_of_a_section_has_the_people_that_its_template_asks_for() {
    let repo = harbor();
    let context = repo.tidings(&["show", "--template", "github-release", "--format", "json"]).json();
    assert_eq!(context["new_contributors"].as_array().map(Vec::len), Some(2));
    assert!(repo.tidings(&["show", "--format", "json"]).json().get("contributors").is_none(), "it did not ask");
    repo.write("context.json", context.to_string());
    repo.write("titles.yml", "categories: {added: Added, other: Other}\n");
    let render = ["render", "--context", "context.json", "--template", "github-release", "--config-file", "titles.yml"];
    assert_eq!(repo.tidings(&render).success(), context["notes"].as_str().unwrap());
}

#[test]
fn the_numbers_of_a_release() {
    let repo = harbor();
    let template = "{{#with statistics}}{{commits}} {{days}} {{#each categories}}{{@key}}={{this}} {{/each}}{{/with}}";
    repo.write("numbers.hbs", template);
    let shown = repo.tidings(&["show", "--template", "numbers.hbs", "--date", "2023-11-20"]).success();
    assert_eq!(shown.lines().last(), Some("3 5 Added=1 Other=1"));
}

#[test]
fn the_history_before_the_range_is_read_only_if_the_template_asks() {
    let repo = TestRepo::new();
    repo.author();
    let first = repo.change("Build the pier", "added");
    for _ in 0..20 {
        repo.commit("Work");
    }
    repo.tag("v1.0.0");
    repo.change("Add the crane", "added");
    repo.write("authors.hbs", "{{#each contributors}}{{name}}{{/each}}");
    std::fs::remove_file(repo.path().join(".git/objects").join(&first[..2]).join(&first[2..])).unwrap();
    assert!(repo.tidings(&["show", "--template", "authors.hbs"]).success().ends_with("\n\nIda\n"));
    let failed = repo.tidings(&["show", "--template", "github-release"]).failure(1);
    assert!(failed.contains("is missing from the repository"), "{failed}");
}

#[test]
fn all_releases_have_the_people_that_each_has_by_itself() {
    let repo = harbor();
    repo.git(&["checkout", "-q", "-b", "side", "v1.0.0"]);
    repo.change_by(OLAF, "Mend the side", "fixed");
    repo.tag("v1.0.1");
    repo.git(&["checkout", "-q", "main"]);
    let all = repo.tidings(&["show", "--all", "--template", "github-release", "--format", "json"]).json();
    let people = |section: &Value| section["contributors"].clone();
    let sections = all.as_array().unwrap();
    assert_eq!(sections.len(), 4);
    for section in &sections[..3] {
        let (version, to) = (section["version"].as_str().unwrap(), section["to"].as_str().unwrap());
        let version = (version != "Unreleased").then_some(version);
        let arguments = ["show", "--template", "github-release", "--format", "json", "--to", to];
        let own = repo.tidings(&[&arguments[..], version.as_slice()].concat()).json();
        assert_eq!(people(section), people(&own), "{version:?}");
    }
    let first = |section: &Value| section["new_contributors"].as_array().unwrap().len();
    assert_eq!(sections.iter().map(first).collect::<Vec<_>>(), [2, 1, 1, 0], "Olaf is new on each line");
}

#[test]
fn a_package_has_the_people_of_its_paths() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("tidings.yml", "packages:\n  api: {tag_prefix: api-v}\n  web: {tag_prefix: web-v}\n");
    repo.file("api/a", "1").file("web/a", "1").commit("Begin");
    repo.tag("api-v1.0.0").tag("web-v1.0.0");
    repo.file("api/a", "2").change_by(OLAF, "Mend the crane", "fixed");
    repo.file("web/a", "2").change_by(IDA, "Mend the lamp", "fixed");
    repo.file("web/a", "3").commit("Clean the lamp");
    let template = ["--template", "github-release"];
    assert_eq!(list(&repo, &[&["--package", "api"], &template[..]].concat(), "commits"), ["Olaf Berg 1"]);
    let web = list(&repo, &[&["--package", "web"], &template[..]].concat(), "first_time");
    assert_eq!(web, ["Ida false"], "she has begun it, and has cleaned the lamp as well");
    let all = repo.tidings(&["show", "--all-packages", "--template", "github-release", "--format", "json"]).json();
    let counts: Vec<_> = all.as_array().unwrap().iter().map(|one| one["contributors"][0]["commits"].clone()).collect();
    assert_eq!(counts, [1, 2]);
}

#[test]
fn a_shallow_clone_does_not_know_who_is_new() {
    let repo = harbor();
    let clone = repo.beside("clone");
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth", "4", &url, clone.to_str().unwrap()]);
    let output = crate::support::tidings(&clone).args(["show", "--template", "github-release"]).output().unwrap();
    let (text, messages) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && !text.contains("New Contributors"), "{text}{messages}");
    assert!(messages.contains("without the whole history"), "{messages}");
}
