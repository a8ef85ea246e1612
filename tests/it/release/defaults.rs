//! The keys that are options of a release.

use crate::support::TestRepo;

#[test]
fn message_remote_and_signature_come_from_the_configuration() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("tidings.yml", "message: 'chore: release {version}'\nremote: elsewhere\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add sail", "added");
    let bare = repo.beside("elsewhere.git");
    repo.git(&["init", "-q", "--bare", bare.to_str().unwrap()]);
    repo.git(&["remote", "add", "elsewhere", bare.to_str().unwrap()]);
    repo.tidings(&["release", "-x", "--no-host-release"]).success();
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "chore: release 1.1.0");
    assert_eq!(repo.git(&["ls-remote", "--tags", "elsewhere", "v1.1.0"]).split('\t').nth(1), Some("refs/tags/v1.1.0"));
    // Options come before the configuration.
    repo.change("Add mast", "added");
    repo.tidings(&["release", "-x", "--no-push", "--no-host-release", "-m", "Ship {version}"]).success();
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Ship 1.2.0");
    repo.write("tidings.yml", "sign: perhaps\n");
    let refused = repo.tidings(&["release"]).failure(1);
    assert!(refused.contains("tidings.yml:1:7: `sign` must be `true` or `false`"), "{refused}");
}

#[cfg(unix)]
#[test]
fn the_configuration_names_no_directory_as_the_remote() {
    use std::os::unix::fs::PermissionsExt as _;

    let repo = TestRepo::new();
    repo.author();
    // A repository within the repository, with a hook that runs when somebody pushes to it.
    let (inner, mark) = (repo.path().join("inner.git"), repo.beside("mark"));
    repo.git(&["init", "-q", "--bare", "inner.git"]);
    let hook = inner.join("hooks/post-receive");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, format!("#!/bin/sh\necho \"$TIDINGS_TOKEN\" >'{}'\n", mark.display())).unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    repo.file("tidings.yml", "remote: upstream\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.change("Add sail", "added");
    let absolute = inner.display().to_string();
    for remote in [
        "./inner.git",
        "inner.git",
        &absolute,
        &format!("file://{absolute}"),
        &format!("file://localhost{absolute}"),
        "ext::sh -c true",
    ] {
        repo.write("tidings.yml", format!("remote: '{remote}'\n"));
        for arguments in [&["release"][..], &["release", "-x", "--no-hooks", "--no-host-release"]] {
            let refused = repo.tidings(arguments).failure(if arguments.len() == 1 { 3 } else { 1 });
            assert!(refused.contains("which is neither one of git's nor on a server"), "{remote}: {refused}");
            assert!(!mark.exists(), "{remote}");
        }
    }
    // What the user names is the user's.
    repo.tidings(&["release", "-x", "--no-host-release", "--remote", "./inner.git"]).success();
    assert!(mark.exists());
}
