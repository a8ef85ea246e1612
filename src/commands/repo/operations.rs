//! The requests behind these commands, for the table of operations in the pages.

use crate::{
    api::{ApiRequest, Fields, repository as endpoints},
    model::repository::{ArchiveRequest, CompareRequest, ContributorsRequest, TreeRequest},
};

/// Returns the requests of these commands, and of `show` and `add` with `--project`.
pub(crate) fn requests() -> [(&'static str, ApiRequest); 10] {
    [
        ("repo tree", endpoints::tree("", &TreeRequest::default())),
        ("repo blob", endpoints::blob("", "")),
        ("repo blob --raw", endpoints::raw_blob("", "")),
        ("repo archive", endpoints::archive("", &ArchiveRequest::default())),
        ("repo compare", endpoints::compare("", &CompareRequest::default())),
        ("repo contributors", endpoints::contributors("", &ContributorsRequest::default())),
        ("repo merge-base", endpoints::merge_base("", &[])),
        ("repo health", endpoints::health("", false)),
        ("show --project", endpoints::section("", Fields::new())),
        ("add --project", endpoints::commit_section("", Fields::new())),
    ]
}
