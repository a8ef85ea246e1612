//! `show --all` and `add --all`: a section for every release, each as it is by itself.

use serde_json::Value;

use crate::support::{Planned, TestRepo};

/// Three releases, the second on a branch of its own, and a change after them.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("api/a", "1").change("Build the pier", "added");
    repo.tag("v1.0.0");
    repo.file("web/a", "1").change("Mend the crane", "fixed");
    repo.git(&["branch", "later"]);
    repo.git(&["checkout", "-q", "-b", "release-1.0", "v1.0.0"]);
    repo.file("api/a", "2").change("Mend the pier", "fixed");
    repo.annotated_tag("v1.0.1");
    repo.git(&["checkout", "-q", "later"]);
    repo.file("api/a", "3").change("Light the lamp", "added");
    repo.tag("v1.1.0-rc.1").tag("v1.1.0");
    repo.file("api/b", "1").change("Ring the bell", "added");
    repo
}

fn headings(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("## ")).collect()
}

fn versions(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|section| section["version"].as_str().unwrap()).collect()
}

#[test]
fn every_release_has_its_own_date_and_base() {
    let repo = harbor();
    let all = repo.tidings(&["show", "--all", "--format", "json"]).json();
    assert_eq!(versions(&all), ["Unreleased", "1.1.0", "1.0.1", "1.0.0"]);
    let bases: Vec<_> = all.as_array().unwrap().iter().map(|section| section["base"]["tag"].as_str()).collect();
    assert_eq!(bases, [Some("v1.1.0"), Some("v1.0.1"), Some("v1.0.0"), None]);
    let mut text = repo.tidings(&["show"]).success();
    for (version, tag) in [("1.1.0", "v1.1.0"), ("1.0.1", "v1.0.1"), ("1.0.0", "v1.0.0")] {
        let date = repo.git(&["for-each-ref", "--format=%(creatordate:iso-strict)", &format!("refs/tags/{tag}")]);
        let mut command = vec!["show", version, "--to", tag, "--date", &date];
        command.extend((version == "1.0.0").then_some("--first-release"));
        text = text + "\n" + &repo.tidings(&command).success();
    }
    assert_eq!(repo.tidings(&["show", "--all"]).success(), text);
    let since = repo.tidings(&["show", "--all", "--since", "1.0.1", "--format", "json"]).json();
    assert_eq!(versions(&since), ["Unreleased", "1.1.0", "1.0.1"]);
    repo.tag("v1.2.0");
    let text = repo.tidings(&["show", "--all", "--since", "v1.1"]).success();
    assert_eq!(headings(&text).len(), 2, "nothing is unreleased: {text}");
}

#[test]
fn a_release_may_have_any_number_of_commits_unless_a_limit_is_given() {
    let repo = TestRepo::new();
    let commits = 15_001_usize;
    let history: Vec<Planned> = (0..commits)
        .map(|own| Planned {
            parents: own.checked_sub(1).into_iter().collect(),
            date: TestRepo::EPOCH,
            message: b"Work\n".to_vec(),
            files: Vec::new(),
        })
        .collect();
    repo.import(&history);
    repo.tag("v1.0.0");
    let one = repo.tidings(&["show", "1.0.0", "--first-release"]).failure(1);
    assert!(one.contains("the range has more than 15000 commits"), "{one}");
    let all = ["show", "--all", "--format", "json"];
    assert_eq!(repo.tidings(&all).json()[0]["commit_count"], commits);
    let limited = repo.tidings(&[&all[..], &["--max-commits", "15000"]].concat()).failure(1);
    assert!(limited.contains("the range has more than 15000 commits"), "{limited}");
}

