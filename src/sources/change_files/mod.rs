//! Change files as a source: people write a file beside a change, and the release that lists it consumes the file.
//!
//! Each tool has a file here that reads its configuration and one of its change files, from text to changes.
//! [`CONFIGURATIONS`] names them all.

mod change;
mod changesets;
mod changie;
mod consumption;
mod covector;
mod entry;
mod front_matter;
mod gitlab;
mod kinds;
mod knope;
mod layout;
mod new_change;
mod nx;
mod packages;
mod scriv;
mod towncrier;

pub(crate) use self::{
    change::{Change, Target, bumps, file_id},
    consumption::{ConsumingRelease, Consumption, ListedFile},
    entry::{AddedChange, change_categories},
    layout::{CHANGED, ChangeFiles, ListedDependency, PreRelease, RequirementRule},
    new_change::NewChange,
    packages::{ToolPackage, UnreleasedMember, is_of_neighbor},
};
use super::{
    classification::Classification,
    source_profile::{MISSING_CATEGORY, NAME_THE_REQUEST, SourceProfile},
};
use crate::version_files::FileTree;

pub(super) const SOURCE: SourceProfile = SourceProfile {
    classify: |_, _, _| Classification::NoCategory.into(),
    property: "change file",
    short_property: "change file",
    rule: MISSING_CATEGORY,
    rule_hint: NAME_THE_REQUEST,
    unlisted_hint: Some("the change files list what changed"),
};

/// Reads a configuration; `None` if it configures no change files.
type Configure = fn(&[u8], &str, &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>>;

/// The files that configure change files, and their readers; the first one that exists counts.
const CONFIGURATIONS: [(&str, Configure); 13] = [
    (".changeset/config.json", changesets::configure),
    (".changeset/ledger.yaml", changesets::configure),
    ("knope.toml", knope::configure),
    (".changie.yaml", changie::configure),
    (".changie.yml", changie::configure),
    (".changes/config.json", covector::configure),
    ("nx.json", nx::configure),
    ("towncrier.toml", towncrier::configure),
    ("pyproject.toml", towncrier::configure),
    ("changelog.d/scriv.ini", scriv::configure_ini),
    ("pyproject.toml", scriv::configure),
    ("setup.cfg", scriv::configure_ini),
    ("tox.ini", scriv::configure_ini),
];

/// Whether a file of this path configures change files and nothing else.
pub(crate) fn is_configuration(path: &str) -> bool {
    const SHARED: [&str; 4] = ["nx.json", "pyproject.toml", "setup.cfg", "tox.ini"];
    let path = path.replace('\\', "/");
    CONFIGURATIONS
        .iter()
        .any(|(known, _)| !SHARED.contains(known) && (path == *known || path.ends_with(&format!("/{known}"))))
}

/// Finds the change files that a tree of files is configured for; `None` if there is no known configuration.
pub(crate) fn find(tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    for (path, configure) in CONFIGURATIONS {
        if let Some(bytes) = tree.read(path)?
            && let Some(found) = configure(&bytes, path, tree)?
        {
            return Ok(Some(found));
        }
    }
    Ok(tree.has_directory(gitlab::DIRECTORY).then(gitlab::files))
}
