//! What the tests build on: repositories with pinned dates, and the program run without the user's settings.

mod history;
mod oracle;
mod random;
pub mod remote;
mod repo;
mod run;
pub mod service;

pub use history::{Clocks, Planned, random_history};
pub use oracle::{Oracle, Part};
pub use random::Random;
pub use repo::{TestRepo, git_in};
pub use run::{Outcome, isolate, tidings};
pub use service::{Fault, Service};

/// The folder an environment variable names, or a return from the test where it is not set: recorded answers and real
/// histories are too large for this repository and are tested where they lie.
#[macro_export]
macro_rules! folder_or_return {
    ($variable:literal) => {
        match std::env::var_os($variable) {
            Some(folder) => std::path::PathBuf::from(folder),
            None => return,
        }
    };
}
