//! `--all-packages`: a release of each package for which something asks.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::Value;

use super::{
    Args, Session,
    release_run::{Planner, ReleaseRun},
    report, text,
};
use crate::{
    git::Repo,
    model::{self, ProblemKind},
    pipeline::{self, LoadedConfig, release::ReleaseRequest},
};

/// Plans all releases before the first is carried out. Each is pushed by itself, so that a run that broke off goes on
/// with the package it stopped at.
pub(super) fn run(args: &Args, repo: &Repo, session: &mut Session) -> anyhow::Result<()> {
    let packages = plan(args, repo, session)?;
    if packages.is_empty() {
        return Err(pipeline::nothing_to_release()
            .hint("`packages:` in the settings names what is released by itself")
            .into());
    }
    if !args.execute {
        return show(&packages, session);
    }
    packages.iter().try_for_each(|package| package.refuse(ProblemKind::Failed))?;
    let planner = Planner::new(args, repo, session);
    let release = |package: PackageRelease| package.carry_out(&planner, repo, session);
    let done = packages.into_iter().map(release).collect::<anyhow::Result<Vec<_>>>()?;
    let documents: Vec<Value> = done.iter().map(report::document).collect();
    session.answer(&documents, |out| done.iter().try_for_each(|flow| writeln!(out, "{}", text::done(flow))))
}

/// A package and its release.
struct PackageRelease {
    name: String,
    request: ReleaseRequest,
    flow: ReleaseRun,
}

/// The packages for which something asks.
fn plan(args: &Args, repo: &Repo, session: &Session) -> anyhow::Result<Vec<PackageRelease>> {
    let request = args.request()?;
    let settings = LoadedConfig::load(repo, &request.changelog.settings)?;
    session.warn(&settings.warnings)?;
    let (mut packages, planner) = (Vec::new(), Planner::new(args, repo, session));
    for name in settings.config.packages.keys() {
        let mut request = request.clone();
        request.changelog.settings.package = Some(name.clone());
        let flow = match planner.plan(&request) {
            Err(error) if model::kind(&error) == ProblemKind::NothingToDo => continue,
            flow => flow.with_context(|| failed(name))?,
        };
        session.warn(flow.plan.warnings.iter().filter(|warning| !settings.warnings.contains(warning)))?;
        packages.push(PackageRelease { name: name.clone(), request, flow });
    }
    Ok(packages)
}

fn failed(name: &str) -> String {
    format!("cannot release the package `{name}`")
}

fn show(packages: &[PackageRelease], session: &mut Session) -> anyhow::Result<()> {
    let flows = || packages.iter().map(|package| &package.flow);
    session.answer(&flows().map(report::document).collect::<Vec<_>>(), |out| {
        flows().enumerate().try_for_each(|(number, flow)| {
            out.write_all(if number > 0 { b"\n" } else { b"" })?;
            text::plan(flow, out)
        })
    })?;
    packages.iter().try_for_each(|package| package.refuse(ProblemKind::CheckFailed))?;
    report::note(flows().all(ReleaseRun::is_finished), session);
    Ok(())
}

impl PackageRelease {
    fn refuse(&self, kind: ProblemKind) -> anyhow::Result<()> {
        report::fail_if_blocked(&self.flow.plan, kind).with_context(|| failed(&self.name))
    }

    /// Plans it once more, as the releases before have moved the branch, and carries that out.
    fn carry_out(mut self, planner: &Planner, repo: &Repo, session: &Session) -> anyhow::Result<ReleaseRun> {
        self.flow = planner.plan(&self.request).with_context(|| failed(&self.name))?;
        self.refuse(ProblemKind::Failed)?;
        self.flow.execute(repo, session).with_context(|| failed(&self.name))?;
        Ok(self.flow)
    }
}
