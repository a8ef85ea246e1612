//! What is in a project's repository. Public projects answer without a token.

mod archive;
mod blob;
mod changelog;
mod compare;
mod contributors;
mod health;
mod merge_base;
mod tree;

pub use archive::GetArchive;
pub use blob::{GetBlob, GetRawBlob};
pub use changelog::{AddChangelog, ChangelogData, GenerateChangelog};
pub use compare::Compare;
pub use contributors::ListContributors;
pub use health::GetHealth;
pub use merge_base::GetMergeBase;
pub use tree::ListTree;

use crate::api::Path;

const READERS: &str = "the role Reporter, where the project is private";

fn repository(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("repository")
}
