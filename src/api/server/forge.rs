//! What sets the APIs of the forges apart on the wire.

use crate::model::Forge;

/// How a token is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthScheme {
    /// `PRIVATE-TOKEN: t`, for personal, project and group access tokens.
    #[default]
    PrivateToken,
    /// `Authorization: Bearer t`, for the same and for OAuth tokens.
    Bearer,
    /// `JOB-TOKEN: t`, for the token of a CI job.
    JobToken,
    /// `?private_token=t`; such a URL ends up in logs, so this is for services that take nothing else.
    Query,
}

/// The environment variables a token is looked for in, the most specific first, and how each is sent.
pub(super) fn token_variables(forge: Forge) -> &'static [(&'static str, AuthScheme)] {
    match forge {
        Forge::GitHub => &[("TIDINGS_TOKEN", AuthScheme::Bearer), ("GITHUB_TOKEN", AuthScheme::Bearer)],
        _ => &[
            ("TIDINGS_TOKEN", AuthScheme::PrivateToken),
            ("GITLAB_TOKEN", AuthScheme::PrivateToken),
            ("CI_JOB_TOKEN", AuthScheme::JobToken),
        ],
    }
}

/// The variables to suggest to a user who has no token set.
#[must_use]
pub fn suggested_token_variables(forge: Forge) -> &'static str {
    match forge {
        Forge::GitHub => "TIDINGS_TOKEN or GITHUB_TOKEN",
        _ => "TIDINGS_TOKEN or GITLAB_TOKEN",
    }
}

/// How a token is sent if its source does not say.
#[must_use]
pub fn default_auth_scheme(forge: Forge) -> AuthScheme {
    match forge {
        Forge::GitHub => AuthScheme::Bearer,
        _ => AuthScheme::PrivateToken,
    }
}

/// The headers of every request.
pub(in crate::api) fn forge_headers(forge: Forge) -> &'static [(&'static str, &'static str)] {
    match forge {
        Forge::GitHub => &[("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")],
        _ => &[],
    }
}
