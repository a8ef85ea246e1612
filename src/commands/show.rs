//! `tidings show`: prints the section of a version.

use super::Session;

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// Runs `tidings show`.
///
/// # Errors
///
/// Where the repository, the range or the template fails.
pub fn run(_args: &Args, _session: &mut Session) -> anyhow::Result<()> {
    Ok(())
}
