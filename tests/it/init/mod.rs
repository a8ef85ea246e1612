//! `tidings init`: settings from what is found, the hook, the schema.

mod titles;

use crate::support::TestRepo;

const SETTINGS: &str = "tidings.yml";

#[test]
fn settings_name_the_categories_and_tags_in_use() {
    let repo = TestRepo::new();
    repo.change("Mend it", "bug fix");
    repo.tag("app/v1.2.0");
    repo.change("Add crane", "new: \"shiny\"");
    repo.change("Mend it again", "bug fix");
    repo.tidings(&["init"]).success();
    let text = repo.read(SETTINGS);
    let own = "  \"other\": \"Other\"\n  \"bug fix\": \"Bug fix\"\n  \"new: \\\"shiny\\\"\"";
    assert!(text.contains("\nsource: trailers\n") && text.contains(own), "{text}");
    assert!(text.contains("\ntag_prefix: \"app/v\"\n"), "{text}");
    let outcome = repo.tidings(&["base"]);
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("app/v1.2.0\n", ""));
    repo.tidings(&["init"]).success();
    repo.write(SETTINGS, "# mine\n");
    assert!(repo.tidings(&["init"]).failure(1).contains("already exists"));
    repo.tidings(&["init", "--force"]).success();
}

#[test]
fn an_empty_repository_gets_the_usual_categories() {
    let repo = TestRepo::new();
    repo.tidings(&["init"]).success();
    let usual = ["Added", "Fixed", "Changed", "Deprecated", "Removed", "Security", "Performance", "Other"];
    let lines = usual.map(|title| format!("  \"{}\": \"{title}\"\n", title.to_lowercase())).concat();
    let text = repo.read(SETTINGS);
    assert!(text.contains(&format!("\ncategories:\n{lines}\n")) && text.contains("\n# tag_prefix"), "{text}");
    assert!(text.contains("\n# source: auto\n"), "{text}");
}

#[test]
fn typos_of_the_history_are_a_comment_and_not_categories() {
    let repo = TestRepo::new();
    for category in ["fixed", "added", "fixed", "fixd", "Added"] {
        repo.change("Go on", category);
    }
    repo.tidings(&["init"]).success();
    let text = repo.read(SETTINGS);
    assert!(text.contains("\n# Seen, and probably mistakes: Added (1), fixd (1).\n"), "{text}");
    assert!(!text.contains("\"fixd\"") && !text.contains("\"Added\":"), "{text}");
    let outcome = repo.tidings(&["check", "--first-release"]);
    assert!(
        outcome.code == 3 && outcome.stdout.contains("unknown category `fixd`; did you mean `fixed`?"),
        "{outcome:?}"
    );
    repo.change("Go on", "security");
    assert_eq!(repo.tidings(&["check", "--from", "HEAD~1"]).code, 0, "the usual ones are known");
}

#[test]
fn conventional_commits_are_noticed() {
    let repo = TestRepo::new();
    for title in
        ["feat: add crane", "fix(api)!: mend it", "deps: renew", "deps: renew", "deps: renew", "docs: tell", "fix: it"]
    {
        repo.commit(title);
    }
    repo.git(&["remote", "add", "origin", "git@github.com:harbor/app.git"]);
    let told = repo.tidings(&["init", "--yes"]);
    assert!(
        told.stderr.ends_with("links lead to https://github.com/harbor/app, as the remote `origin` does\n"),
        "{}",
        told.stderr
    );
    assert!(
        told.stderr.contains("4 of the newest 7 commits have the type of a Conventional Commit"),
        "{}",
        told.stderr
    );
    let text = repo.read(SETTINGS);
    assert!(text.contains("\nsource: conventional\n") && text.contains("nowhere: deps (3)."), "{text}");
    assert!(text.ends_with("#   '#(\\d+)': https://github.com/harbor/app/issues/$1\n"), "{text}");
    let first = "categories:\n  \"breaking\": \"Breaking changes\"\n  \"added\": \"Added\"\n  \"fixed\": \"Fixed\"\n";
    assert!(text.contains(first), "{text}");
    let outcome = repo.tidings(&["show", "--first-release"]);
    assert!(outcome.stdout.contains("### Breaking changes"), "{outcome:?}");
    assert!(outcome.stderr.starts_with("warning: 3 titles begin with the type `deps`"), "{outcome:?}");
    repo.change("feat: more", "new");
    repo.tidings(&["init", "--force"]).success();
    assert!(repo.read(SETTINGS).contains("\nsource: trailers\n"), "as without: {}", repo.read(SETTINGS));
}

