//! A release of a workspace makes what `changeset version` made of it: the same versions, requirements and change files.
//! `.ci/renew_changesets.mjs` runs the tool.

use indexmap::IndexMap;
use serde_json::Value;

use crate::support::TestRepo;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    files: IndexMap<String, String>,
    /// What the tool wrote; `None` for a file that it deleted.
    after: IndexMap<String, Option<String>>,
}

/// A file as far as the tool and we must agree: manifests as data.
fn content(text: Option<String>) -> String {
    match text {
        Some(text) => serde_json::from_str::<Value>(&text).map_or(text, |value| value.to_string()),
        None => "deleted".to_owned(),
    }
}

#[test]
fn a_release_makes_what_changesets_makes() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../testdata/changesets/cases.json")).expect("valid cases");
    let mut differences = Vec::new();
    for case in &cases {
        let repo = TestRepo::new();
        repo.author();
        for (path, text) in &case.files {
            repo.file(path, text);
        }
        repo.commit("Begin");
        let options = ["release", "--all-packages", "--no-push", "--no-host-release", "-x"];
        repo.tidings(&options).success();
        for (path, before) in &case.files {
            let expected = case.after.get(path).cloned().unwrap_or_else(|| Some(before.clone()));
            let made = repo.git(&["ls-tree", "--name-only", "HEAD", path]);
            let made = (!made.is_empty()).then(|| repo.git(&["show", &format!("HEAD:{path}")]) + "\n");
            let (made, expected) = (content(made), content(expected));
            if made != expected {
                differences.push(format!("{}: {path}\n  made     {made}\n  expected {expected}", case.name));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
