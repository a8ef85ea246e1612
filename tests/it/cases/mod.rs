//! GitLab's own answers, in `testdata/recorded`: each case is a directory with inputs and GitLab's output.

mod differences;
mod own;
mod render;
mod template;

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// A directory of a recorded answer.
struct Case {
    path: PathBuf,
}

impl Case {
    /// The cases of a kind, by their names: `NNN-KIND-what-it-is-about`.
    fn all(kind: &str) -> Vec<Self> {
        let entries = fs::read_dir(crate::support::testdata("recorded")).expect("the cases are there");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("it is read").path()).collect();
        paths.sort();
        let is_kind = |path: &PathBuf| file_name(path).split('-').nth(1) == Some(kind) && path.is_dir();
        paths.into_iter().filter(is_kind).map(|path| Self { path }).collect()
    }

    fn name(&self) -> &str {
        file_name(&self.path)
    }

    fn file(&self, name: &str) -> String {
        self.path.join(name).to_str().expect("paths of cases are UTF-8").to_owned()
    }

    fn json(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path.join(name)).expect("the file of a case is read");
        serde_json::from_str(&text).expect("it is JSON")
    }
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Runs every case and reports all failures at once.
fn check_all(cases: &[Case], check: impl Fn(&Case) -> Result<(), String>) {
    assert!(!cases.is_empty(), "no case of this kind");
    let failed = |case: &Case| check(case).err().map(|why| format!("{}: {why}", case.name()));
    let failures: Vec<String> = cases.iter().filter_map(failed).collect();
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), cases.len(), failures.join("\n"));
}

/// `Ok` where two texts are equal.
fn same(what: &str, got: &str, expected: &str) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{what}\n  got      {got:?}\n  expected {expected:?}")) }
}
