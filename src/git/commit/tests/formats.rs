//! Indexes, object formats and signatures of every kind, and what writes without committing.

use super::*;

#[test]
fn a_sparse_file_is_not_brought_in_unasked() {
    let repo = repo();
    repo.file("docs/NEWS.md", "# News\n").commit("News");
    repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/docs/"]);
    assert!(refused(&repo, "docs/NEWS.md", None).starts_with("`docs/NEWS.md` is outside of the sparse checkout"));
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
    repo.author();
    repo.file(FILE, "# Log\n").commit("Begin");
    assert_eq!(committed_alone(&repo).id.to_string().len(), 64);
}

#[test]
fn writing_the_file_alone_touches_nothing_else() {
    let repo = repo();
    repo.write(FILE, "# Log\r\nmine\r\n");
    let here = Repo::open_isolated(repo.path()).unwrap();
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
    let here = Repo::open_isolated(repo.path()).unwrap();
    let change = commit::preview(&here, &request(&[Path::new(FILE)], None), &mut add_line).unwrap().remove(0);
    let diff = String::from_utf8(change.diff()).unwrap();
    assert_eq!(diff, "--- a/CHANGELOG.md\n+++ b/CHANGELOG.md\n@@ -1 +1,2 @@\n # Log\n+line\n");
    assert_eq!((repo.git(&["status", "--porcelain"]), objects()), (String::new(), before));
    assert!(!repo.path().join(".git/tidings").exists());
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
        crate::support::skip_without("ssh-keygen");
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
        let here = Repo::open_isolated(repo.path()).unwrap();
        let mut add = |_: &Path, old: &[u8]| Ok(FileEdit::Write([old, b"line\n"].concat()));
        commit::commit(&here, &CommitRequest { sign: true, ..request(&[Path::new(FILE)], None) }, &mut add).unwrap();
        repo.git(&["verify-commit", "HEAD"]);
    }
}

#[cfg(unix)]
#[test]
fn a_signature_that_fails_is_told_with_the_way_out() {
    let repo = repo();
    repo.git(&["config", "commit.gpgSign", "true"]);
    let keyless = repo.beside("keyless");
    let script = "#!/bin/sh\ncat >/dev/null; echo '[GNUPG:] FAILURE' >&2; echo no key >&2; exit 2\n";
    fs::write(&keyless, script).unwrap();
    fs::set_permissions(&keyless, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let keyless = keyless.to_str().unwrap();
    for (program, why) in [
        ("/nowhere/gpg", "`/nowhere/gpg` (`gpg.program`): No such file or directory (os error 2)".to_owned()),
        (keyless, format!("`{keyless}` (`gpg.program`) ended with exit status: 2\nno key")),
    ] {
        repo.git(&["config", "gpg.program", program]);
        let here = Repo::open_isolated(repo.path()).unwrap();
        let error = commit::commit(&here, &request(&[Path::new(FILE)], None), &mut add_line).unwrap_err();
        assert_eq!(format!("{error:#}"), format!("the commit could not be signed; nothing was changed: {why}"));
        assert!(shows_the_way_out(&error));
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
    for (hook, is_about_signing) in [("exit 0", true), ("exit 1", false)] {
        repo.hook("pre-commit", hook);
        let here = Repo::open_isolated(repo.path()).unwrap();
        let error = commit::commit(&here, &request(&[Path::new(FILE)], None), &mut add_line).unwrap_err();
        assert!(error.to_string().starts_with("git did not create the commit; nothing was changed"));
        assert_eq!(shows_the_way_out(&error), is_about_signing, "{error:#}");
        assert_eq!(repo.git(&["status", "--porcelain"]), "");
    }
}

#[cfg(unix)]
fn shows_the_way_out(error: &anyhow::Error) -> bool {
    crate::model::hints(error).iter().any(|hint| hint.contains("`git config commit.gpgSign false`"))
}

#[test]
fn an_unclear_wish_for_a_signature_is_refused_as_git_does() {
    let repo = repo();
    repo.git(&["config", "commit.gpgSign", "maybe"]);
    let message = "the git setting `commit.gpgSign` is `maybe`, which is neither true nor false";
    assert!(refused(&repo, FILE, None).starts_with(message));
}
