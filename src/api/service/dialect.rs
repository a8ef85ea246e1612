//! The two families of services the client speaks to, and what sets them apart on the wire.

use super::auth::Scheme;

/// Whose API a service has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The service of [`crate::api`]: below `/api/v4`.
    #[default]
    GitLab,
    /// GitHub: on a host of its own, or below `/api/v3` of GitHub Enterprise Server.
    GitHub,
}

impl Dialect {
    /// The variables a token is looked for in, the most specific first, and how each is sent.
    pub(super) fn variables(self) -> &'static [(&'static str, Scheme)] {
        match self {
            Self::GitLab => &[
                ("TIDINGS_TOKEN", Scheme::PrivateToken),
                ("GITLAB_TOKEN", Scheme::PrivateToken),
                ("CI_JOB_TOKEN", Scheme::JobToken),
            ],
            Self::GitHub => &[("TIDINGS_TOKEN", Scheme::Bearer), ("GITHUB_TOKEN", Scheme::Bearer)],
        }
    }

    /// Where people put a token of their own.
    #[must_use]
    pub fn advice(self) -> &'static str {
        match self {
            Self::GitLab => "TIDINGS_TOKEN or GITLAB_TOKEN",
            Self::GitHub => "TIDINGS_TOKEN or GITHUB_TOKEN",
        }
    }

    /// How a token is sent that does not say so itself.
    #[must_use]
    pub fn scheme(self) -> Scheme {
        match self {
            Self::GitLab => Scheme::PrivateToken,
            Self::GitHub => Scheme::Bearer,
        }
    }

    /// The headers of every request.
    pub(in crate::api) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::GitLab => &[],
            Self::GitHub => &[("Accept", "application/vnd.github+json"), ("X-GitHub-Api-Version", "2022-11-28")],
        }
    }
}
