//! The own changelog is what the program writes.

use std::{fs, path::Path};

use crate::support::TestRepo;

#[test]
fn the_first_release_is_written_by_the_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The package of the Rust registry has no configuration.
    let Ok(config) = fs::read_to_string(here.join(".tidings.yml")) else { return };
    let changelog = fs::read_to_string(here.join("CHANGELOG.md")).unwrap();
    let at = changelog.find("## 0.1.0 (").expect("the first release is there");
    let date = changelog[at..].split(['(', ')']).nth(1).unwrap();
    let repo = TestRepo::new();
    repo.file(".tidings.yml", config).change("Begin", "added");
    repo.tidings(&["add", "0.1.0", "--no-commit", "--date", date]).success();
    assert_eq!(repo.read("CHANGELOG.md"), changelog[at..], "run `tidings add 0.1.0 --replace --no-commit`");
}
