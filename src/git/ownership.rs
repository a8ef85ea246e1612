//! Repositories of other users, which git refuses unless `safe.directory` names them (git-config(1)).
//!
//! They are read, without the settings that could do harm. Commits to them are refused, since these would skip the hooks.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use gix::{
    config::{file::SectionRef, source::Kind},
    sec::Trust,
};

use super::Repo;
use crate::model::{Problem, Warning};

/// Whether a repository belongs to another user and is not trusted. gix reads `safe.directory` only from files, git also
/// from the environment; and git trusts the repository that `GIT_DIR` names.
pub(super) fn is_foreign(repo: &gix::Repository) -> bool {
    repo.git_dir_trust() != Trust::Full && env::var_os("GIT_DIR").is_none() && !is_safe_by_environment(&top(repo))
}

fn is_safe_by_environment(top: &Path) -> bool {
    let count = env::var("GIT_CONFIG_COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(0);
    let set = (0..count).map_while(|number: usize| {
        Some((env::var(format!("GIT_CONFIG_KEY_{number}")).ok()?, env::var(format!("GIT_CONFIG_VALUE_{number}")).ok()?))
    });
    let directories = set.filter(|(key, _)| key.eq_ignore_ascii_case("safe.directory"));
    directories.fold(false, |is_safe, (_, directory)| match directory.as_str() {
        "" => false,
        "*" => true,
        _ => {
            let real = |directory: &str| fs::canonicalize(directory);
            is_safe
                || real(&directory).is_ok_and(|directory| directory == top)
                || directory
                    .strip_suffix("/*")
                    .and_then(|above| real(above).ok())
                    .is_some_and(|above| top.starts_with(above))
        }
    })
}

/// The directory that `safe.directory` has to name.
fn top(repo: &gix::Repository) -> PathBuf {
    let top = repo.workdir().unwrap_or(repo.git_dir());
    top.canonicalize().unwrap_or_else(|_| top.to_owned())
}

impl Repo {
    /// Warns if settings of a repository are not used because it belongs to another user.
    #[must_use]
    pub fn ownership_warning(&self) -> Option<Warning> {
        let config = self.gix().config_snapshot();
        let is_ignored =
            |section: SectionRef| section.meta().source.kind() == Kind::Repository && section.header().name() != "core";
        let is_ignored = self.is_foreign() && config.plumbing().sections().any(is_ignored);
        is_ignored.then(|| {
            let message = format!("{}, so its git settings, such as remotes, are not used", foreign(&top(self.gix())));
            Warning::new(message).hint(hint(&top(self.gix())))
        })
    }

    /// Refuses a repository of another user, because its hooks and settings would be ignored.
    pub(in crate::git) fn check_owner(&self) -> Result<()> {
        let top = top(self.gix());
        if self.is_foreign() { Err(Problem::new(foreign(&top)).hint(hint(&top)).into()) } else { Ok(()) }
    }
}

fn foreign(top: &Path) -> String {
    format!("the repository at `{}` belongs to another user", top.display())
}

fn hint(top: &Path) -> String {
    format!("if you trust it, run `git config --global --add safe.directory {}`", top.display())
}
