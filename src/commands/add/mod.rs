//! `tidings add`: inserts the section of a version into the changelog file, and commits that one file.

mod all;
mod args;
mod outcome;
mod section;
mod unreleased;

use std::{io::Write as _, path::Path};

use serde_json::json;

pub(crate) use self::args::Args;
use super::{Server, Session, hosted};
use crate::{api::repository as endpoints, config, git::commit, model::Problem};

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.version.is_none() && !args.next && !args.all && !args.unreleased {
        return Err(Problem::usage("a version is required")
            .hint("name one, such as `tidings add 1.2.0`, or use `--next`, `--unreleased` or `--all`")
            .into());
    }
    if session.global.server.project.is_some() {
        return args.add_hosted(session);
    }
    let repo = session.repo_to_commit()?;
    let mut options = args.options.clone();
    let branch = args.branch.as_deref().map(|branch| commit::branch(&repo, Some(branch))).transpose()?;
    options.range.to = options.range.to.or_else(|| branch.map(|branch| branch.tip.to_string()));
    if args.all {
        options.range.take_any_number();
    }
    let request = session.with_lookups(options.request(args.version.as_deref())?);
    match args {
        Args { all: true, .. } => all::add(args, &repo, &request, session),
        Args { unreleased: true, .. } => unreleased::update(args, &repo, request, session),
        Args { all_packages: true, .. } => section::add_next_of_packages(args, &repo, request, session),
        _ => section::add(args, &repo, request, session),
    }
}

impl Args {
    fn add_hosted(&self, session: &mut Session) -> anyhow::Result<()> {
        let local = [
            ("--no-commit", self.no_commit),
            ("--replace", self.replace),
            ("--sign", self.sign),
            ("--next", self.next),
            ("--all", self.all),
            ("--unreleased", self.unreleased),
        ];
        if let Some((option, _)) = local.iter().find(|(_, given)| *given) {
            let message = format!("`{option}` cannot be used with `--project`: the server makes the commit");
            return Err(Problem::usage(message).hint("omit `--project` to make the commit here").into());
        }
        let version = self.version.as_deref().unwrap_or_default();
        if self.fail_on_empty && !self.dry_run {
            hosted::refuse_empty(&hosted::section(version, &self.options, session)?)?;
        }
        let file = self.file.as_deref().map_or(config::CHANGELOG.into(), Path::to_string_lossy);
        let server = Server::from_session(session)?;
        let fields = hosted::fields(version, &self.options)?
            .add_given("branch", self.branch.as_ref())
            .add("file", &file)
            .add_given("message", self.given_message(version).as_ref());
        let request = endpoints::commit_section(server.project()?, fields);
        if server.send_change(session, &request, self.dry_run)?.is_some() {
            let project = server.project()?;
            let document = json!({ "version": version, "file": file, "status": "done", "project": project });
            session.answer(&document, |out| writeln!(out, "{project} has {version} in {file}"))?;
        }
        Ok(())
    }
}
