//! Committing one file: what agrees afterwards, what stays, and what is refused.

use std::{fs, path::Path};

use tidings::{
    git::{
        Repo,
        commit::{self, CommitRequest, Committed},
    },
    model,
};

use super::support::TestRepo;

const FILE: &str = "CHANGELOG.md";

/// A repository with a changelog and another file, and an author of its own.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    introduce(&repo);
    repo.file(FILE, "# Log\n").file("other.txt", "other\n");
    repo.commit("Begin");
    repo
}

fn introduce(repo: &TestRepo) {
    repo.git(&["config", "user.name", "Ida"]);
    repo.git(&["config", "user.email", "ida@harbor.example"]);
}

fn request<'a>(files: &'a [&'a Path], branch: Option<&'a str>) -> CommitRequest<'a> {
    CommitRequest { branch, files, message: "Add a line\n\n\nMore.  \n", sign: false }
}

/// The edit of these tests: one more line.
#[allow(clippy::unnecessary_wraps, reason = "an edit may fail")]
fn add_line(_: &Path, old: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
    Ok((!old.ends_with(b"line\n")).then(|| [old, b"line\n"].concat()))
}

fn commit_at(folder: &Path, file: &str, branch: Option<&str>) -> anyhow::Result<Option<Committed>> {
    commit::commit(&Repo::open(folder)?, &request(&[Path::new(file)], branch), &mut add_line)
}

#[track_caller]
fn committed(repo: &TestRepo, file: &str, branch: Option<&str>) -> Committed {
    let done = commit_at(repo.path(), file, branch).unwrap_or_else(|error| panic!("{error:?}"));
    repo.git(&["fsck", "--strict", "--no-dangling"]);
    done.expect("there was something to do")
}

/// Commits, and checks that what else is staged, edited or untracked is as before, and `git status` says the same.
#[track_caller]
fn committed_alone(repo: &TestRepo) -> Committed {
    let status = || repo.git(&["status", "--porcelain=v2", "--untracked-files=all"]);
    let before = status();
    let done = committed(repo, FILE, None);
    assert_eq!(status(), before);
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), FILE);
    assert_eq!(repo.git(&["show", "HEAD:CHANGELOG.md"]), "# Log\nline");
    done
}

/// What a refusal says: the message, then its hints; and nothing at all has changed.
#[track_caller]
fn refused(repo: &TestRepo, file: &str, branch: Option<&str>) -> String {
    let state = || {
        let refs = repo.git(&["for-each-ref"]) + &repo.git(&["rev-parse", "-q", "HEAD"]);
        let status = repo.git(&["status", "--porcelain=v2", "--ignored", "--untracked-files=all"]);
        (refs, status, fs::read(repo.path().join(FILE)).ok())
    };
    let before = state();
    let error = commit_at(repo.path(), file, branch).expect_err("it is refused");
    assert_eq!(state(), before);
    let message = error.to_string();
    [&[message.as_str()], model::hints(&error).as_slice()].concat().join(" | ")
}

#[test]
fn the_file_the_index_and_head_agree() {
    let repo = repo();
    let done = committed_alone(&repo);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.read(FILE), "# Log\nline\n");
    assert_eq!(done.id.to_string(), repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(done.branch.as_deref(), Some("main"));
    assert_eq!(repo.git(&["log", "-1", "--format=%an <%ae>%n%B"]), "Ida <ida@harbor.example>\nAdd a line\n\nMore.");
    assert_eq!(repo.git(&["reflog", "-1", "--format=%gs"]), "commit: Add a line");
    assert_eq!(repo.git(&["reflog", "main", "-1", "--format=%gs"]), "commit: Add a line");
}

#[test]
fn nothing_to_do_is_nothing_done() {
    let repo = repo();
    committed(&repo, FILE, None);
    let head = repo.git(&["rev-parse", "HEAD"]);
    repo.write(FILE, "edited\n");
    assert!(commit_at(repo.path(), FILE, None).unwrap().is_none());
    assert_eq!(repo.git(&["rev-parse", "HEAD"]), head);
}

