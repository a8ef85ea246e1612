//! The blockers of a release are found before anything is written, each with a hint.

use super::Released;
use crate::support::{Outcome, tidings};

/// The blockers of a plan, which says the same as a run; neither changes anything.
#[track_caller]
fn blockers(fixture: &Released, arguments: &[&str]) -> String {
    let before = fixture.state();
    let planned = fixture.release(arguments).failure(3);
    let stderr = fixture.release(&[arguments, &["-x"]].concat()).failure(1);
    assert_eq!(fixture.state(), before);
    assert_eq!(timeless(&planned), timeless(&stderr));
    stderr
}

/// The words without how long git tried, which is never the same.
fn timeless(stderr: &str) -> String {
    match stderr.split_once(" after ").map(|(before, behind)| (before, behind.split_once(" ms"))) {
        Some((before, Some((_, behind)))) => before.to_owned() + behind,
        _ => stderr.to_owned(),
    }
}

#[test]
fn a_changelog_with_edits_and_one_with_staged_ones() {
    let fixture = Released::new();
    fixture.repo.write("CHANGELOG.md", "mine\n");
    assert_eq!(
        blockers(&fixture, &[]),
        "error: 1.1.0 cannot be released yet\n  `CHANGELOG.md` has changes that are not committed\n\
         hint: commit them, or put them aside with `git stash push CHANGELOG.md`\n"
    );
    fixture.repo.git(&["add", "."]);
    assert!(blockers(&fixture, &[]).contains("`CHANGELOG.md` has staged changes"));
}

#[test]
fn a_step_that_is_held_up_says_so_in_the_plan() {
    let fixture = Released::new();
    fixture.repo.write("CHANGELOG.md", "mine\n");
    fixture.repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    let missing = ["--project", "harbor/app", "--asset", "missing"];
    let plan = fixture.release(&missing).stdout;
    for step in ["commit", "push", "forge release"] {
        assert!(plan.contains(&format!("\n{step}: blocked\n")), "{plan}");
    }
    assert!(plan.contains("\ntag: v1.1.0\n"), "{plan}");
    let document = fixture.release(&[&missing[..], &["--format", "json"]].concat()).stdout;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    for step in ["commit", "push", "forge_release"] {
        assert_eq!(document["steps"][step]["state"], "blocked", "{document}");
    }
}

#[test]
fn no_branch() {
    let fixture = Released::new();
    fixture.repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(
        fixture.release(&["-x"]).failure(1),
        "error: cannot release from a detached `HEAD`\n\
         hint: run `git switch -C BRANCH` to check out the branch at this commit, or choose one with `--branch`\n"
    );
    for (variable, value, branch) in [
        ("GITLAB_CI", "true", "\"$CI_COMMIT_BRANCH\""),
        ("GITHUB_ACTIONS", "true", "\"$GITHUB_REF_NAME\""),
        ("GITLAB_CI", "", "BRANCH"),
    ] {
        let mut program = tidings(fixture.repo.path());
        let outcome = Outcome::from(program.args(["release", "-x"]).env(variable, value).output().unwrap());
        let stderr = outcome.failure(1);
        assert!(stderr.contains(&format!("run `git switch -C {branch}` to check out")), "{variable}: {stderr}");
    }
    assert!(fixture.release(&["--branch", "nowhere"]).failure(1).contains("branch `nowhere` not found"));
}

#[test]
fn a_branch_that_is_behind_its_upstream() {
    let fixture = Released::new();
    fixture.repo.git(&["clone", "-q", "../remote.git", "../other"]);
    fixture.repo.git_beside("other", &["commit", "-q", "--allow-empty", "-m", "Theirs"]);
    fixture.repo.git_beside("other", &["push", "-q"]);
    let stderr = "error: 1.1.0 cannot be released yet\n  `main` on `origin` has commits that are not in `main`\n\
                hint: run `git pull --rebase origin main` to get them; then release again\n";
    assert_eq!(blockers(&fixture, &[]), stderr);
    fixture.repo.git(&["fetch", "-q"]);
    assert_eq!(blockers(&fixture, &[]), stderr, "whether they were fetched or not");
    fixture.repo.git(&["pull", "-q", "--rebase", "origin", "main"]);
    fixture.release(&["-x"]).success();
}

