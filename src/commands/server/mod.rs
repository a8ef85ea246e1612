//! The server a command speaks to: found, asked, listened to.

mod credential;
mod detect;
mod paging;
mod progress_reporter;
mod write;

use std::sync::Arc;

pub use paging::PageArgs;
pub use write::{ConfirmArgs, WriteArgs};

pub(super) use self::credential::git_credential;
use self::{credential::base_url, progress_reporter::ProgressReporter};
use super::{Session, session::input::variable};
use crate::{
    api::{ApiRequest, ApiResponse, BaseUrl, Client, Proxies},
    model::{Problem, Project},
};

/// A client made of the global options and the environment.
#[derive(Debug)]
pub struct Server {
    client: Client,
    narrator: Arc<ProgressReporter>,
    project: Option<String>,
}

impl Server {
    /// Finds out which server is meant, and who is asking. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// Where no server is named, or its address or the token cannot be one.
    pub fn of(session: &Session) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let project = options.project.clone().or_else(|| variable("CI_PROJECT_PATH"));
        Self::at(session, base_url(options)?, project)
    }

    /// The server that has a project: the one that is named, else the one that `origin` or the CI job tells of.
    ///
    /// # Errors
    ///
    /// As [`Server::of`].
    pub fn of_project(session: &Session, project: &Project) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let base = detect::base_url(options, project)?;
        let path = detect::path(options, project, base.forge());
        Self::at(session, base, path)
    }

    fn at(session: &Session, base: BaseUrl, project: Option<String>) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let credential = credential::credential(options, &base)?;
        let narrator = Arc::new(ProgressReporter::of(session));
        let listener = Arc::clone(&narrator);
        let client = Client::new(base, credential)
            .proxies(Proxies::from_environment(&variable))
            .retry_policy(options.retry_policy())
            .allow_plain_http(options.allow_http)
            .observer(Arc::new(move |event| listener.on_event(event)));
        Ok(Self { client, narrator, project })
    }

    /// The project that was named, or that of the CI job.
    ///
    /// # Errors
    ///
    /// Where there is neither.
    pub fn project(&self) -> anyhow::Result<&str> {
        let missing = || Problem::usage("no project given").hint("name it with --project, such as --project group/app");
        Ok(self.project.as_deref().filter(|project| !project.is_empty()).ok_or_else(missing)?)
    }

    /// Sends a request.
    ///
    /// # Errors
    ///
    /// As [`Client::send_request`].
    pub fn send_request(&self, request: &ApiRequest) -> crate::api::Result<ApiResponse> {
        let response = self.client.send_request(request);
        self.narrator.finish();
        response
    }

    /// Takes the progress bar away.
    pub(super) fn finish_progress(&self) {
        self.narrator.finish();
    }

    /// The client itself.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }
}
