//! `tidings` without a command: what is unreleased, the next version, and the command that goes on from there.

use std::io::Write as _;

use clap::{Args as _, FromArgMatches as _};
use serde_json::json;

use super::{GlobalArgs, RangeArgs, Session};
use crate::{
    model::{Problem, name_some, pluralize},
    pipeline::{
        self, BumpOptions, ChangelogRequest, ConfiguredPackages, History, NextVersion, PackageDependencies, Scope,
    },
};

/// What there is to release.
struct Overview {
    unreleased: String,
    next: String,
    command: &'static str,
}

/// Refuses a file for three lines that are only to be read: whoever names one expects a changelog in it.
pub(crate) fn check(global: &GlobalArgs) -> anyhow::Result<()> {
    let Some(file) = &global.output else { return Ok(()) };
    let problem = Problem::usage(format!("`--output {}` needs a command", file.display()));
    Err(problem
        .hint("run `tidings add --all` to put every release into the changelog file, or `tidings show --all --output FILE`")
        .into())
}

pub(crate) fn run(session: &mut Session) -> anyhow::Result<()> {
    let repo = session.whole_repo()?;
    let request = session.with_optional_lookups(request()?);
    let scope = Scope::open(&repo, request)?;
    let progress = session.progress();
    let packages = if scope.config().packages.is_empty() { scope.tool_packages()? } else { Some(scope.clone()) };
    let Overview { unreleased, next, command } = if let Some(scope) = packages {
        progress.while_reading(&repo, || of_packages(scope.packages()?))?
    } else {
        let read = || pipeline::next_version(scope.clone(), &PackageDependencies::new(&scope), &BumpOptions::default());
        let (next, history) = progress.while_reading(&repo, read)?;
        history.remarks().iter().for_each(|remark| session.remark(remark));
        of_repository(&next, &history)
    };
    let document = json!({ "unreleased": unreleased, "next": next, "command": command });
    session
        .answer(&document, |out| write!(out, "unreleased: {unreleased}\nnext:       {next}\nrun:        {command}\n"))
}

/// Returns the request of a command line without options.
fn request() -> anyhow::Result<ChangelogRequest> {
    let matches = RangeArgs::augment_args(clap::Command::new("tidings")).try_get_matches_from(["tidings"])?;
    RangeArgs::from_arg_matches(&matches)?.request(None)
}

fn of_repository(next: &NextVersion, history: &History) -> Overview {
    let listed = history.listed_len();
    let commits = pluralize(history.range_len, "commit");
    let since = next.base.as_ref().map_or_else(String::new, |base| format!(" since {}", base.tag));
    let unreleased = match (history.range_len, listed) {
        (0, _) => format!("no commits{since}"),
        (_, 0) => format!("no changes in {commits}{since}"),
        _ => format!("{} in {commits}{since}", pluralize(listed, "change")),
    };
    let (next, command) = match (&next.version, listed) {
        (Some(version), _) => (version.to_string(), "`tidings show` prints the changes, `tidings release` the plan"),
        (None, 0) => ("nothing to release".to_owned(), "`tidings explain` says what each commit is"),
        (None, _) => ("no change asks for a version".to_owned(), "`tidings release VERSION` plans one of your choice"),
    };
    Overview { unreleased, next, command }
}

fn of_packages(configured: ConfiguredPackages<'_>) -> anyhow::Result<Overview> {
    let (count, mut changes, mut due) = (configured.packages.len(), Vec::new(), Vec::new());
    let options = BumpOptions::default();
    for found in configured.next_versions(&options) {
        let (package, (next, history)) = found?;
        match history.listed_len() {
            0 => {}
            listed => changes.push(format!("{package} {listed}")),
        }
        due.extend(next.version.map(|version| format!("{package} {version}")));
    }
    let packages = pluralize(count, "package");
    if due.is_empty() {
        let command = "`tidings next --package NAME -v` says why";
        let unreleased = format!("nothing in {packages} asks for a release");
        return Ok(Overview { unreleased, next: "nothing to release".to_owned(), command });
    }
    let unreleased = if changes.is_empty() {
        format!("no changes of their own in {packages}")
    } else {
        format!("changes in {} of {packages}: {}", changes.len(), name_some(&changes, NAMED, ""))
    };
    let command = "`tidings show --all-packages` prints the changes, `tidings release --all-packages` the plan";
    Ok(Overview { unreleased, next: name_some(&due, NAMED, ""), command })
}

/// The maximum number of packages that a line names.
const NAMED: usize = 8;