#[test]
fn packages_are_found_by_their_tags_and_directories() {
    let repo = TestRepo::new();
    repo.file("api/a", "a").file("packages/web/b", "b");
    repo.change("Begin", "added");
    repo.tag("api/v1.0.0").tag("web@2.0.0");
    repo.file("api/a", "c");
    repo.change("Mend it", "fixed");
    repo.tidings(&["init"]).success();
    assert_eq!(repo.tidings(&["base", "--package", "web"]).success(), "web@2.0.0\n");
    let section = repo.tidings(&["show", "--package", "api"]);
    assert!(section.stderr.is_empty() && section.stdout.contains("Mend it"), "{section:?}");
}

#[test]
fn a_release_sets_the_version_in_the_files_that_have_it() {
    let repo = TestRepo::new();
    repo.file("Cargo.toml", "[package]\nname = \"app\"\nversion = \"1.0.0\"\n");
    repo.file("Cargo.lock", "[[package]]\nname = \"app\"\nversion = \"1.0.0\"\n");
    repo.change("Begin", "added");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.write("VERSION", "1.0.0\n");
    let told = repo.tidings(&["init"]).stderr;
    assert!(told.contains("the version is in `Cargo.toml`\n"), "only what git tracks: {told}");
    repo.author();
    let plan = repo.tidings(&["release", "1.1.0", "--no-push", "--format", "json"]).success();
    for file in ["Cargo.toml", "Cargo.lock"] {
        assert!(plan.contains(file), "{plan}");
    }
}

#[test]
fn each_package_has_version_files_of_its_own() {
    let repo = TestRepo::new();
    repo.file("api/package.json", "{\"version\": \"1.0.0\"}").file("web/VERSION", "2.0.0\n");
    repo.change("Begin", "added");
    repo.tag("api/v1.0.0").tag("web/v2.0.0");
    repo.tidings(&["init"]).success();
    let text = repo.read(SETTINGS);
    let api = "    version_files:\n      - { workspace: npm, path: \"api/package.json\" }\n";
    assert!(text.contains(api), "{text}");
    assert!(text.contains("      - { path: \"web/VERSION\", regex: '^v?(\\d\\S*)$' }\n"), "{text}");
    assert_eq!(repo.tidings(&["base", "--package", "web"]).stderr, "");
}

/// A manifest of a crate.
fn manifest(name: &str, version: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\n")
}

#[test]
fn a_version_that_is_not_of_the_last_tag_is_left_alone() {
    let repo = TestRepo::new();
    repo.file("Cargo.toml", "[workspace]\nmembers = [\"lib\"]\n[workspace.package]\nversion = \"0.44.0\"\n");
    repo.file("lib/Cargo.toml", "[package]\nname = \"lib\"\nversion.workspace = true\n");
    repo.file("pyproject.toml", "[project]\nname = \"docs\"\nversion = \"0.1.0\"\n").change("Begin", "added");
    repo.tag("v0.43.0").tag("v0.44.0");
    let stderr = repo.tidings(&["init"]).stderr;
    assert!(stderr.contains("`pyproject.toml` has the version 0.1.0, which is not that of the last tag"), "{stderr}");
    let text = repo.read(SETTINGS);
    assert!(text.contains("\nversion_files:\n  - { workspace: cargo }\n"), "{text}");
}

