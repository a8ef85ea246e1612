//! `tidings release --request`: releases what was merged, then opens or renews the request of the next release.

mod outcome;

use std::io::Write;

use self::outcome::{Outcome, State};
use super::{
    args::Args,
    place::Place,
    planner::{Planner, ReleaseRun},
    report,
};
use crate::{
    api::{
        self,
        merge_requests::{Branches, MergeRequest, MergeRequestApi, MergeRequestState, RequestText},
    },
    commands::{Format, Session},
    git::{Repo, commit::FileChange},
    model::{self, Oid, ProblemKind, Thread},
    pipeline::release::{
        self as pipeline_release, ForgeCommitter, ReleaseBranch, ReleaseContext, ReleasePlan, ReleaseReport,
        ReleaseRequest, RequestDraft, notice, without_notice,
    },
};

/// How often the branch may be moved by others while it is renewed.
const ATTEMPTS: usize = 3;

pub(super) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.local_repo()?;
    let request = args.request(session)?;
    let planner = Planner { args, session };
    let (mut releases, mut merged): (Vec<_>, Vec<_>) =
        planner.plan_or_nothing(&repo, &request)?.into_iter().partition(ReleaseRun::is_to_come);
    merged.retain(|release| !release.plan.states.are_finished());
    let (mut documents, mut text, mut is_done) = (Vec::new(), Vec::new(), false);
    if !merged.is_empty() {
        let (reports, failure) = if args.execute {
            planner.execute(&repo, &mut merged)
        } else {
            (merged.iter().map(|release| release.plan.report()).collect(), None)
        };
        // A release that an earlier run finished is none of this one.
        let told = |report: &&ReleaseReport| failure.is_some() || !args.execute || report.states.has_done();
        is_done = reports.iter().any(|report| told(&report));
        for (release, report) in merged.iter().zip(&reports).filter(|(_, report)| told(report)) {
            documents.push(report::document(&release.plan, report, ""));
            if args.execute {
                writeln!(text, "{}", report::describe_done(&release.plan, report))?;
            } else {
                report::print_plan(&release.plan, &mut text)?;
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if args.execute {
            releases = planner.plan_or_nothing(&repo, &request)?;
            releases.retain(ReleaseRun::is_to_come);
        }
    }
    let outcome = planner.renew(&repo, &request, releases)?;
    let document = outcome.document(&documents);
    outcome.print(&mut text)?;
    let is_plan = !args.execute && outcome.state != State::Nothing;
    let failure = outcome.failure(is_done);
    if failure.is_none() || outcome.state != State::Nothing || session.global.format == Format::Json {
        session.answer(&document, |out| out.write_all(&text))?;
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    if is_plan {
        session.note("this is only a plan; run again with `--execute` (`-x`) to carry it out");
    }
    Ok(())
}

impl ReleaseRun {
    /// Whether its commit is still to be made.
    fn is_to_come(&self) -> bool {
        self.plan.states.commit.is_planned()
    }
}

impl Planner<'_> {
    /// Plans what there is to release, which may be nothing.
    fn plan_or_nothing(&self, repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Vec<ReleaseRun>> {
        match self.plan_all(repo, request) {
            Err(nothing) if model::problem_kind(&nothing) == ProblemKind::NothingToDo => Ok(Vec::new()),
            planned => planned,
        }
    }

    /// Opens, renews or closes the request; in a plan, says what would be done.
    fn renew(&self, repo: &Repo, request: &ReleaseRequest, releases: Vec<ReleaseRun>) -> anyhow::Result<Outcome> {
        let mut releases = releases;
        for attempt in 1.. {
            let context = ReleaseContext::load(repo, request)?;
            let branch = ReleaseBranch::read(&context, request, self.args.request_branch.as_deref())?;
            self.take_chosen(&context, &branch, &mut releases)?;
            let place = Place::find(self.session, &context, &branch.upstream)?;
            let old = branch.head;
            let outcome = Renewal { planner: self, context: &context, request, branch, place }.run(&releases);
            let Err(error) = outcome else { return outcome };
            // A lease that was lost is told by where the branch is now.
            let moved = ReleaseContext::load(repo, request)
                .and_then(|context| ReleaseBranch::read(&context, request, self.args.request_branch.as_deref()))
                .is_ok_and(|branch| branch.head != old && self.args.execute);
            let is_refused = model::problem_kind(&error) != ProblemKind::Failed;
            if !moved || is_refused || attempt == ATTEMPTS || error.downcast_ref::<api::Error>().is_some() {
                return Err(error);
            }
        }
        unreachable!("the last attempt returns")
    }

    /// Plans releases again whose version people chose on the branch.
    fn take_chosen(
        &self,
        context: &ReleaseContext,
        branch: &ReleaseBranch,
        releases: &mut [ReleaseRun],
    ) -> anyhow::Result<()> {
        for index in 0..releases.len() {
            let Some(chosen) = releases[index].request.with_chosen(branch, &releases[index].plan.version) else {
                continue;
            };
            let earlier: Vec<&ReleasePlan> = releases[..index].iter().map(|release| &release.plan).collect();
            releases[index] = self.plan(context, &chosen, &earlier)?;
        }
        Ok(())
    }
}

/// One attempt to bring branch and request to where they should be.
struct Renewal<'a> {
    planner: &'a Planner<'a>,
    context: &'a ReleaseContext<'a>,
    request: &'a ReleaseRequest,
    branch: ReleaseBranch,
    place: Place,
}

impl Renewal<'_> {
    fn run(&self, releases: &[ReleaseRun]) -> anyhow::Result<Outcome> {
        let args = self.planner.args;
        if args.execute {
            self.place.check_token(self.place.forge().profile().merge_request_noun)?;
        }
        if releases.is_empty() {
            return self.close();
        }
        releases.iter().try_for_each(|release| release.fail_if_blocked(args, ProblemKind::CheckFailed))?;
        self.context.check_pushed(self.request)?;
        let plans: Vec<&ReleasePlan> = releases.iter().map(|release| &release.plan).collect();
        let mut draft = RequestDraft::make(self.context, &plans, &self.branch, self.place.limit())?;
        let open = self.open()?;
        let present =
            open.as_ref().map(|open| RequestText { title: open.title.clone(), description: open.description.clone() });
        let text = draft.merged_text(present.as_ref());
        let versions = plans.iter().map(|plan| (plan.package.clone(), plan.version.to_string())).collect();
        let diff = plans.iter().flat_map(|plan| plan.changes.iter().flat_map(FileChange::diff)).collect();
        let forge = self.place.forge();
        let mut outcome =
            Outcome { state: State::ToOpen, forge, draft: None, request: open, text: Some(text), versions, diff };
        outcome.state = self.settle(&mut draft, &mut outcome)?;
        outcome.draft = Some(draft);
        Ok(outcome)
    }

    /// Pushes the branch and writes the request.
    fn settle(&self, draft: &mut RequestDraft, outcome: &mut Outcome) -> anyhow::Result<State> {
        let (api, is_execution) = (self.place.requests()?, self.planner.args.execute);
        let Some(text) = outcome.text.clone() else { return Ok(State::Nothing) };
        if !draft.conflicts.is_empty() {
            return self.tell_conflicts(draft, outcome.request.as_ref());
        }
        if outcome.request.is_none()
            && let Some(closed) = self.left_closed(draft)?
        {
            outcome.request = Some(closed);
            return Ok(State::LeftClosed);
        }
        let is_same = |open: &MergeRequest| {
            let present = without_notice(&open.description).replace("\r\n", "\n");
            open.title == text.title && present == text.description.trim_end() && open.description.trim_end() == present
        };
        if !is_execution {
            let is_done = outcome.request.as_ref().is_some_and(is_same) && !draft.is_new;
            return Ok(match (&outcome.request, is_done) {
                (_, true) => State::Unchanged,
                (Some(_), false) => State::ToRenew,
                (None, false) => State::ToOpen,
            });
        }
        if draft.is_new {
            draft.head = self.remake(draft)?;
            let output = pipeline_release::push(self.context, draft)?;
            if self.planner.session.global.verbose > 0 {
                self.planner.session.relay(&output);
            }
            let (branch, remote) = (draft.upstream.short(), draft.upstream.display_name());
            self.planner.session.note(&format!("pushed `{branch}` to {remote}"));
        }
        let branches = Branches { source: draft.upstream.short(), target: &draft.target };
        let (state, request) = match &outcome.request {
            Some(open) if is_same(open) => (if draft.is_new { State::Renewed } else { State::Unchanged }, open.clone()),
            Some(open) => (State::Renewed, api.update(open.number, &text)?),
            None => match api.create(branches, &text) {
                Ok(created) => (State::Opened, created),
                // The answer may be lost, or another run was faster.
                Err(error) => match self.open() {
                    Ok(Some(open)) => (State::Opened, open),
                    _ => return Err(error.into()),
                },
            },
        };
        outcome.request = Some(request);
        Ok(state)
    }

    /// Lets the forge make the commits of a draft, if it is to, and returns the last one.
    fn remake(&self, draft: &RequestDraft) -> anyhow::Result<Option<Oid>> {
        let Some(head) = draft.head.filter(|_| self.planner.commits_through_api(self.context, self.request)) else {
            return Ok(draft.head);
        };
        let (api, remote) = (self.place.commits()?, draft.upstream.remote.as_str());
        let committer = ForgeCommitter { repo: self.context.scope.repo, remote, api: &*api };
        let known: Vec<Oid> = [self.context.scope.to].into_iter().chain(draft.old).collect();
        committer.remake(head, &known, &draft.target).map(Some)
    }

    /// Tells of conflicts in the description of the open request, once.
    fn tell_conflicts(&self, draft: &RequestDraft, open: Option<&MergeRequest>) -> anyhow::Result<State> {
        if let Some(open) = open.filter(|_| self.planner.args.execute) {
            let description = notice(&open.description, &draft.conflicts, draft.upstream.short());
            if description != open.description {
                let text = RequestText { title: open.title.clone(), description };
                self.place.requests()?.update(open.number, &text)?;
            }
        }
        Ok(State::Conflict)
    }

    /// Whether the forge can be asked about requests.
    fn may_ask(&self) -> bool {
        self.place.has_token() && self.planner.asks_forge()
    }

    /// Returns the open request; of several, the oldest.
    fn open(&self) -> anyhow::Result<Option<MergeRequest>> {
        let open = self.all_open()?;
        if open.len() > 1 {
            let numbers: Vec<String> = open.iter().map(|request| request.number.to_string()).collect();
            let names = numbers.join(", ");
            self.planner.session.note(&format!("several requests are open ({names}); the oldest one is renewed"));
        }
        Ok(open.into_iter().min_by_key(|request| request.number))
    }

    fn all_open(&self) -> anyhow::Result<Vec<MergeRequest>> {
        if !self.may_ask() {
            return Ok(Vec::new());
        }
        let branches = Branches { source: self.branch.upstream.short(), target: &self.branch.target };
        let found = self.place.requests()?.find(branches, true);
        self.place.server.finish_progress();
        let mut open = found?;
        open.retain(|request| request.state == MergeRequestState::Open);
        Ok(open)
    }

    /// Returns the request that people closed, if its branch is as they left it and the version is the same.
    fn left_closed(&self, draft: &RequestDraft) -> anyhow::Result<Option<MergeRequest>> {
        let (Some(old), Some(_)) = (draft.old, &self.branch.written) else { return Ok(None) };
        if draft.versions.0 != draft.versions.1 || !self.may_ask() {
            return Ok(None);
        }
        let branches = Branches { source: draft.upstream.short(), target: &draft.target };
        let found = self.place.requests()?.find(branches, false)?;
        let newest = found.into_iter().max_by_key(|request| request.number);
        Ok(newest.filter(|request| request.state == MergeRequestState::Closed && request.head == old.to_string()))
    }

    /// Closes the request, since nothing is left to release, and deletes its branch. The branch goes first: with the
    /// request alone closed, the next run would take it for one that people closed.
    fn close(&self) -> anyhow::Result<Outcome> {
        let open = self.all_open()?;
        let state = match open.as_slice() {
            [] => State::Nothing,
            _ if !self.planner.args.execute => State::ToClose,
            open => {
                let api = self.place.requests()?;
                open.iter().try_for_each(|request| self.say_goodbye(&*api, request))?;
                if self.branch.written.is_some() {
                    pipeline_release::delete(self.context, &self.branch)?;
                }
                open.iter().try_for_each(|request| api.close(request.number))?;
                State::Closed
            }
        };
        let forge = self.place.forge();
        let (request, versions, diff) = (open.into_iter().min_by_key(|request| request.number), Vec::new(), Vec::new());
        Ok(Outcome { state, forge, draft: None, request, text: None, versions, diff })
    }

    /// Says why a request is closed, unless an earlier run has said it and did not get further.
    fn say_goodbye(&self, api: &dyn MergeRequestApi, request: &MergeRequest) -> anyhow::Result<()> {
        const REASON: &str = "Nothing is left to release, so this request is closed.";
        let thread = Thread::Request(request.number);
        if api.comments(thread)?.iter().any(|comment| comment.body.starts_with(REASON)) {
            return Ok(());
        }
        let deleted = self.branch.written.as_ref().map(|written| {
            format!(" Its branch `{}`, which was at {}, is deleted.", self.branch.upstream.short(), written.head)
        });
        Ok(api.comment(thread, &format!("{REASON}{}", deleted.unwrap_or_default()))?)
    }
}
