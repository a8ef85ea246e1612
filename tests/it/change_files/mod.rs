//! `source: files`: the change files of other tools, with the commits that added them.

mod agreement;
mod commands;
mod elsewhere;
mod groups;
mod packages;

use crate::support::TestRepo;

const CHANGELOG: &str = "# harbor\n\n## 1.0.0\n\n### Major Changes\n\n- All of it\n";

/// A release of a workspace that uses changesets, with a host.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    repo.file(".changeset/config.json", "{}\n").file(".changeset/README.md", "# Changesets\n");
    repo.file("CHANGELOG.md", CHANGELOG);
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo
}

fn changeset(repo: &TestRepo, name: &str, packages: &str, text: &str) {
    repo.file(&format!(".changeset/{name}.md"), format!("---\n{packages}\n---\n\n{text}\n"));
}

/// The entries of the section of these options, each with its heading, its text and its request.
fn shown(repo: &TestRepo, options: &[&str]) -> Vec<String> {
    let document = repo.tidings(&[&["show", "--format", "json"], options].concat()).json();
    let show = |entry: &serde_json::Value| {
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        let request = text(&entry["merge_request"]["reference"]);
        [text(&entry["category"]), text(&entry["title"]), request, text(&entry["commit"]["short_id"])].join("|")
    };
    document["entries"].as_array().expect("a list of entries").iter().map(show).collect()
}

fn short(repo: &TestRepo, revision: &str) -> String {
    repo.git(&["rev-parse", "--short=8", revision])
}

/// Makes the release 1.1.0, which consumes the changeset of this name.
fn release(repo: &TestRepo, name: &str) {
    repo.git(&["rm", "-q", &format!(".changeset/{name}.md")]);
    repo.file("CHANGELOG.md", CHANGELOG.replace("## 1.0.0", "## 1.1.0\n\n- x\n\n## 1.0.0"));
    repo.commit("Version Packages");
    repo.tag("v1.1.0");
}

#[test]
fn the_files_that_wait_for_a_release_are_listed_with_the_commits_that_added_them() {
    let repo = harbor();
    changeset(&repo, "b-two", "harbor: minor", "Add sail\n\nIt is red.");
    repo.commit("feat: add sail (#7)");
    let sail = short(&repo, "HEAD");
    changeset(&repo, "a-one", "'harbor': patch", "Mend mast");
    repo.commit("Mend the mast");
    let mast = short(&repo, "HEAD");
    // The text counts that the file has now.
    changeset(&repo, "a-one", "\"harbor\": patch", "Mend the mast");
    repo.commit("Word it better (#9)");
    let expected = [format!("minor|Add sail|harbor/pilot#7|{sail}"), format!("patch|Mend the mast|-|{mast}")];
    assert_eq!(shown(&repo, &[]), expected);
    assert_eq!(shown(&repo, &["--source", "files"]), expected);
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    let section = repo.tidings(&["show"]).success();
    let url = "https://github.com/harbor/pilot/commit";
    let whole = repo.git(&["rev-parse", "HEAD~2"]);
    let item = format!(
        "- Add sail ([{sail}]({url}/{whole})) ([#7](https://github.com/harbor/pilot/pull/7))\n\n  It is red.\n"
    );
    assert!(section.contains(&item), "{section}");
    assert!(section.find("### Minor Changes") < section.find("### Patch Changes"), "{section}");
}

#[test]
fn a_file_waits_also_if_the_last_release_has_its_commit() {
    let repo = harbor();
    changeset(&repo, "a", "harbor: minor", "Add sail");
    repo.commit("Add sail");
    repo.tag("v1.0.1");
    assert!(shown(&repo, &[])[0].starts_with("minor|Add sail|"));
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
}

#[test]
fn the_style_of_the_file_keeps_the_whole_text_of_a_change() {
    let repo = harbor();
    let entries = "# harbor\n\n## 1.0.0\n\n### Features\n\n* One (#1)\n* Two (#2)\n* Three (#3)\n";
    repo.file("CHANGELOG.md", entries).commit("Style it");
    changeset(&repo, "a", "harbor: minor", "Add `sail`\n\nIt is red.");
    repo.commit("feat: add sail (#7)");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("\n* Add `sail` (#7)\n\n  It is red.\n"), "{section}");
    let overview = repo.tidings(&[]).success();
    assert!(overview.starts_with("unreleased: 1 change in 2 commits since v1.0.0\nnext:       1.1.0\n"), "{overview}");
}

