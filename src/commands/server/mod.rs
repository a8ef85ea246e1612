//! The server a command speaks to: found, asked, listened to.

mod detect;
mod options;
mod paging;
mod progress_reporter;
mod write;

use std::sync::Arc;

pub use options::{AuthArg, ServerArgs};
pub use paging::PageArgs;
pub use write::{ConfirmArgs, WriteArgs};

pub(super) use self::options::parse_id;
use self::progress_reporter::ProgressReporter;
use super::Session;
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
        let credential = options::credential(options, &base)?;
        let narrator = Arc::new(ProgressReporter::of(session));
        let listener = Arc::clone(&narrator);
        let client = Client::new(base, credential)
            .proxies(Proxies::from_environment(&variable))
            .patience(options.retry_policy())
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

/// A variable of the environment; CI systems set empty ones for what there is not.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The user and password with which git may use the token at a host: that of the server the token is for.
pub(super) fn git_credential(options: &ServerArgs, host: &str) -> anyhow::Result<Option<(&'static str, String)>> {
    match base_url(options) {
        Ok(base) if base.url().host() == host => Ok(options::credential(options, &base)?.git_credential()),
        _ => Ok(None),
    }
}

fn base_url(options: &ServerArgs) -> Result<BaseUrl, Problem> {
    let from_environment = || ["TIDINGS_BASE_URL", "GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    let missing = || {
        Problem::usage("no server given")
            .hint("name it with --base-url, or set TIDINGS_BASE_URL: https://gitlab.example.com")
    };
    BaseUrl::parse(&options.base_url.clone().or_else(from_environment).ok_or_else(missing)?)
}
