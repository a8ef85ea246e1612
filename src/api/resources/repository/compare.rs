//! Comparisons.

use super::{READERS, repository};
use crate::{
    api::{Endpoint, Fields, Method, Path},
    model::repository::{CompareRequest, Comparison},
};

/// `GET /projects/:id/repository/compare`
#[derive(Clone, Debug, Default)]
pub struct Compare {
    /// Id or path.
    pub project: String,
    /// What to compare. The service's limits cannot be lifted.
    pub request: CompareRequest,
}

impl Endpoint for Compare {
    type Output = Comparison;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("compare")
    }

    fn query(&self) -> Fields {
        Fields::new()
            .add("from", &self.request.from)
            .add("to", &self.request.to)
            .add("from_project_id", self.request.from_project_id)
            .add("straight", self.request.straight.then_some(true))
            .add("unidiff", self.request.unidiff.then_some(true))
    }
}
