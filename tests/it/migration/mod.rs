//! `tidings init --from FILE`: the configurations of other tools, and what they become.

mod git_cliff;
mod groups;
mod other_tools;

use crate::support::TestRepo;

/// A repository with the configuration of another tool, and a history for all of them.
fn repo_with(file: &str, settings: &str) -> TestRepo {
    let repo = TestRepo::new();
    repo.file(file, settings).commit("chore: begin");
    repo.tag("v1.0.0");
    repo
}

/// The headings and entries of a section.
fn section(repo: &TestRepo) -> Vec<String> {
    let shown = repo.tidings(&["show"]).success();
    let entry = |line: &str| line.rsplit_once(" (").map_or(line, |(entry, _)| entry).to_owned();
    shown.lines().filter(|line| line.starts_with("### ") || line.starts_with("- ")).map(entry).collect()
}

fn take_over(repo: &TestRepo, file: &str) -> String {
    repo.tidings(&["init", "--yes", "--force", "--from", file]).stderr
}

#[test]
fn types_packages_and_hooks_of_cocogitto_are_ours() {
    let settings = "tag_prefix = 'v'\nbranch_whitelist = ['main']\nignore_merge_commits = true\n\
                    pre_bump_hooks = ['make check VERSION={{version}}']\npost_bump_hooks = ['git push', 'make ship']\n\
                    [commit_types]\nchore = { omit_from_changelog = true }\nhotfix = { changelog_title = 'Urgent', bump_patch = true }\n\
                    [changelog]\npath = 'docs/NEWS.md'\nauthors = [{ signature = 'Ida@harbor.example', username = 'ida' }]\n\
                    [monorepo.packages.hull]\npath = 'parts/hull'\nignore = ['parts/hull/doc']\n";
    let repo = repo_with("cog.toml", settings);
    repo.commit("chore: tidy");
    repo.commit("docs: describe it");
    repo.commit("hotfix: stop the leak");
    let stderr = take_over(&repo, "cog.toml");
    assert!(stderr.contains("`branch_whitelist` (line 2): a release is made on the branch"), "{stderr}");
    assert!(stderr.contains("`post_bump_hooks` (line 5): `tidings release` tags and pushes"), "{stderr}");
    assert_eq!(section(&repo), ["### Documentation", "- describe it", "### Urgent", "- stop the leak"]);
    let written = repo.read("tidings.yml");
    for part in [
        "\nfile: \"docs/NEWS.md\"\n",
        "\n  \"ida@harbor.example\": \"@ida\"\n",
        "\n  before: [\"make check VERSION=$TIDINGS_VERSION\"]\n  after: [\"make ship\"]\n",
        "\n  \"hull\":\n    paths: [\"parts/hull\", \"!parts/hull/doc\"]\n    tag_prefix: \"hull-v\"\n",
        "\n  \"docs\": \"none\"\n",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
}

#[test]
fn types_of_cocogitto_may_be_switched_off_or_bump_otherwise() {
    let settings =
        "[commit_types]\nfeat = { bump_minor = false, bump_patch = true }\nfix = { bump_patch = false }\nperf = {}\n";
    let repo = repo_with("cog.toml", settings);
    repo.commit("fix: stop the leak");
    repo.commit("perf: hurry");
    take_over(&repo, "cog.toml");
    assert_eq!(section(&repo), ["### Bug Fixes", "- stop the leak"], "`perf` is no type");
    assert_eq!(repo.tidings(&["next"]).code, 5, "a fix asks for nothing");
    repo.commit("feat: add a crane");
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
}

#[test]
fn types_and_files_of_standard_version_are_ours() {
    let settings = r#"{
  "types": [
    { "type": "build", "section": "Features" },
    { "type": "feat", "section": "Features" },
    { "type": "fix", "section": "Mended", "hidden": false },
    { "type": "fix", "scope": "docs", "section": "Words" },
    { "type": "chore", "section": "", "hidden": true }
  ],
  "tagPrefix": "",
  "infile": "./HISTORY.md",
  "header": "News",
  "issuePrefixes": ["SEA-"],
  "issueUrlFormat": "https://sea.example/{{prefix}}{{id}}",
  "bumpFiles": ["package.json", "package-lock.json", { "filename": "chart.yml", "type": "yaml" },
    { "filename": "a.txt", "updater": "./updater.js" }],
  "scripts": { "posttag": "make ship", "postbump": "make it" },
  "skip": { "tag": true }
}"#;
    let repo = repo_with(".versionrc", settings);
    repo.commit("build: with SEA-7");
    repo.commit("fix(docs): spell it");
    repo.commit("fix: stop the leak");
    repo.commit("perf: hurry");
    repo.commit("feat!: add a crane");
    let stderr = take_over(&repo, ".versionrc");
    for line in [
        "`header` (line 11): what is above",
        "`bumpFiles.updater` (line 15): set the location in `version_files`",
        "`scripts.postbump` (line 16): hooks run before or after a release",
        "`skip.tag` (line 17): use `tidings release --no-tag`",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    let expected = ["### ⚠ BREAKING CHANGES", "- add a crane", "### Features", "- with SEA-7", "### Mended"];
    let shown = section(&repo);
    assert_eq!(shown[..2], expected[..2], "{shown:?}");
    assert_eq!(shown[4..], ["### Mended", "- stop the leak", "### Words", "- **docs:** spell it"], "{shown:?}");
    let written = repo.read("tidings.yml");
    for part in [
        "\nfile: \"HISTORY.md\"\n",
        "\n  'SEA\\-(\\d+)': \"https://sea.example/SEA-${1}\"\n",
        "\n  - { workspace: npm }\n  - { path: \"chart.yml\", key: 'version' }\n\n",
        "\n  after: [\"make ship\"]\n",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(repo.tidings(&["next"]).success(), "2.0.0\n");
}

#[test]
fn packages_and_sections_of_release_please_are_ours() {
    let settings = r#"{
  "$schema": "x",
  "release-type": "node",
  "separate-pull-requests": true,
  "pull-request-title-pattern": "x",
  "bump-minor-pre-major": true,
  "changelog-sections": [
    { "type": "feat", "section": "New" }, { "type": "fix", "section": "Mended" }, { "type": "ci", "section": "x", "hidden": true }
  ],
  "packages": {
    "parts/hull": { "component": "hull", "changelog-path": "NEWS.md", "extra-files": [
      "src/version.c", { "type": "yaml", "path": "/chart.yml", "jsonpath": "$.images[0].tag" },
      { "type": "json", "path": "x.json", "jsonpath": "$..version" } ] },
    "parts/mast": { "package-name": "@sea/mast", "release-type": "simple", "include-v-in-tag": false, "draft": true }
  }
}"#;
    let repo = repo_with("release-please-config.json", settings);
    let manifest = "{ \"parts/hull\": \"1.2.0\", \"parts/gone\": \"1.0.0\" }";
    repo.file(".release-please-manifest.json", manifest).file("parts/mast/a", "a").commit("feat: begin");
    repo.tag("mast-1.0.0");
    repo.file("parts/mast/a", "b").commit("feat: raise the mast");
    repo.file("parts/mast/a", "c").commit("perf: hurry");
    let stderr = take_over(&repo, "release-please-config.json");
    for line in [
        "the versions of the other tool name the tag `hull-v1.2.0`, which does not exist",
        "`.release-please-manifest.json: parts/gone` (line 1): the path is not in `packages`",
        "`separate-pull-requests` (line 4), `pull-request-title-pattern` (line 5): release pull requests are not supported",
        "`extra-files` (line 11): set the location in `parts/hull/x.json` in `version_files`",
        "`draft` (line 14): a release is published at once",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    let written = repo.read("tidings.yml");
    for part in [
        "    tag_prefix: \"hull-v\"\n    file: \"parts/hull/NEWS.md\"\n    version_files:\n      - { path: \"parts/hull/src/version.c\", regex: ",
        "      - { path: \"chart.yml\", key: 'images.0.tag' }\n",
        "  \"mast\":\n    paths: [\"parts/mast\"]\n    tag_prefix: \"mast-\"\n",
        "      - { path: \"parts/mast/version.txt\", regex: '^v?(\\d\\S*)$' }\n",
        "\n  \"perf\": \"none\"\n  \"revert\": \"none\"\n",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    let shown = repo.tidings(&["show", "--package", "mast"]).success();
    assert!(shown.contains("### New\n\n- raise the mast") && !shown.contains("hurry"), "{shown}");
    assert_eq!(repo.tidings(&["next", "--package", "mast"]).success(), "1.1.0\n");
}

#[test]
fn the_only_package_of_release_please_is_the_repository() {
    let settings = "{ \"packages\": { \".\": { \"release-type\": \"go\", \"include-component-in-tag\": false, \
                    \"changelog-path\": \"docs/NEWS.md\", \"exclude-paths\": [\"web\"] } } }";
    let repo = repo_with("release-please-config.json", settings);
    repo.file("web/a", "").commit("feat: draw it");
    repo.file("a", "").commit("fix!: drop it");
    take_over(&repo, "release-please-config.json");
    let written = repo.read("tidings.yml");
    assert!(written.contains("\nfile: \"docs/NEWS.md\"\n") && !written.contains("\npackages:"), "{written}");
    assert_eq!(section(&repo), ["### ⚠ BREAKING CHANGES", "- drop it"]);
}

#[test]
fn release_types_of_release_please_have_sections_of_their_own() {
    for (kind, sections) in [
        ("python", &["### Dependencies", "- b", "### Documentation", "- c"][..]),
        ("java-yoshi", &["### Dependencies", "- b", "### Documentation", "- c"]),
        ("php", &["### Miscellaneous Chores", "- d"]),
        ("node", &[]),
    ] {
        let packages = format!("{{ \"packages\": {{ \".\": {{ \"release-type\": \"{kind}\" }} }} }}");
        let repo = repo_with("release-please-config.json", &packages);
        for message in ["feat: a", "deps: b", "docs: c", "chore: d"] {
            repo.commit(message);
        }
        take_over(&repo, "release-please-config.json");
        assert_eq!(section(&repo), [&["### Features", "- a"], sections].concat(), "{kind}");
    }
}

const RELEASERC: &str = r#"branches:
  - main
  - { name: next, prerelease: beta }
tagFormat: "hull-${version}"
plugins:
  - - "@semantic-release/commit-analyzer"
    - releaseRules:
        - { type: docs, release: patch }
        - { type: chore, release: patch }
        - { type: docs, scope: api, release: minor }
        - { type: perf, release: false }
        - { breaking: true, release: minor }
  - - "@semantic-release/release-notes-generator"
    - preset: conventionalcommits
      presetConfig:
        types:
          - { type: feat, section: New }
          - { type: fix, section: Mended }
          - { type: perf, section: Faster }
          - { type: docs, section: Words }
          - { type: test, section: Tests }
  - ["@semantic-release/changelog", { changelogFile: NEWS.md }]
  - ["@semantic-release/npm", { npmPublish: false }]
  - ["@semantic-release/exec", { publishCmd: "make ship V=${nextRelease.version}" }]
  - semantic-release-slack
  - "@semantic-release/github"
"#;

#[test]
fn plugins_of_semantic_release_are_ours() {
    let repo = repo_with(".releaserc.yml", RELEASERC);
    repo.tag("hull-1.0.0");
    repo.commit("test: try it");
    repo.commit("perf: hurry");
    let stderr = take_over(&repo, ".releaserc.yml");
    for line in [
        "`branches` (line 1): use `tidings release --pre beta` on the branch `next`",
        "`releaseRules` (line 7): `chore` is not listed, and bumps nothing: list it in `types`",
        "`releaseRules` (line 7): a rule for a part of a type",
        "`plugins` (line 5): the plugin `semantic-release-slack`",
    ] {
        assert!(stderr.contains(line), "{line}: {stderr}");
    }
    let written = repo.read("tidings.yml");
    for part in [
        "\ntag_prefix: \"hull-\"\n",
        "\n  - { workspace: npm }\n",
        "\nfile: \"NEWS.md\"\n",
        "\n  after: [\"make ship V=$TIDINGS_VERSION\"]\n",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(section(&repo), ["### Faster", "- hurry", "### Tests", "- try it"]);
    assert_eq!(repo.tidings(&["next"]).code, 5, "neither asks for a release");
    repo.commit("docs: describe it");
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
    repo.commit("fix!: mend it otherwise");
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
}

#[test]
fn settings_in_package_json_are_found_and_the_preset_is_known() {
    let repo = repo_with("package.json", "{\"release\": {\"branches\": [\"main\"]}}");
    repo.commit("feat: add a crane");
    repo.commit("fix!: drop the old one");
    take_over(&repo, "package.json");
    assert_eq!(section(&repo), ["### Features", "- add a crane", "### BREAKING CHANGES", "- drop the old one"]);
}

#[test]
fn a_rule_for_each_of_thousands_of_types_is_not_a_line_each() {
    let rules: Vec<String> =
        (0..3_000).map(|number| format!(r#"{{"type": "t{number}", "release": "minor"}}"#)).collect();
    let settings = format!(
        r#"{{"branches": ["main"], "plugins": [["@semantic-release/commit-analyzer", {{"releaseRules": [{}]}}]]}}"#,
        rules.join(",")
    );
    let stderr = take_over(&repo_with(".releaserc.json", &settings), ".releaserc.json");
    assert!(stderr.contains("not taken over: `releaseRules` (line 1): `t0` is not listed"), "{stderr}");
    assert!(stderr.contains("not taken over: and 2950 more") && stderr.len() < 10_000, "{}", stderr.len());
}

#[test]
fn what_is_wrong_is_named_with_file_line_and_key() {
    for (file, text, stderr) in [
        ("cliff.toml", "[git]\ncommit_parsers = 'x'\n", "cliff.toml:2:18: `commit_parsers` must be a mapping"),
        ("cliff.toml", "[git\n", "cliff.toml:1:5: invalid TOML: "),
        ("cliff.toml", "[git]\nfilter_commits = 'no'\n", "cliff.toml:2:18: `filter_commits` must be `true` or `false`"),
        ("cog.toml", "[packages.a]\nx = 1\n", "cog.toml:1:1: `a` needs a `path`"),
        (
            ".versionrc",
            "{\n\"types\": [{\"section\": \"x\"}]}",
            ".versionrc:2:11: `types` needs a `type` for each section",
        ),
        (".versionrc.json", "{\n\"a\": 1,}", ".versionrc.json:2:8: invalid JSON: "),
        (".releaserc", "plugins:\n- [{a: b}]\n", ".releaserc:2:4: `plugins` must be a text, not a mapping"),
        (".releaserc", "- a\n", ".releaserc:1:1: the file must be a mapping of keys to values"),
        ("x.json", "{}", "`x.json` is not known as the configuration of another tool"),
        ("release.config.js", "", "`release.config.js` is a program, which is not run"),
    ] {
        let repo = repo_with(file, text);
        let outcome = repo.tidings(&["init", "--yes", "--from", file]);
        assert!(outcome.code != 0 && outcome.stderr.contains(stderr), "{file}: {outcome:?}");
        assert!(!repo.path().join("tidings.yml").exists());
    }
}

#[test]
fn settings_of_other_tools_are_noticed() {
    let repo = repo_with("cog.toml", "");
    let stderr = repo.tidings(&["init"]).stderr;
    assert!(
        stderr
            .contains("`cog.toml` is the configuration of another tool: `tidings init --from cog.toml` takes it over"),
        "{stderr}"
    );
    let stderr = repo.tidings(&["init", "--from"]).failure(2);
    assert!(stderr.contains("hint: run `tidings init --from cog.toml`"), "{stderr}");
    repo.write("deep/er/x", "");
    let below = repo.tidings(&["-C", "deep/er", "init", "--from"]).failure(2);
    let path = std::path::Path::new("..").join("..").join("cog.toml");
    assert!(below.contains(&format!("hint: run `tidings init --from {}`", path.display())), "{below}");
    assert!(repo.tidings(&["init", "--from", "x.toml"]).failure(2).contains("`x.toml` does not exist"));
}

#[test]
fn the_page_about_each_tool_begins_with_the_command() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/how-to/migration.md")).unwrap();
    // Some tools have no configuration to take over.
    let sections = page.split("\n## From ").skip(1).filter(|section| section.contains("\ntidings init --from "));
    let sections: Vec<&str> = sections.collect();
    assert_eq!(sections.len(), 8);
    for section in sections {
        let tool = section.lines().next().unwrap().trim_end_matches("'s changelog");
        let command = section.lines().find_map(|line| line.strip_prefix("tidings init --from ")).expect(tool);
        let code = section.find("```sh\ntidings init --from ").expect(tool);
        assert!(code < section.find("| ").expect(tool), "{tool}");
        for file in command.replace("# or", ",").split(',').map(str::trim) {
            let settings = match file {
                "package.json" if tool == "semantic-release" => "{\"release\": {}}",
                "package.json" => "{\"standard-version\": {}}",
                "pyproject.toml" => "[tool.git-cliff.git]\n",
                "Cargo.toml" => "[package.metadata.git-cliff.git]\n",
                "cliff.toml" => "[git]\n",
                "cog.toml" | "release-plz.toml" => "",
                _ => "{}",
            };
            let stderr = take_over(&repo_with(file, settings), file);
            assert!(stderr.contains(&format!("took over the configuration of {tool}\n")), "{file}: {stderr}");
        }
    }
}
