//! The best common ancestor.

use super::{READERS, repository};
use crate::{
    api::{Endpoint, Fields, Method, Path},
    model::repository::CommitRecord,
};

/// `GET /projects/:id/repository/merge_base`
#[derive(Clone, Debug, Default)]
pub struct GetMergeBase {
    /// Id or path.
    pub project: String,
    /// Two or more refs.
    pub refs: Vec<String>,
}

impl Endpoint for GetMergeBase {
    type Output = CommitRecord;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("merge_base")
    }

    fn query(&self) -> Fields {
        Fields::new().each("refs", &self.refs)
    }
}
