//! Commits that are refused, with one sentence and without a change.

use super::*;

#[test]
fn what_a_killed_run_left_is_taken_up() {
    for hooks in [false, true] {
        let repo = repo();
        if hooks {
            repo.hook("pre-commit", "exit 0");
        }
        repo.write(FILE, "# Log\nline\n");
        committed(&repo, FILE, None);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        repo.write("NEWS.md", "line\n").git(&["add", "--intent-to-add", "NEWS.md"]);
        committed(&repo, "NEWS.md", None);
        repo.file("MORE.md", "line\n");
        committed(&repo, "MORE.md", None);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn changes_of_the_user_are_never_swept_in() {
    let repo = repo();
    repo.write(FILE, "# Log\nmine\n");
    assert_eq!(
        refused(&repo, FILE, None),
        "`CHANGELOG.md` has changes that are not committed \
         | commit them, or put them aside with `git stash push CHANGELOG.md`"
    );
    repo.git(&["add", FILE]);
    assert_eq!(
        refused(&repo, FILE, None),
        "`CHANGELOG.md` has staged changes \
         | commit them, or unstage them with `git restore --staged CHANGELOG.md`"
    );
    repo.git(&["reset", "-q", "--hard"]);
    fs::remove_file(repo.path().join(FILE)).unwrap();
    assert!(refused(&repo, FILE, None).starts_with("`CHANGELOG.md` is missing in the work tree | "));
    repo.git(&["rm", "-q", FILE]);
    assert!(refused(&repo, FILE, None).starts_with("`CHANGELOG.md` has staged changes"));
    repo.write("NEWS.md", "mine\n");
    assert!(refused(&repo, "NEWS.md", None).starts_with("`NEWS.md` exists, but is not committed"));
}

#[test]
fn what_git_is_in_the_midst_of_comes_first() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.file("other.txt", "side\n").commit("Side");
    repo.git(&["checkout", "-q", "main"]);
    repo.file("other.txt", "main\n").commit("Main");
    let merge = std::process::Command::new("git").args(["merge", "-q", "side"]).current_dir(repo.path()).output();
    assert!(!merge.unwrap().status.success());
    assert_eq!(refused(&repo, FILE, None), "a merge is in progress | finish it, or abort it with `git merge --abort`");
    fs::remove_file(repo.path().join(".git/MERGE_HEAD")).unwrap();
    assert_eq!(refused(&repo, FILE, None), "`other.txt` has conflicts | resolve them and `git add` the file");
}

#[test]
fn a_branch_under_a_rebase_is_left_alone() {
    let repo = repo();
    repo.commit("Second");
    repo.hook("edit", "sed -i.bak '1s/^pick/edit/' \"$1\"");
    let editor = repo.path().join(".git/hooks/edit");
    repo.git(&["-c", &format!("sequence.editor={}", editor.display()), "rebase", "-q", "-i", "--keep-empty", "HEAD~1"]);
    assert!(refused(&repo, FILE, Some("main")).starts_with("branch `main` is being rebased in `"));
    assert!(refused(&repo, FILE, None).starts_with("a rebase is in progress"));
}

#[test]
fn a_held_lock_is_named() {
    for hooks in [false, true] {
        let repo = repo();
        if hooks {
            repo.hook("pre-commit", "exit 0");
        }
        let lock = repo.path().join(".git/index.lock");
        fs::write(&lock, "").unwrap();
        let error = commit_at(repo.path(), FILE, None).unwrap_err();
        assert_eq!(error.to_string(), "the index is locked: another git process seems to be at work");
        assert_eq!(model::hints(&error), [format!("if there is none, remove `{}`", lock.display())]);
        fs::remove_file(lock).unwrap();
    }
    let repo = repo();
    fs::write(repo.path().join(".git/refs/heads/main.lock"), "").unwrap();
    assert!(refused(&repo, FILE, None).starts_with("`refs/heads/main` is locked: another git process"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_reference_that_cannot_move_takes_the_file_and_the_index_back() {
    let repo = repo();
    repo.file("staged.txt", "staged\n");
    repo.git(&["pack-refs", "--all"]);
    repo.write(".git/refs/heads/main/in/the", "way");
    assert_eq!(refused(&repo, FILE, None), "cannot move the branch");
    refused(&repo, "docs/NEWS.md", None);
    assert!(!repo.path().join("docs").exists());
}

#[test]
fn branches_that_are_not_there_are_named() {
    let empty = TestRepo::new();
    empty.author();
    let error = commit_at(empty.path(), FILE, None).unwrap_err();
    assert_eq!(error.to_string(), "branch `main` has no commit yet");
    empty.git(&["symbolic-ref", "refs/heads/broken", "refs/heads/nowhere"]);
    let error = commit_at(empty.path(), FILE, Some("broken")).unwrap_err();
    assert_eq!(error.to_string(), "cannot follow `refs/heads/broken`");
    let repo = repo();
    assert!(refused(&repo, FILE, Some("nowhere")).starts_with("branch `nowhere` not found | run `git branch --list`"));
    assert!(refused(&repo, FILE, Some("a..b")).starts_with("`a..b` is not a valid branch name"));
    assert!(refused(&repo, FILE, Some("refs/tags/v1")).starts_with("`refs/tags/v1` is not a valid branch name"));
    repo.git(&["symbolic-ref", "refs/heads/broken", "refs/heads/nowhere"]);
    let error = commit_at(repo.path(), FILE, Some("broken")).unwrap_err();
    assert_eq!(error.to_string(), "cannot follow `refs/heads/broken`");
    repo.git(&["update-ref", "refs/remotes/origin/theirs", "HEAD"]);
    assert_eq!(
        refused(&repo, FILE, Some("theirs")),
        "branch `theirs` not found | run `git branch theirs origin/theirs` to create it from the remote branch"
    );
}

#[test]
fn paths_that_are_no_files_of_the_repository_are_refused() {
    let repo = repo();
    repo.file("docs/a.md", "a\n").commit("Docs");
    for (file, message) in [
        ("../CHANGELOG.md", "`../CHANGELOG.md` is outside of the repository"),
        ("/etc/CHANGELOG.md", "`/etc/CHANGELOG.md` is outside of the repository"),
        (".git/config", "`.git/config` is inside git's own directory"),
        ("docs", "`docs` is a directory"),
        ("other.txt/a.md", "`other.txt` is a file, not a directory"),
        (".", "`.` does not name a file"),
    ] {
        let stderr = refused(&repo, file, None);
        assert_eq!(stderr.split(" | ").next(), Some(message));
    }
    let new_directory = repo.path().join("new/directory/a.md");
    assert!(refused(&repo, new_directory.to_str().unwrap(), Some("nowhere")).starts_with("branch `nowhere` not found"));
    let absolute = repo.path().join("docs/../docs/a.md");
    assert!(refused(&repo, absolute.to_str().unwrap(), Some("nowhere")).starts_with("branch `nowhere` not found"));
    committed(&repo, repo.path().join("docs/a.md").to_str().unwrap(), None);
    assert_eq!(repo.git(&["show", "HEAD:docs/a.md"]), "a\nline");
}

#[cfg(unix)]
#[test]
fn links_and_submodules_are_refused() {
    let repo = repo();
    std::os::unix::fs::symlink("other.txt", repo.path().join("LINK.md")).unwrap();
    std::os::unix::fs::symlink(".", repo.path().join("here")).unwrap();
    assert_eq!(refused(&repo, "LINK.md", None), "`LINK.md` is a symbolic link | name the file that it points to");
    assert!(refused(&repo, "here/NEWS.md", None).starts_with("`here` is a symbolic link"));
    repo.git(&["add", "LINK.md", "here"]);
    repo.commit("Link");
    assert!(refused(&repo, "LINK.md", None).starts_with("`LINK.md` is a symbolic link in the repository"));
    assert!(refused(&repo, "here/NEWS.md", None).starts_with("`here` is a symbolic link in the repository"));
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{head},sub")]);
    repo.commit("Submodule");
    assert_eq!(refused(&repo, "sub/NEWS.md", None), "`sub` is a submodule | run the command inside of it");
    fs::create_dir_all(repo.path().join("nested/.git")).unwrap();
    assert!(refused(&repo, "nested/NEWS.md", None).starts_with("`nested` is another repository"));
}
