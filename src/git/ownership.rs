//! Repositories of other users, which git refuses unless `safe.directory` names them (git-config(1)).
//!
//! They are read, without the settings that could do harm. Commits to them are refused, since these would skip the hooks.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use gix::{
    config::{file::SectionRef, source::Kind},
    sec::Trust,
};

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

/// The error for a repository of another user, because its hooks and settings would be ignored.
pub(super) fn refusal(repo: &gix::Repository) -> Problem {
    Problem::new(message(&top(repo))).hint(hint(&top(repo)))
}

/// The warning if settings of a repository of another user are not used.
pub(super) fn warning(repo: &gix::Repository) -> Option<Warning> {
    let is_ignored =
        |section: SectionRef| section.meta().source.kind() == Kind::Repository && section.header().name() != "core";
    repo.config_snapshot().plumbing().sections().any(is_ignored).then(|| {
        let message = format!("{}, so its git settings, such as remotes, are not used", message(&top(repo)));
        Warning::new(message).hint(hint(&top(repo)))
    })
}

fn message(top: &Path) -> String {
    format!("the repository at `{}` belongs to another user", top.display())
}

fn hint(top: &Path) -> String {
    format!("if you trust it, run `git config --global --add safe.directory {}`", top.display())
}