#[test]
fn the_file_is_made_from_nothing_and_completed() {
    let repo = harbor();
    let preview = repo.tidings(&["add", "--all", "--dry-run"]).success();
    assert!(preview.contains("+## 1.0.1 ("), "{preview}");
    let added = repo.tidings(&["add", "--all", "--format", "json"]).json();
    assert_eq!(added["versions"], serde_json::json!(["1.1.0", "1.0.1", "1.0.0"]));
    assert_eq!(added["status"], "committed");
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for all versions up to 1.1.0");
    let whole = repo.read("CHANGELOG.md");
    let released = repo.tidings(&["show", "--all"]).success();
    assert!(whole.starts_with("# Changelog\n\n## 1.1.0 ("), "{whole}");
    assert_eq!(headings(&whole), headings(&released)[1..]);
    assert_eq!(repo.tidings(&["add", "--all"]).success(), "every release is already in CHANGELOG.md\n");

    let sections: Vec<&str> = whole.split("## 1.").collect();
    let edited = format!("{}## 1.{}\nBy hand.\n\n## 1.{}", sections[0], sections[1].trim_end(), sections[3]);
    repo.file("CHANGELOG.md", &edited).commit("Edit");
    assert!(repo.tidings(&["add", "--all"]).success().starts_with("added 1 version to CHANGELOG.md: commit "));
    let completed = repo.read("CHANGELOG.md");
    assert_eq!(headings(&completed), headings(&whole));
    assert!(completed.contains("By hand.\n"), "{completed}");
}

#[test]
fn a_package_has_its_own_releases() {
    let repo = TestRepo::new();
    repo.author();
    repo.write(".gitlab/changelog_config.yml", "packages: {api: , web: }\n");
    repo.file("api/a", "1").change("Build the pier", "added");
    repo.file("web/a", "1").change("Mend the crane", "fixed");
    repo.tag("api/v1.0.0").tag("web/v0.1.0");
    repo.file("api/a", "2").change("Light the lamp", "added");
    repo.tag("api/v1.1.0");
    let web = repo.tidings(&["show", "--all", "--package", "web", "--format", "json"]).json();
    assert_eq!(versions(&web), ["0.1.0"]);
    assert_eq!(web[0]["entries"][0]["title"], "Mend the crane");
    let text = repo.tidings(&["show", "--all", "--all-packages"]).success();
    let titles: Vec<_> = text.lines().filter(|line| line.starts_with("# ") || line.starts_with("- ")).collect();
    assert_eq!(titles.len(), 5, "{text}");
    assert!(headings(&text).len() == 3 && titles[0] == "# api" && titles[3] == "# web", "{text}");
    repo.tidings(&["add", "--all", "--package", "api"]).success();
    assert_eq!(headings(&repo.read("api/CHANGELOG.md")).len(), 2);
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for all versions up to 1.1.0 of api");
}

#[test]
fn what_has_no_trailers_is_listed_all_the_same() {
    let repo = TestRepo::new();
    repo.author();
    repo.commit("Build the pier");
    let nothing = repo.tidings(&["show", "--all"]).success();
    assert!(nothing.starts_with("## Unreleased") && nothing.contains("Build the pier"), "{nothing}");
    repo.tidings(&["add", "--all"]).failure(5);
    repo.tag("v1.0.0");
    repo.commit("feat: Light the lamp");
    repo.tag("v1.1.0");
    repo.change("Ring the bell", "added");
    let text = repo.tidings(&["show", "--all"]).success();
    assert_eq!(headings(&text).len(), 3, "{text}");
    for title in ["Build the pier", "Light the lamp", "Ring the bell"] {
        assert!(text.contains(title), "{text}");
    }
    repo.tidings(&["show", "--since", "1.0.0"]).failure(2);
    repo.tidings(&["show", "--all", "--project", "a/b"]).failure(2);
}

