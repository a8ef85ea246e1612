//! Other branches, bare repositories and linked work trees, and branches that move during a commit.

use super::*;

#[test]
fn another_branch_moves_without_the_work_tree() {
    let repo = repo();
    repo.git(&["branch", "stable"]);
    repo.write(FILE, "edited here\n");
    let head = repo.git(&["rev-parse", "HEAD"]);
    let done = committed(&repo, FILE, Some("stable"));
    assert_eq!(done.branch.as_deref(), Some("stable"));
    assert_eq!(repo.git(&["show", "stable:CHANGELOG.md"]), "# Log\nline");
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "stable"]), FILE);
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M CHANGELOG.md");
    assert_eq!(repo.git(&["reflog", "stable", "-1", "--format=%gs"]), "commit: Add a line");
}

#[test]
fn a_bare_repository_moves_its_branch() {
    let bare = TestRepo::with_options(&["--bare"]);
    bare.author();
    let source = repo();
    source.git(&["push", "-q", bare.path().to_str().unwrap(), "main", "main:side"]);
    committed(&bare, FILE, None);
    assert_eq!(bare.git(&["show", "main:CHANGELOG.md"]), "# Log\nline");
    committed(&bare, "docs/NEWS.md", Some("side"));
    assert_eq!(bare.git(&["show", "side:docs/NEWS.md"]), "line");
    let error = commit::write(&Repo::open_isolated(bare.path()).unwrap(), Path::new(FILE), &mut add_line).unwrap_err();
    assert_eq!(error.to_string(), "a bare repository has no files to write to");
}

#[test]
fn a_linked_work_tree_is_a_work_tree() {
    let repo = repo();
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
    let linked = repo.beside("linked");
    for hooks in [false, true] {
        if hooks {
            repo.hook("pre-commit", "exit 0");
            repo.git_beside("linked", &["reset", "-q", "--hard", "main"]);
        }
        commit_at(&linked, FILE, None).unwrap().unwrap();
        assert_eq!(repo.git_beside("linked", &["status", "--porcelain"]), "");
        assert_eq!(repo.git(&["show", "side:CHANGELOG.md"]), "# Log\nline");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
    repo.git_beside("linked", &["reset", "-q", "--hard", "main"]);
    let message = refused(&repo, FILE, Some("side"));
    assert!(message.starts_with("branch `side` is checked out in `"), "{message}");
    assert!(message.contains("linked"), "{message}");
    let error = commit_at(&linked, FILE, Some("main")).unwrap_err();
    assert!(error.to_string().starts_with("branch `main` is checked out in `"), "{error}");
    fs::remove_dir_all(&linked).unwrap();
    let message = refused(&repo, FILE, Some("side"));
    assert!(message.ends_with(" | run `git worktree prune`, since that directory is gone"), "{message}");
    repo.git(&["worktree", "prune"]);
    committed(&repo, FILE, Some("side"));
}

#[test]
fn a_detached_head_moves_alone() {
    let repo = repo();
    repo.git(&["checkout", "-q", "--detach"]);
    let done = committed_alone(&repo);
    assert_eq!(done.branch, None);
    assert_eq!(repo.git(&["show", "main:CHANGELOG.md"]), "# Log");
    committed(&repo, FILE, Some("main"));
    assert_eq!(repo.git(&["show", "main:CHANGELOG.md"]), "# Log\nline");
}

#[test]
fn a_branch_that_moves_during_the_commit_is_read_again() {
    for (branch, setup) in [(None, "main"), (Some("side"), "side")] {
        let repo = repo();
        repo.git(&["branch", "side"]);
        let mut seen = Vec::new();
        commit::commit(
            &Repo::open_isolated(repo.path()).unwrap(),
            &request(&[Path::new(FILE)], branch),
            &mut |_, old| {
                if seen.is_empty() {
                    if branch.is_none() {
                        repo.file(FILE, "# Log\nfaster\n");
                        repo.commit("Be faster");
                    } else {
                        let blob = repo.write("new", "# Log\nfaster\n").git(&["hash-object", "-w", "new"]);
                        let tree = format!("100644 blob {blob}\t{FILE}\n");
                        let tree = String::from_utf8(repo.git_with_input(&["mktree"], tree.as_bytes())).unwrap();
                        let faster = repo.git(&["commit-tree", "-p", "side", "-m", "Be faster", tree.trim()]);
                        repo.git(&["update-ref", "refs/heads/side", &faster]);
                    }
                }
                seen.push(String::from_utf8(old.to_vec()).unwrap());
                add_line(Path::new(FILE), old)
            },
        )
        .unwrap();
        assert_eq!(seen, ["# Log\n", "# Log\nfaster\n"]);
        assert_eq!(repo.git(&["show", &format!("{setup}:{FILE}")]), "# Log\nfaster\nline");
        assert_eq!(repo.git(&["log", "--format=%s", setup]), "Add a line\nBe faster\nBegin");
    }
}

#[test]
fn a_branch_that_moves_under_git_is_read_again() {
    let repo = repo();
    let faster = "test -e .git/once && exit 0; touch .git/once\n\
                  git update-ref HEAD $(git commit-tree -p HEAD -m 'Be faster' HEAD^{tree})";
    repo.hook("pre-commit", faster);
    committed_alone(&repo);
    assert_eq!(repo.git(&["log", "--format=%s"]), "Add a line\nBe faster\nBegin");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_branch_that_never_rests_is_given_up() {
    let repo = repo();
    repo.git(&["branch", "side"]);
    let error = commit::commit(
        &Repo::open_isolated(repo.path()).unwrap(),
        &request(&[Path::new(FILE)], Some("side")),
        &mut |_, old| {
            let next = repo.git(&["commit-tree", "-p", "side", "-m", "Again", "side^{tree}"]);
            repo.git(&["update-ref", "refs/heads/side", &next]);
            add_line(Path::new(FILE), old)
        },
    );
    assert_eq!(error.unwrap_err().to_string(), "the branch moved 8 times while we tried to commit to it");
}