#[test]
fn the_type_in_the_text_of_a_change_is_its_only_one() {
    let repo = harbor();
    let entries = "# harbor\n\n## 1.0.0\n\n### Patch Changes\n\n- fix: one\n- feat: two\n- fix: three\n";
    repo.file("CHANGELOG.md", entries).commit("Style it");
    changeset(&repo, "a", "harbor: minor", "feat: add sail");
    repo.commit("Add sail");
    let section = repo.tidings(&["show"]).success();
    assert!(section.contains("\n- feat: add sail"), "{section}");
}

#[test]
fn a_merge_names_the_request_and_its_branch_the_author() {
    let repo = harbor();
    repo.git(&["checkout", "-q", "-b", "sail"]);
    changeset(&repo, "sail", "harbor: minor", "Add sail");
    repo.commit("Add sail");
    let sail = short(&repo, "HEAD");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge pull request #12 from ida/sail\n\nAdd sail", "sail"]);
    assert_eq!(shown(&repo, &[]), [format!("minor|Add sail|harbor/pilot#12|{sail}")]);
}

#[test]
fn a_release_has_the_files_that_it_consumed() {
    let repo = harbor();
    for (name, text) in [("one", "Add crane"), ("two", "Withdrawn")] {
        changeset(&repo, name, "harbor: minor", text);
        repo.commit(&format!("{text} (#1)"));
    }
    repo.git(&["rm", "-q", ".changeset/two.md"]);
    repo.commit("Withdraw it");
    changeset(&repo, "one", "harbor: minor", "Add a crane");
    repo.commit("Word it better");
    release(&repo, "one");
    changeset(&repo, "three", "harbor: patch", "Mend it");
    repo.commit("Mend it");
    let titles = |options: &[&str]| {
        let shown = shown(&repo, options).into_iter();
        shown.map(|entry| entry.split('|').nth(1).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&["1.1.0"]), ["Add a crane"]);
    assert_eq!(titles(&[]), ["Mend it"]);
}

