//! What stands in the way of a release is found before anything is written, and told with the way out.

use super::Released;
use crate::support::{Outcome, tidings};

/// The blockers of a plan, which says the same as a run; neither changes anything.
#[track_caller]
fn blockers(it: &Released, arguments: &[&str]) -> String {
    let before = it.state();
    let planned = it.release(arguments).failure(3);
    let said = it.release(&[arguments, &["-x"]].concat()).failure(1);
    assert_eq!(it.state(), before);
    assert_eq!(timeless(&planned), timeless(&said));
    said
}

/// The words without how long git tried, which is never the same.
fn timeless(said: &str) -> String {
    match said.split_once(" after ").map(|(before, behind)| (before, behind.split_once(" ms"))) {
        Some((before, Some((_, behind)))) => before.to_owned() + behind,
        _ => said.to_owned(),
    }
}

#[test]
fn a_changelog_with_edits_and_one_with_staged_ones() {
    let it = Released::new();
    it.repo.write("CHANGELOG.md", "mine\n");
    assert_eq!(
        blockers(&it, &[]),
        "error: 1.1.0 cannot be released yet\n  `CHANGELOG.md` has changes that are not committed\n\
         hint: commit them, or put them aside with `git stash push CHANGELOG.md`\n"
    );
    it.repo.git(&["add", "."]);
    assert!(blockers(&it, &[]).contains("`CHANGELOG.md` has staged changes"));
}

#[test]
fn a_step_that_is_held_up_says_so_in_the_plan() {
    let it = Released::new();
    it.repo.write("CHANGELOG.md", "mine\n");
    it.repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    let missing = ["--project", "harbor/app", "--asset", "missing"];
    let plan = it.release(&missing).stdout;
    for step in ["commit", "push", "forge release"] {
        assert!(plan.contains(&format!("\n{step}: blocked\n")), "{plan}");
    }
    assert!(plan.contains("\ntag: v1.1.0\n"), "{plan}");
    let document = it.release(&[&missing[..], &["--format", "json"]].concat()).stdout;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    for step in ["commit", "push", "forge_release"] {
        assert_eq!(document["steps"][step]["state"], "blocked", "{document}");
    }
}

#[test]
fn no_branch() {
    let it = Released::new();
    it.repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(
        it.release(&["-x"]).failure(1),
        "error: cannot release from a detached `HEAD`\n\
         hint: run `git switch -C BRANCH` to check out the branch at this commit, or choose one with `--branch`\n"
    );
    assert!(it.release(&["--branch", "nowhere"]).failure(1).contains("branch `nowhere` not found"));
}

#[test]
fn a_branch_that_is_behind_its_upstream() {
    let it = Released::new();
    it.repo.git(&["clone", "-q", "../remote.git", "../other"]);
    it.repo.git_beside("other", &["commit", "-q", "--allow-empty", "-m", "Theirs"]);
    it.repo.git_beside("other", &["push", "-q"]);
    let said = "error: 1.1.0 cannot be released yet\n  `main` on `origin` has commits that are not in `main`\n\
                hint: run `git pull --rebase origin main` to get them; then release again\n";
    assert_eq!(blockers(&it, &[]), said);
    it.repo.git(&["fetch", "-q"]);
    assert_eq!(blockers(&it, &[]), said, "whether they were fetched or not");
    it.repo.git(&["pull", "-q", "--rebase", "origin", "main"]);
    it.release(&["-x"]).success();
}

#[test]
fn a_branch_that_fell_behind_when_commit_and_tag_were_made() {
    let it = Released::new();
    it.release(&["-x", "--no-push"]).success();
    it.repo.git(&["clone", "-q", "../remote.git", "../other"]);
    it.repo.git_beside("other", &["commit", "-q", "--allow-empty", "-m", "Theirs\n\nChangelog: added\n"]);
    it.repo.git_beside("other", &["push", "-q"]);
    assert_eq!(
        blockers(&it, &[]),
        "error: 1.1.0 cannot be released yet\n  `main` on `origin` has commits that are not in `main`\n\
         hint: run `git tag -d v1.1.0` to remove the tag, which was not pushed\n\
         hint: run `git pull --rebase origin main` to get them; then release again with `--replace`, \
         so that the section has them\n"
    );
    it.repo.git(&["tag", "-d", "v1.1.0"]);
    it.repo.git(&["pull", "-q", "--rebase", "origin", "main"]);
    it.release(&["-x", "--replace"]).success();
    assert!(it.remote(&["cat-file", "-p", "v1.1.0"]).contains("### Added"));
}

#[test]
fn a_tag_that_stands_for_something_else() {
    let it = Released::new();
    let began = it.repo.git(&["rev-parse", "--short=8", "HEAD~1"]);
    it.repo.git(&["tag", "v1.1.0", "HEAD~1"]);
    let before = it.state();
    assert_eq!(
        it.release(&["1.1.0", "-x"]).failure(1),
        format!(
            "error: the tag `v1.1.0` is already there, on commit {began}, whose `CHANGELOG.md` has no section of 1.1.0\n\
             hint: release another version, or remove the tag if it is a mistake: `git tag -d v1.1.0`\n\
             hint: use `--no-commit` to release the tag as it is\n"
        )
    );
    it.repo.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    it.repo.commit("Aside");
    it.repo.git(&["tag", "-f", "v1.1.0"]);
    it.repo.git(&["checkout", "-q", "main"]);
    assert!(it.release(&["1.1.0", "-x"]).failure(1).contains(", which is not on `main`\n"));
    it.repo.git(&["tag", "-f", "v1.1.0", "HEAD^{tree}"]);
    assert!(it.release(&["1.1.0", "-x"]).failure(1).contains(", which is not a commit\n"));
    assert_eq!(it.state()[1..], before[1..]);
}

