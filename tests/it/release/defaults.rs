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
