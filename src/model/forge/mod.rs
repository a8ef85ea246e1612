//! The forges, and what differs from one to the other, as data.
//!
//! Each forge has a variant of [`Forge`], a place in [`Forge::ALL`], a [`ForgeProfile`] in `profiles`, and a line in
//! [`Forge::profile`]. The requests to the API of a forge are in `api/resources`.

mod profile;
mod profiles;

use std::collections::BTreeSet;

pub(crate) use self::profile::{ApiProfile, AuthScheme, CiVariables, ForgeProfile, SquashSubject};

use self::profiles::{AZURE_DEVOPS, BITBUCKET, BITBUCKET_DATA_CENTER, GITEA, GITHUB, GITLAB, GITLAB_API, SOURCEHUT};

/// The kind of software a host runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Forge {
    /// GitLab, which is assumed if the name of the host says nothing.
    #[default]
    GitLab,
    /// GitHub, of the cloud or an Enterprise Server.
    GitHub,
    /// Gitea, and Forgejo with the same links and API.
    Gitea,
    /// Bitbucket Cloud.
    Bitbucket,
    /// Bitbucket Data Center, the server that a company runs itself.
    BitbucketDataCenter,
    /// Azure DevOps.
    AzureDevOps,
    /// SourceHut.
    SourceHut,
}

impl Forge {
    /// Every forge.
    pub(crate) const ALL: [Self; 7] = [
        Self::GitHub,
        Self::Gitea,
        Self::Bitbucket,
        Self::BitbucketDataCenter,
        Self::AzureDevOps,
        Self::SourceHut,
        Self::GitLab,
    ];

    /// Returns every forge with its name in configurations and options.
    pub(crate) fn words() -> [(&'static str, Self); Self::ALL.len()] {
        Self::ALL.map(|forge| (forge.profile().word, forge))
    }

    /// Returns the variables that hold a token of any forge, or name the file of one.
    pub(crate) fn token_variables() -> BTreeSet<&'static str> {
        let of_forges = Self::ALL.iter().flat_map(|forge| forge.api().token_variables).map(|variable| variable.name);
        of_forges.chain(["TIDINGS_TOKEN_FILE"]).collect()
    }

    /// Returns the profile of the forge.
    pub(crate) fn profile(self) -> &'static ForgeProfile {
        match self {
            Self::GitLab => &GITLAB,
            Self::GitHub => &GITHUB,
            Self::Gitea => &GITEA,
            Self::Bitbucket => &BITBUCKET,
            Self::BitbucketDataCenter => &BITBUCKET_DATA_CENTER,
            Self::AzureDevOps => &AZURE_DEVOPS,
            Self::SourceHut => &SOURCEHUT,
        }
    }

    /// Guesses the forge from the name of a host; `None` if the name says nothing.
    pub(crate) fn named_by(host: &str) -> Option<Self> {
        let host = host.to_ascii_lowercase();
        Self::ALL.into_iter().find(|forge| forge.profile().host_names.iter().any(|name| host.contains(name)))
    }

    /// Whether the program speaks the API of the forge.
    pub(crate) fn has_api(self) -> bool {
        self.profile().api.is_some()
    }

    /// Returns the API of the forge; GitLab's, which many servers imitate, if the forge's own is not supported.
    pub(crate) fn api(self) -> &'static ApiProfile {
        self.profile().api.as_ref().unwrap_or(&GITLAB_API)
    }
}