#[test]
fn the_package_at_the_top_is_released_beside_others() {
    let repo = TestRepo::new();
    let root = manifest("ripgrep", "15.2.0") + "[workspace]\nmembers = [\"crates/*\"]\n";
    repo.file("Cargo.toml", root).file("crates/globset/Cargo.toml", manifest("globset", "0.4.18"));
    repo.file("crates/grep/Cargo.toml", manifest("grep", "0.4.1")).change("Begin", "added");
    repo.tag("15.2.0").tag("globset-0.4.18").tag("grep-0.4.1");
    repo.tidings(&["init"]).success();
    let text = repo.read(SETTINGS);
    assert!(text.contains("      - { workspace: cargo, members: [\"ripgrep\"] }\n"), "{text}");
    assert!(text.contains("      - { workspace: cargo, members: [\"globset\"] }\n"), "{text}");
    repo.author();
    let error = repo.tidings(&["release", "15.3.0", "--no-push"]).failure(1);
    assert!(error.contains("such as `--package ripgrep`"), "{error}");
    let plan = repo.tidings(&["release", "15.3.0", "--package", "ripgrep", "--no-push", "--format", "json"]).json();
    assert_eq!(plan["steps"]["commit"]["files"], serde_json::json!(["CHANGELOG.md", "Cargo.toml"]));
    repo.file("crates/globset/a", "").change("Mend globs", "fixed");
    repo.file("src/main.rs", "").change("Mend the program", "fixed");
    assert_eq!(repo.tidings(&["next", "--all-packages"]).success(), "ripgrep 15.2.1\nglobset 0.4.19\n");
    let plan = repo.tidings(&["release", "--all-packages", "--no-push", "--format", "json"]).json();
    assert_eq!(plan[0]["steps"]["commit"]["files"], serde_json::json!(["CHANGELOG.md", "Cargo.toml"]));
    assert_eq!((&plan[0]["tag"], &plan[1]["tag"]), (&"15.2.1".into(), &"globset-0.4.19".into()));
    assert!(!plan[0]["notes"].as_str().unwrap().contains("globs"), "{plan}");
}

#[test]
fn settings_lie_at_the_top_unless_the_project_is_on_gitlab() {
    for (remote, directory, expected) in [
        ("", "", "tidings.yml"),
        ("https://github.com/harbor/app.git", "", "tidings.yml"),
        ("https://gitlab.com/harbor/app.git", "", ".gitlab/changelog_config.yml"),
        ("https://github.com/harbor/app.git", ".gitlab/ci/a", "tidings.yml"),
        ("", ".gitlab/ci/a", ".gitlab/changelog_config.yml"),
    ] {
        let repo = TestRepo::new();
        repo.change("Begin", "added");
        if !remote.is_empty() {
            repo.git(&["remote", "add", "origin", remote]);
        }
        if !directory.is_empty() {
            repo.write(directory, "");
        }
        assert_eq!(repo.tidings(&["init"]).success(), format!("wrote {expected}\n"), "{remote} {directory}");
        repo.git(&["mv", "-k", expected, "x"]);
        std::fs::rename(repo.path().join(expected), repo.path().join(".tidings.yml")).unwrap();
        repo.tidings(&["init", "--force"]).success();
        assert!(!repo.path().join(expected).exists(), "the file that exists is renewed");
    }
}

#[test]
fn of_several_settings_files_our_own_counts_and_there_is_one() {
    let repo = TestRepo::new();
    repo.file(".gitlab/changelog_config.yml", "categories: { added: Server }\n");
    repo.file(".tidings.yml", "categories: { added: Hidden }\n").change("Begin", "added");
    let heading = || repo.tidings(&["show", "--first-release"]);
    assert!(heading().success().contains("### Hidden"));
    repo.git(&["mv", ".tidings.yml", "tidings.yml"]);
    assert!(heading().success().contains("### Hidden"));
    repo.write(".tidings.yml", "");
    let stderr = heading().failure(1);
    assert!(stderr.starts_with("error: the configuration is in `tidings.yml` and in `.tidings.yml`\n"), "{stderr}");
    std::fs::remove_file(repo.path().join("tidings.yml")).unwrap();
    std::fs::remove_file(repo.path().join(".tidings.yml")).unwrap();
    assert!(heading().success().contains("### Server (1 change)"));
}

