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
    let it = Released::new();
    it.repo.file("Cargo.toml", CARGO).file("Cargo.lock", LOCK).file(".gitlab/changelog_config.yml", SETTINGS);
    it.repo.file("docs/site.json", "{\"version\":\"1.0.0\", \"download\": {\"tag\":\"v1.0.0\"}}");
    it.repo.commit("Set up");
    it.repo.git(&["push", "-q"]);
    it
}

#[test]
fn they_change_by_the_version_alone_and_in_one_commit() {
    let it = crate_of();
    let plan = it.release(&[]).success();
    assert!(plan.contains("\ncommit: CHANGELOG.md, Cargo.toml, Cargo.lock, docs/site.json\n"), "{plan}");
    it.release(&["-x"]).success();
    let files = it.repo.git(&["show", "--format=%s", "--name-only", "origin/main"]);
    assert_eq!(files, "Release 1.1.0\n\nCHANGELOG.md\nCargo.lock\nCargo.toml\ndocs/site.json");
    assert_eq!(it.repo.read("Cargo.toml"), CARGO.replace("1.0.0", "1.1.0"));
    assert!(it.repo.read("Cargo.lock").starts_with("[[package]]\nname = \"boom\"\nversion = \"1.0.0\"\n"));
    assert!(it.repo.read("Cargo.lock").ends_with("name = \"crane\"\nversion = \"1.1.0\"\n"));
    assert_eq!(it.repo.read("docs/site.json"), "{\"version\":\"1.1.0\", \"download\": {\"tag\":\"v1.1.0\"}}");
    assert_eq!(it.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn they_can_be_left_as_they_are() {
    let it = crate_of();
    it.release(&["-x", "--no-version-files"]).success();
    assert_eq!(it.repo.git(&["show", "--format=", "--name-only", "HEAD"]), "CHANGELOG.md");
}

#[test]
fn one_with_edits_or_without_the_key_stands_in_the_way() {
    let it = crate_of();
    it.repo.write("Cargo.toml", CARGO.replace("ours", "mine"));
    let before = it.state();
    assert!(it.release(&["-x"]).failure(1).contains("  `Cargo.toml` has changes that are not committed\n"));
    it.repo.file("Cargo.toml", "[workspace]\n").commit("Make it a workspace");
    assert!(
        it.release(&["-x"])
            .failure(1)
            .contains("  cannot set the version in `Cargo.toml` at the key `package.version`\n  `package` not found\n")
    );
    it.repo.git(&["rm", "-q", "Cargo.toml"]);
    it.repo.commit("Remove it");
    it.repo.write("Cargo.toml", CARGO);
    let said = it.release(&[]).failure(3);
    assert!(
        said.contains("the version file `Cargo.toml` is missing or empty") && said.contains("hint: commit it"),
        "{said}"
    );
    #[cfg(unix)]
    {
        std::fs::remove_file(it.repo.path().join("Cargo.toml")).unwrap();
        std::os::unix::fs::symlink("elsewhere.toml", it.repo.path().join("Cargo.toml")).unwrap();
        it.repo.git(&["add", "Cargo.toml"]);
        it.repo.commit("Link it");
        let said = it.release(&[]).failure(3);
        assert!(
            said.contains("`Cargo.toml` is a symbolic link") && said.contains("hint: name the file that"),
            "{said}"
        );
        assert!(!said.contains("--file"), "that is the changelog: {said}");
    }
    assert_eq!(it.state()[3], before[3]);
}

#[test]
fn two_names_of_one_file_are_one_file() {
    let it = Released::new();
    let settings = "version_files:\n- { path: c.toml, key: a }\n- { path: ./c.toml, key: b }\n\
                    - { path: ./CHANGELOG.md, regex: '^Latest: (.*)' }\n";
    it.repo.file(".gitlab/changelog_config.yml", settings).file("c.toml", "a = \"1.0.0\"\nb = \"1.0.0\"\n");
    it.repo.file("CHANGELOG.md", "Latest: 1.0.0\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Set up");
    it.repo.git(&["push", "-q"]);
    it.release(&["1.1.0", "-x"]).success();
    assert_eq!(it.repo.read("c.toml"), "a = \"1.1.0\"\nb = \"1.1.0\"\n");
    let changelog = it.repo.read("CHANGELOG.md");
    assert!(changelog.starts_with("Latest: 1.1.0\n\n## 1.1.0 (2024-03-09)\n"), "{changelog}");
}