#[test]
fn a_branch_that_fell_behind_when_commit_and_tag_were_made() {
    let fixture = Released::new();
    fixture.release(&["-x", "--no-push"]).success();
    fixture.repo.git(&["clone", "-q", "../remote.git", "../other"]);
    fixture.repo.git_beside("other", &["commit", "-q", "--allow-empty", "-m", "Theirs\n\nChangelog: added\n"]);
    fixture.repo.git_beside("other", &["push", "-q"]);
    assert_eq!(
        blockers(&fixture, &[]),
        "error: 1.1.0 cannot be released yet\n  `main` on `origin` has commits that are not in `main`\n\
         hint: run `git tag -d v1.1.0` to remove the tag, which was not pushed\n\
         hint: run `git pull --rebase origin main` to get them; then release again with `--replace`, \
         so that the section has them\n"
    );
    fixture.repo.git(&["tag", "-d", "v1.1.0"]);
    fixture.repo.git(&["pull", "-q", "--rebase", "origin", "main"]);
    fixture.release(&["-x", "--replace"]).success();
    assert!(fixture.remote(&["cat-file", "-p", "v1.1.0"]).contains("### Added"));
}

#[test]
fn a_tag_that_stands_for_something_else() {
    let fixture = Released::new();
    let began = fixture.repo.git(&["rev-parse", "--short=8", "HEAD~1"]);
    fixture.repo.git(&["tag", "v1.1.0", "HEAD~1"]);
    let before = fixture.state();
    assert_eq!(
        fixture.release(&["1.1.0", "-x"]).failure(1),
        format!(
            "error: the tag `v1.1.0` is already there, on commit {began}, whose `CHANGELOG.md` has no section of 1.1.0\n\
             hint: release another version, or remove the tag if it is a mistake: `git tag -d v1.1.0`\n\
             hint: use `--no-commit` to release the tag as it is\n"
        )
    );
    fixture.repo.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    fixture.repo.commit("Aside");
    fixture.repo.git(&["tag", "-f", "v1.1.0"]);
    fixture.repo.git(&["checkout", "-q", "main"]);
    assert!(fixture.release(&["1.1.0", "-x"]).failure(1).contains(", which is not on `main`\n"));
    fixture.repo.git(&["tag", "-f", "v1.1.0", "HEAD^{tree}"]);
    assert!(fixture.release(&["1.1.0", "-x"]).failure(1).contains(", which is not a commit\n"));
    assert_eq!(fixture.state()[1..], before[1..]);
}

#[test]
fn a_tag_that_only_the_remote_has_or_has_otherwise() {
    let fixture = Released::new();
    fixture.remote(&["tag", "v1.1.0", "main"]);
    assert_eq!(
        blockers(&fixture, &[]),
        "error: 1.1.0 cannot be released yet\n  `origin` already has a tag `v1.1.0`, which is not here\n\
         hint: run `git fetch origin tag v1.1.0`, then repeat the command\n"
    );
    fixture.release(&["-x", "--no-push"]).success();
    let stderr = blockers(&fixture, &[]);
    assert!(stderr.contains("\n  the tag `v1.1.0` is "), "{stderr}");
    assert!(stderr.contains("`git fetch --force origin tag v1.1.0`"), "{stderr}");
}

#[test]
fn version_tags_of_the_remote_that_are_missing_here() {
    let fixture = Released::new();
    fixture.remote(&["tag", "v2.0.0", "main"]);
    fixture.remote(&["tag", "v1.9.0", "main"]);
    for moving in ["nightly", "v2", "v2.0"] {
        fixture.remote(&["tag", moving, "main"]);
    }
    assert_eq!(
        blockers(&fixture, &["1.1.0"]),
        "error: 1.1.0 cannot be released yet\n  `origin` has 2 version tags that this clone lacks, the highest is `v2.0.0`\n\
         hint: run `git fetch origin --tags`, then release again\n"
    );
    fixture.release(&["1.1.0", "-x", "--no-push"]).success();
    blockers(&fixture, &["1.1.0"]);
    fixture.repo.git(&["fetch", "-q", "--tags"]);
    fixture.release(&["1.1.0", "-x"]).success();
}

