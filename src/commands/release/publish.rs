//! The step after the push: the forge release of the tag.

use std::collections::BTreeSet;

use super::args::Args;
use crate::{
    api::{
        self,
        merge_requests::MergeRequestApi,
        releases::{self, PublishedRelease, ReleaseApi},
    },
    commands::{Server, Session, session::variable},
    git::remote,
    model::{self, ForgeRelease, JobServer, LatestMark, Problem, ProblemKind, Project, Thread},
    pipeline::release::{PublishPlan, ReleaseContext, ReleasePlan, StepState},
};

/// The server that a release is published on, and the project there.
pub(super) struct Publisher {
    server: Server,
    project: Project,
}

impl Publisher {
    /// Plans the step; `None` if it is skipped, the remote will not have the tag, or the remote is not on a forge.
    pub(super) fn plan(
        args: &Args,
        session: &Session,
        context: &ReleaseContext,
        plan: &mut ReleasePlan,
    ) -> anyhow::Result<Option<(Self, PublishPlan)>> {
        let unknown = plan.unknown_tag.take();
        if args.no_host_release || !plan.publishes_tag() && unknown.is_none() {
            return Ok(None);
        }
        let mut release = args.forge_release(plan, context.scope.config())?;
        releases::check(&release)?;
        let remote = plan.push.upstream.as_ref().map_or("origin", |upstream| &upstream.remote);
        let stated = context.scope.config().forge;
        let project = project_of(context, remote);
        let named = session.global.server.project.is_some() || session.global.server.base_url.is_some();
        let has_host = project.as_ref().is_some_and(|project| project.forge().has_api());
        if !has_host && !named && release.assets.is_empty() {
            if let Some(project) = &project {
                let name = project.forge().profile().name;
                plan.remarks
                    .push(format!("no release is made on `{}`: the API of {name} is not supported", project.host()));
            }
            return Ok(None);
        }
        if let Some(unknown) = unknown {
            let problem = Problem::new(format!("it is unknown whether `{}` was pushed", plan.tag));
            return Err(unknown.context(problem.hint("use `--no-host-release` to leave out the step that needs it")));
        }
        let project = project.unwrap_or_else(|| Project::default().with_forge(stated, None));
        let server = Server::for_project(&session.global, &session.messages, &project)?;
        let publisher = Self::new(server, project)?;
        let (client, project) = (publisher.server.client(), &publisher.project);
        let forge = client.base().forge();
        releases::check_on(&release, forge)?;
        let name = forge.profile().name;
        if release.latest != LatestMark::Auto && !forge.api().has_latest_mark {
            plan.remarks.push(format!("{name} itself decides which release is the latest, whatever `latest` says"));
        }
        if let Some(max) =
            forge.api().max_release_notes.filter(|max| release.cut_notes(*max, &remainder(plan, project)))
        {
            session.note(&format!("the release notes are truncated: a release on {name} has at most {max} characters"));
        }
        let host = publisher.host()?;
        let requests = host.requests(&release).iter().map(|call| client.preview(call)).collect();
        let undo = host.undo(&release.tag);
        drop(host);
        let location = client.base().url().origin();
        let is_telling = args.comment_on_requests || context.scope.config().release.comments;
        let told = if is_telling { Thread::named_in(&plan.notes.body, publisher.project()) } else { BTreeSet::new() };
        if is_telling {
            plan.remarks.push(told_in_words(&told));
        }
        Ok(Some((publisher, PublishPlan { release, location, requests, undo, told })))
    }

    /// Takes the project of the remote, else the one that the options name.
    fn new(server: Server, of_remote: Project) -> anyhow::Result<Self> {
        let project = if of_remote.path().is_empty() { Project::new("", server.project()?) } else { of_remote };
        let project = project.with_forge(Some(server.client().base().forge()), None);
        Ok(Self { server, project })
    }

    /// Returns the state of the step; if the token has no access to the release, the step counts as planned.
    pub(super) fn state(&self, release: &ForgeRelease) -> StepState {
        match self.with_api(|host| Ok(host.find(&release.tag)?)) {
            Ok(Some(present)) => StepState::new(present.matches(release)),
            _ => StepState::Planned,
        }
    }

