//! The steps of a release: those of the repository, and the one of the host.

use super::{Args, Session, publish};
use crate::{
    commands::{people::ServerLookup, session::Progress},
    git::{Repo, upstream::Upstream},
    model::StepState,
    pipeline::release::{ReleaseInputs, ReleasePlan, ReleaseRequest},
};

/// A release, from its plan to its end.
#[derive(Debug)]
pub(super) struct ReleaseRun {
    pub(super) plan: ReleasePlan,
    /// The release on the host; else why there is none.
    pub(super) host: Result<publish::PublishStep, StepState>,
}

/// What every release of a run is planned with.
pub(super) struct Planner<'a> {
    args: &'a Args,
    repo: &'a Repo,
    session: &'a Session,
    progress: Progress,
}

impl<'a> Planner<'a> {
    pub(super) fn new(args: &'a Args, repo: &'a Repo, session: &'a Session) -> Self {
        Self { args, repo, session, progress: Progress::of(session) }
    }

    /// Plans every step. What the host has is looked at where nothing else is left to do; its token is asked for only
    /// where it will be needed.
    pub(super) fn plan(&self, request: &ReleaseRequest) -> anyhow::Result<ReleaseRun> {
        let Self { args, repo, session, progress } = self;
        let outline = progress.while_reading(repo, || ReleaseInputs::read(repo, request))?;
        let mut plan = outline.plan(ServerLookup(session).if_requested(args.options.people), repo, request)?;
        let host = plan.or_block(publish::PublishStep::of(args, session, repo, &plan));
        let mut host = host.map_or(Err(StepState::Blocked), |step| step.ok_or(StepState::Skipped));
        if let Ok(step) = &mut host {
            if args.execute {
                plan.or_block(step.check());
            } else if plan.is_finished() {
                step.check_existing();
            }
        }
        Ok(ReleaseRun { plan, host })
    }
}

impl ReleaseRun {
    /// How far the release on the host is.
    pub(super) fn host_state(&self) -> StepState {
        self.host.as_ref().map_or_else(|state| *state, |step| step.state)
    }

    /// Whether nothing is left to do anywhere.
    pub(super) fn is_finished(&self) -> bool {
        self.plan.is_finished() && !self.host_state().is_planned()
    }

    /// Does what is left to do; each step is told as soon as it is done.
    pub(super) fn execute(&mut self, repo: &Repo, session: &Session) -> anyhow::Result<()> {
        let plan = &mut self.plan;
        if let Some(committed) = plan.commit(repo)? {
            session.relay(&committed.output);
            session.note(&format!("committed {} on {}", committed.id.short(), plan.branch));
        }
        if plan.tag(repo)? {
            session.note(&format!("tagged {} as {}", plan.commit.short(), plan.tag));
        }
        let remote = plan.push.upstream.as_ref().map(Upstream::shown).unwrap_or_default();
        if plan.push.state.is_planned() {
            Progress::announce(session, &format!("pushing to {remote}"));
        }
        if let Some(said) = plan.push(repo)? {
            if session.global.verbose > 0 {
                session.relay(&said);
            }
            session.note(&format!("pushed to {remote}"));
        }
        let Ok(step) = &mut self.host else { return Ok(()) };
        step.run()?;
        if step.state == StepState::Done {
            session.note(&format!("published {}", step.location()));
        }
        Ok(())
    }
}
