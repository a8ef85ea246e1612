//! Folders.

use super::{READERS, repository};
use crate::{
    api::{Endpoint, Fields, Method, Paged, Path},
    model::repository::{TreeEntry, TreeRequest},
};

/// `GET /projects/:id/repository/tree`
///
/// Its pages are named by tokens.
#[derive(Clone, Debug, Default)]
pub struct ListTree {
    /// Id or path.
    pub project: String,
    /// What to list.
    pub request: TreeRequest,
}

impl Endpoint for ListTree {
    type Output = Vec<TreeEntry>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("tree")
    }

    fn query(&self) -> Fields {
        let path = Some(&self.request.path).filter(|path| !path.is_empty());
        let per_page = self.request.per_page.map(|rows| rows as u64);
        Fields::new()
            .add("ref", &self.request.reference)
            .add("path", path)
            .add("recursive", self.request.recursive.then_some(true))
            .add("pagination", "keyset")
            .add("per_page", per_page)
            .add("page_token", &self.request.page_token)
    }
}

impl Paged for ListTree {
    type Item = TreeEntry;
}
