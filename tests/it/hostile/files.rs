//! Settings, templates and links of a repository name files of its work tree, and nothing else.

use crate::support::TestRepo;

const SETTINGS: &str = ".gitlab/changelog_config.yml";

/// A repository whose `.git/config` holds a token, beside a file that is not its own.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.change("Add crane", "added");
    repo.git(&["remote", "add", "origin", "https://gitlab-ci-token:SECRET@gitlab.com/g/p.git"]);
    std::fs::write(repo.beside("elsewhere.md"), "## 1.0.0 (x)\n\nSECRET\n").unwrap();
    repo
}

#[track_caller]
fn refused(repo: &TestRepo, arguments: &[&str], why: &str) {
    let outcome = repo.tidings(arguments);
    assert!(!format!("{outcome:?}").contains("SECRET"), "{outcome:?}");
    let stderr = outcome.failure(if arguments[0] == "add" { 2 } else { 1 });
    assert!(stderr.contains(why), "{arguments:?}: {stderr}");
}

#[test]
fn settings_name_nothing_of_git_s_own_directory() {
    let repo = repo();
    for path in [
        ".git/config",
        "./.git/config",
        ".gitlab/../.git/config",
        ".GIT/config",
        ".git./config",
        "git~1/config",
        ".g\u{200c}it/config",
        ".git::$INDEX_ALLOCATION/config",
        "vendor/module/.git/config",
    ] {
        let quoted = serde_json::to_string(path).unwrap();
        repo.write(SETTINGS, format!("template_file: {quoted}\n"));
        refused(&repo, &["show", "--first-release"], "is inside git's own directory");
        refused(&repo, &["show", "--first-release", "--config-file", SETTINGS], "is inside git's own directory");
        repo.write(SETTINGS, format!("file: {quoted}\n"));
        refused(&repo, &["notes"], "is inside git's own directory");
        if !path.contains("..") {
            refused(&repo, &["add", "1.0.0", "--first-release", "--no-commit"], "is inside git's own directory");
        }
    }
}

#[test]
fn settings_name_nothing_outside_of_the_repository() {
    let repo = repo();
    let outside = repo.beside("elsewhere.md");
    repo.write("docs/guide.md", "");
    for path in ["../elsewhere.md", "docs/../../elsewhere.md", outside.to_str().unwrap()] {
        let quoted = serde_json::to_string(path).unwrap();
        repo.write(SETTINGS, format!("template_file: {quoted}\n"));
        refused(&repo, &["show", "--first-release"], "is outside of the repository");
        refused(&repo, &["show", "--first-release", "--config-file", SETTINGS], "is outside of the repository");
        repo.write(SETTINGS, format!("file: {quoted}\n"));
        refused(&repo, &["notes"], "is outside of the repository");
    }
}

#[cfg(unix)]
#[test]
fn links_lead_to_nothing_that_settings_may_not_name() {
    use std::os::unix::fs::symlink;
    let repo = repo();
    let link = |target: &str, name: &str| symlink(target, repo.path().join(name)).unwrap();
    link("../elsewhere.md", "outside.md");
    link("..", "above");
    link(".git/config", "config.md");
    link(".git", "git");
    std::fs::create_dir_all(repo.path().join("inner/.git")).unwrap();
    repo.write("inner/.git/config", "inner");
    link("inner/.git/config", "inner.md");
    for (path, why) in [
        ("inner.md", "is inside git's own directory"),
        ("outside.md", "is outside of the repository"),
        ("above/elsewhere.md", "is outside of the repository"),
        ("config.md", "is inside git's own directory"),
        ("git/config", "is inside git's own directory"),
    ] {
        repo.write(SETTINGS, format!("template_file: {path}\n"));
        refused(&repo, &["show", "--first-release"], why);
        repo.write(SETTINGS, format!("file: {path}\n"));
        refused(&repo, &["notes"], why);
    }
    for (path, why) in [("outside.md", "is outside of the repository"), ("config.md", "is inside git's own directory")]
    {
        refused(&repo, &["show", "--first-release", "--template", path], why);
        refused(&repo, &["show", "--first-release", "--config-file", path], why);
    }
    link("../elsewhere.md", "cliff.toml");
    refused(&repo, &["init", "--from", "cliff.toml"], "is outside of the repository");
    repo.write("docs/real.md", "## 1.0.0\n\n- Real\n");
    link("docs", "manual");
    assert_eq!(repo.tidings(&["notes", "--file", "manual/real.md"]).success(), "- Real\n");
}

#[cfg(unix)]
#[test]
fn a_change_is_written_nowhere_else() {
    use std::os::unix::fs::symlink;
    let repo = repo();
    std::fs::create_dir(repo.beside("elsewhere")).unwrap();
    symlink("../elsewhere", repo.path().join("out")).unwrap();
    symlink(".git", repo.path().join("store")).unwrap();
    let git = |name: &str| repo.path().join(".git").join(name);
    for (directory, why) in [
        ("out/news", "is outside of the repository"),
        ("news/../out/news", "is outside of the repository"),
        ("../elsewhere/news", "is outside of the repository"),
        ("../new/news", "is outside of the repository"),
        (".git/hooks", "is inside git's own directory"),
        (".GIT/news", "is inside git's own directory"),
        ("store/news", "is inside git's own directory"),
    ] {
        repo.file("towncrier.toml", format!("[tool.towncrier]\ndirectory = \"{directory}\"\n")).commit("Configure");
        refused(&repo, &["change", "--kind", "feature", "Add a crane"], why);
        assert_eq!(std::fs::read_dir(repo.beside("elsewhere")).unwrap().count(), 0, "{directory}");
        assert!(!repo.beside("new").exists() && !git("news").exists(), "{directory}");
    }
    let hooks = std::fs::read_dir(git("hooks")).unwrap();
    assert!(hooks.flatten().all(|hook| !hook.file_name().to_string_lossy().contains("crane")));
}

#[test]
fn a_git_directory_of_another_name_is_no_place_for_files_either() {
    let repo = repo();
    std::fs::rename(repo.path().join(".git"), repo.path().join("store")).unwrap();
    std::fs::write(repo.path().join(".git"), "gitdir: store\n").unwrap();
    repo.write(SETTINGS, "template_file: store/config\n");
    refused(&repo, &["show", "--first-release"], "is inside git's own directory");
}

#[test]
fn render_reads_for_its_settings_what_is_below_the_current_directory() {
    let repo = repo();
    repo.write("context.json", r#"{"version": "1.0.0", "entries": []}"#);
    for (path, why) in
        [(".git/config", "is inside git's own directory"), ("../elsewhere.md", "is outside of the current directory")]
    {
        repo.write("settings.yml", format!("template_file: {path}\n"));
        refused(&repo, &["render", "--context", "context.json", "--config-file", "settings.yml"], why);
    }
}

#[test]
fn a_settings_file_named_by_its_absolute_path_is_one_of_this_machine() {
    let repo = repo();
    let settings = repo.beside("settings.yml");
    std::fs::write(&settings, "date_format: machine\n").unwrap();
    repo.git(&["clone", "-q", "--bare", ".", "../bare"]);
    let bare = repo.beside("bare");
    let settings = settings.to_str().unwrap();
    for path in [repo.path(), &bare] {
        let arguments = ["show", "1.0.0", "--first-release", "--config-file", settings, "--repo"];
        let shown = repo.tidings(&[&arguments[..], &[path.to_str().unwrap()]].concat()).success();
        assert!(shown.starts_with("## 1.0.0 (machine)\n"), "{shown}");
    }
}
