//! Which tag a section starts after.

use super::{cases, json};
use crate::support::TestRepo;

/// RE2 of the recorded service is older than the one whose syntax the program takes.
const NEWER_SYNTAX: &str = "ruby-group-syntax";

#[test]
fn the_base_tag_is_the_one_the_service_found() {
    for (name, directory) in cases("tags-") {
        if name.contains(NEWER_SYNTAX) {
            continue;
        }
        let (input, expected) = (json(&directory.join("input.json")), json(&directory.join("expected.json")));
        let repo = TestRepo::new();
        for tag in input["tags"].as_array().expect("tags are a list") {
            let tag = tag.as_str().expect("a tag is text");
            repo.commit(tag);
            repo.tag(tag);
        }
        if let Some(pattern) = input["tag_regex"].as_str() {
            let quoted = serde_json::to_string(pattern).expect("text is JSON");
            repo.write(".service/changelog_config.yml", format!("tag_regex: {quoted}\n"));
        }
        let outcome = repo.tidings(&["base", input["version"].as_str().expect("a version is text")]);
        match expected["tag"].as_str() {
            Some(tag) => assert_eq!(outcome.success(), format!("{tag}\n"), "{name}"),
            None => assert_ne!(outcome.code, 0, "{name}: {}", outcome.stdout),
        }
    }
}