#[test]
fn tags_of_one_family_among_others_are_found_by_the_newest() {
    let repo = TestRepo::new();
    repo.file("crane/a", "").file("mast/a", "").change("Begin", "added");
    repo.tag("crane-v0.1.0").tag("old-v0.3.0");
    repo.change("Go on", "added");
    repo.git(&["commit", "-q", "--allow-empty", "--amend", "--date", "2030-01-01T00:00:00Z", "--no-edit"]);
    repo.tag("crane-1.0.0").tag("mast-2.0.0");
    let stderr = repo.tidings(&["init"]).stderr;
    assert!(stderr.contains("1 tag of another prefix is not covered: `old-v0.3.0`\n"), "{stderr}");
    assert!(repo.read(SETTINGS).contains("    tag_prefix: \"crane-\"\n"), "{}", repo.read(SETTINGS));
}

#[test]
fn dates_as_versions_are_counted_by_the_calendar() {
    let repo = TestRepo::new();
    repo.change("Begin", "added");
    repo.tag("2023.11.30").tag("2024.01.09");
    repo.change("Go on", "added");
    repo.tidings(&["init"]).success();
    assert!(repo.read(SETTINGS).contains("\nversioning: YYYY.0M.0D\n"), "{}", repo.read(SETTINGS));
    assert_eq!(repo.tidings(&["next", "--date", "2024-03-09"]).success(), "2024.03.09\n");
}

#[test]
fn the_hook_goes_where_git_runs_it_from() {
    let repo = TestRepo::new();
    repo.tidings(&["init", "--hook"]).success();
    assert!(repo.read(".git/hooks/commit-msg").contains("tidings check --message \"$1\""));
    // Without the program in the path a commit passes, and says so.
    let mut hook = std::process::Command::new("/bin/sh");
    let output = hook.args([".git/hooks/commit-msg", "x"]).current_dir(repo.path()).env("PATH", "/nowhere").output();
    let outcome = crate::support::Outcome::from(output.unwrap());
    assert!(outcome.stderr.contains("tidings is not installed") && outcome.code == 0, "{outcome:?}");
    repo.git(&["config", "core.hooksPath", "own"]);
    repo.tidings(&["init", "--hook"]).success();
    assert!(repo.read("own/commit-msg").starts_with("#!/bin/sh\n"));
    repo.write("own/commit-msg", "#!/bin/sh\n");
    assert!(repo.tidings(&["init", "--hook"]).failure(1).contains("already exists"));
}

#[test]
fn what_was_written_is_named_as_people_write_it() {
    let repo = TestRepo::new();
    repo.change("Begin", "added");
    assert_eq!(repo.tidings(&["init"]).success(), format!("wrote {SETTINGS}\n"));
    let linked = repo.beside("linked");
    repo.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let stderr = repo.tidings(&["-C", linked.to_str().unwrap(), "init", "--hook"]).success();
    assert!(stderr.ends_with("commit-msg\n") && !stderr.contains(".."), "{stderr}");
    assert!(repo.path().join(".git/hooks/commit-msg").exists());
}

