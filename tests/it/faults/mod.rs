//! Kills, interrupts, locks, races and edits in the middle of a commit: nothing is lost, and the messages are true.

mod damaged_cache;
#[cfg(target_os = "linux")]
mod kill;
mod killed_git;
mod settings;

use std::{
    fs,
    path::Path,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

use crate::support::{Outcome, TestRepo, tidings};

const FILE: &str = "CHANGELOG.md";
/// The process that runs git, as a hook sees it.
const PROGRAM: &str = "program=$(ps -o ppid= -p $PPID)";

/// A repository with a changelog, an entry for the next version and an author.
fn repo() -> TestRepo {
    let repo = TestRepo::new();
    repo.author();
    repo.file(FILE, "# C\n\n## 1.0.0 (2023-01-01)\n\nold\n").file("other.txt", "other\n");
    repo.commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo
}

fn start(repo: &TestRepo, arguments: &[&str]) -> Child {
    let mut command = tidings(repo.path());
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Outcome {
    child.wait_with_output().unwrap().into()
}

/// Waits until a condition holds, and fails after a while.
#[track_caller]
fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(30), "it never came");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Leaves what a run leaves if it is killed while git runs this hook.
fn kill_in_hook(repo: &TestRepo, hook: &str, arguments: &[&str]) {
    repo.hook(hook, &format!("{PROGRAM}; kill -9 $PPID; kill -9 $program"));
    assert_eq!(start(repo, arguments).wait_with_output().unwrap().status.code(), None);
    let git = repo.path().join(".git");
    fs::remove_file(git.join("hooks").join(hook)).unwrap();
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock"] {
        let _ = fs::remove_file(git.join(lock));
    }
}

