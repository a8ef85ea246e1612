//! Settings and attributes that others rely on are heeded, or refused with the reason.

use super::*;

#[test]
fn a_shared_repository_stays_shared() {
    use std::os::unix::fs::PermissionsExt as _;
    let shared = TestRepo::with_options(&["--bare", "--shared=group"]);
    let source = repo();
    source.git(&["push", "-q", shared.path().to_str().unwrap(), "main", "v1.0.0"]);
    shared.author();
    let script = "umask 077; exec \"$0\" \"$@\"";
    let program = assert_cmd::cargo::cargo_bin!("tidings");
    source.write("noted", "Add crane\n\nChangelog: added\n");
    let noted = source.path().join("noted");
    let note = ["note", "main", "--file", noted.to_str().unwrap()];
    for arguments in [&["add", "1.1.0", "--branch", "main"], &note] {
        let mut command = std::process::Command::new("sh");
        crate::support::isolate(&mut command);
        command.args(["-c", script]).arg(program).args(arguments).current_dir(shared.path());
        Outcome::from(command.output().unwrap()).success();
    }
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&shared.path().join("refs/heads/main")), 0o660);
    for object in ["main", "main^{tree}", "refs/notes/changelog"] {
        let id = shared.git(&["rev-parse", object]);
        let path = shared.path().join("objects").join(&id[..2]).join(&id[2..]);
        // The directory may be one that the push has made.
        assert_eq!((mode(&path), mode(path.parent().unwrap()) & 0o070), (0o440, 0o070), "{object}");
    }
    assert!(shared.git(&["show", "main:CHANGELOG.md"]).contains("## 1.1.0 ("));
    shared.git(&["fsck", "--strict"]);
}

#[test]
fn what_has_to_be_certain_on_disk_is_left_to_git() {
    let repo = repo();
    repo.git(&["config", "core.fsync", "all"]);
    repo.git(&["branch", "side"]);
    let trace = repo.beside("trace");
    for branch in ["main", "side"] {
        let mut command = tidings(repo.path());
        command.env("GIT_TRACE2_EVENT", &trace).args(["add", "1.1.0", "--branch", branch]);
        Outcome::from(command.output().unwrap()).success();
        assert!(repo.git(&["show", &format!("{branch}:CHANGELOG.md")]).contains("## 1.1.0 ("));
    }
    let trace = fs::read_to_string(trace).unwrap();
    assert!(trace.contains("\"commit\"") && trace.contains("\"update-ref\""));
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn the_hook_of_references_runs_for_other_branches_too() {
    let repo = repo();
    repo.git(&["branch", "side"]);
    repo.hook("reference-transaction", "cat >>.git/moved");
    end(start(&repo, &["add", "1.1.0", "--branch", "side"])).success();
    assert!(repo.read(".git/moved").contains(" refs/heads/side\n"));
}

#[test]
fn formats_that_git_would_not_write_to_are_refused() {
    for (version, extension, is_refused) in [
        ("1", "extensions.later", true),
        ("1", "extensions.preciousObjects", false),
        ("0", "extensions.later", false),
        ("2", "extensions.noop", true),
    ] {
        let repo = repo();
        repo.git(&["config", extension, "true"]);
        repo.git(&["config", "core.repositoryFormatVersion", version]);
        let outcome = end(start(&repo, &["add", "1.1.0"]));
        if is_refused {
            assert!(outcome.failure(1).contains("the repository"), "{version} {extension}");
        } else {
            outcome.success();
        }
    }
}

#[test]
fn text_that_cannot_be_edited_is_refused_without_a_commit_as_well() {
    let repo = repo();
    let wide = "# C\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    repo.file("WIDE.md", wide).commit("Wide");
    let stderr = repo.tidings(&["add", "1.1.0", "--no-commit", "--file", "WIDE.md"]).failure(1);
    assert!(stderr.contains("is UTF-16 text"), "{stderr}");
}

#[test]
fn a_commit_that_is_replaced_is_not_built_upon() {
    let repo = repo();
    repo.git(&["replace", "HEAD", "HEAD~1"]);
    let stderr = end(start(&repo, &["add", "1.1.0"])).failure(1);
    assert!(stderr.contains(" is replaced by another one\nhint: run `git replace -d "), "{stderr}");
}

#[test]
fn pathspecs_of_the_environment_do_not_matter() {
    let repo = repo();
    repo.hook("pre-commit", "exit 0");
    let mut command = tidings(repo.path());
    let output = command.env("GIT_LITERAL_PATHSPECS", "1").args(["add", "1.1.0"]).output().unwrap();
    Outcome::from(output).success();
}

#[test]
fn a_new_file_outside_of_a_sparse_checkout_is_refused() {
    let repo = repo();
    repo.file("docs/a.md", "a\n").file("src/a.rs", "a\n").commit("More");
    repo.git(&["sparse-checkout", "set", "--cone", "src"]);
    let stderr = end(start(&repo, &["add", "1.1.0", "--file", "docs/NEWS.md"])).failure(1);
    assert!(stderr.contains("sparse"), "{stderr}");
    assert!(!repo.path().join("docs").exists());
    end(start(&repo, &["add", "1.1.0", "--file", "src/NEWS.md"])).success();
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_says_what_was_done() {
    let repo = repo();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = tidings(repo.path()).args(["add", "1.1.0"]).stdout(full).output().unwrap();
    let stderr = Outcome::from(output).failure(1);
    let id = repo.git(&["rev-parse", "--short=8", "HEAD"]);
    assert!(
        stderr.starts_with(&format!("error: commit {id} was created, but the output cannot be written\n")),
        "{stderr}"
    );
}
