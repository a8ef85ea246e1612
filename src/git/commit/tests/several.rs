//! Several files in one commit.

use super::*;

/// Commits two files, one of them new, the third unchanged, and checks that nothing else is in it.
#[track_caller]
fn several_committed(repo: &TestRepo, branch: Option<&str>) {
    let files = [FILE, "other.txt", "docs/new.txt"].map(Path::new);
    let mut edit = |path: &Path, old: &[u8]| if path == files[1] { Ok(FileEdit::Keep) } else { add_line(path, old) };
    let request = CommitRequest { branch, files: &files, message: "Add lines\n", sign: false };
    let done = commit::commit(&Repo::open_isolated(repo.path()).unwrap(), &request, &mut edit).unwrap().unwrap();
    let id = done.id.to_string();
    assert_eq!(
        repo.git(&["show", "--format=%s", "--name-status", &id]),
        "Add lines\n\nM\tCHANGELOG.md\nA\tdocs/new.txt"
    );
    assert_eq!(done.changes.iter().map(|change| change.file.as_str()).collect::<Vec<_>>(), [FILE, "docs/new.txt"]);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    repo.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn several_files_go_into_one_commit() {
    let natively = repo();
    several_committed(&natively, None);
    assert_eq!(natively.read("docs/new.txt"), "line\n");
    let hooked = repo();
    hooked.hook("pre-commit", "git diff --cached --name-only | tr '\\n' ' '");
    several_committed(&hooked, None);
    let elsewhere = repo();
    elsewhere.git(&["branch", "side"]);
    several_committed(&elsewhere, Some("side"));
    assert!(!elsewhere.path().join("docs").exists());
}

#[test]
fn of_several_files_none_changes_when_one_is_refused() {
    for hook in [None, Some("exit 1")] {
        let repo = repo();
        if let Some(script) = hook {
            repo.hook("pre-commit", script);
        }
        repo.file("staged.txt", "staged\n");
        repo.write("other.txt", if hook.is_some() { "other\n" } else { "edited\n" });
        let state = || (repo.git(&["status", "--porcelain=v2", "--untracked-files=all"]), repo.read(FILE));
        let before = state();
        let files = [FILE, "docs/new.txt", "other.txt"].map(Path::new);
        let request = CommitRequest { branch: None, files: &files, message: "Add lines", sign: false };
        commit::commit(&Repo::open_isolated(repo.path()).unwrap(), &request, &mut add_line).unwrap_err();
        assert_eq!(state(), before);
        assert!(!repo.path().join("docs").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_are_deleted_and_come_back_if_the_commit_fails() {
    let link = |repo: &TestRepo| fs::read_link(repo.path().join("notes/link.txt")).ok();
    for hook in [None, Some("exit 0"), Some("exit 1")] {
        let repo = repo();
        repo.file(".gitattributes", "*.txt text eol=crlf\nnotes/*.txt filter=clean\n").file("notes/a.md", "a\n");
        std::os::unix::fs::symlink("a.md", repo.path().join("notes/link.txt")).unwrap();
        repo.git(&["add", "notes"]);
        repo.commit("Link");
        if let Some(script) = hook {
            repo.hook("pre-commit", script);
        }
        let files = [FILE, "notes/a.md", "notes/link.txt"].map(Path::new);
        let request = CommitRequest { branch: None, files: &files, message: "Release", sign: false };
        let mut edit =
            |path: &Path, old: &[u8]| if path == files[0] { add_line(path, old) } else { Ok(FileEdit::Delete) };
        let made = commit::commit(&Repo::open_isolated(repo.path()).unwrap(), &request, &mut edit);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        if hook == Some("exit 1") {
            made.unwrap_err();
            assert_eq!(link(&repo).unwrap(), Path::new("a.md"));
            continue;
        }
        assert_eq!(made.unwrap().unwrap().changes.len(), 3);
        assert_eq!(repo.git(&["ls-tree", "--name-only", "HEAD", "notes/"]), "");
        assert!(!repo.path().join("notes").exists());
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_by_now_is_kept() {
    let repo = repo();
    std::os::unix::fs::symlink("other.txt", repo.path().join("LINK")).unwrap();
    repo.git(&["add", "LINK"]);
    repo.commit("Link");
    fs::remove_file(repo.path().join("LINK")).unwrap();
    std::os::unix::fs::symlink(FILE, repo.path().join("LINK")).unwrap();
    let files = [Path::new("LINK")];
    let request = CommitRequest { branch: None, files: &files, message: "Release", sign: false };
    let error = commit::commit(&Repo::open_isolated(repo.path()).unwrap(), &request, &mut |_, _| Ok(FileEdit::Delete));
    assert_eq!(error.unwrap_err().to_string(), "`LINK` has changes that are not committed");
    assert_eq!(fs::read_link(repo.path().join("LINK")).unwrap(), Path::new(FILE));
}
