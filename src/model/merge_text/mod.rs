//! How a forge merges a request, and the message that the merge gets.

mod request;
mod template;

pub(crate) use request::{RequestCommit, ReviewedRequest};
pub(crate) use template::{MergeText, MessageTemplate};

use super::Forge;

#[cfg(test)]
mod tests;

/// How the commits of a request get into its target branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeMethod {
    /// A merge commit.
    Merge,
    /// One commit with the changes of all.
    Squash,
    /// The commits as they are, on top of the target.
    Rebase,
}

impl MergeMethod {
    /// Returns the name in options and output.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Merge => "merge",
            Self::Squash => "squash",
            Self::Rebase => "rebase",
        }
    }
}

/// What a project says about merges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergeSettings {
    /// The methods that may be used, the one that the forge proposes first.
    pub(crate) methods: Vec<MergeMethod>,
    pub(crate) squash_template: MessageTemplate,
    pub(crate) merge_template: MessageTemplate,
}

/// The messages that GitLab writes if a project has no templates.
const GITLAB_SQUASH: &str = "%{title}";
const GITLAB_MERGE: &str = "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge \
                            request %{reference}";

impl MergeSettings {
    /// Returns the settings of a new project. On all but GitLab squashing comes first, since it is what loses messages.
    pub(crate) fn default_of(forge: Forge) -> Self {
        let others = vec![MergeMethod::Squash, MergeMethod::Merge, MergeMethod::Rebase];
        let (methods, squash, merge) = match forge {
            Forge::GitLab | Forge::Bitbucket | Forge::BitbucketDataCenter | Forge::AzureDevOps | Forge::SourceHut => {
                (vec![MergeMethod::Merge, MergeMethod::Squash], GITLAB_SQUASH, GITLAB_MERGE)
            }
            Forge::GitHub => {
                let merge = "Merge pull request #%{number} from %{source_owner}/%{source_branch}\n\n%{title}";
                (others, "%{subject_or_title} (#%{number})\n\n%{bodies}", merge)
            }
            Forge::Gitea => (others, "%{title} (#%{number})\n\nReviewed-on: %{url}", GITEA_MERGE),
        };
        let of = |text: &str| MessageTemplate::GitLab(text.to_owned());
        Self { methods, squash_template: of(squash), merge_template: of(merge) }
    }

    /// Takes the templates that a repository on Gitea or Forgejo has in its own files; `read` gets a path.
    ///
    /// # Errors
    /// Of `read`.
    pub(crate) fn with_files<E>(
        mut self,
        forge: Forge,
        read: impl Fn(&str) -> Result<Option<String>, E>,
    ) -> Result<Self, E> {
        if forge != Forge::Gitea {
            return Ok(self);
        }
        // Forgejo reads both, its own first.
        for directory in [".gitea", ".forgejo"] {
            for (name, template) in [("SQUASH", &mut self.squash_template), ("MERGE", &mut self.merge_template)] {
                if let Some(text) = read(&format!("{directory}/default_merge_message/{name}_TEMPLATE.md"))? {
                    *template = MessageTemplate::Gitea(text);
                }
            }
        }
        Ok(self)
    }
}

/// The message of a merge commit on Gitea and Forgejo.
const GITEA_MERGE: &str = "Merge pull request '%{title}' (#%{number}) from %{source} into %{target_branch}\n\n\
                           Reviewed-on: %{url}";
