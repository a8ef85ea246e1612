//! Version files are set in the commit of the section.

use super::Released;

const CARGO: &str = "[package]\nname = \"crane\" # ours\nversion = \"1.0.0\"   # set by the release\n";
const LOCK: &str =
    "[[package]]\nname = \"boom\"\nversion = \"1.0.0\"\n\n[[package]]\nname = \"crane\"\nversion = \"1.0.0\"\n";
const SETTINGS: &str = "version_files:\n\
    - { path: Cargo.toml, key: package.version }\n\
    - path: Cargo.lock\n  regex: '^name = \"crane\"\\nversion = \"(.*)\"'\n\
    - { path: docs/site.json, key: version }\n\
    - { path: docs/site.json, key: download.tag }\n";

fn crate_of() -> Released {
    let fixture = Released::new();
    fixture.repo.file("Cargo.toml", CARGO).file("Cargo.lock", LOCK).file(".gitlab/changelog_config.yml", SETTINGS);
    fixture.repo.file("docs/site.json", "{\"version\":\"1.0.0\", \"download\": {\"tag\":\"v1.0.0\"}}");
    fixture.repo.commit("Set up");
    fixture.repo.git(&["push", "-q"]);
    fixture
}

#[test]
fn they_change_by_the_version_alone_and_in_one_commit() {
    let fixture = crate_of();
    let plan = fixture.release(&[]).success();
    assert!(plan.contains("\ncommit: CHANGELOG.md, Cargo.toml, Cargo.lock, docs/site.json\n"), "{plan}");
    fixture.release(&["-x"]).success();
    let files = fixture.repo.git(&["show", "--format=%s", "--name-only", "origin/main"]);
    assert_eq!(files, "Release 1.1.0\n\nCHANGELOG.md\nCargo.lock\nCargo.toml\ndocs/site.json");
    assert_eq!(fixture.repo.read("Cargo.toml"), CARGO.replace("1.0.0", "1.1.0"));
    assert!(fixture.repo.read("Cargo.lock").starts_with("[[package]]\nname = \"boom\"\nversion = \"1.0.0\"\n"));
    assert!(fixture.repo.read("Cargo.lock").ends_with("name = \"crane\"\nversion = \"1.1.0\"\n"));
    assert_eq!(fixture.repo.read("docs/site.json"), "{\"version\":\"1.1.0\", \"download\": {\"tag\":\"v1.1.0\"}}");
    assert_eq!(fixture.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_version_does_not_go_back_unless_it_is_named() {
    let fixture = crate_of();
    fixture.repo.file("Cargo.toml", CARGO.replace("1.0.0", "1.2.0")).commit("Prepare");
    fixture.repo.git(&["push", "-q"]);
    let refused = fixture.release(&["-x"]).failure(1);
    assert!(refused.contains("  `Cargo.toml` has 1.2.0, which is above 1.1.0\n"), "{refused}");
    assert!(refused.contains("hint: run `tidings release 1.2.0`, or `tidings release 1.1.0` to lower it"), "{refused}");
    let named = fixture.release(&["1.1.0"]);
    assert!(named.stderr.contains("warning: `Cargo.toml` has 1.2.0, which is above 1.1.0\n"), "{}", named.stderr);
    named.success();
    fixture.release(&["--no-version-files"]).success();
    fixture.repo.file("Cargo.toml", CARGO.replace("1.0.0", "1.2.0-dev")).commit("Go on");
    fixture.release(&[]).success();
}

#[test]
fn they_can_be_left_as_they_are() {
    let fixture = crate_of();
    fixture.release(&["-x", "--no-version-files"]).success();
    assert_eq!(fixture.repo.git(&["show", "--format=", "--name-only", "HEAD"]), "CHANGELOG.md");
}

#[test]
fn one_with_edits_or_without_the_key_stands_in_the_way() {
    let fixture = crate_of();
    fixture.repo.write("Cargo.toml", CARGO.replace("ours", "mine"));
    let before = fixture.state();
    assert!(fixture.release(&["-x"]).failure(1).contains("  `Cargo.toml` has changes that are not committed\n"));
    fixture.repo.file("Cargo.toml", "[workspace]\n").commit("Make it a workspace");
    assert!(
        fixture
            .release(&["-x"])
            .failure(1)
            .contains("  cannot set the version in `Cargo.toml` at the key `package.version`\n  `package` not found\n")
    );
    fixture.repo.git(&["rm", "-q", "Cargo.toml"]);
    fixture.repo.commit("Remove it");
    fixture.repo.write("Cargo.toml", CARGO);
    let stderr = fixture.release(&[]).failure(3);
    assert!(
        stderr.contains("the version file `Cargo.toml` is missing or empty") && stderr.contains("hint: commit it"),
        "{stderr}"
    );
    #[cfg(unix)]
    {
        std::fs::remove_file(fixture.repo.path().join("Cargo.toml")).unwrap();
        std::os::unix::fs::symlink("elsewhere.toml", fixture.repo.path().join("Cargo.toml")).unwrap();
        fixture.repo.git(&["add", "Cargo.toml"]);
        fixture.repo.commit("Link it");
        let stderr = fixture.release(&[]).failure(3);
        assert!(
            stderr.contains("`Cargo.toml` is a symbolic link") && stderr.contains("hint: name the file that"),
            "{stderr}"
        );
        assert!(!stderr.contains("--file"), "that is the changelog: {stderr}");
    }
    assert_eq!(fixture.state()[3], before[3]);
}

#[test]
fn two_names_of_one_file_are_one_file() {
    let fixture = Released::new();
    let settings = "version_files:\n- { path: c.toml, key: a }\n- { path: ./c.toml, key: b }\n\
                    - { path: ./CHANGELOG.md, regex: '^Latest: (.*)' }\n";
    fixture.repo.file(".gitlab/changelog_config.yml", settings).file("c.toml", "a = \"1.0.0\"\nb = \"1.0.0\"\n");
    fixture.repo.file("CHANGELOG.md", "Latest: 1.0.0\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Set up");
    fixture.repo.git(&["push", "-q"]);
    fixture.release(&["1.1.0", "-x"]).success();
    assert_eq!(fixture.repo.read("c.toml"), "a = \"1.1.0\"\nb = \"1.1.0\"\n");
    let changelog = fixture.repo.read("CHANGELOG.md");
    assert!(changelog.starts_with("Latest: 1.1.0\n\n## 1.1.0 (2024-03-09)\n"), "{changelog}");
}
