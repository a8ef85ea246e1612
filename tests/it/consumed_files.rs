//! A release deletes or moves the change files that it lists, in its own commit.

use crate::support::TestRepo;

const CHANGELOG: &str = "# harbor\n\n## 1.0.0\n\n### Major Changes\n\n- All of it\n";

/// A release of a project that uses changesets, and two change files that wait.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file(".changeset/config.json", "{}\n").file(".changeset/README.md", "# Changesets\n");
    repo.file("CHANGELOG.md", CHANGELOG).commit("Initial");
    repo.tag("v1.0.0");
    changeset(&repo, "a", "harbor: minor", "Add sail");
    changeset(&repo, "b", "harbor: patch", "Mend mast");
    repo.file(".changeset/empty.md", "---\n---\n").commit("Write the changes down");
    repo
}

fn changeset(repo: &TestRepo, name: &str, packages: &str, text: &str) {
    repo.file(&format!(".changeset/{name}.md"), format!("---\n{packages}\n---\n\n{text}\n"));
}

/// The files that the newest commit changes.
fn changed(repo: &TestRepo, revision: &str) -> Vec<String> {
    let names = repo.git(&["show", "--format=", "--name-status", "--no-renames", revision]);
    names.lines().map(|line| line.replace('\t', " ")).collect()
}

const CONSUMED: [&str; 4] = ["D .changeset/a.md", "D .changeset/b.md", "D .changeset/empty.md", "M CHANGELOG.md"];
const EXECUTE: [&str; 3] = ["--no-push", "--no-host-release", "-x"];

#[test]
fn a_release_deletes_the_files_that_it_lists() {
    for hook in [None, Some("exit 0")] {
        let repo = harbor();
        repo.file("staged.txt", "staged\n").write("CHANGELOG.md", CHANGELOG);
        if let Some(script) = hook {
            repo.hook("pre-commit", script);
        }
        let plan = repo.tidings(&["release", "--no-push", "--no-host-release"]).success();
        assert!(plan.contains("commit: CHANGELOG.md\n") && plan.contains("    delete .changeset/a.md\n"), "{plan}");
        let document = repo.tidings(&["release", "--no-push", "--no-host-release", "--format", "json"]).json();
        let removed = serde_json::json!([".changeset/a.md", ".changeset/b.md", ".changeset/empty.md"]);
        assert_eq!(document["steps"]["commit"]["removed"], removed);
        assert_eq!(repo.read(".changeset/a.md").lines().last(), Some("Add sail"));
        let done = repo.tidings(&[&["release"][..], &EXECUTE].concat());
        assert!(!done.stderr.contains("warning"), "{}", done.stderr);
        assert_eq!(changed(&repo, "v1.1.0^{commit}"), CONSUMED);
        assert_eq!(repo.git(&["status", "--porcelain"]), "A  staged.txt");
        assert!(!repo.path().join(".changeset/a.md").exists() && repo.path().join(".changeset/README.md").exists());
        assert!(repo.read("CHANGELOG.md").contains("- Add sail"), "{}", repo.read("CHANGELOG.md"));
        // The next section lists nothing, and the past one its files.
        assert!(repo.tidings(&["show", "1.1.0"]).success().contains("Add sail"));
        assert_eq!(repo.tidings(&["next"]).code, 5);
    }
}

#[test]
fn a_branch_that_is_not_checked_out_loses_them_too() {
    for hook in [None, Some("exit 0")] {
        let repo = harbor();
        repo.git(&["branch", "side"]);
        if let Some(script) = hook {
            repo.hook("reference-transaction", script);
        }
        repo.tidings(&[&["release", "--branch", "side"][..], &EXECUTE].concat()).success();
        assert_eq!(changed(&repo, "side"), CONSUMED);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        assert!(repo.path().join(".changeset/a.md").exists());
        repo.git(&["fsck", "--strict"]);
    }
}

