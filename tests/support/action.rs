//! The GitHub action of this repository.

use std::{env, fs, path::PathBuf};

use serde_json::Value;

/// Where the action is described.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("action.yml")
}

/// The action as GitHub reads it.
pub fn action() -> Value {
    serde_yaml::from_str(&fs::read_to_string(path()).unwrap()).expect("action.yml is YAML")
}
