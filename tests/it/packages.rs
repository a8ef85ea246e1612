//! Packages of one repository: `--package` narrows tags, paths and the changelog file.

use crate::support::TestRepo;

const DATE: &[&str] = &["--date", "2024-03-09"];

/// Two packages with their own tags, and changes of either, both and neither after them.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    let settings = "packages:\n  api:\n    tag_prefix: api-v\n  web:\n    paths: [apps/web, '!apps/web/docs']\n";
    repo.file(".gitlab/changelog_config.yml", settings);
    repo.file("api/a", "1").file("apps/web/a", "1").commit("Initial");
    repo.tag("v9.0.0").tag("api-v1.2.0").tag("web/v0.3.0").tag("web/v0.4.0-rc.1");
    repo.file("api/a", "2").change("Add crane", "added");
    repo.file("apps/web/a", "2").change("Fix mast", "fixed");
    repo.file("apps/web/docs/a", "2").change("Tell of masts", "added");
    repo.file("api/a", "3").file("apps/web/a", "3").change("Mend both", "fixed");
    repo.change("Change no file", "added");
    repo
}

fn titles(repo: &TestRepo, arguments: &[&str]) -> Vec<String> {
    let document = repo.tidings(&[&["show", "--format", "json"], arguments].concat()).json();
    let entries = document["entries"].as_array().expect("a list of entries");
    entries.iter().map(|entry| entry["title"].as_str().expect("a title").to_owned()).collect()
}

