//! Repositories whose trees are made to cost much: nothing takes more than its size asks for.

use super::run_briefly;
use crate::support::TestRepo;

fn make_tree(repo: &TestRepo, entries: &str) -> String {
    String::from_utf8(repo.git_with_input(&["mktree"], entries.as_bytes())).unwrap().trim().to_owned()
}

/// Makes a commit with this tree the newest one.
fn set_head(repo: &TestRepo, tree: &str) {
    let commit = repo.git(&["commit-tree", "-p", "HEAD", "-m", "Grow\n\nChangelog: added", tree]);
    repo.git(&["update-ref", "HEAD", &commit]);
}

#[test]
fn many_directories_below_packages_are_looked_up_once() {
    let repo = TestRepo::new();
    repo.commit("Begin");
    repo.tag("v1.0.0");
    let blob = String::from_utf8(repo.git_with_input(&["hash-object", "-w", "--stdin"], b"x\n")).unwrap();
    let one = make_tree(&repo, &format!("100644 blob {}\tREADME.md\n", blob.trim()));
    let entries = (0..40_000).fold(String::new(), |all, number| all + &format!("040000 tree {one}\tp{number:05}\n"));
    let packages = make_tree(&repo, &entries);
    let root = make_tree(&repo, &format!("040000 tree {packages}\tpackages\n"));
    set_head(&repo, &root);
    run_briefly(repo.path(), &["doctor"]).success();
    run_briefly(repo.path(), &["add", "1.1.0", "--dry-run"]).success();
}

#[test]
fn many_stars_of_a_workspace_visit_each_directory_once() {
    let repo = TestRepo::new();
    let deep = "a/".repeat(30);
    repo.file("Cargo.toml", "[workspace]\nmembers = [\"**/**/**/**/**/**/**/**/**/*\"]\n");
    repo.file(&format!("{deep}Cargo.toml"), "[package]\nname = \"a\"\nversion = \"1.0.0\"\n");
    repo.file(".tidings.yml", "version_files: [{workspace: cargo}]\n");
    repo.commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add x", "added");
    run_briefly(repo.path(), &["doctor"]).success();
    run_briefly(repo.path(), &["release", "1.1.0"]);
    run_briefly(repo.path(), &["init", "--yes", "--force"]);
}
