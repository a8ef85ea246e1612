//! Each promise of SECURITY.md names tests that are there.

use std::{fs, path::Path};

use crate::support::Page;

/// Whether a test exists, by the path that `cargo test` prints: an integration test, or a unit test in a file.
fn exists(test: &str) -> bool {
    let (module, name) = test.rsplit_once("::").unwrap_or_else(|| panic!("{test} names no module"));
    let function = format!("#[test]\nfn {name}() {{");
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = module.replace("::", "/");
    let file = path.strip_suffix("/tests").unwrap_or(&path);
    let files = ["tests/it", "src"]
        .map(|root| [&path, file].map(|path| [format!("{root}/{path}.rs"), format!("{root}/{path}/mod.rs")]).concat());
    files.iter().flatten().filter_map(|file| fs::read_to_string(top.join(file)).ok()).any(|text| {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.starts_with("#[cfg")).collect();
        lines.join("\n").contains(&function)
    })
}

#[test]
fn every_promise_names_tests_that_exist() {
    let page = Page::load("SECURITY.md");
    let section = page.text.split("## What is promised").nth(1).unwrap().split("\n## ").next().unwrap();
    let promises = section.lines().filter_map(|line| line.strip_prefix("**")?.split(['*', '.']).next());
    let promises: Vec<&str> = promises.map(|promise| promise.trim_end_matches(',')).collect();
    assert_eq!(page.rows("promise").collect::<Vec<_>>(), promises);
    let tests = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    for test in tests.flat_map(|row| row.split('`').skip(1).step_by(2)) {
        assert!(exists(test), "SECURITY.md: there is no test {test}");
    }
}
