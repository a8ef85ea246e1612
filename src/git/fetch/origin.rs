//! What a clone lacks: read from its remote `origin` into a repository of its own, so that the clone stays as it is.

use std::{cell::OnceCell, fmt};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{FetchEvent, Options, RepoUrl, open_beside};
use crate::{
    git::Repo,
    model::{Warning, hints},
};

/// The remote of a clone, opened when something is missing.
pub(in crate::git) struct Origin {
    url: RepoUrl,
    options: Options,
    /// The repository behind it; `None` if it cannot be reached.
    repo: OnceCell<Option<Repo>>,
    /// The clone with the folders of commits that it lacks.
    folders: OnceCell<Repo>,
}

impl Origin {
    pub(in crate::git) fn new(url: RepoUrl, options: Options) -> Self {
        Self { url, options, repo: OnceCell::new(), folders: OnceCell::new() }
    }

    /// The repository behind the remote of a clone. That it cannot be reached is said once.
    pub(in crate::git) fn open(&self, clone: &gix::Repository) -> Option<&Repo> {
        let open = || match open_beside(&self.url, self.options.clone(), Some(clone)) {
            Ok(repo) => Some(repo),
            Err(error) => {
                let warning = Warning::new(format!("cannot read from `origin` what this clone lacks: {error:#}"));
                let hint = hints(&error).first().map_or("`--offline` does not ask it", |hint| *hint);
                self.options.tell(FetchEvent::Warning(&warning.hint(hint)));
                None
            }
        };
        self.repo.get_or_init(open).as_ref()
    }

    /// The clone together with every folder of these commits, which it lacks.
    pub(in crate::git) fn with_folders_of(&self, clone: &Repo, commits: Vec<ObjectId>) -> Result<&Repo> {
        let server = self.open(clone.gix()).and_then(Repo::server).context("`origin` cannot be asked for folders")?;
        let fetched = server.with_folders_of(commits)?;
        if self.folders.get().is_none() {
            let _ = self.folders.set(clone.with_objects_of(fetched)?);
        }
        self.folders.get().context("it was just made")
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Origin").field(&self.url).finish()
    }
}
