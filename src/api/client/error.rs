//! What goes wrong between us and the service, with what to do about it.

use std::fmt;

use crate::{
    api::{
        operation::ApiRequest,
        transport::{self, FailureStage, TransportError},
    },
    model::Problem,
};

/// A failed operation. It shows which operation failed and how; its source, a [`Problem`], says why and what to do.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    operation: String,
    status: Option<u16>,
    no_route: bool,
    problem: Problem,
}

/// A result of the API.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The answer, or nothing where it failed in a way that `means_nothing`.
pub(in crate::api) fn optional<T>(answer: Result<T>, means_nothing: impl FnOnce(&Error) -> bool) -> Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if means_nothing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Error {
    /// The status the service refused with; `None` where it gave no answer, or one that made no sense.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The service's own words, without the status.
    #[must_use]
    pub fn reason(&self) -> String {
        self.0.problem.to_string()
    }

    /// Whether a thing is not there, as opposed to the whole project.
    pub(in crate::api) fn is_resource_not_found(&self) -> bool {
        self.status() == Some(404) && self.reason() != "Project Not Found"
    }

    /// Whether the service has no such operation, as older ones lack newer routes.
    #[must_use]
    pub fn is_route_not_found(&self) -> bool {
        self.0.no_route
    }

    /// The failure of a response that is something else than the documentation says.
    #[must_use]
    pub fn unexpected(request: &ApiRequest, why: &str) -> Self {
        let problem = Problem::new(format!("the answer is not what was expected: {why}"))
            .hint(format!("`tidings api {}` prints it as it came", request.name()));
        Self::new(request.name(), problem)
    }

    /// A failure that is none of the service's.
    pub(super) fn new(operation: impl Into<String>, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: operation.into(), status: None, no_route: false, problem }))
    }

    pub(super) fn fault(call: &ApiRequest, fault: &TransportError) -> Self {
        let problem = fault.hint.iter().fold(Problem::new(fault.message.as_str()), |problem, hint| problem.hint(*hint));
        let unknown = matches!(fault.stage, FailureStage::Broken | FailureStage::TimedOut) && !call.method.is_read();
        let problem = if unknown {
            problem.hint("the server may have processed the request anyway: check before you try again")
        } else {
            problem
        };
        Self::new(call.name(), problem)
    }

    /// A refusal; `no_route` where it was that of an operation the service does not have.
    pub(super) fn refused(call: &ApiRequest, status: u16, no_route: bool, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: call.name(), status: Some(status), no_route, problem }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { operation, status, .. } = &*self.0;
        match status {
            Some(status) => write!(out, "`{operation}` was refused: {status} {}", transport::reason_phrase(*status)),
            None => write!(out, "`{operation}` failed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.problem)
    }
}
