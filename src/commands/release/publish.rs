//! The step behind the push: the release that the host shows for the tag.

use super::{Args, Session};
use crate::{
    api::{
        ApiRequest, Preview,
        releases::{
            self, GitHubReleases, GitLabReleases, PublishOutcome, PublishedRelease, ReleaseApi, github::RepositoryName,
        },
        suggested_token_variables,
    },
    commands::Server,
    git::{Repo, remote},
    model::{Asset, Forge, ForgeRelease, Problem, Project, StepState},
    pipeline::release::ReleasePlan,
};

/// A release on a host, to be made or renewed.
#[derive(Debug)]
pub(super) struct PublishStep {
    server: Server,
    object: ForgeRelease,
    pub(super) state: StepState,
    /// What became of it, once that is known.
    pub(super) published: Option<PublishedRelease>,
}

impl PublishStep {
    /// The step for what is planned; `None` where it is left out, the remote will not have the tag, or is on no host.
    ///
    /// # Errors
    ///
    /// Where the host is not known, or a file is missing.
    pub(super) fn of(args: &Args, session: &Session, repo: &Repo, plan: &ReleasePlan) -> anyhow::Result<Option<Self>> {
        if args.no_host_release || !plan.publishes_tag() {
            return Ok(None);
        }
        let object = args.release_object(plan)?;
        releases::check(&object)?;
        let remote = plan.push.upstream.as_ref().map_or("origin", |upstream| &upstream.remote);
        let project = remote::url(repo, remote).and_then(|url| Project::from_remote(&url));
        let named = session.global.server.project.is_some() || session.global.server.base_url.is_some();
        let has_host = project.as_ref().is_some_and(|project| project.forge().has_api());
        if !has_host && !named && object.assets.is_empty() {
            return Ok(None);
        }
        let server = Server::of_project(session, &project.unwrap_or_default())?;
        let step = Self { server, object, state: StepState::Planned, published: None };
        step.host()?;
        Ok(Some(step))
    }

    /// Looks whether the host has it already; whoever may not see that has it still planned.
    pub(super) fn check_existing(&mut self) {
        if let Ok(Some(present)) = self.asking(|host| Ok(host.find(&self.object.tag)?)) {
            self.state = StepState::of(present.matches(&self.object));
        }
    }

    /// Refuses a token that is missing, or that the host does not take.
    ///
    /// # Errors
    ///
    /// As [`ReleaseHost::find`].
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let client = self.server.client();
        if !client.credential().is_some() {
            let advice = suggested_token_variables(client.base().forge());
            return Err(Problem::new("there is no token for the release on the host")
                .hint(format!("set {advice}, or name a file with --token-file"))
                .hint("`--no-host-release` leaves this step out")
                .into());
        }
        self.asking(|host| {
            host.find(&self.object.tag)?;
            host.check_permissions()
        })
    }

    /// Sees to it that the host shows the release.
    ///
    /// # Errors
    ///
    /// As [`releases::publish`].
    pub(super) fn run(&mut self) -> anyhow::Result<&PublishedRelease> {
        let published = self.asking(|host| releases::publish(host, &self.object))?;
        let untouched = published.status == PublishOutcome::Unchanged
            && published.assets.iter().all(|asset| asset.status == PublishOutcome::Unchanged);
        self.state = if untouched { StepState::AlreadyDone } else { StepState::Done };
        Ok(self.published.insert(published))
    }

    /// Its page, else the host it is on.
    pub(super) fn location(&self) -> String {
        let page = self.published.as_ref().and_then(|published| published.url.clone());
        page.unwrap_or_else(|| self.server.client().base().url().origin())
    }

    /// What is sent for a release that is not there yet.
    pub(super) fn requests(&self) -> Vec<Preview> {
        let calls = self.host().map(|host| host.requests(&self.object)).unwrap_or_default();
        calls.iter().map(|call: &ApiRequest| self.server.client().preview(call)).collect()
    }

    /// Asks the host, and takes away what bar that left.
    fn asking<T>(&self, ask: impl FnOnce(&dyn ReleaseApi) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let answer = ask(&*self.host()?);
        self.server.finish_progress();
        answer
    }

    fn host(&self) -> anyhow::Result<Box<dyn ReleaseApi + '_>> {
        let (client, project) = (self.server.client(), self.server.project()?);
        Ok(match client.base().forge() {
            Forge::GitHub => Box::new(GitHubReleases { client, repository: RepositoryName::parse(project)? }),
            _ => Box::new(GitLabReleases { client, project: project.to_owned() }),
        })
    }
}

impl Args {
    fn release_object(&self, plan: &ReleasePlan) -> anyhow::Result<ForgeRelease> {
        let assets = self.asset.iter().map(|asset| Asset::parse(asset)).collect::<Result<_, _>>()?;
        Ok(ForgeRelease {
            tag: plan.tag.clone(),
            name: plan.tag.clone(),
            description: plan.notes.body.clone(),
            prerelease: plan.is_pre_release(),
            assets,
        })
    }
}
