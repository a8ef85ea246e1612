//! What is in a project's repository. Public projects answer without a token.

mod files;
mod history;

pub use files::{GetArchive, GetBlob, GetRawBlob, ListTree};
pub use history::{AddChangelog, ChangelogData, Compare, GenerateChangelog, GetHealth, GetMergeBase, ListContributors};

use crate::api::Path;

const READERS: &str = "the role Reporter, where the project is private";

fn repository(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("repository")
}
