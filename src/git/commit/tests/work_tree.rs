//! In the work tree: the file, the index and `HEAD` agree, and everything else stays as it was.

use super::*;
use crate::git::commit::{file_path::FilePath, work_tree::PendingFile};

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
    // Neither time nor size show the edit; only that the index is not younger than the file.
    set_time(".git/index");
    committed(&repo, FILE, None);
    assert_eq!(repo.git(&["status", "--porcelain"]), " M other.txt");
}

#[test]
fn an_edit_after_the_check_is_not_overwritten() {
    let repo = repo();
    let here = Repo::open_isolated(repo.path()).unwrap();
    let log = || Some(b"# Log\n".to_vec());
    for (before, after) in [(log(), Some(b"# Log\nline\n".to_vec())), (log(), None), (None, log())] {
        repo.write(FILE, "# Log\n");
        if before.is_none() {
            fs::remove_file(repo.path().join(FILE)).unwrap();
        }
        let file = FilePath::parse(&here, Path::new(FILE)).unwrap();
        let pending = PendingFile { file, before, after, base: None, blob: None };
        let directory = tempfile::tempdir().unwrap();
        pending.prepare(&here, directory.path(), 0).unwrap();
        repo.write(FILE, "edited\n");
        let error = pending.persist(&here, directory.path(), 0).unwrap_err();
        assert!(error.to_string().contains("has changes that are not committed"), "{error:#}");
        assert_eq!(repo.read(FILE), "edited\n");
    }
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
    repo.hook("pre-commit", "echo 'no release on a Friday' >&2; exit 1");
    let message = refused(&repo, FILE, None);
    assert_eq!(message, "git did not create the commit; nothing was changed");
    let error = commit_at(repo.path(), FILE, None).unwrap_err();
    assert!(format!("{error:#}").ends_with("no release on a Friday"), "{error:#}");
    repo.hook("pre-commit", "exit 1");
    refused(&repo, "docs/NEWS.md", None);
    assert!(!repo.path().join("docs").exists());
}

#[test]
fn a_new_file_in_a_new_directory_is_created() {
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
fn line_ends_that_git_converts_are_no_change_of_the_user() {
    let repo = repo();
    repo.git(&["config", "core.autocrlf", "input"]);
    repo.write(FILE, "# Log\r\n");
    assert_eq!(repo.git(&["diff"]), "", "git sees no change");
    committed(&repo, FILE, None);
    assert_eq!(repo.git(&["show", "HEAD:CHANGELOG.md"]), "# Log\nline");
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_file_that_is_to_be_deleted_may_be_gone_already() {
    let repo = repo();
    fs::remove_file(repo.path().join("other.txt")).unwrap();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let files = [Path::new("other.txt")];
    commit::commit(&opened, &request(&files, None), &mut |_, _| Ok(FileEdit::Delete)).unwrap().unwrap();
    assert_eq!(repo.git(&["ls-tree", "--name-only", "HEAD"]), FILE);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn filters_are_left_to_git() {
    let repo = repo();
    repo.git(&["config", "filter.shout.clean", "tr A-Z a-z"]);
    repo.git(&["config", "filter.shout.smudge", "tr a-z A-Z"]);
    repo.file(".gitattributes", "*.md filter=shout\n").file("NEWS.md", "NEWS\n");
    repo.commit("Shout");
    commit::commit(
        &Repo::open_isolated(repo.path()).unwrap(),
        &request(&[Path::new("NEWS.md")], None),
        &mut |_, old| {
            assert_eq!(old, b"NEWS\n");
            Ok(FileEdit::Write(b"NEWS\nMORE\n".to_vec()))
        },
    )
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