#[test]
fn a_tag_that_only_the_remote_has_or_has_otherwise() {
    let it = Released::new();
    it.remote(&["tag", "v1.1.0", "main"]);
    assert_eq!(
        blockers(&it, &[]),
        "error: 1.1.0 cannot be released yet\n  `origin` already has a tag `v1.1.0`, which is not here\n\
         hint: run `git fetch origin tag v1.1.0`, then repeat the command\n"
    );
    it.release(&["-x", "--no-push"]).success();
    let said = blockers(&it, &[]);
    assert!(said.contains("\n  the tag `v1.1.0` is "), "{said}");
    assert!(said.contains("`git fetch --force origin tag v1.1.0`"), "{said}");
}

#[test]
fn version_tags_of_the_remote_that_are_missing_here() {
    let it = Released::new();
    it.remote(&["tag", "v2.0.0", "main"]);
    it.remote(&["tag", "v1.9.0", "main"]);
    for moving in ["nightly", "v2", "v2.0"] {
        it.remote(&["tag", moving, "main"]);
    }
    assert_eq!(
        blockers(&it, &["1.1.0"]),
        "error: 1.1.0 cannot be released yet\n  `origin` has 2 version tags that this clone lacks, the highest is `v2.0.0`\n\
         hint: run `git fetch origin --tags`, then release again\n"
    );
    it.release(&["1.1.0", "-x", "--no-push"]).success();
    blockers(&it, &["1.1.0"]);
    it.repo.git(&["fetch", "-q", "--tags"]);
    it.release(&["1.1.0", "-x"]).success();
}

#[test]
fn a_clone_without_tags_does_not_release_a_first_version_again() {
    let it = Released::new();
    it.repo.git(&["tag", "-d", "v1.0.0"]);
    let said = blockers(&it, &["--offline"]);
    assert!(
        said.contains("0.1.0 cannot be released yet\n  `origin` has 1 version tag that this clone lacks"),
        "{said}"
    );
    let (whole, part) = (it.repo.beside("remote.git"), it.repo.beside("part"));
    let url = format!("file://{}", whole.display());
    it.repo.git(&["clone", "-q", "--depth=1", &url, part.to_str().unwrap()]);
    let release = |arguments: &[&str]| {
        let mut run = tidings(&part);
        run.args(["release", "--offline", "--no-commit"]).args(arguments);
        Outcome::from(run.output().unwrap())
    };
    assert!(release(&[]).failure(1).contains("git fetch --unshallow --tags"));
    let said = release(&["1.1.0", "--first-release", "--allow-shallow"]).failure(3);
    assert!(said.contains("`origin` has 1 version tag that this clone lacks"), "{said}");
    assert!(said.contains("hint: run `git fetch --unshallow --tags`"), "{said}");
}

#[test]
fn a_remote_that_is_not_there() {
    let it = Released::new();
    it.repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    let said = blockers(&it, &[]);
    assert!(said.starts_with("error: 1.1.0 cannot be released yet\n  cannot reach the remote `origin`\n  "), "{said}");
    it.repo.git(&["remote", "set-url", "origin", "http://ida:secret@127.0.0.1:1/a.git"]);
    let said = blockers(&it, &["--remote", "http://ida:secret@127.0.0.1:1/a.git"]);
    assert!(said.contains("cannot reach the remote `http://127.0.0.1:1/a.git`") && !said.contains("secret"), "{said}");
    it.repo.git(&["remote", "add", "other", "../remote.git"]);
    it.repo.git(&["remote", "rename", "origin", "first"]);
    it.repo.git(&["config", "--unset", "branch.main.remote"]);
    assert!(blockers(&it, &[]).contains("there are several remotes: first, other\n"));
    it.repo.git(&["remote", "remove", "first"]);
    it.release(&[]).success();
    it.repo.git(&["remote", "remove", "other"]);
    let said = blockers(&it, &[]);
    assert!(said.contains("the repository has no remote to push to\n"), "{said}");
    assert!(said.ends_with("hint: use `--no-push` to skip the steps that need one\n"), "{said}");
    it.release(&["-x", "--no-push"]).success();
}

#[test]
fn all_of_them_are_told_at_once() {
    let it = Released::new();
    it.repo.write("CHANGELOG.md", "mine\n");
    it.repo.git(&["config", "--unset", "user.email"]);
    it.repo.git(&["remote", "remove", "origin"]);
    let said = blockers(&it, &[]);
    for part in [
        "has changes that are not committed",
        "git does not know the author",
        "the repository has no remote to push to",
    ] {
        assert!(said.contains(part), "{said}");
    }
    let document: serde_json::Value = serde_json::from_str(&it.release(&["--format", "json"]).stdout).unwrap();
    assert_eq!(document["blockers"].as_array().unwrap().len(), 3);
}

#[test]
fn what_does_not_go_together() {
    let it = Released::new();
    assert!(it.release(&["--to", "HEAD~1"]).failure(2).contains("use `--branch` to name the branch"));
    it.release(&["1.1.0", "--level", "major"]).failure(2);
    it.release(&["-x", "--dry-run"]).failure(2);
    assert!(it.release(&["one"]).failure(2).contains("`one` is not a valid version"));
    assert!(it.release(&["--tag", "a b"]).failure(2).contains("`a b` is not a valid name for a tag"));
}