#[test]
fn a_package_lists_the_files_that_name_it() {
    let repo = TestRepo::new();
    repo.file(".changeset/config.json", "{}\n");
    repo.file("packages/api/package.json", "{\"name\": \"@harbor/api\", \"version\": \"1.0.0\"}\n");
    repo.file("packages/web/package.json", "{\"name\": \"@harbor/web\", \"version\": \"2.0.0\"}\n");
    let packages = "packages:\n  api: {paths: [packages/api], tag_prefix: '@harbor/api@'}\n  \
                    web: {paths: [packages/web], tag_prefix: '@harbor/web@'}\n";
    repo.file("tidings.yml", packages);
    repo.commit("Initial");
    repo.tag("@harbor/api@1.0.0").tag("@harbor/web@2.0.0");
    changeset(&repo, "both", "'@harbor/api': minor\n'@harbor/web': patch", "Add sail");
    changeset(&repo, "web", "'@harbor/web': patch", "Mend mast");
    repo.commit("Add sail and mend mast");
    assert_eq!(repo.tidings(&["next", "--package", "api"]).success(), "1.1.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "web"]).success(), "2.0.1\n");
    assert_eq!(shown(&repo, &["--package", "api"]).len(), 1);
    assert_eq!(shown(&repo, &["--package", "web"]).len(), 2);
}

#[test]
fn a_file_that_cannot_be_read_is_a_warning_here_and_an_error_there() {
    let repo = harbor();
    repo.author();
    changeset(&repo, "good", "harbor: minor", "Add sail");
    changeset(&repo, "bad", "harbor: fix", "Mend mast");
    repo.commit("Add sail");
    let outcome = repo.tidings(&["show"]);
    let expected = ".changeset/bad.md:2:1: the bump of `harbor` must be `major`, `minor`, `patch` or `none`, not `fix`";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    assert!(outcome.success().contains("Add sail"));
    let failure = repo.tidings(&["release", "--no-push"]).failure(1);
    assert!(failure.contains(expected), "{failure}");
    let outcome = repo.tidings(&["check"]);
    let found = outcome.stdout.clone();
    outcome.failure(3);
    assert!(found.contains(expected), "{found}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_if_nothing_else_is_to_be_released() {
    let repo = harbor();
    repo.author();
    changeset(&repo, "bad", "harbor: fix", "Mend mast");
    repo.commit("Mend mast");
    for options in [&["release", "--no-push"][..], &["release", "--no-push", "-x"]] {
        let failure = repo.tidings(options).failure(1);
        assert!(failure.contains(".changeset/bad.md:2:1: the bump of `harbor` must be"), "{failure}");
    }
}

#[test]
fn underlined_titles_of_a_changelog_stay_underlined() {
    let repo = harbor();
    let config = "[tool.towncrier]\nname = \"\"\nfilename = \"NEWS.rst\"\ndirectory = \"news\"\n";
    repo.git(&["rm", "-q", ".changeset/config.json", "CHANGELOG.md"]);
    repo.file("towncrier.toml", config);
    let section = "Harbor 1.0.0 (2024-03-08)\n=========================\n\nFeatures\n--------\n\n- Add mast. (#1)\n\n\n\
                   Bugfixes\n--------\n\n- Mend lamp. (#2)\n- Mend mast. (#3)\n";
    repo.file("NEWS.rst", section);
    repo.file("news/7.feature", "Add sail.\n").file("news/8.doc", "Draw sail.\n");
    repo.commit("Add sail");
    let shown = repo.tidings(&["show"]).success();
    for part in
        ["Features\n--------\n\n- Add sail. (#7)", "\n\nImproved Documentation\n----------------------\n\n- Draw sail."]
    {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn trailers_come_before_change_files_and_a_source_without_any_is_refused() {
    let repo = harbor();
    changeset(&repo, "one", "harbor: minor", "Add sail");
    repo.change("Add crane", "added");
    let entries = shown(&repo, &[]);
    assert!(entries[0].starts_with("added|Add crane|"), "{entries:?}");
    let bare = TestRepo::new();
    bare.commit("Initial");
    let failure = bare.tidings(&["show", "--source", "files"]).failure(1);
    assert!(failure.contains("no change files are configured at commit"), "{failure}");
}

#[test]
fn releases_from_before_the_change_files_are_listed_as_without_a_configuration() {
    let repo = TestRepo::new();
    repo.author();
    for (message, tag) in [("feat: Add crane", "v0.8.0"), ("fix: Mend mast", "v0.9.0")] {
        repo.commit(message);
        repo.tag(tag);
    }
    repo.file(".changeset/config.json", "{}\n").file("CHANGELOG.md", CHANGELOG).commit("chore: Use changesets");
    repo.tag("v1.0.0");
    changeset(&repo, "one", "harbor: minor", "Add sail");
    repo.commit("feat: sail");
    let sections = repo.tidings(&["show", "--all"]).success();
    assert!(sections.contains("### Fixed\n\n- Mend mast") && sections.contains("- Add sail"), "{sections}");
    repo.tidings(&["init", "--yes"]).success();
    assert!(repo.read("tidings.yml").contains("source: files\n"));
    assert_eq!(repo.tidings(&["show", "--all"]).success(), sections);
    assert!(repo.tidings(&["show", "0.9.0"]).success().contains("### Fixed\n\n- Mend mast"));
    let text = repo.tidings(&["add", "--all"]).success();
    assert!(text.starts_with("added 2 versions to CHANGELOG.md: commit "), "{text}");
}

#[test]
fn fragments_of_towncrier_and_changie_are_read() {
    let repo = TestRepo::new();
    repo.file("pyproject.toml", "[tool.towncrier]\ndirectory = 'changelog'\n").commit("Initial");
    repo.tag("v1.0.0");
    repo.file("changelog/12.feature.md", "Add sail.\n").file("changelog/7.bugfix.1.md", "Mend mast.\n");
    repo.file("changelog/9.misc.md", "Nothing.\n").commit("Add sail");
    let sail = short(&repo, "HEAD");
    let expected = ["feature|Add sail.|-|", "bugfix|Mend mast.|-|", "misc|#9|-|"].map(|entry| format!("{entry}{sail}"));
    assert_eq!(shown(&repo, &[]), expected);
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    let repo = TestRepo::new();
    repo.file(".changie.yaml", "kinds:\n  - {label: Added, auto: minor}\n  - {label: Fixed, auto: patch}\n");
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.file(
        ".changes/unreleased/Fixed-20240101-101010.yaml",
        "kind: Fixed\nbody: Mend mast\ncustom: {Issue: \"7\"}\n",
    );
    repo.commit("Mend mast");
    assert_eq!(shown(&repo, &[]).len(), 1);
    assert!(repo.tidings(&["show"]).success().contains("- Mend mast (#7)"));
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
}

/// The issues are where other entries have the request.
#[test]
fn an_entry_with_issues_has_no_request_in_the_form_of_the_file() {
    let repo = TestRepo::new();
    repo.file("pyproject.toml", "[tool.towncrier]\ndirectory = 'news'\nfilename = 'NEWS.md'\n");
    let old = "# 1.0.0\n\n## Bugfixes\n\n- Mend it. (#1)\n- Mend all. (#2)\n- Mend more. (#3)\n";
    repo.file("NEWS.md", old).author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.file("news/7.bugfix", "Mend mast.\n").file("news/9.misc", "Tidy.\n").file("news/+x.bugfix", "Mend sail.\n");
    repo.commit("Mend mast (#12)");
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    let section = repo.tidings(&["show"]).success();
    let expected = "- Mend mast. (#7)\n- Mend sail. (#12)\n\n### Misc\n\n- #9\n";
    assert!(section.ends_with(expected), "{section}");
}

#[test]
fn changes_of_changie_are_in_the_order_of_their_times_and_have_their_components() {
    let repo = TestRepo::new();
    repo.file(".changie.yaml", "components: [web, api]\nkinds:\n  - {label: Added, auto: minor}\n");
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    for (name, component, time) in
        [("a", "web", "03T10:00:00.5+02:00"), ("b", "web", "03T07:00:00Z"), ("c", "api", "01T00:00:00Z")]
    {
        let content = format!("kind: Added\ncomponent: {component}\nbody: Add {name}\ntime: 2024-01-{time}\n");
        repo.file(&format!(".changes/unreleased/{name}.yaml"), content);
    }
    repo.commit("Add all");
    let section = repo.tidings(&["show"]).success();
    let at = |text: &str| section.find(text).unwrap_or_else(|| panic!("{text}: {section}"));
    assert!(at("**web:** Add b") < at("**web:** Add a") && at("**web:** Add a") < at("**api:** Add c"), "{section}");
}

/// As towncrier does: a change that concerns two issues has a file for each of them, or a symbolic link.
#[test]
fn files_of_towncrier_with_the_same_text_are_one_entry() {
    let repo = TestRepo::new();
    repo.file("pyproject.toml", "[tool.towncrier]\ndirectory = 'changelog'\n");
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.file("changelog/12.feature.md", "Add sail.\n").file("changelog/14.feature.md", "Add sail.\n");
    repo.file("changelog/13.bugfix.md", "Add sail.\n").commit("Add sail");
    let section = || repo.tidings(&["show"]).success();
    let text = section();
    assert_eq!(text.matches("Add sail. (#12, #14)").count(), 1, "{text}");
    assert_eq!(text.matches("Add sail.").count(), 2, "{text}");
    let release = ["release", "--no-push", "--no-host-release"];
    let plan = repo.tidings(&release).success();
    assert_eq!(plan.matches("delete changelog/").count(), 3, "{plan}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("13.bugfix.md", repo.path().join("changelog/15.bugfix.md")).unwrap();
        repo.git(&["add", "."]);
        repo.commit("Mention the other issue");
        let text = section();
        assert_eq!(text.matches("Add sail. (#13, #15)").count(), 1, "{text}");
        repo.tidings(&[&release[..], &["-x"]].concat()).success();
        assert_eq!(repo.git(&["ls-tree", "--name-only", "HEAD", "changelog/"]), "");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        assert!(!repo.path().join("changelog").exists());
        std::fs::create_dir(repo.path().join("changelog")).unwrap();
        std::os::unix::fs::symlink("../pyproject.toml", repo.path().join("changelog/16.bugfix.md")).unwrap();
        repo.file("changelog/17.bugfix.md", "Mend mast.\n");
        repo.git(&["add", "."]);
        repo.commit("Lead elsewhere");
        let refused = repo.tidings(&release).failure(1);
        assert!(
            refused.contains("changelog/16.bugfix.md: the symbolic link does not lead to a file beside it"),
            "{refused}"
        );
    }
}

/// The texts of a hidden type are not printed, unless they have no issue, and its issues are one entry.
#[test]
fn of_hidden_types_of_towncrier_the_issues_are_listed() {
    let repo = TestRepo::new();
    repo.file("pyproject.toml", "[tool.towncrier]\ndirectory = 'news'\n");
    repo.author();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.file("news/12.misc.md", "Tidy.\n").file("news/9.misc.md", "Sweep.\n").file("news/+x.misc.md", "Paint.\n");
    repo.file("news/7.bugfix.md", "Mend mast.\n").commit("Tidy up");
    let section = repo.tidings(&["show"]).success();
    let commit = short(&repo, "HEAD");
    assert!(section.ends_with(&format!("### Misc\n\n- #9, #12 (`{commit}`)\n- Paint. (`{commit}`)\n")), "{section}");
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.1\n");
}

#[test]
fn a_change_is_written_in_the_form_of_the_tool_and_asked_for() {
    let repo = harbor();
    repo.author();
    repo.commit("Not described");
    let failure = repo.tidings(&["check", "v1.0.0..", "--require", "change-file"]);
    assert!(failure.stdout.contains("missing-change-file: the range adds no change file"), "{}", failure.stdout);
    failure.failure(3);
    let written = repo.tidings(&["change", "--minor", "harbor", "--patch", "@harbor/web", "Add a crane"]).success();
    assert_eq!(written, "wrote .changeset/add-a-crane.md\n");
    let content = repo.read(".changeset/add-a-crane.md");
    assert_eq!(content, "---\n\"harbor\": minor\n\"@harbor/web\": patch\n---\n\nAdd a crane\n");
    let again = repo.tidings(&["change", "--minor", "harbor", "Add a crane"]).success();
    assert_eq!(again, "wrote .changeset/add-a-crane-2.md\n");
    repo.git(&["add", ".changeset"]);
    repo.commit("Add a crane");
    repo.tidings(&["check", "v1.0.0..", "--require", "change-file"]).success();
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
    let failure = repo.tidings(&["change", "Add a crane"]).failure(2);
    assert!(failure.contains("hint: add `--patch PACKAGE`"), "{failure}");
    let plan = repo.tidings(&["release", "--no-push"]).success();
    assert!(plan.contains("    delete .changeset/add-a-crane.md\n"), "{plan}");
}

#[test]
fn what_is_written_for_each_tool_is_read_again() {
    for (config, content, arguments, expected) in [
        ("knope.toml", "[package]\n", &["--minor", "core"][..], "minor"),
        (".changie.yaml", "kinds:\n  - {label: Added}\n", &["--kind", "Added", "--issue", "#7"], "Added"),
        (
            ".changes/config.json",
            "{\"packages\": {}, \"changeTags\": {\"bug\": \"Bugs\"}}",
            &["--patch", "core"],
            "changes",
        ),
        ("nx.json", "{\"release\": {\"versionPlans\": true}}", &["--major", "core"], "major"),
        ("pyproject.toml", "[tool.towncrier]\n", &["--kind", "bugfix", "--issue", "12"], "bugfix"),
        ("changelog.d/scriv.ini", "[scriv]\n", &["--kind", "Fixed"], "Fixed"),
        ("changelogs/unreleased/.gitkeep", "", &["--kind", "added"], "added"),
    ] {
        let repo = TestRepo::new();
        repo.file(config, content);
        if config == "knope.toml" {
            repo.file(".changeset/.gitkeep", "");
        }
        repo.commit("Initial");
        repo.tag("v1.0.0");
        let written = repo.tidings(&[&["change", "Mend: the mast, \"all\" of it"], arguments].concat()).success();
        repo.git(&["add", "--", written.trim_start_matches("wrote ").trim_end()]);
        repo.commit("Mend it");
        let entries = shown(&repo, &[]);
        assert!(entries[0].starts_with(&format!("{expected}|Mend: the mast, \"all\" of it|")), "{config}: {entries:?}");
    }
}