#[test]
fn a_package_has_its_own_tags_and_paths() {
    let repo = harbor();
    assert_eq!(titles(&repo, &["--package", "api"]), ["Mend both", "Add crane"]);
    assert_eq!(titles(&repo, &["--package", "web"]), ["Mend both", "Fix mast"]);
    assert_eq!(titles(&repo, &[]).len(), 5, "of the repository as a whole");
    assert_eq!(repo.tidings(&["base", "--package", "web"]).success(), "web/v0.3.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "api"]).success(), "1.3.0\n");
    assert_eq!(repo.tidings(&["next", "--package", "web", "--pre", "rc"]).success(), "0.4.0-rc.2\n");
    repo.tag("web/v0.4.0-rc.2");
    assert_eq!(repo.tidings(&["next", "--package", "web", "--pre", "rc"]).success(), "0.4.0-rc.3\n");
}

#[test]
fn links_compare_with_the_tag_the_version_will_have() {
    let repo = harbor();
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/pilot.git"]);
    let url = |arguments: &[&str]| {
        let document = repo.tidings(&[&["show", "--format", "json"], arguments].concat()).json();
        document["compare_url"].as_str().map(|url| url.replace("https://github.com/harbor/pilot/compare/", ""))
    };
    assert_eq!(url(&["1.3.0", "--package", "api"]).as_deref(), Some("api-v1.2.0...api-v1.3.0"));
    assert_eq!(url(&["9.1.0"]).as_deref(), Some("v9.0.0...v9.1.0"), "as the tag before is named");
    assert_eq!(url(&["--next"]).as_deref(), Some("v9.0.0...v9.1.0"));
    assert_eq!(url(&[]), None);
}

#[test]
fn its_section_goes_into_its_file_and_comes_out_again() {
    let repo = harbor();
    repo.tidings(&[&["add", "1.3.0", "--package", "api"], DATE].concat()).success();
    assert!(repo.read("api/CHANGELOG.md").starts_with("## 1.3.0 (2024-03-09)\n"));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for version 1.3.0 of api");
    assert_eq!(repo.git(&["show", "--format=", "--name-only"]), "api/CHANGELOG.md");
    let notes = repo.tidings(&["notes", "--package", "api"]).success();
    assert!(notes.contains("Add crane") && !notes.contains("Fix mast"), "{notes}");
    repo.write(".gitlab/changelog_config.yml", "file: NEWS.md\n");
    repo.tidings(&["add", "9.1.0", "--no-commit"]).success();
    assert!(repo.tidings(&["notes"]).success().contains("Add crane") && repo.path().join("NEWS.md").exists());
}

#[test]
fn other_paths_are_told_and_not_checked() {
    let repo = harbor();
    let text = repo.tidings(&["explain", "--package", "api"]).success();
    assert!(text.contains("base api-v1.2.0") && text.contains("the highest stable version of 1 tag"), "{text}");
    assert!(text.contains("Fix mast  (other paths)"), "{text}");
    assert!(
        text.ends_with("5 commits: 2 in (1 added, 1 fixed), 0 reverted, 0 without a trailer, 3 of other paths\n"),
        "{text}"
    );
    repo.file("apps/web/a", "4").commit("No trailer");
    repo.tidings(&["check", "--require", "each", "--package", "web"]).failure(3);
    assert_eq!(repo.tidings(&["check", "--require", "each", "--package", "api"]).success(), "");
    repo.write(".gitlab/changelog_config.yml", "paths: serc\n");
    let stderr = repo.tidings(&["show", "--from", "api-v1.2.0"]).stderr;
    assert!(stderr.contains("no commit of the range changes `serc`") && !stderr.contains("write paths"), "{stderr}");
    for path in ["apps\\web", "/apps/web"] {
        repo.write(".gitlab/changelog_config.yml", format!("paths: {path}\n"));
        let stderr = repo.tidings(&["show", "--from", "api-v1.2.0"]).stderr;
        assert!(stderr.contains("hint: write paths from the top of the repository and with `/`"), "{stderr}");
    }
}

#[test]
fn all_packages_come_one_after_the_other() {
    let repo = harbor();
    let text = repo.tidings(&[&["show", "--next", "--all-packages"], DATE].concat()).success();
    let headings: Vec<_> = text.lines().filter(|line| line.starts_with("# ") || line.starts_with("## ")).collect();
    assert_eq!(headings, ["# api", "## 1.3.0 (2024-03-09)", "# web", "## 0.4.0 (2024-03-09)"]);
    repo.tag("api-v1.3.0");
    let list = repo.tidings(&["show", "--next", "--all-packages", "--format", "json"]).json();
    let packages: Vec<_> = list.as_array().unwrap().iter().map(|section| section["package"].clone()).collect();
    assert_eq!(packages, ["web"], "nothing is new in the other");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "web 0.4.0\n");
    let list = repo.tidings(&["next", "--all-packages", "--format", "json"]).json();
    assert_eq!((&list[0]["package"], &list[0]["version"]), (&"api".into(), &serde_json::Value::Null));
    repo.tag("web/v0.3.1");
    repo.tidings(&["show", "--next", "--all-packages"]).failure(5);
    repo.tidings(&["next", "--all-packages"]).failure(5);
    repo.tidings(&["show", "--all-packages", "--fail-on-empty"]).failure(5);
}

