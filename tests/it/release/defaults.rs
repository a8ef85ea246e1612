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

#[test]
fn the_first_version_and_the_tag_come_from_the_configuration() {
    let repo = TestRepo::new();
    repo.author();
    let keys = "initial_version: 1.0.0\ntag: 'rel-{version}'\ntag_prefix: rel-\n";
    repo.file("tidings.yml", keys).change("Add sail", "added");
    assert_eq!(repo.tidings(&["next", "--initial", "0.3.0"]).success(), "0.3.0\n");
    assert_eq!(repo.tidings(&["next"]).success(), "1.0.0\n");
    repo.tidings(&["release", "-x", "--no-push", "--no-host-release"]).success();
    assert_eq!(repo.git(&["tag"]), "rel-1.0.0");
    repo.change("Add mast", "added");
    let release = ["release", "--no-push", "--no-host-release"];
    assert!(repo.tidings(&release).success().contains("tag: rel-1.1.0"));
    assert!(repo.tidings(&[&release[..], &["--tag", "v1.1.0"]].concat()).success().contains("tag: v1.1.0"));
    for (key, message) in [
        ("tag: 'rel'", "`tag` must have `{version}` once, such as `v{version}`"),
        ("initial_version: one", "`initial_version` must be a semantic version, not `one`"),
        ("trailer: 'Note: '", "`trailer` must be letters, digits and hyphens, the name before the colon"),
        ("trailer: Change Log", "`trailer` must be letters, digits and hyphens, the name before the colon"),
    ] {
        repo.write("tidings.yml", key);
        let refused = repo.tidings(&["next"]).failure(1);
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn the_trailer_comes_from_the_configuration() {
    let repo = TestRepo::new();
    repo.author();
    repo.file("tidings.yml", "source: trailers\ntrailer: Note\n").commit("Begin");
    repo.tag("v1.0.0");
    repo.commit("Add sail\n\nNote: added\nChangelog: fixed");
    let shown = |options: &[&str]| repo.tidings(&[&["show"], options].concat()).success().to_lowercase();
    assert!(shown(&[]).contains("### added"), "{}", shown(&[]));
    assert!(shown(&["--trailer", "Changelog"]).contains("### fixed"));
    repo.tidings(&["check"]).success();
    assert_eq!(repo.tidings(&["next"]).success(), "1.1.0\n");
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
