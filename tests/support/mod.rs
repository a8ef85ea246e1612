//! What the tests build on: repositories with pinned dates, and the program run without the user's settings.

pub mod action;
mod checkout;
pub mod component;
pub mod generated;
mod history;
mod oracle;
mod page;
mod random;
pub mod remote;
mod repo;
mod run;
pub mod service;

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

pub use checkout::Job;
pub use history::{Clocks, Planned, random_history};
pub use oracle::{Oracle, Part};
pub use page::Page;
pub use random::Random;
pub use repo::{TestRepo, git_in};
pub use run::isolate;
pub use run::{Outcome, tidings};
pub use service::{Fault, Service};

/// A path in the directory of what the tests compare with.
pub fn testdata(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata").join(path)
}

/// The directory that an environment variable names, or a return from the test if it is not set: real histories are too
/// large for this repository. The test says so on the standard error of the run, which no test harness captures.
#[macro_export]
macro_rules! directory_or_return {
    ($variable:literal) => {
        match std::env::var_os($variable) {
            Some(directory) => std::path::PathBuf::from(directory),
            None => {
                let line = format!("{}: left out, because `{}` names no directory\n", module_path!(), $variable);
                std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
                return;
            }
        }
    };
}

/// Ends a test whose tool is missing on this machine. With `TIDINGS_REQUIRE_TOOLS`, which `.ci/run` sets, that is a
/// failure.
#[track_caller]
pub fn skip_without(tool: &str) {
    assert!(std::env::var_os("TIDINGS_REQUIRE_TOOLS").is_none(), "this test needs `{tool}`, which is not installed");
    let _ = writeln!(io::stderr(), "skipped: `{tool}` is not installed");
}