    /// Whether the forge has no release of the tag, only a draft, or not all of the files. Without access this is
    /// unknown, and nothing can be completed.
    pub(super) fn is_incomplete(&self, release: &ForgeRelease) -> anyhow::Result<bool> {
        if !self.server.client().credential().is_some() {
            return Ok(false);
        }
        match self.with_api(|host| Ok(host.find(&release.tag)?)) {
            Ok(present) => Ok(present.is_none_or(|present| present.is_incomplete(release))),
            Err(error) if model::problem_kind(&error) == ProblemKind::AccessDenied => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Refuses a token that is missing, or that the server does not accept.
    pub(super) fn check(&self, release: &ForgeRelease) -> anyhow::Result<()> {
        let client = self.server.client();
        if !client.credential().is_some() {
            let forge = client.base().forge();
            let advice = forge.api().suggested_token_variables();
            return Err(Problem::new(format!("no token found for the release on {}", forge.profile().name))
                .hint(format!("set {advice}, or name a file with `--token-file`"))
                .hint("use `--no-host-release` to skip this step")
                .into());
        }
        let present = self.with_api(|host| {
            host.check_permissions()?;
            Ok(host.find(&release.tag)?)
        })?;
        if present.is_none_or(|present| present.is_draft()) { self.check_discussion(release) } else { Ok(()) }
    }

    /// Refuses a category of discussions that the forge does not have. Without a token this is unknown.
    pub(super) fn check_discussion(&self, release: &ForgeRelease) -> anyhow::Result<()> {
        let category = release.discussion_category.as_ref().filter(|_| self.server.client().credential().is_some());
        category.map_or(Ok(()), |category| self.with_api(|host| Ok(host.check_discussion(category)?)))
    }

    pub(super) fn publish(&self, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
        self.with_api(|host| releases::publish(host, release))
    }

    /// Sends requests with `ask`, and removes the progress bar that they leave.
    fn with_api<T>(&self, ask: impl FnOnce(&dyn ReleaseApi) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let answer = ask(&*self.host()?);
        self.server.finish_progress();
        answer
    }

    /// Returns the project that the release is of.
    pub(super) fn project(&self) -> &Project {
        &self.project
    }

    /// Waits between two comments as the forge asks for.
    pub(super) fn pause_between_writes(&self) {
        self.server.client().pause_between_writes();
    }

    /// Asks for merge requests with `ask`, and removes the progress bar that this leaves.
    pub(super) fn with_requests<T>(
        &self,
        ask: impl FnOnce(&dyn MergeRequestApi) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let answer = ask(&*api::merge_requests_of(self.server.client(), self.server.project()?)?);
        self.server.finish_progress();
        answer
    }

    fn host(&self) -> anyhow::Result<Box<dyn ReleaseApi + '_>> {
        let (client, project) = (self.server.client(), self.server.project()?);
        Ok(api::releases_of(client, project)?)
    }
}

/// Returns the project of a remote, on the forge that the configuration or the CI job names.
pub(super) fn project_of(context: &ReleaseContext, remote: &str) -> Option<Project> {
    let (stated, job) = (context.scope.config().forge, JobServer::from_environment(&variable));
    remote::project_of(context.scope.repo, remote).map(|project| project.with_forge(stated, job.as_ref()))
}

/// Returns the remark of a plan on the requests and issues that are told of the release.
fn told_in_words(told: &BTreeSet<Thread>) -> String {
    if told.is_empty() {
        return "nobody is told: the notes name no request or issue of the project".to_owned();
    }
    let names: Vec<String> = told.iter().map(ToString::to_string).collect();
    format!("told of the release: {}", names.join(", "))
}

/// Returns the sentence after notes that were cut, which says where to find the rest.
fn remainder(plan: &ReleasePlan, project: &Project) -> String {
    let url = plan.previous_tag.as_ref().and_then(|previous| project.compare_url(previous, &plan.tag));
    url.map_or_else(
        || "The list goes on in the changelog.".to_owned(),
        |url| format!("The list goes on: [all changes]({url})."),
    )
}
