//! The plans of a run of `tidings release`, and their execution.

use anyhow::Context as _;

use super::{args::Args, place::Place, publish::Publisher, report};
use crate::{
    commands::Session,
    git::{Repo, remote::Upstream},
    model::{self, ProblemKind, Warning},
    pipeline::{
        self, Scope,
        release::{
            ExecutionResult, ForgeCommitter, ReleaseContext, ReleaseEvent, ReleaseInputs, ReleasePlan, ReleaseRequest,
            StepState, execute,
        },
    },
};

/// A plan, the request it was made for, and the server it is published on.
pub(super) struct ReleaseRun {
    pub(super) request: ReleaseRequest,
    pub(super) plan: ReleasePlan,
    pub(super) publisher: Option<Publisher>,
    /// The forge that makes the commit, if it is not made here.
    committer: Option<Place>,
}

impl ReleaseRun {
    pub(super) fn fail_if_blocked(&self, args: &Args, kind: ProblemKind) -> anyhow::Result<()> {
        args.in_package(&self.request, report::fail_if_blocked(&self.plan, kind))
    }
}

/// The arguments and the session that every release of a run is planned with.
pub(super) struct Planner<'a> {
    pub(super) args: &'a Args,
    pub(super) session: &'a Session,
}

impl Planner<'_> {
    /// Plans every step. The forge is asked for its release only if nothing else is left to do, and its token is
    /// required only if it will be needed.
    pub(super) fn plan(
        &self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        earlier: &[&ReleasePlan],
    ) -> anyhow::Result<ReleaseRun> {
        let Self { args, session } = self;
        let planned = self.plan_unasked(context, request, earlier);
        let mut run = match planned {
            Err(nothing) if model::problem_kind(&nothing) == ProblemKind::NothingToDo => {
                return self.plan_unfinished(context, request)?.ok_or(nothing);
            }
            planned => planned?,
        };
        let Some((publisher, publish)) = run.publisher.as_ref().zip(run.plan.publish.as_ref()) else { return Ok(run) };
        if !args.execute {
            if self.asks_forge() && run.plan.states.are_pushed() {
                run.plan.states.publish = publisher.state(&publish.release);
            } else if self.asks_forge() {
                let is_ready = publisher.check_discussion(&publish.release);
                run.plan.or_block(is_ready);
            }
            return Ok(run);
        }
        let is_ready = publisher.check(&publish.release);
        if run.plan.or_block(is_ready).is_some()
            && run.plan.states.commit.is_planned()
            && let Some(ReleaseRun { plan: last, .. }) = self.plan_unfinished(context, request)?
        {
            let (tag, version) = (&last.tag, &last.version);
            session.note(&format!("`{tag}` was not published; run `tidings release {version} -x` to complete it"));
        }
        Ok(run)
    }

    /// Whether the forge may be asked what it has; a plan with `--offline` asks nobody.
    pub(super) fn asks_forge(&self) -> bool {
        self.args.execute || !self.session.global.offline
    }

    /// Plans every step without asking the forge.
    fn plan_unasked(
        &self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        earlier: &[&ReleasePlan],
    ) -> anyhow::Result<ReleaseRun> {
        let Self { args, session } = self;
        let inputs = session.progress().while_reading(context.scope.repo, || ReleaseInputs::read(context, request))?;
        let mut plan = ReleasePlan::new(inputs, context, request, earlier)?;
        let committer = self.find_committer(context, request, &mut plan);
        let publish = Publisher::plan(args, session, context, &mut plan);
        let mut run = ReleaseRun { request: request.clone(), plan, committer, publisher: None };
        match run.plan.or_block(publish) {
            None => run.plan.states.publish = StepState::Blocked,
            Some(None) => {}
            Some(Some((publisher, publish))) => {
                run.plan.states.publish = StepState::Planned;
                (run.publisher, run.plan.publish) = (Some(publisher), Some(publish));
            }
        }
        Ok(run)
    }

    /// Whether the forge makes the commits that are pushed.
    pub(super) fn commits_through_api(&self, context: &ReleaseContext, request: &ReleaseRequest) -> bool {
        let is_asked = self.args.commit_through_api || context.scope.config().release.commits_through_api;
        is_asked && request.steps.push
    }

    /// Finds the forge that is to make the commit of a plan; `None` if no commit is left to make, or it is made here.
    fn find_committer(
        &self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        plan: &mut ReleasePlan,
    ) -> Option<Place> {
        if !plan.states.commit.is_planned() || !self.commits_through_api(context, request) {
            return None;
        }
        // What keeps the push from a remote is told already.
        let upstream = plan.push.upstream.clone()?;
        let place = Place::find(self.session, context, &upstream).and_then(|place| {
            place.commits()?;
            if self.args.execute {
                place.check_token("commit")?;
            }
            Ok(place)
        });
        let place = plan.or_block(place)?;
        plan.remarks.push(format!("{} makes the commit, and signs it", place.forge().profile().name));
        Some(place)
    }

    /// Plans what an earlier run left to do for the last release after it had pushed it: the release on the forge, or
    /// its files. `None` if that is complete, or unknown.
    fn plan_unfinished(
        &self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
    ) -> anyhow::Result<Option<ReleaseRun>> {
        if self.args.no_host_release || !request.steps.push || !self.asks_forge() {
            return Ok(None);
        }
        let Some(last) = context.last_release(request)? else { return Ok(None) };
        // A tag that was not made for a release of this branch has nothing to complete.
        let Ok(mut run) = self.plan_unasked(context, &last, &[]) else { return Ok(None) };
        let plan = &mut run.plan;
        let is_pushed = plan.blockers.is_empty() && plan.states.are_pushed() && plan.has_release_commit();
        let Some((publisher, publish)) = run.publisher.as_ref().zip(plan.publish.as_ref()).filter(|_| is_pushed) else {
            return Ok(None);
        };
        let version = &plan.version;
        match publisher.is_incomplete(&publish.release) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(error) => {
                let warning = Warning::from_error(format!("it is unknown whether {version} was published"), &error);
                return self.session.warn(&[warning]).map(|()| None);
            }
        }
        plan.remarks.push(format!("nothing is new since {version}, which an earlier run did not publish"));
        if self.args.execute {
            let is_ready = publisher.check(&publish.release);
            plan.or_block(is_ready);
        }
        Ok(Some(run))
    }

    /// Plans the release, or the releases of all packages that have something to release.
    pub(super) fn plan_all(&self, repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Vec<ReleaseRun>> {
        if self.args.all_packages {
            return self.plan_packages(repo, request);
        }
        let release = self.plan(&ReleaseContext::load(repo, request)?, request, &[])?;
        release.plan.remarks.iter().for_each(|remark| self.session.note(remark));
        self.session.warn(&release.plan.warnings)?;
        Ok(vec![release])
    }

    fn plan_packages(&self, repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Vec<ReleaseRun>> {
        let (mut context, packages, warnings) = self
            .session
            .progress()
            .while_reading(repo, || ReleaseContext::load(repo, request)?.with_packages(request))?;
        self.session.warn(&context.scope.loaded.warnings)?;
        self.session.warn(&warnings)?;
        let mut releases = Vec::<ReleaseRun>::new();
        for name in packages.iter().filter_map(Scope::package_name) {
            let request = request.clone().of_package(Some(name));
            let earlier: Vec<_> =
                releases.iter().filter(|_| !self.args.separate).map(|release| &release.plan).collect();
            let release = match self.plan(&context, &request, &earlier) {
                Err(error) if model::problem_kind(&error) == ProblemKind::NothingToDo => continue,
                release => self.args.in_package(&request, release)?,
            };
            release.plan.remarks.iter().for_each(|remark| self.session.note(&format!("{name}: {remark}")));
            self.session.warn(
                release
                    .plan
                    .warnings
                    .iter()
                    .filter(|warning| !(context.scope.loaded.warnings.contains(warning) || warnings.contains(warning))),
            )?;
            context.dependencies.plan(name, &release.plan.new_version());
            releases.push(release);
        }
        if releases.is_empty() {
            return Err(pipeline::nothing_to_release(pipeline::RUN_NEXT).into());
        }
        Ok(releases)
    }

    /// Executes the plans together. With `--separate` each has a commit and a push of its own, and is planned again
    /// because the earlier ones moved the branch: a run that is interrupted continues with the package it stopped at.
    pub(super) fn execute(&self, repo: &Repo, releases: &mut [ReleaseRun]) -> ExecutionResult {
        let args = self.args;
        let is_blocked = releases.iter().try_for_each(|release| release.fail_if_blocked(args, ProblemKind::Failed));
        if let Err(blocked) = is_blocked {
            return (releases.iter().map(|release| release.plan.report()).collect(), Some(blocked));
        }
        if !args.separate {
            return self.execute_together(repo, releases);
        }
        let mut reports = Vec::new();
        for release in releases {
            let request = release.request.clone();
            let planned = ReleaseContext::load(repo, &request).and_then(|context| self.plan(&context, &request, &[]));
            match args.in_package(&request, planned) {
                Ok(planned) => *release = planned,
                Err(error) => return (reports, Some(error)),
            }
            if let Err(blocked) = release.fail_if_blocked(args, ProblemKind::Failed) {
                return (reports, Some(blocked));
            }
            let (done, failure) = self.execute_together(repo, std::slice::from_ref(release));
            reports.extend(done);
            if let Some(failure) = failure {
                return (reports, args.in_package(&request, Err::<(), _>(failure)).err());
            }
        }
        (reports, None)
    }

    /// Executes the plans in one run, and reports each step as soon as it is taken.
    fn execute_together(&self, repo: &Repo, releases: &[ReleaseRun]) -> ExecutionResult {
        let plans: Vec<_> = releases.iter().map(|release| &release.plan).collect();
        let publish = |index: usize| {
            let release: &ReleaseRun = &releases[index];
            let parts = release.publisher.as_ref().zip(release.plan.publish.as_ref());
            let (publisher, publish) = parts.context("nothing is planned to be published")?;
            publisher.publish(&publish.release)
        };
        let on_event = |index: usize, event: ReleaseEvent| self.report_event(plans[index], &event);
        let place = releases.iter().find_map(|release| release.committer.as_ref());
        let api = match place.map(Place::commits).transpose() {
            Ok(api) => api,
            Err(error) => return (plans.iter().map(|plan| plan.report()).collect(), Some(error)),
        };
        let upstream = plans.iter().find_map(|plan| plan.push.upstream.as_ref());
        let committer =
            api.as_ref().zip(upstream).map(|(api, to)| ForgeCommitter { repo, remote: &to.remote, api: &**api });
        execute(repo, &plans, committer.as_ref(), &publish, &on_event)
    }

    fn report_event(&self, plan: &ReleasePlan, event: &ReleaseEvent) {
        let session = self.session;
        let remote = || plan.push.upstream.as_ref().map(Upstream::display_name).unwrap_or_default();
        match event {
            ReleaseEvent::Hook(command) => session.note(&format!("running `{command}`")),
            ReleaseEvent::Committed(committed) => {
                session.relay(&committed.output);
                session.note(&format!("committed {} on {}", committed.id.short(), plan.branch));
            }
            ReleaseEvent::Tagged(commit) => session.note(&format!("tagged {} as {}", commit.short(), plan.tag)),
            ReleaseEvent::FoundTag(commit) => session.note(&format!(
                "something else tagged {} as {}, probably a hook of git; it is taken as the tag of the release",
                commit.short(),
                plan.tag
            )),
            // git may ask questions, which a progress bar would disturb.
            ReleaseEvent::Pushing if session.progress().is_shown() => session.note(&format!("pushing to {}", remote())),
            ReleaseEvent::Pushing => {}
            ReleaseEvent::Pushed(output) => {
                if session.global.verbose > 0 {
                    session.relay(output);
                }
                session.note(&format!("pushed to {}", remote()));
            }
            ReleaseEvent::Published(published) => {
                let server = || plan.publish.as_ref().map(|publish| publish.location.clone()).unwrap_or_default();
                session.note(&format!("published {}", published.url.clone().unwrap_or_else(server)));
            }
        }
    }
}
