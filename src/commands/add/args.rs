//! The arguments of `tidings add`, and how they put a change of changelog files into the repository.

use std::path::{Path, PathBuf};

use super::outcome::AddOutcome;
use crate::{
    commands::{ChangelogArgs, changelog_args::parse_version, completions},
    git::{
        Repo,
        commit::{self, CommitRequest, EditFn},
    },
    model::Version,
    pipeline::Scope,
};

/// Add a version's section to the changelog file and commit that file.
///
/// Other staged or modified files are not touched. A version that already has a section is left unchanged.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Version of the section.
    #[arg(value_name = "VERSION")]
    pub(super) version: Option<String>,
    /// Use the version printed by `tidings next`.
    #[arg(long, conflicts_with = "version", group = "sections")]
    pub(super) next: bool,
    /// Bring the text below `Unreleased` up to date, for a job on every push: what is new is added, what was reverted
    /// goes, and what people wrote or edited there stays. A release makes the version's section of it.
    #[arg(long, conflicts_with_all = ["version", "next", "all", "replace", "fail_on_empty"])]
    pub(super) unreleased: bool,
    /// Add every release that the file does not have; existing sections are left unchanged. Sections without entries are
    /// left out, and so are versions that other files have, as the file or its neighbours say.
    #[arg(long, conflicts_with_all = ["version", "next", "fail_on_empty", "from", "first_release"], group = "sections")]
    pub(super) all: bool,
    /// With `--all`, skip versions below this one.
    #[arg(long, value_name = "VERSION", requires = "all", conflicts_with_all = ["version", "next", "unreleased"], value_parser = parse_version)]
    pub(super) since: Option<Version>,
    /// With `--next` or `--all`, add to the file of every package in the configuration, in one commit. With `--next`, the
    /// packages that are due for a release get the section of their next version.
    #[arg(long, requires = "sections", conflicts_with_all = ["version", "unreleased", "package", "file"])]
    pub(super) all_packages: bool,
    /// Write more than twenty sections at once; without it `--all` only prints a plan of them.
    #[arg(short, long, requires = "all")]
    pub(super) yes: bool,
    /// Commit to this branch; the range ends at its tip [default: the current branch].
    #[arg(long, value_name = "BRANCH", add = completions::branches())]
    pub(super) branch: Option<String>,
    /// Path of the changelog file, relative to the top of the repository [default: `file` in the configuration, else
    /// the only file named like a changelog, else `CHANGELOG.md`].
    #[arg(long, value_name = "PATH")]
    pub(super) file: Option<PathBuf>,
    /// Commit message, in which `{version}` stands for the version [default: `Add changelog for version VERSION[ of PACKAGE]`].
    #[arg(short, long, value_name = "TEXT")]
    pub(super) message: Option<String>,
    /// Write the file and commit nothing.
    #[arg(long, conflicts_with_all = ["branch", "message", "sign", "dry_run"])]
    pub(super) no_commit: bool,
    /// Print the change as a diff and write nothing.
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Replace the version's existing section; with `--all`, those of all releases.
    #[arg(long)]
    pub(super) replace: bool,
    /// Sign the commit even if `commit.gpgSign` is not set.
    #[arg(short = 'S', long)]
    pub(super) sign: bool,
    #[command(flatten)]
    pub(super) options: ChangelogArgs,
    /// If the section has no entries, add nothing and exit with code 5.
    #[arg(long)]
    pub(super) fail_on_empty: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings add 1.2.0                       to CHANGELOG.md, in a new commit
  tidings add --next                      the section of the next version
  tidings add --next --all-packages       that of every package that is due
  tidings add --unreleased                what is unreleased so far
  tidings add --all                       every release that the file lacks
  tidings add --all --all-packages        the same for the file of each package
  tidings add --all --replace --yes       all releases once more
  tidings add 1.2.0 --dry-run             print the change only
  tidings add 1.2.1 --branch release-1.2  on a branch that is not checked out
  tidings add 1.2.0 --replace             replace the existing section
  tidings add 1.2.0 --package api         to the changelog file of a package
  tidings add 1.2.0 --project group/app   let the server commit it";

impl Args {
    pub(super) fn changelog_file(&self, scope: &Scope) -> anyhow::Result<PathBuf> {
        self.file.clone().map_or_else(|| scope.changelog_file().map(PathBuf::from), Ok)
    }

    /// Returns the message of the commit. It names the package, because packages may have the same versions.
    pub(super) fn commit_message(&self, versions: &str, newest: &str) -> String {
        let package = self.options.range.config.package.as_ref();
        let of = package.map(|package| format!(" of {package}")).unwrap_or_default();
        self.given_message(newest).unwrap_or_else(|| format!("Add changelog for {versions}{of}"))
    }

    pub(super) fn given_message(&self, version: &str) -> Option<String> {
        self.message.as_ref().map(|message| message.replace("{version}", version))
    }

    /// Writes, previews or commits changes of changelog files; `edit` returns `None` to leave a file as it is.
    pub(super) fn put(
        &self,
        repo: &Repo,
        files: &[&Path],
        message: &str,
        edit: &mut EditFn,
    ) -> anyhow::Result<AddOutcome> {
        let request = CommitRequest { branch: self.branch.as_deref(), files, message, sign: self.sign };
        if !self.no_commit && !self.dry_run {
            let committed = commit::commit(repo, &request, edit)?;
            return Ok(committed.map_or(AddOutcome::Nothing, AddOutcome::Committed));
        }
        let changes = if self.no_commit {
            let written =
                files.iter().map(|file| commit::write(repo, file, edit)).collect::<anyhow::Result<Vec<_>>>()?;
            AddOutcome::Written(written.into_iter().flatten().collect())
        } else {
            commit::check_preview(repo, &request)?;
            AddOutcome::Previewed(commit::preview(repo, &request, edit)?)
        };
        Ok(if changes.changes().is_empty() { AddOutcome::Nothing } else { changes })
    }
}