/// Three packages whose tags alone show them, one of them at the top with tags that once were nothing but versions.
fn families() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file("Cargo.toml", "[package]\nname = \"harbor\"\nversion = \"1.0.0\"\n").commit("Begin");
    repo.file("src/a", "0").commit("Build it");
    repo.tag("v0.9.0");
    for number in 1..=8 {
        repo.file("src/a", number.to_string()).commit(&format!("Mend the harbor {number}"));
        repo.file("pier/a", number.to_string()).commit(&format!("Mend the pier {number}"));
        repo.file("lamp/a", number.to_string()).commit(&format!("Clean the lamp {number}"));
        repo.tag(&format!("harbor-1.{number}.0")).tag(&format!("pier-1.{number}.0")).tag(&format!("lamp-1.{number}.0"));
    }
    repo
}

#[test]
fn without_settings_tags_of_several_families_are_packages() {
    let repo = families();
    repo.git(&["remote", "add", "origin", "https://github.com/quay/harbor.git"]);
    repo.tidings(&["init", "--yes"]).success();
    assert_eq!(
        repo.tidings(&["show", "--all"]).success().matches("\n# ").count(),
        2,
        "the packages of the configuration"
    );
    std::fs::remove_file(repo.path().join("tidings.yml")).unwrap();
    let all = repo.tidings(&["show", "--all"]).success();
    let titles: Vec<&str> = all.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(titles, ["# harbor", "# pier", "# lamp"]);
    let top: Vec<&str> = all.split("# pier").next().unwrap().lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(top.len(), 10, "{top:?}");
    assert!(top[0].starts_with("- [Mend the harbor 8]("), "{top:?}");
    let list = repo.tidings(&["show", "--all", "--format", "json"]).json();
    let of = |package: &str| list.as_array().unwrap().iter().filter(|section| section["package"] == package).count();
    assert_eq!([of("harbor"), of("pier"), of("lamp")], [9, 8, 8]);

    let added = repo.tidings(&["add", "--all"]);
    assert!(
        added.stderr.contains("the releases of `harbor` are added, not those of `pier`, `lamp`"),
        "{}",
        added.stderr
    );
    added.success();
    let file = repo.read("CHANGELOG.md");
    assert_eq!((headings(&file).len(), file.contains("pier")), (9, false), "{file}");

    repo.file("Cargo.toml", "[package]\nname = \"other\"\n").commit("Rename it");
    let refusal = repo.tidings(&["add", "--all"]).failure(1);
    assert!(refusal.contains("tags are of the packages") && refusal.contains("`tidings init`"), "{refusal}");
}

#[test]
fn what_is_unreleased_of_several_packages_is_shown_of_each() {
    let repo = families();
    repo.file("lamp/a", "9").commit("Clean the lamp 9");
    let shown = repo.tidings(&["show"]);
    assert!(shown.stderr.contains("the tags belong to several packages"), "{}", shown.stderr);
    let shown = shown.success();
    let titles: Vec<&str> = shown.lines().filter(|line| line.starts_with(['#', '-'])).collect();
    assert_eq!((titles.len(), titles[0], titles[1]), (8, "# harbor", "## Unreleased"), "{shown}");
    assert!(titles[7].starts_with("- Clean the lamp 9"), "{shown}");
    assert!(repo.tidings(&["next"]).failure(1).contains("none is clearly"));
}

#[test]
fn without_trees_the_releases_of_the_project_itself_are_shown() {
    let repo = families();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--filter=tree:0", &url, "../partial"]);
    repo.git_beside("partial", &["remote", "set-url", "origin", "https://github.com/quay/harbor.git"]);
    let arguments = ["show", "--all", "--offline", "--repo", "../partial"];
    let shown = repo.tidings(&arguments).success();
    let headings = headings(&shown);
    assert_eq!((headings.len(), headings[0]), (8, "## 1.8.0 (2023-11-14)"), "{shown}");
}

#[test]
fn by_url_and_in_a_shallow_clone_it_is_the_same() {
    let repo = harbor();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth", "1", "--no-tags", &url, "../shallow"]);
    for options in
        [&["--all"][..], &["--all", "--since", "1.0.1"], &["1.1.0", "--to", "v1.1.0"], &["1.0.1", "--to", "v1.0.1"]]
    {
        let show = |more: &[&str]| repo.tidings(&[&["show"], options, more].concat()).success();
        let expected = show(&[]);
        assert_eq!(show(&["--repo", &url]), expected, "{options:?}");
        assert_eq!(show(&["--repo", "../shallow"]), expected, "{options:?}");
    }
}