#[test]
fn a_changelog_that_takes_no_section_is_warned_of() {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", "## 1.0.0 (2024-01-01)\n").commit("Begin");
    assert!(!repo.tidings(&["init"]).stderr.contains("heading"));
    repo.write("CHANGELOG.md", "## a 1.0.0\n\n## b 1.0.0\n\n## a 0.9.0\n");
    let stderr = repo.tidings(&["init", "--force"]).stderr;
    assert!(
        stderr.contains("warning: the newest headings of `CHANGELOG.md` name several packages: `a`, `b`"),
        "{stderr}"
    );
    let hint = "hint: change `heading: ## {version} ({date})` in the configuration if new headings look different\n";
    assert!(stderr.contains(hint), "{stderr}");
    assert!(repo.read(SETTINGS).contains("\nheading: \"## {version} ({date})\"\n"), "{}", repo.read(SETTINGS));
    repo.git(&["remote", "add", "origin", "https://github.com/harbor/b.git"]);
    repo.tidings(&["init", "--force"]).success();
    assert!(repo.read(SETTINGS).contains("\nheading: \"## b {version}\"\n"), "{}", repo.read(SETTINGS));
    repo.tidings(&["add", "1.1.0", "--first-release", "--no-commit"]).success();
    assert!(repo.read("CHANGELOG.md").contains("## b 1.1.0\n"), "{}", repo.read("CHANGELOG.md"));
    repo.write("CHANGELOG.md", "# News\n\n## v1.0.0 - 03/04/2024\n");
    repo.tidings(&["init", "--force"]).success();
    assert!(repo.read(SETTINGS).contains("\nheading: \"## {version} ({date})\"\n"), "{}", repo.read(SETTINGS));
}

#[test]
fn the_schema_is_json() {
    assert_eq!(TestRepo::new().tidings(&["init", "--schema"]).json()["title"], "Configuration of tidings");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link_or_in_part() {
    use std::{fs, os::unix::fs::symlink};
    let repo = TestRepo::new();
    fs::create_dir(repo.beside("elsewhere")).unwrap();
    fs::write(repo.beside("elsewhere/commit-msg"), "shared").unwrap();
    let hook = repo.path().join(".git/hooks/commit-msg");
    let _ = fs::remove_file(&hook);
    symlink("../../../elsewhere/commit-msg", &hook).unwrap();
    assert!(repo.tidings(&["init", "--hook"]).failure(1).contains("already exists"));
    repo.tidings(&["init", "--hook", "--force"]).success();
    assert!(!hook.is_symlink() && fs::read_to_string(&hook).unwrap().starts_with("#!/bin/sh\n"));
    assert_eq!(fs::read_to_string(repo.beside("elsewhere/commit-msg")).unwrap(), "shared");
    fs::remove_dir_all(repo.path().join(".git/hooks")).unwrap();
    for (link, arguments) in [(".git/hooks", &["init", "--hook", "--force"][..]), (".gitlab", &["init", "--yes"])] {
        symlink(repo.beside("elsewhere"), repo.path().join(link)).unwrap();
        let stderr = repo.tidings(arguments).failure(1);
        assert!(stderr.contains("leads out of the repository"), "{stderr}");
    }
    assert_eq!(fs::read_dir(repo.beside("elsewhere")).unwrap().count(), 1);
    // What cannot be written leaves the file that is there.
    fs::remove_file(repo.path().join(".git/hooks")).unwrap();
    repo.tidings(&["init", "--hook"]).success();
    repo.hook("commit-msg", "exit 0");
    let limited = "ulimit -f 0; trap '' XFSZ; exec \"$0\" init --hook --force";
    let program = assert_cmd::cargo::cargo_bin!("tidings");
    let mut command = std::process::Command::new("sh");
    crate::support::isolate(&mut command);
    let output = command.args(["-c", limited]).arg(program).current_dir(repo.path()).output().unwrap();
    assert!(!output.status.success());
    assert_eq!(repo.read(".git/hooks/commit-msg"), "#!/bin/sh\nexit 0\n");
}

#[test]
fn line_breaks_of_yaml_1_1_are_escaped() {
    let repo = TestRepo::new();
    repo.change("Add crane", "a\u{85}b\u{2028}c");
    repo.tidings(&["init", "--yes"]).success();
    let settings = repo.read(SETTINGS);
    assert!(settings.contains("\"a\\u0085b\\u2028c\""), "{settings}");
    assert!(!settings.contains(['\u{85}', '\u{2028}']), "{settings}");
}
