//! The page about JSON documents has every key that the commands print.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::TestRepo;

/// Keys below these are names of trailers and categories.
const MAPS: [&str; 2] = ["entries[].commit.trailers", "counts.categories"];

fn collect(value: &Value, path: &str, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) if !MAPS.contains(&path) => {
            for (key, value) in object {
                let key = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(value, &key, keys);
                keys.insert(key);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| {
            let path = if path.is_empty() { String::new() } else { format!("{path}[]") };
            collect(item, &path, keys);
        }),
        _ => {}
    }
}

#[test]
fn the_page_of_json_documents_has_every_key() {
    let page = include_str!("../../../docs/json.md");
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Changelog\n").commit("Begin");
    repo.git(&["remote", "add", "origin", "https://gitlab.com/harbor/pilot.git"]);
    repo.tag("v1.0.0");
    repo.commit("feat(crane)!: lift more (#12)\n\nCloses #7");
    repo.commit("fix: mend the crane");
    repo.commit("chore: paint the crane");
    for (command, arguments) in [
        ("show", &["show", "2.0.0"][..]),
        ("show", &["show", "--all"]),
        ("next", &["next"]),
        ("base", &["base"]),
        ("explain", &["explain"]),
        ("explain", &["explain", "--from", "HEAD~1"]),
        ("check", &["check", "v1.0.0..", "--require", "any"]),
        ("release", &["release", "--no-push"]),
        ("add", &["add", "2.0.0", "--dry-run"]),
        ("doctor", &["doctor"]),
    ] {
        let documented = page.split("\n## ").find(|part| part.starts_with(&format!("`tidings {command}`")));
        let documented = documented.unwrap_or_else(|| panic!("`{command}` has no heading"));
        let outcome = repo.tidings(&[arguments, &["--format", "json"]].concat());
        let mut keys = BTreeSet::new();
        collect(&outcome.json(), "", &mut keys);
        assert!(!keys.is_empty(), "{command}");
        for key in keys {
            let parent = key.rsplit_once('.').map_or("", |(parent, _)| parent.trim_end_matches("[]"));
            let last = key.rsplit('.').next().unwrap();
            let row = documented.lines().find(|line| line.starts_with(&format!("| `{parent}` ")));
            let in_row = row.is_some_and(|row| row.contains(&format!("`{last}`")));
            assert!(documented.contains(&format!("`{key}`")) || in_row, "`{key}` of `tidings {command}`");
        }
    }
}
