//! Errors of the client, with hints.

use std::fmt;

use crate::{
    api::{
        operation::ApiRequest,
        transport::{self, FailureStage, Headers, TransportError},
    },
    model::Problem,
};

/// A failed request. It shows which request failed and how; its source, a [`Problem`], says why and what to do.
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

/// Returns `None` for an error that `is_missing`.
pub(in crate::api) fn optional<T>(result: Result<T>, is_missing: impl FnOnce(&Error) -> bool) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The hint for a change that the server may have made.
pub(super) const MAYBE_DONE: &str = "the server may have processed the request anyway: check before you try again";

impl Error {
    /// The status of the error response; `None` if there is no response, or one that cannot be read.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The server's message, without the status.
    #[must_use]
    pub fn reason(&self) -> String {
        self.0.problem.to_string()
    }

    /// The error response.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.as_ref()
    }

    /// Whether the resource was not found, as opposed to the whole project.
    pub(in crate::api) fn is_resource_not_found(&self) -> bool {
        self.status() == Some(404) && self.reason() != "Project Not Found"
    }

    /// Whether the server does not have the endpoint, as older servers lack newer ones.
    #[must_use]
    pub fn is_route_not_found(&self) -> bool {
        self.0.no_route
    }

    /// The error for a response that differs from the documentation.
    #[must_use]
    pub fn unexpected(request: &ApiRequest, why: &str) -> Self {
        let problem = Problem::new(format!("unexpected response: {why}"));
        let problem = if request.method.is_read() {
            problem.hint(format!("run `tidings api {}` to see it", request.name()))
        } else {
            problem
        };
        Self::new(request.name(), problem)
    }

    /// An error without an error response.
    pub(super) fn new(operation: impl Into<String>, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: operation.into(), status: None, no_route: false, refusal: None, problem }))
    }

    pub(super) fn transport(request: &ApiRequest, error: &TransportError) -> Self {
        let problem = error.hint.iter().fold(Problem::new(error.message.as_str()), |problem, hint| problem.hint(*hint));
        let unknown = matches!(error.stage, FailureStage::Broken | FailureStage::TimedOut) && !request.method.is_read();
        let problem = if unknown { problem.hint(MAYBE_DONE) } else { problem };
        Self::new(request.name(), problem)
    }

    /// The error for an error response; `no_route` if the server does not have the endpoint.
    pub(super) fn refused(request: &ApiRequest, refusal: Refusal, no_route: bool, problem: Problem) -> Self {
        let status = Some(refusal.status);
        Self(Box::new(Inner { operation: request.name(), status, no_route, refusal: Some(refusal), problem }))
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
