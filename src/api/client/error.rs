//! What goes wrong between us and the service, with what to do about it.

use std::fmt;

use crate::{
    api::{
        operation::ApiRequest,
        transport::{self, FailureStage, Headers, TransportError},
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
    refusal: Option<Refusal>,
    problem: Problem,
}

/// The response with which a server refused a request.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// At most 64 KiB of the body, with every secret masked.
    pub body: String,
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

/// What to do about a change that the server may have made.
pub(super) const MAYBE_DONE: &str = "the server may have processed the request anyway: check before you try again";

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

    /// The response of a server that refused.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.as_ref()
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
        let problem = Problem::new(format!("the answer is not what was expected: {why}"));
        let problem = if request.method.is_read() {
            problem.hint(format!("`tidings api {}` prints it as it came", request.name()))
        } else {
            problem
        };
        Self::new(request.name(), problem)
    }

    /// A failure that is none of the service's.
    pub(super) fn new(operation: impl Into<String>, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: operation.into(), status: None, no_route: false, refusal: None, problem }))
    }

    pub(super) fn fault(call: &ApiRequest, fault: &TransportError) -> Self {
        let problem = fault.hint.iter().fold(Problem::new(fault.message.as_str()), |problem, hint| problem.hint(*hint));
        let unknown = matches!(fault.stage, FailureStage::Broken | FailureStage::TimedOut) && !call.method.is_read();
        let problem = if unknown { problem.hint(MAYBE_DONE) } else { problem };
        Self::new(call.name(), problem)
    }

    /// A refusal; `no_route` if the server does not have the endpoint.
    pub(super) fn refused(call: &ApiRequest, refusal: Refusal, no_route: bool, problem: Problem) -> Self {
        let status = Some(refusal.status);
        Self(Box::new(Inner { operation: call.name(), status, no_route, refusal: Some(refusal), problem }))
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