#[test]
fn what_git_has_committed_is_committed_whatever_comes_after_it() {
    for script in ["kill -INT $PPID $program; sleep 1", "kill -9 $PPID; sleep 1"] {
        let repo = repo();
        repo.hook("post-commit", &format!("{PROGRAM}; {script}"));
        let outcome = end(start(&repo, &["add", "1.1.0"]));
        assert!(outcome.stderr.contains("the commit is made, but what came after it failed: git ended with signal"));
        assert!(outcome.success().starts_with("added 1.1.0 to CHANGELOG.md: commit "));
        assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Add changelog for version 1.1.0");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn the_commit_that_is_named_is_the_one_that_was_asked_for() {
    let repo = repo();
    let again = "test -e .git/once && exit 0; touch .git/once; git commit -q --allow-empty -m 'By the hook'";
    repo.hook("post-commit", again);
    let stderr = end(start(&repo, &["add", "1.1.0", "--format", "json"])).json();
    assert_eq!(stderr["commit"], repo.git(&["rev-parse", "HEAD^"]));
}

#[test]
fn what_a_formatter_adds_to_the_commit_is_in_the_index_as_well() {
    let repo = repo();
    repo.hook("pre-commit", "echo formatted >>CHANGELOG.md; git add CHANGELOG.md");
    end(start(&repo, &["add", "1.1.0"])).success();
    assert!(repo.git(&["show", "HEAD:CHANGELOG.md"]).ends_with("\nformatted"));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn an_edit_that_is_saved_while_a_lock_is_waited_for_stays() {
    for is_freed in [false, true] {
        let repo = repo();
        let lock = repo.path().join(".git/refs/heads/main.lock");
        fs::write(&lock, "").unwrap();
        let child = start(&repo, &["add", "1.1.0"]);
        wait_until(|| repo.path().join(".git/index.lock").exists());
        repo.write(FILE, "an hour of work\n");
        if is_freed {
            fs::remove_file(&lock).unwrap();
        }
        let stderr = end(child).failure(1);
        let why = if is_freed { "has changes that are not committed" } else { "is locked" };
        assert!(stderr.contains(why), "{stderr}");
        assert_eq!(repo.read(FILE), "an hour of work\n");
    }
}

#[test]
fn what_a_hook_or_the_user_changes_in_the_file_is_not_taken_back() {
    let repo = repo();
    repo.hook("pre-commit", "echo mine >>CHANGELOG.md; exit 1");
    let stderr = end(start(&repo, &["add", "1.1.0"])).failure(1);
    let why = "error: no commit was made; `CHANGELOG.md` was changed at the same time and is kept as it is\n";
    assert!(stderr.starts_with(why), "{stderr}");
    assert!(repo.read(FILE).ends_with("\nmine\n"));
}

#[test]
fn of_many_at_once_each_succeeds_and_nothing_is_left() {
    for hook in [false, true] {
        let repo = repo();
        if hook {
            repo.hook("pre-commit", "exit 0");
        }
        let versions: Vec<_> = (1..9).map(|minor| format!("1.{minor}.0")).collect();
        let children: Vec<_> =
            versions.iter().map(|version| start(&repo, &["add", version, "--from", "v1.0.0"])).collect();
        for child in children {
            end(child).success();
        }
        let file = repo.git(&["show", "HEAD:CHANGELOG.md"]);
        assert!(versions.iter().all(|version| file.contains(&format!("## {version} ("))), "{file}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_commit_of_somebody_else_is_not_reverted_by_git() {
    let repo = repo();
    repo.hook("pre-commit", "exit 0");
    // Another commit is made after the program read the branch and before `git commit` does.
    let faster = "commit=$(printf 'faster\\n' | git hash-object -w --stdin | sed 's/^/100644 blob /;s/$/\tCHANGELOG.md/' \\\n\
                  | git mktree | xargs git commit-tree -p HEAD -m Faster); git update-ref HEAD $commit";
    let real = repo.git(&["--exec-path"]) + "/git";
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = commit ]; then\ngit() {{ {real} \"$@\"; }}\n{faster}\nfi\nexec {real} \"$@\"\n"
    );
    repo.write(".git/bin/git", script);
    let program = repo.path().join(".git/bin/git");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut command = tidings(repo.path());
    let stderr = Outcome::from(command.env("PATH", path).args(["add", "1.1.0"]).output().unwrap()).failure(1);
    assert!(stderr.contains("has staged changes"), "{stderr}");
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Faster", "{stderr}");
    assert!(repo.read(FILE).starts_with("# C\n\n## 1.0.0"));
}

#[test]
fn what_a_killed_run_left_is_taken_back_on_another_day() {
    let repo = repo();
    for hook in ["pre-commit", "prepare-commit-msg", "commit-msg"] {
        kill_in_hook(&repo, hook, &["add", "1.1.0", "--date", "2024-01-01"]);
        assert!(repo.read(FILE).contains("1.1.0 (2024-01-01)"), "{hook}");
        assert!(repo.tidings(&["add", "1.1.0", "--date", "2024-01-02", "--dry-run"]).code == 0, "{hook}");
    }
    kill_in_hook(&repo, "pre-commit", &["add", "1.1.0", "--date", "2024-01-01"]);
    repo.commit("One more");
    end(start(&repo, &["add", "1.1.0", "--date", "2024-01-02"])).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    let file = repo.git(&["show", "HEAD:CHANGELOG.md"]);
    assert!(file.contains("1.1.0 (2024-01-02)") && !file.contains("2024-01-01"), "{file}");
}

#[test]
fn a_new_or_filtered_file_of_a_killed_run_is_taken_back_too() {
    let repo = repo();
    repo.git(&["config", "filter.same.clean", "cat"]);
    for attributes in ["", "*.md filter=same\n"] {
        repo.write(".git/info/attributes", attributes);
        for file in [FILE, "docs/new/NEWS.md"] {
            kill_in_hook(&repo, "pre-commit", &["add", "1.1.0", "--file", file]);
            end(start(&repo, &["add", "1.1.0", "--file", file, "--dry-run"])).success();
            assert_eq!(repo.git(&["status", "--porcelain"]), "", "{file} {attributes}");
            assert!(!repo.path().join("docs").exists());
        }
    }
}

/// Leaves what a run leaves if it and git are killed when the branch has the commit, and the index does not.
fn kill_before_the_index(repo: &TestRepo, arguments: &[&str]) {
    let moved = "test \"$1\" = committed || exit 0; kill -9 $PPID; kill -9 $program";
    repo.hook("reference-transaction", &format!("{PROGRAM}; {moved}"));
    assert_eq!(start(repo, arguments).wait_with_output().unwrap().status.code(), None);
    fs::remove_file(repo.path().join(".git/hooks/reference-transaction")).unwrap();
    fs::remove_file(repo.path().join(".git/index.lock")).unwrap();
}

#[test]
fn an_edit_of_the_same_size_after_a_kill_is_still_one_for_git() {
    let repo = repo();
    kill_before_the_index(&repo, &["add", "1.1.0"]);
    repo.write(FILE, repo.read(FILE).to_ascii_uppercase());
    // Git trusts what the index says of a file, unless that is about as old as the index.
    let file = fs::File::options().append(true).open(repo.path().join(FILE)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
    end(start(&repo, &["add", "1.1.0"])).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), " M CHANGELOG.md");
}

#[test]
fn an_index_that_git_did_not_get_to_write_is_completed() {
    for (arguments, answer) in [
        (&["add", "1.1.0"][..], "1.1.0 is already in CHANGELOG.md"),
        (&["release", "1.1.0", "-x", "--no-push", "--no-host-release"], "released 1.1.0"),
    ] {
        let repo = repo();
        kill_before_the_index(&repo, arguments);
        assert!(repo.git(&["log", "-1", "--format=%s"]).ends_with(" 1.1.0"));
        assert_eq!(repo.git(&["status", "--porcelain"]), "MM CHANGELOG.md");
        let stderr = end(start(&repo, arguments)).success();
        assert!(stderr.starts_with(answer), "{stderr}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn every_lock_is_named_at_once_as_the_shell_finds_it() {
    let repo = repo();
    let git = repo.path().join(".git");
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock"] {
        fs::write(git.join(lock), "").unwrap();
    }
    let mut command = tidings(repo.path().parent().unwrap());
    let stderr = Outcome::from(command.args(["-C", "repo", "add", "1.1.0"]).output().unwrap()).failure(1);
    for lock in ["index.lock", "HEAD.lock", "refs/heads/main.lock"] {
        let named = stderr.split('`').map(Path::new).any(|path| path.is_absolute() && path.ends_with(lock));
        assert!(named, "{lock}: {stderr}");
    }
}

#[test]
fn a_lock_that_is_given_up_soon_is_waited_for() {
    for hook in [false, true] {
        let repo = repo();
        if hook {
            repo.hook("pre-commit", "exit 0");
        }
        let lock = repo.path().join(".git/index.lock");
        fs::write(&lock, "").unwrap();
        let child = start(&repo, &["add", "1.1.0"]);
        wait_until(|| repo.path().join(".git/tidings").exists());
        fs::remove_file(lock).unwrap();
        end(child).success();
    }
}

#[test]
fn nothing_is_left_in_the_repository() {
    let repo = repo();
    end(start(&repo, &["add", "1.1.0"])).success();
    let left = |directory: &str| {
        let entries = fs::read_dir(repo.path().join(directory)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(left(".git/tidings"), ["lock"]);
    assert!(
        !left(".git").iter().chain(&left(".git/objects")).any(|name| name.contains("tmp") || name.contains(".lock"))
    );
}

#[test]
fn a_leftover_that_cannot_be_taken_back_yet_is_said_so() {
    let repo = repo();
    kill_in_hook(&repo, "pre-commit", &["add", "1.1.0", "--file", "NEWS.md"]);
    fs::write(repo.path().join(".git/index.lock"), "").unwrap();
    let stderr = end(start(&repo, &["add", "1.1.0"])).failure(1);
    assert!(stderr.contains("the index is locked: another git process seems to be at work"), "{stderr}");
    assert!(stderr.contains("hint: if there is none, remove `"), "{stderr}");
    fs::remove_file(repo.path().join(".git/index.lock")).unwrap();
    end(start(&repo, &["add", "1.1.0"])).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[cfg(unix)]
#[test]
fn git_that_is_killed_with_a_new_file_leaves_nothing_for_the_next_run() {
    let repo = repo();
    repo.hook("pre-commit", "kill -9 $PPID; sleep 1");
    let stderr = end(start(&repo, &["add", "1.1.0", "--file", "NEWS.md"])).failure(1);
    assert!(stderr.contains("error: some files may have been changed: the index is locked"), "{stderr}");
    assert!(stderr.contains("it cleans up"), "{stderr}");
    repo.hook("pre-commit", "exit 0");
    fs::remove_file(repo.path().join(".git/index.lock")).unwrap();
    end(start(&repo, &["add", "1.1.0", "--file", "NEWS.md"])).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["show", "--format=", "--name-only", "HEAD"]), "NEWS.md");
}

/// As on a full disk, except that it becomes full while the hook runs.
#[cfg(target_os = "linux")]
#[test]
fn the_file_is_taken_back_without_room_for_it() {
    let repo = repo();
    let full = format!("{PROGRAM}; prlimit --pid $program --fsize=0:0 || exit 0; exit 1");
    repo.hook("pre-commit", &full);
    let mut command = std::process::Command::new("sh");
    crate::support::isolate(&mut command);
    let outcome: Outcome = command
        .args(["-c", "trap '' XFSZ; exec \"$0\" add 1.1.0"])
        .arg(assert_cmd::cargo::cargo_bin!("tidings"))
        .current_dir(repo.path())
        .output()
        .unwrap()
        .into();
    if outcome.code == 0 {
        return crate::support::skip_without("prlimit");
    }
    let is_clean = repo.git(&["status", "--porcelain"]).is_empty();
    let stderr = outcome.failure(1);
    assert_eq!(stderr.contains("nothing was changed\n"), is_clean, "{stderr}");
    repo.hook("pre-commit", "exit 0");
    end(start(&repo, &["add", "1.1.0"])).success();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}
