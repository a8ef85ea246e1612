//! git-cliff: its parsers, what it does without them, and its file of ignored commits.

use super::{repo_with, section, take_over};

const CLIFF: &str = r#"[changelog]
header = "All news"
body = """
{% for group, commits in commits | group_by(attribute="group") %}
    ### {{ group | striptags | trim | upper_first }}
{% endfor %}
"""
footer = ""
output = "NEWS.md"

[git]
commit_parsers = [
  { message = "^feat", group = "<!-- 1 -->new things" },
  { message = "^fix\\(ci\\)", skip = true },
  { message = "^fix", group = "<!-- 0 -->🔧 mended" },
  { body = "CVE-\\d+", group = "<!-- 2 -->security" },
  { field = "author.email", pattern = "bot@", skip = true },
  { message = ".*", group = "<!-- 9 -->the rest" },
]
protect_breaking_commits = true
ignore_tags = "rc|beta"
tag_pattern = "hull-v[0-9]*"
sort_commits = "oldest"
commit_preprocessors = [{ pattern = "SEE-", replace = "SEA-" }, { pattern = ".*", replace_command = "typos" }]
link_parsers = [{ pattern = "SEA-(\\d+)", href = "https://sea.example/$1" }]
"#;

#[test]
fn groups_and_parsers_of_git_cliff_are_categories_and_rules() {
    let repo = repo_with("cliff.toml", CLIFF);
    repo.tag("hull-v1.0.0");
    repo.commit("feat(deck): add a hatch, see SEE-12");
    repo.commit("fix(ci): mend the build");
    repo.commit("fix: stop the leak");
    repo.commit("docs: describe it");
    repo.commit("chore: renew\n\nCloses CVE-2024");
    repo.commit("Not a type at all");
    let stderr = take_over(&repo, "cliff.toml");
    let expected = [
        "took over the configuration of git-cliff",
        "not taken over: `changelog.header` (line 2): what is above the sections of the changelog file stays as it is",
        "not taken over: `changelog.body` (line 3): a Tera template: ",
        "not taken over: `git.protect_breaking_commits` (line 20): ",
        "not taken over: `git.commit_preprocessors` (line 24): a command is not run on messages: ",
    ];
    for line in expected {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    assert!(
        !stderr.contains("footer") && !stderr.contains("ignore_tags") && !stderr.contains("tag_pattern"),
        "{stderr}"
    );
    let written = repo.read("tidings.yml");
    assert!(written.contains("\ntag_prefix: \"hull-v\"\n") && written.contains("\nfile: \"NEWS.md\"\n"), "{written}");
    assert!(written.contains("# - `changelog.header` (line 2): what is above"), "{written}");
    assert!(written.contains("\nsort: \"oldest\"\n"), "{written}");
    let shown = section(&repo);
    assert_eq!(shown[..3], ["### 🔧 mended", "- stop the leak", "### New things"], "{shown:?}");
    assert!(shown[3].starts_with("- **deck:** add a hatch, see SEA-12"), "{shown:?}");
    assert!(repo.tidings(&["show"]).success().contains("[SEA-12](https://sea.example/12)"));
    assert_eq!(shown[4..], ["### Security", "- renew", "### The rest", "- describe it"], "{shown:?}");
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    repo.commit("fix(api)!: drop the old one");
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n", "what breaks does so under any category");
}

#[test]
fn what_git_cliff_replaces_by_links_are_links() {
    let settings = r#"[changelog]
body = """
{% for group, commits in commits | group_by(attribute="group") %}
    ### {{ group }}
    {% for commit in commits %}
        - {{ commit.message }} (<REPO>)\
    {% endfor %}
{% endfor %}
"""
postprocessors = [
  { pattern = '<REPO>', replace = "https://harbor.example/crane" },
  { pattern = 'CVE-(\d+-\d+)', replace = "[CVE-${1}](https://cve.example/${1})" },
  { pattern = 'teh', replace = "the" },
  { pattern = '.*', replace_command = "typos" },
]
[git]
commit_preprocessors = [
  { pattern = '\((\w+\s)?#([0-9]+)\)', replace = "([#${2}](<REPO>/issues/${2}))" },
  { pattern = 'JIRA-(\d+)', replace = "[JIRA-${1}](https://jira.example/${1})" },
  { pattern = 'BUG-(\d+)', replace = "[BUG-${1}](<TRACKER>/${1})" },
]
commit_parsers = [{ message = "^feat", group = "Added" }]
"#;
    let repo = repo_with("cliff.toml", settings);
    repo.commit("feat: sail by JIRA-4 (issue #12), see CVE-2024-1");
    let stderr = take_over(&repo, "cliff.toml");
    for line in [
        "not taken over: `changelog.postprocessors` (line 10): the section is not edited",
        "not taken over: `changelog.postprocessors` (line 10): a command is not run on the section",
        "not taken over: `git.commit_preprocessors` (line 17): write the address in `links`",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    assert_eq!(stderr.matches("not taken over").count(), 3, "{stderr}");
    let expected = "- sail by [JIRA-4](https://jira.example/4) ([#12](https://harbor.example/crane/issues/12)), \
                    see [CVE-2024-1](https://cve.example/2024-1) (https://harbor.example/crane)\n";
    let shown = repo.tidings(&["show"]).success();
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn git_cliff_without_conventional_commits_lists_what_its_parsers_sort() {
    let parsers = "commit_parsers = [{ message = '^[Aa]dd', group = 'Added' }, { message = '.*', group = 'Changed' }]";
    let settings = format!("[git]\nconventional_commits = false\n{parsers}\n");
    let repo = repo_with("cliff.toml", &settings);
    repo.commit("Add a crane");
    repo.commit("Paint it");
    take_over(&repo, "cliff.toml");
    assert_eq!(section(&repo), ["### Added", "- Add a crane", "### Changed", "- Paint it"]);
    let only = settings.replace(", { message = '.*', group = 'Changed' }", "");
    repo.file("Cargo.toml", only.replace("[git]", "[workspace.metadata.git-cliff.git]")).commit("Add settings");
    take_over(&repo, "Cargo.toml");
    assert_eq!(section(&repo), ["### Added", "- Add a crane", "- Add settings"]);
}

#[test]
fn git_cliff_has_parsers_of_its_own_if_the_settings_have_none() {
    let repo = repo_with("cliff.toml", "[git]\nconventional_commits = false\n");
    for message in ["feat: add a crane", "chore(release): prepare for v2", "chore(pr): word", "chore: paint it", "Odd"]
    {
        repo.commit(message);
    }
    take_over(&repo, "cliff.toml");
    let tasks = ["### 🚀 Features", "- feat: add a crane", "### ⚙️ Miscellaneous Tasks", "- chore: paint it"];
    assert_eq!(section(&repo), [&tasks[..], &["### 💼 Other", "- Odd"]].concat());
    repo.file("cliff.toml", "[changelog]\nbody = 'x'\n").commit("docs: spell it");
    take_over(&repo, "cliff.toml");
    assert_eq!(section(&repo)[..4], ["### 🚀 Features", "- add a crane", "### 📚 Documentation", "- spell it"]);
    let none =
        "[changelog]\nbody = '{% for commit in commits %}'\n[git]\nconventional_commits = false\ncommit_parsers = []\n";
    repo.file("cliff.toml", none).commit("Last");
    take_over(&repo, "cliff.toml");
    assert_eq!(section(&repo)[..3], ["### Changes", "- feat: add a crane", "- chore(release): prepare for v2"]);
}

#[test]
fn git_cliff_may_be_configured_in_yaml_and_ignores_commits_by_id() {
    let repo = repo_with("cliff.yaml", "git:\n  commit_parsers:\n    - { message: ^feat, group: New }\n");
    let ignored = repo.commit("feat: add a crane");
    repo.commit("feat: add a mast");
    repo.write(".cliffignore", format!("# not released\n\n{}\r\n", ignored.to_uppercase()));
    take_over(&repo, "cliff.yaml");
    assert_eq!(section(&repo), ["### New", "- add a mast"]);
    assert!(repo.read("tidings.yml").contains(&format!("\n  commits: [\"{ignored}\"]\n")));
}

#[test]
fn a_message_is_title_and_body_for_git_cliff() {
    let parsers = "[git]\ncommit_parsers = [{ message = 'hull', body = 'hull', skip = true }, { message = '(?i)^FEAT(\\(a|b\\))?:|^fix', group = 'New' }]\n";
    let repo = repo_with("cliff.toml", parsers);
    repo.commit("feat: paint the hull");
    repo.commit("fix: paint it\n\nIt is about the hull.");
    repo.commit("feat: add a crane\n\nfeat");
    take_over(&repo, "cliff.toml");
    assert_eq!(section(&repo), ["### New", "- add a crane"]);
    let rules = repo.read("tidings.yml");
    assert_eq!(rules.matches("title: 'hull'").count() + rules.matches("body: 'hull'").count(), 2, "{rules}");
    assert!(!rules.contains("body: '(?i)"), "what begins a message is in its title: {rules}");
}

#[test]
fn types_that_no_parser_of_git_cliff_sorts_have_their_own_names() {
    let parsers = "[git]\ncommit_parsers = [{ message = '^feat', group = 'New' }]\n";
    let repo = repo_with("cliff.toml", parsers);
    repo.commit("feat: add a crane");
    repo.commit("docs: describe it");
    take_over(&repo, "cliff.toml");
    let shown = section(&repo);
    assert!(shown.ends_with(&["### Docs".to_owned(), "- describe it".to_owned()]), "{shown:?}");
    repo.file("cliff.toml", format!("{parsers}filter_commits = true\n")).commit("chore: filter");
    take_over(&repo, "cliff.toml");
    assert_eq!(section(&repo), ["### New", "- add a crane"]);
}

#[test]
fn the_look_of_an_entry_is_taken_over() {
    let body = |line: &str| {
        format!(
            "[changelog]\nbody = \"\"\"\n{{% for group, commits in commits | group_by(attribute=\"group\") %}}\n### {{{{ group }}}}\n\
             {{% for commit in commits %}}\n    {line}\\\n{{% endfor %}}\n{{% endfor %}}\\n\"\"\"\n"
        )
    };
    let line = "* {% if commit.breaking %}[!] {% endif %}{{ commit.message | upper_first }} ({{ commit.id | truncate(length=6, end=\"\") }})";
    let repo = repo_with("cliff.toml", &body(line));
    let id = repo.commit("feat: add a hatch");
    let stderr = take_over(&repo, "cliff.toml");
    assert!(!stderr.contains("changelog.body"), "{stderr}");
    let shown = repo.tidings(&["show"]).success();
    assert!(shown.contains(&format!("\n* Add a hatch ({})\n", &id[..6])), "{shown}");
}
