//! The forges, a file of data for each.
//!
//! A forge is a variant of [`Forge`], its name in [`Forge::ALL`] and a line in [`Forge::profile`]. What the program does
//! with the API of one is in `api::forges`.

mod bitbucket;
mod gitea;
mod github;
mod gitlab;
mod profile;

pub use self::profile::{ApiProfile, AuthScheme, CiVariables, ForgeProfile, LinkShapes, SquashSubject, TokenVariable};

/// The kind of software a host runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forge {
    /// GitLab, which a host of an unknown name most likely runs.
    #[default]
    GitLab,
    /// GitHub, of the cloud or an Enterprise Server.
    GitHub,
    /// Gitea, and Forgejo with the same links.
    Gitea,
    /// Bitbucket Cloud.
    Bitbucket,
}

impl Forge {
    /// Every forge.
    pub const ALL: [Self; 4] = [Self::GitHub, Self::Gitea, Self::Bitbucket, Self::GitLab];

    /// Every forge with its word in configurations and options.
    #[must_use]
    pub fn words() -> [(&'static str, Self); 4] {
        Self::ALL.map(|forge| (forge.profile().word, forge))
    }

    /// All that is special about the forge.
    #[must_use]
    pub fn profile(self) -> &'static ForgeProfile {
        match self {
            Self::GitLab => &gitlab::PROFILE,
            Self::GitHub => &github::PROFILE,
            Self::Gitea => &gitea::PROFILE,
            Self::Bitbucket => &bitbucket::PROFILE,
        }
    }

    /// Guesses from a host's name; GitLab if the name says nothing.
    #[must_use]
    pub fn from_host(host: &str) -> Self {
        let host = host.to_ascii_lowercase();
        let is_named = |forge: &Self| forge.profile().host_names.iter().any(|name| host.contains(name));
        Self::ALL.into_iter().find(is_named).unwrap_or_default()
    }

    /// Whether the program speaks the API of the forge.
    #[must_use]
    pub fn has_api(self) -> bool {
        self.profile().api.is_some()
    }

    /// The API of a server: that of the forge, else GitLab's, which many servers imitate.
    #[must_use]
    pub fn api(self) -> &'static ApiProfile {
        self.profile().api.as_ref().unwrap_or(&gitlab::API)
    }
}
