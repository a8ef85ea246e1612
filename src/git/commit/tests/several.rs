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