#[test]
fn the_next_sections_of_all_packages_go_into_their_files_in_one_commit() {
    let repo = harbor();
    repo.author();
    let options = [&["--next", "--all-packages"], DATE].concat();
    let diff = repo.tidings(&[&["add", "--dry-run"], &options[..]].concat()).success();
    assert!(diff.contains("+++ b/api/CHANGELOG.md\n") && diff.contains("+## 0.4.0 (2024-03-09)\n"), "{diff}");
    let before = repo.git(&["rev-parse", "HEAD"]);
    let text = repo.tidings(&[&["add"], &options[..]].concat()).success();
    let expected = "added api 1.3.0 to api/CHANGELOG.md; added web 0.4.0 to apps/web/CHANGELOG.md: commit ";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(repo.git(&["rev-parse", "HEAD^"]), before);
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for api 1.3.0, web 0.4.0");
    for (package, file) in [("api", "api/CHANGELOG.md"), ("web", "apps/web/CHANGELOG.md")] {
        let one = repo.tidings(&[&["show", "--next", "--package", package, "--to", "HEAD^"], DATE].concat()).success();
        assert_eq!(repo.read(file), one, "{package}");
    }
    let again = repo.tidings(&[&["add"], &options[..]].concat()).success();
    assert_eq!(again, "nothing to add: every section is in its file already\n");
    repo.tag("api-v1.3.0");
    let document = repo.tidings(&[&["add", "--replace", "--format", "json"], &options[..]].concat()).json();
    assert_eq!(document["status"], "unchanged");
    let files = document["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0]["package"], &files[0]["version"]), (1, &"web".into(), &"0.4.0".into()));
    assert!(files[0]["notes"].as_str().unwrap().contains("Mend both"), "{document}");
    repo.tag("web/v0.4.0");
    repo.tidings(&[&["add"], &options[..]].concat()).failure(5);
}

#[test]
fn an_unknown_package_is_refused() {
    let repo = harbor();
    let stderr = repo.tidings(&["show", "--package", "apy"]).failure(2);
    assert!(stderr.contains("package `apy` is not configured") && stderr.contains("did you mean `api`?"), "{stderr}");
    repo.write(".gitlab/changelog_config.yml", "packages: {cli: }\n");
    assert!(repo.tidings(&["base", "--package", "cli"]).failure(1).contains("no tag begins with `cli/v`"));
    repo.write(".gitlab/changelog_config.yml", "date_format: x\n");
    assert!(repo.tidings(&["show", "--all-packages"]).failure(2).contains("no packages"));
    for given in [&["--next"][..], &["--unreleased"], &["1.0.0"]] {
        for of_all in [&["--since", "1.0.0"][..], &["--all-packages"]] {
            let stderr = repo.tidings(&[&["add"], given, of_all].concat()).failure(2);
            let expected = if given == ["--next"] && of_all.len() == 1 { "no packages" } else { "cannot be used with" };
            assert!(stderr.contains(expected), "{stderr}");
        }
    }
    for alone in [
        &["show", "1.0.0", "--since", "1.0.0"][..],
        &["show", "--next", "--since", "1.0.0"],
        &["release", "1.0.0", "--separate"],
        &["release", "--no-push", "--request-branch", "x"],
    ] {
        assert!(repo.tidings(alone).failure(2).contains("cannot be used with"), "{alone:?}");
    }
    let server = ["--project", "a/b", "--base-url", "https://git.example.org"];
    let stderr = repo.tidings(&[&["show", "1.0.0", "--package", "api"], &server[..]].concat()).failure(2);
    assert!(stderr.contains("`--package` cannot be used with `--project`"), "{stderr}");
}

#[test]
fn tags_of_packages_are_not_unread_and_outdate_the_old_ones_of_the_repository() {
    let repo = TestRepo::new();
    repo.write(".gitlab/changelog_config.yml", "packages: { api: , web: }\n");
    repo.file("api/a", "a").change("Begin", "added");
    repo.tag("v0.1.0").tag("api/v1.0.0");
    repo.file("api/a", "b").change("Go on", "added");
    repo.tag("api/v1.1.0");
    let shown = repo.tidings(&["show"]);
    assert_eq!((shown.code, shown.stderr.as_str()), (0, ""), "a newer tag of a package says nothing of `v0.1.0`");
    assert_eq!(repo.tidings(&["show", "--package", "api", "--to", "v0.1.0", "--first-release"]).stderr, "");
    for minor in 2..22 {
        repo.file("api/a", format!("{minor}")).change("Go on", "added");
        repo.tag(&format!("api/v1.{minor}.0"));
    }
    for command in ["next", "base", "check"] {
        let stderr = repo.tidings(&[command]).failure(1);
        assert!(
            stderr.contains("none is clearly the repository's own") && stderr.contains("--package api"),
            "{stderr}"
        );
    }
    let each = repo.tidings(&["show"]).success();
    assert_eq!(each, repo.tidings(&["show", "--all-packages"]).success());
    assert!(each.starts_with("# api\n\n## Unreleased\n") && each.contains("\n# web\n"), "{each}");
    assert_eq!(repo.tidings(&["base", "--package", "api"]).success(), "api/v1.21.0\n");
}

#[test]
fn where_all_tags_are_of_packages_the_way_out_is_to_name_one() {
    let repo = harbor();
    repo.git(&["tag", "-d", "v9.0.0"]);
    let why = "the configuration has packages, and no tag is of the repository as a whole\n";
    assert_eq!(repo.tidings(&["show"]).success(), repo.tidings(&["show", "--all-packages"]).success());
    let commands = ["show 2.0.0", "base", "explain", "next", "release", "release -x", "release 2.0.0", "add 2.0.0"];
    for command in commands.map(|command| command.split(' ').collect::<Vec<_>>()) {
        let error = repo.tidings(&command).failure(1);
        assert!(
            error.contains(why) && error.contains("`--package api`") && error.contains("`--all-packages`"),
            "{error}"
        );
    }
    assert!(
        repo.tidings(&["show", "1.0.0", "--package", "web"]).stdout.starts_with("## 1.0.0"),
        "it has no release yet"
    );
    assert_eq!(repo.tidings(&["next", "--initial", "1.0.0"]).success(), "1.0.0\n");
    assert_eq!(repo.tidings(&["next", "--first-release"]).success(), "0.1.0\n");
}

#[test]
fn tags_without_a_prefix_are_those_of_the_package_that_has_them() {
    let repo = TestRepo::new();
    let packages = "packages:\n  app: {paths: [., '!doc'], tag_prefix: v}\n  doc: {}\n";
    repo.write("tidings.yml", packages).file("a", "1").change("Begin", "added");
    repo.tag("v1.0.0").tag("doc/v1.0.0");
    repo.file("doc/a", "1").change("Describe it", "added");
    assert_eq!(repo.tidings(&["base"]).success(), "v1.0.0\n", "as before the packages were configured");
    let next = repo.tidings(&["next"]).failure(5);
    assert!(next.contains("of the package `app`") && next.contains("nothing to release"), "{next}");
    assert!(repo.tidings(&["explain"]).success().contains("base v1.0.0"));
    for command in [&["release"][..], &["add", "--next"]] {
        let error = repo.tidings(command).failure(1);
        assert!(
            error.contains("no tag is of the repository as a whole") && error.contains("`--package app`"),
            "{error}"
        );
    }
    assert!(repo.tidings(&["next", "--package", "app"]).failure(5).contains("nothing to release"));
    assert_eq!(repo.tidings(&["next", "--package", "doc"]).success(), "1.1.0\n");
    assert_eq!(repo.tidings(&["show"]).success(), repo.tidings(&["show", "--all-packages"]).success());
}

#[test]
fn a_move_before_the_base_of_a_package_is_not_followed_for_it() {
    let repo = TestRepo::new();
    repo.author();
    repo.write("tidings.yml", "packages:\n  lamp: {paths: [lamp]}\n  light: {paths: [lamp]}\n  pier: {}\n");
    repo.file("torch/a", "1").file("pier/a", "1").commit("Begin");
    repo.tag("pier/v1.0.0").tag("light/v1.0.0");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.file("torch/b", "1").change("Light the torch", "added");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["mv", "torch", "lamp"]);
    repo.commit("Move it");
    repo.tag("lamp/v1.0.0");
    repo.git(&["merge", "-q", "-s", "ours", "-m", "Merge it", "side"]);
    repo.file("lamp/a", "2").file("pier/a", "2").change("Mend it", "fixed");
    let together = repo.tidings(&["show", "--all-packages", "--format", "json"]).json();
    for (place, package) in ["lamp", "light", "pier"].into_iter().enumerate() {
        let alone = repo.tidings(&["show", "--package", package, "--format", "json"]).json();
        assert_eq!(together[place]["entries"], alone["entries"], "{package}");
        assert_eq!(alone["entries"].as_array().unwrap().len(), if package == "light" { 2 } else { 1 }, "{package}");
    }
}