#[test]
fn many_release_branches_come_at_once() {
    let repo = harbor();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    for number in 2..42 {
        repo.git(&["checkout", "-q", "v1.0.0"]);
        repo.change(&format!("Mend the pier {number}"), "fixed");
        repo.tag(&format!("v1.0.{number}"));
    }
    repo.git(&["checkout", "-q", "later"]);
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth", "1", "--no-tags", &url, "../shallow"]);
    let expected = repo.tidings(&["show", "--all"]).success();
    assert_eq!(headings(&expected).len(), 44);
    for place in [url.as_str(), "../shallow"] {
        assert_eq!(repo.tidings(&["show", "--all", "--repo", place]).success(), expected, "{place}");
    }
}

#[test]
fn the_paths_of_many_releases_are_read_by_url() {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    for number in 1..=40 {
        repo.file("api/a", number.to_string()).change(&format!("Mend the pier {number}"), "fixed");
        repo.tag(&format!("v1.{number}.0"));
    }
    let settings = repo.beside("settings.yml");
    std::fs::write(&settings, "paths: [api]\n").unwrap();
    let url = format!("file://{}", repo.path().display());
    let show = ["show", "--all", "--config-file", settings.to_str().unwrap()];
    let expected = repo.tidings(&show).success();
    assert_eq!(expected.matches("\n- ").count(), 40, "{expected}");
    assert_eq!(repo.tidings(&[&show[..], &["--repo", &url]].concat()).success(), expected);
}

/// Releases 1.0.0 to 1.N.0, each with a change.
fn releases(count: usize) -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    for minor in 0..=count {
        repo.change(&format!("Add pier {minor}"), "added");
        repo.tag(&format!("v1.{minor}.0"));
    }
    repo
}

#[test]
fn more_than_twenty_sections_are_only_planned_without_yes() {
    let repo = releases(24);
    let head = repo.git(&["rev-parse", "HEAD"]);
    let planned = repo.tidings(&["add", "--all"]);
    assert_eq!(planned.stdout, "add 25 versions to CHANGELOG.md, 1.0.0 to 1.24.0\n");
    assert!(planned.stderr.contains("this is only a plan; run again with `--yes`"), "{}", planned.stderr);
    planned.success();
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    let document = repo.tidings(&["add", "--all", "--format", "json"]).json();
    assert_eq!(
        (document["status"].as_str(), document["versions"].as_array().map(Vec::len)),
        (Some("planned"), Some(25))
    );
    let dry = repo.tidings(&["add", "--all", "--dry-run"]);
    assert!(dry.stderr.contains("it would add 25 versions to CHANGELOG.md, 1.0.0 to 1.24.0"), "{}", dry.stderr);
    assert_eq!(dry.success().matches("\n+## ").count(), 25);
    assert!(
        repo.tidings(&["add", "--all", "--yes"]).success().starts_with("added 25 versions to CHANGELOG.md: commit ")
    );
    assert_eq!(headings(&repo.read("CHANGELOG.md")).len(), 25);
    assert_eq!(repo.tidings(&["add", "--all"]).success(), "every release is already in CHANGELOG.md\n");
}