#[test]
fn a_section_that_is_added_consumes_them_and_one_of_an_older_commit_does_not() {
    let repo = harbor();
    let document = repo.tidings(&["add", "1.1.0", "--to", "HEAD~1", "--dry-run", "--format", "json"]).json();
    assert_eq!(document["removed"], serde_json::json!([]));
    repo.tidings(&["add", "1.1.0", "--no-commit"]).success();
    assert_eq!(repo.git(&["status", "--porcelain"]).lines().count(), 4);
    repo.git(&["reset", "--hard", "-q"]);
    repo.tidings(&["add", "--next"]).success();
    assert_eq!(changed(&repo, "HEAD"), CONSUMED);
}

#[test]
fn a_changed_file_is_not_lost() {
    let repo = harbor();
    repo.write(".changeset/a.md", "---\nharbor: major\n---\n\nBreak it\n");
    let refused = repo.tidings(&[&["release"][..], &EXECUTE].concat());
    assert!(refused.stderr.contains("`.changeset/a.md` has changes that are not committed"), "{}", refused.stderr);
    assert!(repo.path().join(".changeset/b.md").exists());
    assert_eq!(repo.git(&["tag"]), "v1.0.0");
}

#[test]
fn a_file_of_two_packages_stays_until_both_are_released() {
    let repo = TestRepo::new();
    repo.author();
    repo.file(".changeset/config.json", "{}\n").file(".gitlab/changelog_config.yml", "packages: {api: , web: }\n");
    repo.file("api/a", "1").file("web/a", "1").commit("Initial");
    repo.tag("api/v1.0.0");
    repo.tag("web/v1.0.0");
    changeset(&repo, "both", "\"api\": minor\n\"web\": patch", "Mend both");
    changeset(&repo, "web", "web: patch", "Mend web");
    repo.commit("Write the changes down");
    repo.git(&["branch", "together"]);
    repo.tidings(&[&["release", "--package", "api", "--source", "files"][..], &EXECUTE].concat()).success();
    assert_eq!(changed(&repo, "HEAD"), ["M .changeset/both.md", "A api/CHANGELOG.md"]);
    assert_eq!(repo.read(".changeset/both.md"), "---\n\"web\": patch\n---\n\nMend both\n");
    repo.tidings(&[&["release", "--package", "web", "--source", "files"][..], &EXECUTE].concat()).success();
    assert_eq!(changed(&repo, "HEAD"), ["D .changeset/both.md", "D .changeset/web.md", "A web/CHANGELOG.md"]);
    repo.git(&["checkout", "-q", "together"]);
    repo.git(&["tag", "-d", "api/v1.1.0", "web/v1.0.1"]);
    repo.tidings(&[&["release", "--all-packages", "--source", "files"][..], &EXECUTE].concat()).success();
    let all = ["D .changeset/both.md", "D .changeset/web.md", "A api/CHANGELOG.md", "A web/CHANGELOG.md"];
    assert_eq!(changed(&repo, "HEAD"), all);
}

#[test]
fn a_pre_release_moves_the_files_as_changesets_does() {
    let repo = harbor();
    repo.file(".changeset/pre.json", "{\"mode\": \"pre\", \"tag\": \"next\"}\n").commit("Enter pre mode");
    repo.tidings(&[&["release", "--pre", "next"][..], &EXECUTE].concat()).success();
    let names = ["a.md", "b.md", "empty.md"];
    let before = names.map(|name| format!("D .changeset/{name}"));
    let after = names.map(|name| format!("A .changeset/pre/{name}"));
    let expected = [&before[..], &after, &["M CHANGELOG.md".to_owned()]].concat();
    assert_eq!(changed(&repo, "v1.1.0-next.1^{commit}"), expected);
    repo.file(".changeset/pre.json", "{\"mode\": \"exit\", \"tag\": \"next\"}\n").commit("Exit pre mode");
    repo.tidings(&[&["release"][..], &EXECUTE].concat()).success();
    assert!(repo.read("CHANGELOG.md").contains("- Add sail"));
    assert_eq!(repo.git(&["ls-files", ".changeset"]), ".changeset/README.md\n.changeset/config.json");
}