#[test]
fn a_dirty_index_and_work_tree_stay_as_they_were() {
    for hooks in [false, true] {
        let repo = repo();
        repo.file("staged.txt", "staged\n").file("both.txt", "staged\n").write("both.txt", "edited\n");
        repo.write("other.txt", "edited\n").write("untracked.txt", "new\n").write("later.txt", "later\n");
        repo.git(&["add", "--intent-to-add", "later.txt"]);
        if hooks {
            repo.hook("pre-commit", "exit 0");
        }
        committed_alone(&repo);
        repo.git(&["commit", "-q", "-m", "Commit what was staged"]);
        assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "both.txt\nstaged.txt");
    }
}

#[test]
fn an_edit_within_the_moment_of_the_last_index_write_is_still_seen() {
    let repo = repo();
    repo.git(&["config", "core.trustCtime", "false"]);
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(TestRepo::EPOCH.unsigned_abs());
    let set_time = |path: &str| {
        fs::File::options().write(true).open(repo.path().join(path)).unwrap().set_modified(then).unwrap();
    };
    set_time("other.txt");
    repo.git(&["update-index", "--refresh"]);
    repo.write("other.txt", "ohter\n");
    set_time("other.txt");
    // Neither time nor size tell of the edit; only that the index is no younger.
    set_time(".git/index");
    committed(&repo, FILE, None);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M other.txt");
}

#[test]
fn hooks_run_and_are_heard() {
    let repo = repo();
    repo.hook("pre-commit", "grep -q line CHANGELOG.md && git diff --cached --name-only && echo checked");
    repo.hook("commit-msg", "echo 'Reviewed-by: hook' >> \"$1\"");
    repo.hook("post-commit", "touch .git/after");
    let done = committed_alone(&repo);
    assert_eq!(done.output, "CHANGELOG.md\nchecked");
    assert!(repo.git(&["log", "-1", "--format=%B"]).contains("Reviewed-by: hook"));
    assert!(repo.path().join(".git/after").exists());
}

#[test]
fn a_hook_that_refuses_leaves_everything_as_it_was() {
    let repo = repo();
    repo.hook("pre-commit", "echo 'no release on a Friday' >&2; echo spoilt >> CHANGELOG.md; exit 1");
    let message = refused(&repo, FILE, None);
    assert_eq!(message, "git did not make the commit; nothing was changed");
    let error = commit_at(repo.path(), FILE, None).unwrap_err();
    assert!(format!("{error:#}").ends_with("no release on a Friday"), "{error:#}");
    repo.hook("pre-commit", "exit 1");
    refused(&repo, "docs/NEWS.md", None);
    assert!(!repo.path().join("docs").exists());
}

#[test]
fn a_new_file_in_a_new_folder_comes_into_being() {
    for hooks in [false, true] {
        let repo = repo();
        repo.file("staged.txt", "staged\n");
        if hooks {
            repo.hook("pre-commit", "exit 0");
        }
        let done = committed(&repo, "docs/log/NEWS.md", None);
        assert_eq!(done.changes[0].before, None);
        assert_eq!(repo.git(&["status", "--porcelain"]), "A  staged.txt");
        assert_eq!(repo.git(&["ls-tree", "HEAD", "docs/log/NEWS.md"])[..6], *"100644");
        assert_eq!(repo.read("docs/log/NEWS.md"), "line\n");
    }
}

#[cfg(unix)]
#[test]
fn the_mode_of_a_file_is_kept_and_a_new_one_follows_the_mask() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |repo: &TestRepo, file: &str| repo.path().join(file).metadata().unwrap().permissions().mode() & 0o777;
    let repo = repo();
    repo.git(&["update-index", "--chmod=+x", FILE]);
    repo.commit("Make it executable");
    repo.git(&["checkout", "-q", "--force", "HEAD"]);
    fs::set_permissions(repo.path().join(FILE), fs::Permissions::from_mode(0o750)).unwrap();
    committed_alone(&repo);
    assert_eq!(mode(&repo, FILE), 0o750);
    assert_eq!(repo.git(&["ls-tree", "HEAD", FILE])[..6], *"100755");
    committed(&repo, "NEWS.md", None);
    assert_eq!(mode(&repo, "NEWS.md"), mode(&repo, "other.txt"));
}

