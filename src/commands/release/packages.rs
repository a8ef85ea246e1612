//! `--all-packages`: a release of each package for which something asks.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::Value;

use super::{
    Args, Session,
    flow::{Flow, Planner},
    report, text,
};
use crate::{
    git::Repo,
    model::{self, Kind},
    pipeline::{self, Settings, release::ReleaseRequest},
};

/// Plans all releases before the first is carried out. Each is pushed by itself, so that a run that broke off goes on
/// with the package it stopped at.
pub(super) fn run(args: &Args, repo: &Repo, session: &mut Session) -> anyhow::Result<()> {
    let packages = plan(args, repo, session)?;
    if packages.is_empty() {
        return Err(pipeline::nothing().hint("`packages:` in the settings names what is released by itself").into());
    }
    if !args.execute {
        return show(&packages, session);
    }
    packages.iter().try_for_each(|package| package.refuse(Kind::Failed))?;
    let planner = Planner::new(args, repo, session);
    let release = |package: Package| package.carry_out(&planner, repo, session);
    let done = packages.into_iter().map(release).collect::<anyhow::Result<Vec<_>>>()?;
    let documents: Vec<Value> = done.iter().map(report::document).collect();
    session.answer(&documents, |out| done.iter().try_for_each(|flow| writeln!(out, "{}", text::done(flow))))
}

/// A package and its release.
struct Package {
    name: String,
    request: ReleaseRequest,
    flow: Flow,
}

/// The packages for which something asks.
fn plan(args: &Args, repo: &Repo, session: &Session) -> anyhow::Result<Vec<Package>> {
    let request = args.request()?;
    let settings = Settings::load(repo, &request.changelog.settings)?;
    session.warn(&settings.warnings)?;
    let (mut packages, planner) = (Vec::new(), Planner::new(args, repo, session));
    for name in settings.config.packages.keys() {
        let mut request = request.clone();
        request.changelog.settings.package = Some(name.clone());
        let flow = match planner.plan(&request) {
            Err(error) if model::kind(&error) == Kind::Nothing => continue,
            flow => flow.with_context(|| failed(name))?,
        };
        session.warn(flow.plan.warnings.iter().filter(|warning| !settings.warnings.contains(warning)))?;
        packages.push(Package { name: name.clone(), request, flow });
    }
    Ok(packages)
}

fn failed(name: &str) -> String {
    format!("cannot release the package `{name}`")
}

fn show(packages: &[Package], session: &mut Session) -> anyhow::Result<()> {
    let flows = || packages.iter().map(|package| &package.flow);
    session.answer(&flows().map(report::document).collect::<Vec<_>>(), |out| {
        flows().enumerate().try_for_each(|(number, flow)| {
            out.write_all(if number > 0 { b"\n" } else { b"" })?;
            text::plan(flow, out)
        })
    })?;
    packages.iter().try_for_each(|package| package.refuse(Kind::Found))?;
    report::note(flows().all(Flow::is_finished), session);
    Ok(())
}

impl Package {
    fn refuse(&self, kind: Kind) -> anyhow::Result<()> {
        report::refuse(&self.flow.plan, kind).with_context(|| failed(&self.name))
    }

    /// Plans it once more, as the releases before have moved the branch, and carries that out.
    fn carry_out(mut self, planner: &Planner, repo: &Repo, session: &Session) -> anyhow::Result<Flow> {
        self.flow = planner.plan(&self.request).with_context(|| failed(&self.name))?;
        self.refuse(Kind::Failed)?;
        self.flow.carry_out(repo, session).with_context(|| failed(&self.name))?;
        Ok(self.flow)
    }
}
