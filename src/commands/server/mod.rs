//! The server of a command: which one it is, its credential, and requests to it.

mod detect;
mod paging;
mod progress_reporter;
mod write;

use std::sync::Arc;

pub use paging::PageArgs;
pub use write::{ConfirmArgs, WriteArgs};

use self::progress_reporter::ProgressReporter;
use super::{
    Session,
    args::{AuthArg, ServerArgs},
    session::input::{self, variable},
};
use crate::{
    api::{ApiRequest, ApiResponse, BaseUrl, Client, Credential, Proxies},
    model::{Forge, Problem, Project},
};

/// A client with the settings of the global options and the environment.
#[derive(Debug)]
pub struct Server {
    client: Client,
    reporter: Arc<ProgressReporter>,
    project: Option<String>,
}

impl Server {
    /// The server of the global options or the environment. Nothing is sent yet.
    ///
    /// # Errors
    /// If no server is given, or its address or the token is not valid.
    pub fn of(session: &Session) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let project = options.project.clone().or_else(|| variable("CI_PROJECT_PATH"));
        Self::at(session, base_url(options)?, project)
    }

    /// The server of a project: the given one, else that of `origin` or of the CI job.
    ///
    /// # Errors
    /// If no server is found, or its address or the token is not valid.
    pub fn of_project(session: &Session, project: &Project) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let base = detect::base_url(options, project)?;
        let path = detect::path(options, project, base.forge());
        Self::at(session, base, path)
    }

    fn at(session: &Session, base: BaseUrl, project: Option<String>) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let credential = credential(options, &base)?;
        let reporter = Arc::new(ProgressReporter::new(session));
        let observer = Arc::clone(&reporter);
        let client = Client::new(base, credential)
            .proxies(Proxies::from_environment(&variable))
            .retry_policy(options.retry_policy())
            .allow_plain_http(options.allow_http)
            .observer(Arc::new(move |event| observer.on_event(event)));
        Ok(Self { client, reporter, project })
    }

    /// The given project, or that of the CI job.
    ///
    /// # Errors
    /// If there is neither.
    pub fn project(&self) -> anyhow::Result<&str> {
        let missing = || Problem::usage("no project given").hint("use `--project`, such as `--project group/app`");
        Ok(self.project.as_deref().filter(|project| !project.is_empty()).ok_or_else(missing)?)
    }

    /// Sends a request.
    ///
    /// # Errors
    /// If the server refuses, cannot be reached, or responds with something else than JSON.
    pub fn send_request(&self, request: &ApiRequest) -> crate::api::Result<ApiResponse> {
        let response = self.client.send_request(request);
        self.reporter.finish();
        response
    }

    /// Removes the progress bar.
    pub(super) fn finish_progress(&self) {
        self.reporter.finish();
    }

    /// The client.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }
}

/// Reads the token from a file or the environment.
fn credential(options: &ServerArgs, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(AuthArg::None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(
            &input::read_text(path)?,
            server.forge().api().default_auth_scheme(),
            format!("`{}`", input::name(path)),
        )?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.and_then(AuthArg::scheme) {
        Some(scheme) => found.with_scheme(scheme),
        None => found,
    })
}

/// Returns the user and password with which git uses the token, if `host` is that of the token's server.
pub(super) fn git_credential(options: &ServerArgs, host: &str) -> anyhow::Result<Option<(&'static str, String)>> {
    match base_url(options) {
        Ok(base) if base.url().host() == host => Ok(credential(options, &base)?.git_credential()),
        _ => Ok(None),
    }
}

fn base_url(options: &ServerArgs) -> Result<BaseUrl, Problem> {
    let from_environment = || ["TIDINGS_BASE_URL", "GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    let missing = || {
        Problem::usage("no server given")
            .hint("use `--base-url`, or set `TIDINGS_BASE_URL`, such as `https://gitlab.example.com`")
    };
    BaseUrl::parse(&options.base_url.clone().or_else(from_environment).ok_or_else(missing)?, Forge::GitLab)
}
