//! The state of the storage.

use super::repository;
use crate::{
    api::{Endpoint, Fields, Method, Path},
    model::repository::Health,
};

/// `GET /projects/:id/repository/health`
#[derive(Clone, Debug, Default)]
pub struct GetHealth {
    /// Id or path.
    pub project: String,
    /// Whether to make a report where there is none.
    pub generate: bool,
}

impl Endpoint for GetHealth {
    type Output = Health;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = "the right to push";

    fn path(&self) -> Path {
        repository(&self.project).lit("health")
    }

    fn query(&self) -> Fields {
        Fields::new().add("generate", self.generate.then_some(true))
    }
}
