//! A tag is only ever on a commit that has the section and the version files, whatever happens before the commit.

use super::Released;

const SETTINGS: &str = ".gitlab/changelog_config.yml";

#[test]
fn two_spellings_of_one_path_are_one_file() {
    let it = Released::new();
    it.repo.file(SETTINGS, "version_files: [{path: ./CHANGELOG.md, regex: '^Latest: (.*)'}]\n");
    it.repo.file("CHANGELOG.md", "Latest: 1.0.0\n\n## 1.0.0 (2024-01-01)\n\nOne.\n").commit("Name the latest");
    it.repo.git(&["push", "-q"]);
    it.release(&["-x"]).success();
    let log = it.remote(&["show", "v1.1.0:CHANGELOG.md"]);
    assert!(log.starts_with("Latest: 1.1.0\n") && log.contains("\n## 1.1.0 (2024-03-09)\n"), "{log}");
}

#[test]
fn two_keys_of_a_file_that_is_spelled_in_two_ways_are_both_set() {
    let it = Released::new();
    it.repo.file(SETTINGS, "version_files: [{path: c.toml, key: a}, {path: x/.././c.toml, key: b}]\n");
    it.repo.file("c.toml", "a = \"1.0.0\"\nb = \"1.0.0\"\n").commit("Set up");
    it.repo.git(&["push", "-q"]);
    let said = it.release(&["-x"]).stderr;
    assert!(said.contains("`x/.././c.toml` lies outside of the repository"), "a `..` is refused: {said}");
    it.repo.file(SETTINGS, "version_files: [{path: c.toml, key: a}, {path: ./c.toml, key: b}]\n").commit("Mend");
    it.repo.git(&["push", "-q"]);
    it.release(&["-x"]).success();
    assert_eq!(it.remote(&["show", "v1.1.0:c.toml"]), "a = \"1.1.0\"\nb = \"1.1.0\"");
}
