//! Names that begin with a dash are no options: not of git, not of ssh.

use std::{fs, path::PathBuf};

use crate::support::{TestRepo, tidings};

/// A repository whose names would each be an option that runs a program, and the mark of that program.
fn harbor() -> (TestRepo, PathBuf) {
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Log\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo.git(&["init", "-q", "--bare", "-b", "main", "../remote.git"]);
    repo.git(&["remote", "add", "origin", "../remote.git"]);
    let mark = repo.beside("mark");
    (repo, mark)
}

/// An option of git that starts a program which leaves the mark.
fn option(name: &str, mark: &std::path::Path) -> String {
    format!("--{name}=touch${{IFS}}{};", mark.display())
}

#[test]
fn a_url_whose_host_or_user_begins_with_a_dash_is_refused() {
    let (repo, mark) = harbor();
    let program = format!("-oProxyCommand=touch${{IFS}}{}", mark.display().to_string().replace('/', "%2F"));
    for url in [
        format!("ssh://{program}/harbor.git"),
        format!("ssh://{program}@harbor.invalid/ship.git"),
        "ssh://-F%2Fetc%2Fpasswd@-oBatchMode=no/ship.git".to_owned(),
        format!("{program}:ship.git"),
        format!("ext::touch {}", mark.display()),
    ] {
        for command in [&["show"][..], &["base"], &["repo", "tree"]] {
            let repo_option = format!("--repo={url}");
            let outcome = repo.tidings(&[command, &[&repo_option]].concat());
            assert!(matches!(outcome.code, 1..=3) && !mark.exists(), "{url}: {outcome:?}");
        }
        repo.git(&["config", "remote.origin.url", &url]);
        for arguments in [&["release", "1.1.0", "--no-host-release"][..], &["release", "1.1.0", "-x"]] {
            let outcome = repo.tidings(arguments);
            assert!(matches!(outcome.code, 1..=3) && !mark.exists(), "{url}: {outcome:?}");
        }
    }
}

#[test]
fn a_remote_a_branch_a_tag_and_a_file_that_begin_with_a_dash_are_names() {
    let (repo, mark) = harbor();
    for name in ["receive-pack", "upload-pack", "exec"] {
        let option = option(name, &mark);
        let outcome = repo.tidings(&["release", "1.1.0", "-x", "--no-host-release", &format!("--remote={option}")]);
        assert!(outcome.code == 1 && !mark.exists(), "{outcome:?}");
        repo.git(&["reset", "-q", "--hard", "main"]);
        for arguments in [
            &["show", "--from", &option][..],
            &["show", "--to", &option],
            &["show", "--config-ref", &option],
            &["add", "1.1.0", "--branch", &option],
            &["release", "1.1.0", "-x", "--no-push", "--branch", &option],
            &["release", "1.1.0", "-x", "--no-push", "--tag", &option],
            &["repo", "archive", "--sha", &option],
            &["repo", "compare", &option, "main"],
            &["note", &option, "--file", "CHANGELOG.md"],
        ] {
            // Clap itself takes an option for one, unless it is joined to the name of its own.
            let mut joined: Vec<String> = Vec::new();
            for argument in arguments {
                match joined.last_mut() {
                    Some(last) if last.starts_with("--") && **argument == *option => last.extend(["=", &option]),
                    _ => joined.push((*argument).to_owned()),
                }
            }
            let outcome = tidings(repo.path()).args(&joined).output().unwrap();
            assert!(!outcome.status.success() && !mark.exists(), "{joined:?}: {outcome:?}");
        }
    }
    // Git makes no such branch or tag, but a pack or a file may bring one.
    let tip = repo.git(&["rev-parse", "HEAD"]);
    for name in ["heads/-x", "heads/--exec", "tags/--help", "tags/-v2.0.0"] {
        let path = repo.path().join(".git/refs").join(name);
        fs::write(path, format!("{tip}\n")).unwrap();
    }
    repo.tidings(&["add", "1.1.0", "--file=-x.md"]).success();
    assert!(repo.git(&["show", "HEAD:-x.md"]).contains("## 1.1.0"));
    repo.hook("pre-commit", "exit 0");
    repo.tidings(&["add", "1.2.0", "--from", "v1.0.0", "--file=--amend"]).success();
    assert_eq!(repo.git(&["log", "--format=%s", "-1", "--", "--amend"]), "Add changelog for version 1.2.0");
    repo.tidings(&["add", "1.1.0", "--branch=-x"]).success();
    assert!(repo.git(&["show", "refs/heads/-x:CHANGELOG.md"]).contains("## 1.1.0"));
}

#[test]
fn no_token_is_an_argument_of_this_program_or_of_another() {
    let (repo, mark) = harbor();
    // Whatever starts a program here goes through these, which write down their arguments.
    let programs = repo.beside("programs");
    fs::create_dir(&programs).unwrap();
    for name in ["git", "ssh"] {
        let real = if name == "git" { "exec /usr/bin/env PATH=\"$REAL_PATH\" git \"$@\"" } else { "exit 1" };
        let path = programs.join(name);
        fs::write(&path, format!("#!/bin/sh\necho \"$0 $*\" >>'{}'\n{real}\n", mark.display())).unwrap();
        #[cfg(unix)]
        fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let real = std::env::var("PATH").unwrap();
    repo.git(&["push", "-q", "origin", "main", "v1.0.0"]);
    for arguments in
        [&["release", "1.1.0", "-x", "--no-host-release"][..], &["show", "--repo", "ssh://harbor.invalid/ship.git"]]
    {
        let mut run = tidings(repo.path());
        for name in ["TIDINGS_TOKEN", "GITLAB_TOKEN", "GITHUB_TOKEN"] {
            run.env(name, "s3cret");
        }
        run.env("REAL_PATH", &real).env("PATH", format!("{}:{real}", programs.display())).args(arguments);
        run.output().unwrap();
    }
    let started = fs::read_to_string(&mark).unwrap();
    assert!(started.contains("git push") && started.contains("ssh "), "{started}");
    assert!(!started.contains("s3cret"), "{started}");
    for option in ["--token", "--private-token", "--password"] {
        for command in ["show", "release", "label"] {
            let stderr = repo.tidings(&[command, option, "s3cret"]).failure(2);
            assert!(stderr.contains("unexpected argument"), "{stderr}");
        }
    }
}
