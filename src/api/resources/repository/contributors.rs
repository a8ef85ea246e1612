//! Who wrote the repository.

use super::{READERS, repository};
use crate::{
    api::{Endpoint, Fields, Method, Paged, Path},
    model::repository::{Contributor, ContributorOrder, ContributorsRequest},
};

/// `GET /projects/:id/repository/contributors`
#[derive(Clone, Debug, Default)]
pub struct ListContributors {
    /// Id or path.
    pub project: String,
    /// Whose commits to count. The service never counts more than the newest 2000.
    pub request: ContributorsRequest,
}

impl Endpoint for ListContributors {
    type Output = Vec<Contributor>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("contributors")
    }

    fn query(&self) -> Fields {
        let order = match self.request.order {
            ContributorOrder::Name => "name",
            ContributorOrder::Email => "email",
            ContributorOrder::Commits => "commits",
        };
        let sort = if self.request.descending { "desc" } else { "asc" };
        Fields::new().add("ref", &self.request.reference).add("order_by", order).add("sort", sort)
    }
}

impl Paged for ListContributors {
    type Item = Contributor;
}
