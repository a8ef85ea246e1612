//! The server that a run sends its requests to, beside the releases: merge requests and commits.

use super::publish::project_of;
use crate::{
    api::{self, commits::CommitApi, merge_requests::MergeRequestApi},
    commands::{Server, Session},
    git::remote::Upstream,
    model::{Forge, Problem, Project},
    pipeline::release::ReleaseContext,
};

/// The server of a remote, and the project there.
pub(super) struct Place {
    pub(super) server: Server,
}

impl Place {
    /// Finds the server of the remote; refuses one on no known forge.
    pub(super) fn find(session: &Session, context: &ReleaseContext, upstream: &Upstream) -> anyhow::Result<Self> {
        let named = session.global.server.project.is_some() || session.global.server.base_url.is_some();
        let project = project_of(context, &upstream.remote);
        let has_host = project.as_ref().is_some_and(|project| project.forge().has_api());
        if !has_host && !named {
            let remote = upstream.display_name();
            return Err(Problem::new(format!("it is not known on which forge `{remote}` is, so its API is not used"))
                .hint("name its server with `--base-url` and its project with `--project`")
                .into());
        }
        let stated = context.scope.config().forge;
        let project = project.unwrap_or_else(|| Project::default().with_forge(stated, None));
        Ok(Self { server: Server::for_project(&session.global, &session.messages, &project)? })
    }

    pub(super) fn forge(&self) -> Forge {
        self.server.client().base().forge()
    }

    pub(super) fn requests(&self) -> anyhow::Result<Box<dyn MergeRequestApi + '_>> {
        Ok(api::merge_requests_of(self.server.client(), self.server.project()?)?)
    }

    pub(super) fn commits(&self) -> anyhow::Result<Box<dyn CommitApi + '_>> {
        Ok(api::commits_of(self.server.client(), self.server.project()?)?)
    }

    /// Returns the longest description of a request that the forge takes, with some room.
    pub(super) fn limit(&self) -> usize {
        self.forge().api().max_request_description
    }

    pub(super) fn has_token(&self) -> bool {
        self.server.client().credential().is_some()
    }

    /// Refuses a missing token, before anything is pushed.
    pub(super) fn check_token(&self, purpose: &str) -> anyhow::Result<()> {
        if self.has_token() {
            return Ok(());
        }
        let forge = self.forge();
        Err(Problem::new(format!("no token found for the {purpose} on {}", forge.profile().name))
            .hint(format!("set {}, or name a file with `--token-file`", forge.api().suggested_token_variables()))
            .into())
    }
}