#[test]
fn line_ends_of_the_work_tree_follow_the_settings() {
    for (setting, attributes) in [(Some("true"), None), (None, Some("*.md text eol=crlf\n")), (Some("input"), None)] {
        let repo = repo();
        if let Some(attributes) = attributes {
            repo.file(".gitattributes", attributes);
            repo.commit("Attributes");
        }
        if let Some(setting) = setting {
            repo.git(&["config", "core.autocrlf", setting]);
        }
        fs::remove_file(repo.path().join(FILE)).unwrap();
        repo.git(&["checkout", "-q", "--", FILE]);
        committed_alone(&repo);
        let ends = if setting == Some("input") { "# Log\nline\n" } else { "# Log\r\nline\r\n" };
        assert_eq!(repo.read(FILE), ends);
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
        committed(&repo, "NEWS.md", None);
        assert_eq!(repo.read("NEWS.md"), &ends[ends.len() - repo.read("NEWS.md").len()..]);
        assert_eq!(repo.git(&["cat-file", "-s", "HEAD:NEWS.md"]), "5");
    }
}

#[test]
fn filters_are_left_to_git() {
    let repo = repo();
    repo.git(&["config", "filter.shout.clean", "tr A-Z a-z"]);
    repo.git(&["config", "filter.shout.smudge", "tr a-z A-Z"]);
    repo.file(".gitattributes", "*.md filter=shout\n").file("NEWS.md", "NEWS\n");
    repo.commit("Shout");
    commit::commit(&Repo::open(repo.path()).unwrap(), &request(&[Path::new("NEWS.md")], None), &mut |_, old| {
        assert_eq!(old, b"NEWS\n");
        Ok(Some(b"NEWS\nMORE\n".to_vec()))
    })
    .unwrap();
    assert_eq!(repo.git(&["show", "HEAD:NEWS.md"]), "news\nmore");
    assert_eq!(repo.read("NEWS.md"), "NEWS\nMORE\n");
    assert_eq!(repo.git(&["status", "--porcelain", "NEWS.md"]), "");
    repo.git(&["branch", "side"]);
    assert!(refused(&repo, "NEWS.md", Some("side")).starts_with("`NEWS.md` has the attribute `filter`"));
    repo.file("docs/.gitattributes", "*.md -filter\n").commit("Not here");
    repo.git(&["branch", "--force", "side"]);
    assert!(refused(&repo, "a/NEWS.md", Some("side")).starts_with("`a/NEWS.md` has the attribute `filter`"));
    committed(&repo, "docs/NEWS.md", Some("side"));
    repo.write("NEWS.md", "EDITED\n");
    assert!(refused(&repo, "NEWS.md", None).starts_with("`NEWS.md` has changes that are not committed"));
}

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
    introduce(&bare);
    let source = repo();
    source.git(&["push", "-q", bare.path().to_str().unwrap(), "main", "main:side"]);
    committed(&bare, FILE, None);
    assert_eq!(bare.git(&["show", "main:CHANGELOG.md"]), "# Log\nline");
    committed(&bare, "docs/NEWS.md", Some("side"));
    assert_eq!(bare.git(&["show", "side:docs/NEWS.md"]), "line");
    let error = commit::write(&Repo::open(bare.path()).unwrap(), Path::new(FILE), &mut add_line).unwrap_err();
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
fn a_branch_that_moves_meanwhile_is_read_again() {
    for (branch, setup) in [(None, "main"), (Some("side"), "side")] {
        let repo = repo();
        repo.git(&["branch", "side"]);
        let mut seen = Vec::new();
        commit::commit(&Repo::open(repo.path()).unwrap(), &request(&[Path::new(FILE)], branch), &mut |_, old| {
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
        })
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
    let error =
        commit::commit(&Repo::open(repo.path()).unwrap(), &request(&[Path::new(FILE)], Some("side")), &mut |_, old| {
            let next = repo.git(&["commit-tree", "-p", "side", "-m", "Again", "side^{tree}"]);
            repo.git(&["update-ref", "refs/heads/side", &next]);
            add_line(Path::new(FILE), old)
        });
    assert_eq!(error.unwrap_err().to_string(), "the branch moved 8 times while we tried to commit to it");
}

#[test]
fn what_a_killed_run_left_behind_is_taken_up() {
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
    assert!(refused(&repo, "NEWS.md", None).starts_with("`NEWS.md` is there, but not committed"));
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
    assert_eq!(
        refused(&repo, FILE, None),
        "a merge is in progress | finish it, or give it up with `git merge --abort`"
    );
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
    let logs = repo.path().join(".git/logs");
    fs::remove_dir_all(&logs).unwrap();
    fs::write(&logs, "in the way").unwrap();
    assert_eq!(refused(&repo, FILE, None), "cannot move the branch");
    refused(&repo, "docs/NEWS.md", None);
    assert!(!repo.path().join("docs").exists());
}

#[test]
fn branches_that_are_not_there_are_named() {
    let empty = TestRepo::new();
    introduce(&empty);
    let error = commit_at(empty.path(), FILE, None).unwrap_err();
    assert_eq!(error.to_string(), "branch `main` has no commit yet");
    let repo = repo();
    assert!(refused(&repo, FILE, Some("nowhere")).starts_with("there is no branch `nowhere` | `git branch --list`"));
    assert!(refused(&repo, FILE, Some("a..b")).starts_with("`a..b` is no name of a branch"));
    assert!(refused(&repo, FILE, Some("refs/tags/v1")).starts_with("`refs/tags/v1` is no name of a branch"));
    repo.git(&["update-ref", "refs/remotes/origin/theirs", "HEAD"]);
    assert_eq!(
        refused(&repo, FILE, Some("theirs")),
        "there is no branch `theirs` | the remote has one: `git branch theirs origin/theirs` makes it a local branch"
    );
}

#[test]
fn paths_that_are_no_files_of_the_repository_are_refused() {
    let repo = repo();
    repo.file("docs/a.md", "a\n").commit("Docs");
    for (file, message) in [
        ("../CHANGELOG.md", "`../CHANGELOG.md` lies outside of the repository"),
        ("/etc/CHANGELOG.md", "`/etc/CHANGELOG.md` lies outside of the repository"),
        (".git/config", "`.git/config` lies in the repository's own folder"),
        ("docs", "`docs` is a folder"),
        ("other.txt/a.md", "`other.txt` is a file, not a folder"),
        (".", "`.` names no file"),
    ] {
        let said = refused(&repo, file, None);
        assert_eq!(said.split(" | ").next(), Some(message));
    }
    let absolute = repo.path().join("docs/../docs/a.md");
    assert!(refused(&repo, absolute.to_str().unwrap(), Some("nowhere")).starts_with("there is no branch"));
    committed(&repo, repo.path().join("docs/a.md").to_str().unwrap(), None);
    assert_eq!(repo.git(&["show", "HEAD:docs/a.md"]), "a\nline");
}

#[cfg(unix)]
#[test]
fn links_and_submodules_are_refused() {
    let repo = repo();
    std::os::unix::fs::symlink("other.txt", repo.path().join("LINK.md")).unwrap();
    std::os::unix::fs::symlink(".", repo.path().join("here")).unwrap();
    assert_eq!(refused(&repo, "LINK.md", None), "`LINK.md` is a symbolic link | name the file itself with `--file`");
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
    assert!(refused(&repo, "nested/NEWS.md", None).starts_with("`nested` is a repository of its own"));
}

#[test]
fn a_sparse_file_is_not_brought_in_unasked() {
    let repo = repo();
    repo.file("docs/NEWS.md", "# News\n").commit("News");
    repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/docs/"]);
    assert!(refused(&repo, "docs/NEWS.md", None).starts_with("`docs/NEWS.md` lies outside of the sparse checkout"));
    committed_alone(&repo);
}

#[test]
fn other_kinds_of_index_are_kept() {
    for settings in [["index.version", "4"], ["core.splitIndex", "true"], ["core.untrackedCache", "true"]] {
        let repo = repo();
        repo.git(&["config", settings[0], settings[1]]);
        repo.git(&["update-index", "--refresh", "--force-write-index"]);
        repo.file("staged.txt", "staged\n");
        committed_alone(&repo);
    }
}

#[test]
fn sha256_repositories_are_repositories() {
    let repo = TestRepo::with_options(&["--object-format=sha256"]);
    introduce(&repo);
    repo.file(FILE, "# Log\n").commit("Begin");
    assert_eq!(committed_alone(&repo).id.to_string().len(), 64);
}

#[test]
fn writing_the_file_alone_touches_nothing_else() {
    let repo = repo();
    repo.write(FILE, "# Log\r\nmine\r\n");
    let here = Repo::open(repo.path()).unwrap();
    let change = commit::write(&here, Path::new(FILE), &mut add_line).unwrap().unwrap();
    assert_eq!(change.before.as_deref(), Some(&b"# Log\r\nmine\r\n"[..]));
    assert_eq!(repo.read(FILE), "# Log\r\nmine\r\nline\n");
    assert!(commit::write(&here, Path::new(FILE), &mut add_line).unwrap().is_none());
    assert_eq!(repo.git(&["status", "--porcelain"]), " M CHANGELOG.md");
}

#[test]
fn a_preview_shows_the_change_and_writes_nothing() {
    let repo = repo();
    let objects = || repo.git(&["count-objects"]);
    let before = objects();
    let here = Repo::open(repo.path()).unwrap();
    let change = commit::preview(&here, &request(&[Path::new(FILE)], None), &mut add_line).unwrap().remove(0);
    let diff = String::from_utf8(change.diff()).unwrap();
    assert_eq!(diff, "--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -1 +1,2 @@\n # Log\n+line\n");
    assert_eq!((repo.git(&["status", "--porcelain"]), objects()), (String::new(), before));
    repo.write(FILE, "mine\n");
    assert!(commit::preview(&here, &request(&[Path::new(FILE)], None), &mut add_line).is_err());
}

#[test]
fn a_commit_can_be_signed() {
    let repo = repo();
    let key = repo.beside("key");
    let made =
        std::process::Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let public = fs::read_to_string(key.with_extension("pub")).unwrap();
    fs::write(repo.beside("signers"), format!("ida@harbor.example {public}")).unwrap();
    repo.git(&["config", "gpg.format", "ssh"]);
    repo.git(&["config", "user.signingKey", key.to_str().unwrap()]);
    repo.git(&["config", "gpg.ssh.allowedSignersFile", repo.beside("signers").to_str().unwrap()]);
    for hooks in [false, true] {
        if hooks {
            repo.hook("pre-commit", "exit 0");
        }
        let here = Repo::open(repo.path()).unwrap();
        let mut add = |_: &Path, old: &[u8]| Ok(Some([old, b"line\n"].concat()));
        commit::commit(&here, &CommitRequest { sign: true, ..request(&[Path::new(FILE)], None) }, &mut add).unwrap();
        repo.git(&["verify-commit", "HEAD"]);
    }
}

/// Commits two files, one of them new, the third unchanged, and checks that nothing else is in it.
#[track_caller]
fn several_committed(repo: &TestRepo, branch: Option<&str>) {
    let files = [FILE, "other.txt", "docs/new.txt"].map(Path::new);
    let mut edit = |path: &Path, old: &[u8]| if path == files[1] { Ok(None) } else { add_line(path, old) };
    let request = CommitRequest { branch, files: &files, message: "Add lines\n", sign: false };
    let done = commit::commit(&Repo::open(repo.path()).unwrap(), &request, &mut edit).unwrap().unwrap();
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
        commit::commit(&Repo::open(repo.path()).unwrap(), &request, &mut add_line).unwrap_err();
        assert_eq!(state(), before);
        assert!(!repo.path().join("docs").exists());
    }
}
