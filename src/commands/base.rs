//! `tidings base`: prints the tag that the section of a version starts after.

use std::io::Write as _;

use serde_json::json;

use super::{ConfigArgs, Session, completions};
use crate::{
    model::Version,
    pipeline::{self, ChangelogRequest, Scope},
};

/// Print the base tag of a version: the tag its section starts after.
///
/// `-v` explains the choice.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The version to find the base tag for [default: the latest stable tag].
    #[arg(value_name = "VERSION", add = completions::tags())]
    version: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings base              the last stable tag
  tidings base 1.2.0        the tag that 1.2.0 starts after
  tidings base 1.2.0 -v     with the reason
  tidings base --package api  the last stable tag of a package";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let version = args.version.as_deref().map(str::parse::<Version>).transpose()?;
    let repo = session.whole_repo()?;
    let request = ChangelogRequest { version, config_source: args.config.source(), ..ChangelogRequest::unreleased() };
    let scope = Scope::open(&repo, request)?.or_package_by_name()?;
    let base = pipeline::base(&scope)?;
    session.warn(&scope.loaded.warnings)?;
    if session.json() {
        let mut document = json!(base);
        document["in_history"] = base.parted_at.is_none().into();
        document["passed_over"] = base.passed_over.as_deref().into();
        return session.out.json(&document);
    }
    writeln!(session.out, "{}", base.tag)?;
    if session.global.verbose > 0 {
        session.note(&format!("{} at {}: {}", base.tag, base.commit, base.reason));
        base.remarks().iter().for_each(|remark| session.remark(remark));
    }
    Ok(())
}
