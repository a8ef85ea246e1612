//! The arguments of `tidings show`.

use crate::{
    commands::{
        ChangelogArgs,
        args::{candidates, parse_version},
    },
    model::Version,
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Args {
    /// The version of the section; without it: what is unreleased since the last stable tag.
    #[arg(value_name = "VERSION", add = candidates::tags())]
    pub(super) version: Option<String>,
    /// Use the next version as the heading, the one that `tidings next` prints.
    #[arg(long, conflicts_with = "version")]
    pub(super) next: bool,
    /// Print a section for every release, the newest first, and on top what is unreleased.
    #[arg(long, conflicts_with_all = ["version", "next", "compare_local", "from", "first_release"])]
    pub(super) all: bool,
    /// With `--all`, leave out versions below this one.
    #[arg(long, value_name = "VERSION", requires = "all", value_parser = parse_version)]
    pub(super) since: Option<Version>,
    #[command(flatten)]
    pub(super) options: ChangelogArgs,
    /// Print the section of every package in the configuration.
    #[arg(long, conflicts_with_all = ["package", "compare_local"])]
    pub(super) all_packages: bool,
    /// Exit with 5 when the section has no entries.
    #[arg(long)]
    pub(super) fail_on_empty: bool,
    /// With `--project`, also generate the section locally, print the diff, and exit with code 3 if the two differ.
    #[arg(long)]
    pub(super) compare_local: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                          unreleased since the last stable tag
  tidings show 1.2.0                    the section of version 1.2.0
  tidings show --next                   under the version of `tidings next`
  tidings show 1.2.0 --to release-1.2   of another branch
  tidings show --all                    every release, and what is unreleased
  tidings show --all --since 1.0.0      of 1.0.0 and later
  tidings show --first-release          the whole history as one section
  tidings show 1.2.0 --package api      of a package of the settings
  tidings show --next --all-packages    of each that something asks a release of
  tidings show 1.2.0 --format json      for machines
  tidings show 1.2.0 --project a/b      as the server makes it
  tidings show 1.2.0 --project a/b --compare-local";
