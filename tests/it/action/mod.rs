//! The GitHub action: its inputs are the options, its scripts do what they say, and nothing it is given runs.

mod install;
#[cfg(unix)]
mod pages;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod request;
#[cfg(unix)]
mod run;
#[cfg(unix)]
pub mod runner;
mod scripts;
