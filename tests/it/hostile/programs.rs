//! Commands that only read start no program, whatever a repository holds.

use std::{fs, os::unix::fs::PermissionsExt as _};

use crate::support::{Outcome, TestRepo, tidings};

#[test]
fn commands_that_read_start_none() {
    let repo = TestRepo::new();
    repo.file("CHANGELOG.md", "# Changelog\n\n## 1.0.0 (2024-03-09)\n\n- Old\n");
    repo.file("tidings.yml", "hooks: {before: [touch ran], after: [touch ran]}\n");
    repo.file(".gitattributes", "*.md filter=mark\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.write("context.json", r#"{"version": "1.0.0", "entries": []}"#);
    // Each would leave a mark.
    let (programs, mark) = (repo.beside("programs"), repo.beside("mark"));
    let script = format!("#!/bin/sh\n: >'{}'\n", mark.display());
    fs::create_dir(&programs).unwrap();
    for name in ["git", "sh", "ssh", "gpg", "mark", "less"] {
        fs::write(programs.join(name), &script).unwrap();
        fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = programs.join("mark").display().to_string();
    for setting in ["filter.mark.clean", "filter.mark.smudge", "core.fsmonitor", "core.sshCommand", "core.pager"] {
        repo.git(&["config", setting, &program]);
    }
    for hook in ["pre-commit", "post-index-change", "reference-transaction"] {
        repo.hook(hook, &format!(": >'{}'", mark.display()));
    }
    let _ = fs::remove_file(&mark);
    for arguments in [
        &["show", "1.1.0"][..],
        &["explain", "1.1.0"],
        &["base"],
        &["next"],
        &["notes", "1.0.0"],
        &["check"],
        &["render", "--context", "context.json"],
    ] {
        let output = tidings(repo.path()).args(arguments).env("PATH", &programs).output().unwrap();
        Outcome::from(output).success();
        assert!(!mark.exists(), "{arguments:?}");
    }
}

#[test]
fn a_short_name_of_a_host_is_all_that_ssh_is_asked_for() {
    let repo = TestRepo::with_release();
    repo.git(&["remote", "add", "origin", "git@office:harbor/app"]);
    let (programs, mark) = (repo.beside("programs"), repo.beside("mark"));
    fs::create_dir(&programs).unwrap();
    for name in ["git", "sh", "ssh"] {
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\necho \"{name} $*\" >>'{}'\n", mark.display())).unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let output = tidings(repo.path()).args(["show", "1.1.0"]).env("PATH", &programs).output().unwrap();
    Outcome::from(output).success();
    assert_eq!(fs::read_to_string(mark).unwrap(), "ssh -G -- office\n");
}
