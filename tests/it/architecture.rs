//! The layers: a module uses those below it, no files use each other in a circle, and each foreign crate stays in its module.

mod circles;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

/// A crate, or a module of the standard library, and the beginnings of the paths that may use it.
const OWNERS: [(&str, &[&str]); 8] = [
    ("fs", &["git/", "api/", "commands/", "interrupt.rs", "bounded_read.rs"]),
    ("gix", &["git/"]),
    ("rayon", &["parallel.rs", "git/"]),
    ("handlebars", &["template/"]),
    ("serde_yaml", &["config/", "version_files/yaml_tree.rs"]),
    ("toml_edit", &["version_files/", "config/foreign.rs"]),
    ("ureq", &["api/transport/"]),
    ("clap", &["cli/", "commands/"]),
];

/// The files of the program, without those that hold tests alone.
fn sources() -> Vec<(String, String)> {
    let is_test = |name: &str| name.ends_with("tests.rs") || name.contains("/tests/");
    files_below("src").into_iter().filter(|(name, _)| !is_test(name)).collect()
}

/// The files of Rust in a directory of the project, each with its path below that.
fn files_below(directory: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut directories = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("the directory is read") {
            let path: PathBuf = entry.expect("the directory is read").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("it is below").to_string_lossy().replace('\\', "/");
                sources.push((name, fs::read_to_string(&path).expect("sources are text")));
            }
        }
    }
    sources
}

/// The layer of each module, from the table at the top of their parent.
fn layers(parent: &'static str) -> HashMap<&'static str, u8> {
    let rows = parent.lines().filter_map(|line| line.strip_prefix("//! | "));
    let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    let numbered = cells.filter_map(|cells| Some((cells[0].parse::<u8>().ok()?, cells[1])));
    numbered.flat_map(|(layer, modules)| modules.split('`').skip(1).step_by(2).map(move |name| (name, layer))).collect()
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The modules that a file names after the path of their parent, single or in braces.
fn used_modules(code: &str, parent: &str) -> Vec<String> {
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut modules = Vec::new();
    for after in code.split(parent).skip(1) {
        match after.strip_prefix('{') {
            None => modules.extend(words(after).next().map(str::to_owned)),
            Some(list) => modules.extend(heads(list)),
        }
    }
    modules
}

/// The first name of each path of a `use` list, up to the brace that closes it.
fn heads(list: &str) -> Vec<String> {
    let (mut depth, mut outer) = (0, String::new());
    for letter in list.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ if depth == 0 => outer.push(letter),
            _ => {}
        }
    }
    outer.split(',').filter_map(|path| words(path).next().map(str::to_owned)).collect()
}

/// Modules without a layer may be used only by the top layer.
fn check_layers(layers: &HashMap<&'static str, u8>, directory: &str, parent: &str) {
    let top = *layers.values().max().expect("the table has rows");
    for (name, code) in sources() {
        let Some(own) = name.strip_prefix(directory).and_then(|inner| inner.split(['/', '.']).next()) else { continue };
        if ["lib", "main", "mod", "properties"].contains(&own) {
            continue;
        }
        let own_layer = *layers.get(own).unwrap_or_else(|| panic!("src/{name} has no layer"));
        for used in used_modules(&code, parent) {
            let used_layer = layers.get(used.as_str()).copied().unwrap_or(top - 1);
            assert!(own == used || used_layer < own_layer, "src/{name} reaches up or sideways to `{used}`");
        }
    }
}

#[test]
fn every_module_uses_only_the_layers_below() {
    check_layers(&layers(include_str!("../../src/lib.rs")), "", "crate::");
}

#[test]
fn every_module_of_the_api_uses_only_those_below() {
    check_layers(&layers(include_str!("../../src/api/mod.rs")), "api/", "api::");
}

#[test]
fn every_step_of_the_pipeline_uses_only_those_below() {
    check_layers(&layers(include_str!("../../src/pipeline/mod.rs")), "pipeline/", "pipeline::");
}

#[test]
fn every_crate_stays_in_its_module() {
    for (name, code) in sources() {
        for (foreign, owners) in OWNERS {
            let used = code.lines().any(|line| {
                let line = line.trim_start();
                !line.starts_with("//")
                    && (line.starts_with(&format!("use {foreign}")) || line.contains(&format!("{foreign}::")))
            });
            assert!(!used || owners.iter().any(|owner| name.starts_with(owner)), "src/{name} uses `{foreign}`");
        }
    }
}

/// An object may be missing here: what reads one has to ask for it first, and gets `FetchedCommits` or `FetchedObjects`.
#[test]
fn no_object_is_read_without_having_been_fetched() {
    for (name, code) in sources() {
        for reading in ["find_", "try_find_object", "rev_parse", "objects."] {
            let raw = format!("repo.gix().{reading}");
            let allowed = ["objects.store_ref().path()"].map(|rest| format!("repo.gix().{rest}"));
            let is_raw = |line: &str| line.contains(&raw) && !allowed.iter().any(|allowed| line.contains(allowed));
            assert!(!code.lines().any(is_raw), "src/{name} reads an object by `{raw}`");
        }
    }
}

/// Whether a file declares a module, or takes a file of that name as one.
fn declares(code: &str, name: &str) -> bool {
    let (declaration, path) = (format!("mod {name};"), format!("#[path = \"{name}.rs\"]"));
    code.lines().map(str::trim).any(|line| {
        let before = line.strip_suffix(declaration.as_str());
        line == path || before.is_some_and(|before| before.is_empty() || before.starts_with("pub"))
    })
}

#[test]
fn every_file_is_compiled() {
    for root in ["src", "tests/it", "tests/support"] {
        let files = files_below(root);
        for (name, _) in &files {
            let Some(module) = name.strip_suffix(".rs").map(|path| path.strip_suffix("/mod").unwrap_or(path)) else {
                continue;
            };
            let (directory, module) = module.rsplit_once('/').unwrap_or(("", module));
            let mut declaring = files.iter().filter(|(other, _)| {
                let stem = other.strip_suffix(".rs").unwrap_or(other);
                let (parent, stem) = stem.rsplit_once('/').unwrap_or(("", stem));
                parent == directory || [parent, stem].join("/").trim_start_matches('/') == directory
            });
            let is_root = directory.is_empty() && ["lib", "main", "mod"].contains(&module);
            assert!(is_root || declaring.any(|(_, code)| declares(code, module)), "{root}/{name} belongs to no module");
        }
    }
}

#[test]
fn no_test_reads_the_git_settings_of_the_user() {
    let files =
        files_below("src").into_iter().filter(|(name, _)| name.contains("/tests/") || name.contains("/tests.rs"));
    let mut opening = Vec::new();
    for (name, code) in files.chain(files_below("tests/it")) {
        opening.extend(code.contains(concat!("Repo::", "open(")).then_some(name));
    }
    assert!(opening.is_empty(), "tests open repositories that are not isolated: {opening:?}");
}