#[test]
fn a_clone_without_tags_does_not_release_a_first_version_again() {
    let fixture = Released::new();
    fixture.repo.git(&["tag", "-d", "v1.0.0"]);
    let stderr = blockers(&fixture, &["--offline"]);
    assert!(
        stderr.contains("0.1.0 cannot be released yet\n  `origin` has 1 version tag that this clone lacks"),
        "{stderr}"
    );
    let (whole, part) = (fixture.repo.beside("remote.git"), fixture.repo.beside("part"));
    let url = format!("file://{}", whole.display());
    fixture.repo.git(&["clone", "-q", "--depth=1", &url, part.to_str().unwrap()]);
    let release = |arguments: &[&str]| {
        let mut run = tidings(&part);
        run.args(["release", "--offline", "--no-commit"]).args(arguments);
        Outcome::from(run.output().unwrap())
    };
    assert!(release(&[]).failure(1).contains("git fetch --unshallow --tags"));
    let stderr = release(&["1.1.0", "--first-release", "--allow-shallow"]).failure(3);
    assert!(stderr.contains("`origin` has 1 version tag that this clone lacks"), "{stderr}");
    assert!(stderr.contains("hint: run `git fetch --unshallow --tags`"), "{stderr}");
}

#[test]
fn a_remote_that_is_not_there() {
    let fixture = Released::new();
    fixture.repo.git(&["remote", "set-url", "origin", "../gone.git"]);
    let stderr = blockers(&fixture, &[]);
    assert!(
        stderr.starts_with("error: 1.1.0 cannot be released yet\n  cannot reach the remote `origin`\n  "),
        "{stderr}"
    );
    fixture.repo.git(&["remote", "set-url", "origin", "http://ida:secret@127.0.0.1:1/a.git"]);
    let stderr = blockers(&fixture, &["--remote", "http://ida:secret@127.0.0.1:1/a.git"]);
    assert!(
        stderr.contains("cannot reach the remote `http://127.0.0.1:1/a.git`") && !stderr.contains("secret"),
        "{stderr}"
    );
    fixture.repo.git(&["remote", "add", "other", "../remote.git"]);
    fixture.repo.git(&["remote", "rename", "origin", "first"]);
    fixture.repo.git(&["config", "--unset", "branch.main.remote"]);
    assert!(blockers(&fixture, &[]).contains("there are several remotes: first, other\n"));
    fixture.repo.git(&["remote", "remove", "first"]);
    fixture.release(&[]).success();
    fixture.repo.git(&["remote", "remove", "other"]);
    let stderr = blockers(&fixture, &[]);
    assert!(stderr.contains("the repository has no remote to push to\n"), "{stderr}");
    assert!(stderr.ends_with("hint: use `--no-push` to skip the steps that need one\n"), "{stderr}");
    fixture.release(&["-x", "--no-push"]).success();
}

#[test]
fn all_of_them_are_told_at_once() {
    let fixture = Released::new();
    fixture.repo.write("CHANGELOG.md", "mine\n");
    fixture.repo.git(&["config", "--unset", "user.email"]);
    fixture.repo.git(&["remote", "remove", "origin"]);
    let stderr = blockers(&fixture, &[]);
    for part in [
        "has changes that are not committed",
        "git does not know the author",
        "the repository has no remote to push to",
    ] {
        assert!(stderr.contains(part), "{stderr}");
    }
    let document: serde_json::Value = serde_json::from_str(&fixture.release(&["--format", "json"]).stdout).unwrap();
    assert_eq!(document["blockers"].as_array().unwrap().len(), 3);
}

#[test]
fn what_does_not_go_together() {
    let fixture = Released::new();
    assert!(fixture.release(&["--to", "HEAD~1"]).failure(2).contains("use `--branch` to name the branch"));
    fixture.release(&["1.1.0", "--level", "major"]).failure(2);
    fixture.release(&["-x", "--dry-run"]).failure(2);
    assert!(fixture.release(&["one"]).failure(2).contains("`one` is not a valid version"));
    assert!(fixture.release(&["--tag", "a b"]).failure(2).contains("`a b` is not a valid name for a tag"));
}