#[test]
fn what_a_file_says_is_elsewhere_is_left_out() {
    let repo = releases(3);
    let text = "# Changelog\n\n## 1.3.0\n\n- x\n\n## 1.1.x\n\nSee [changelogs/1.1.x](changelogs/1.1.x.md)\n";
    repo.file("CHANGELOG.md", text).commit("Write");
    let added = repo.tidings(&["add", "--all"]);
    assert!(
        added.stderr.contains("left out 3 versions whose sections are elsewhere according to `## 1.1.x`"),
        "{}",
        added.stderr
    );
    assert_eq!(added.success(), "nothing to add\n");
    let text = "## 1.2.0 (Unreleased)\n\n- x\n\n## Previous Releases\n\nSee [them](x/CHANGELOG.md)\n";
    repo.file("CHANGELOG.md", text).commit("Write");
    assert!(repo.tidings(&["add", "--all"]).success().starts_with("added 1 version to CHANGELOG.md"));
    assert_eq!(headings(&repo.read("CHANGELOG.md"))[1..], ["## 1.2.0 (Unreleased)", "## Previous Releases"]);
    repo.git(&["rm", "-q", "CHANGELOG.md"]);
    repo.file("CHANGELOG/CHANGELOG-1.1.md", "# 1.1.0\n").commit("Move");
    let shown = repo.tidings(&["add", "--all", "--format", "json"]).json();
    assert_eq!(shown["elsewhere"], serde_json::json!(["1.1.0"]));
}

#[test]
fn releases_without_changes_are_left_out() {
    let repo = releases(1);
    repo.commit("Tidy up");
    repo.tag("v1.2.0");
    let added = repo.tidings(&["add", "--all"]);
    assert!(added.stderr.contains("left out 1 version without changes: 1.2.0"), "{}", added.stderr);
    added.success();
    assert_eq!(headings(&repo.read("CHANGELOG.md")).len(), 2);
}

#[test]
fn replacing_all_renews_what_is_there_and_keeps_the_rest() {
    let repo = releases(2);
    let text = "# Log\n\n## 1.2.0 (2020-01-01)\n\n- old\n\n## 1.1.1\n\n- by hand\n\n## 1.0.0 (2020-01-01)\n\n- old\n\n## Thanks\n\nAll.\n";
    repo.file("CHANGELOG.md", text).commit("Write");
    let stderr = repo.tidings(&["add", "--all", "--replace"]).success();
    assert!(
        stderr.starts_with("added 1 version to CHANGELOG.md and replaced 2 versions in CHANGELOG.md: commit "),
        "{stderr}"
    );
    let new = repo.read("CHANGELOG.md");
    assert!(!new.contains("- old") && new.contains("- by hand") && new.ends_with("## Thanks\n\nAll.\n"), "{new}");
    let versions: Vec<_> = headings(&new).iter().map(|line| line[3..].split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(versions, ["1.2.0", "1.1.1", "1.1.0", "1.0.0", "Thanks"]);
    let again = repo.tidings(&["add", "--all", "--replace"]).success();
    assert_eq!(again, "every release is up to date in CHANGELOG.md\n");
}

#[test]
fn the_files_of_all_packages_are_filled_in_one_commit() {
    let repo = TestRepo::new();
    repo.author();
    repo.write("tidings.yml", "packages:\n  api: {}\n  web: {}\n");
    for (package, tag) in [("api", "api/v1.0.0"), ("web", "web/v2.0.0")] {
        repo.file(&format!("{package}/a"), "1").change(&format!("Add {package}"), "added");
        repo.tag(tag);
    }
    let before = repo.git(&["rev-parse", "HEAD"]);
    let stderr = repo.tidings(&["add", "--all", "--all-packages"]).success();
    assert!(
        stderr.starts_with("added 1 version to api/CHANGELOG.md; added 1 version to web/CHANGELOG.md: commit "),
        "{stderr}"
    );
    assert_eq!(repo.git(&["rev-parse", "HEAD^"]), before);
    assert!(
        repo.read("api/CHANGELOG.md").contains("## 1.0.0 (") && repo.read("web/CHANGELOG.md").contains("- Add web (")
    );
    let document = repo.tidings(&["add", "--all", "--all-packages", "--format", "json"]).json();
    assert_eq!((&document["status"], &document["files"][1]["package"]), (&"unchanged".into(), &"web".into()));
}
