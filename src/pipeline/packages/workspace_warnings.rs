//! What a user should know about the workspaces whose versions a release would set.

use indexmap::IndexSet;

use crate::{
    config::{Config, VersionLocator},
    git::Repo,
    model::{Oid, Warning},
    pipeline::scope::loaded_config::CommitFiles,
    version_files::workspace::Workspace,
};

/// Returns the warnings of the workspaces that the version files of a configuration name, as they are at a commit. A
/// workspace that cannot be read is one too: only a release needs it.
pub(crate) fn workspace_warnings(repo: &Repo, config: &Config, commit: Oid) -> Vec<Warning> {
    let files = CommitFiles { repo, commit: Some(commit) };
    let of_packages = config.packages.iter().flat_map(|(_, package)| package.version_files.iter());
    let roots: IndexSet<_> = config
        .version_files
        .iter()
        .chain(of_packages)
        .filter_map(|file| match &file.locator {
            VersionLocator::Workspace { kind, .. } => Some((*kind, file.path.as_str())),
            _ => None,
        })
        .collect();
    let warnings = roots.into_iter().flat_map(|(kind, root)| match Workspace::load(kind, root, &files) {
        Ok(workspace) => workspace.warnings,
        Err(error) => vec![Warning::new(format!("{error:#}"))],
    });
    warnings.collect()
}
