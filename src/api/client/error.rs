//! What goes wrong between us and the service, with what to do about it.

use std::{fmt, time::Duration};

use super::exchange::Reason;
use crate::{
    api::{
        operation::Call,
        service::{Credential, Dialect},
        transport::{self, Fault, Stage},
    },
    model::{Kind, Problem},
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
    pub(in crate::api) fn is_missing_thing(&self) -> bool {
        self.status() == Some(404) && self.reason() != "Project Not Found"
    }

    /// Whether the service has no such operation, as older ones lack newer routes.
    #[must_use]
    pub fn is_missing_route(&self) -> bool {
        self.0.no_route
    }

    /// A failure that is none of the service's.
    pub(super) fn new(operation: impl Into<String>, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: operation.into(), status: None, no_route: false, problem }))
    }

    pub(super) fn fault(call: &Call, fault: &Fault) -> Self {
        let problem = fault.hint.iter().fold(Problem::new(fault.message.as_str()), |problem, hint| problem.hint(*hint));
        let unknown = matches!(fault.stage, Stage::Broken | Stage::TimedOut) && !call.method.is_read();
        let problem =
            if unknown { problem.hint("the service may have done it all the same: look first") } else { problem };
        Self::new(call.name(), problem)
    }

    pub(super) fn refused(call: &Call, refusal: &Refusal<'_>) -> Self {
        Self(Box::new(Inner {
            operation: call.name(),
            status: Some(refusal.status),
            no_route: refusal.reason.no_route,
            problem: refusal.problem(call),
        }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { operation, status, .. } = &*self.0;
        match status {
            Some(status) => write!(out, "`{operation}` was refused: {status} {}", transport::phrase(*status)),
            None => write!(out, "`{operation}` failed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.problem)
    }
}

/// An answer that is no success, with what is needed to explain it.
#[derive(Debug)]
pub(super) struct Refusal<'a> {
    pub(super) status: u16,
    pub(super) reason: Reason,
    pub(super) credential: &'a Credential,
    pub(super) dialect: Dialect,
    /// The place the request was sent on to without the credential, if any.
    pub(super) stranger: Option<String>,
    /// Whether there were too many requests.
    pub(super) limited: bool,
    /// When the service wants to be asked again.
    pub(super) come_back: Option<Duration>,
}

impl Refusal<'_> {
    fn problem(&self, call: &Call) -> Problem {
        let words =
            if self.reason.text.is_empty() || self.reason.no_route { self.silence() } else { self.reason.text.clone() };
        let kind = if matches!(self.status, 401 | 403) && !self.limited { Kind::Refused } else { Kind::Failed };
        self.hints(call).into_iter().fold(Problem::new(words).kind(kind), Problem::hint)
    }

    /// What a status means where the service adds nothing to it.
    fn silence(&self) -> String {
        let words = match self.status {
            401 if self.credential.is_some() => "the token is unknown, expired or revoked",
            401 => "no token was sent",
            403 => "the token's owner may not do this",
            404 | 405 if self.reason.no_route => "the service knows no such operation",
            404 => "there is no such thing, or the token's owner may not see it",
            429 => "too many requests",
            500.. => "the service failed",
            _ => "the service gave no reason",
        };
        words.to_owned()
    }

    fn hints(&self, call: &Call) -> Vec<String> {
        let mut hints: Vec<String> = match self.status {
            404 | 405 if self.reason.no_route => {
                vec!["check the path; the service may also be too old for it".to_owned()]
            }
            400 if !call.rule.is_empty() => vec![call.rule.to_owned()],
            401 => vec![self.whose_token()],
            403 if self.limited => vec![self.when()],
            403 => self.which_right(call),
            404 => self.where_it_could_be(),
            405 => vec!["a project that moved takes changes under its new path alone".to_owned()],
            409 => vec!["somebody was faster, or it is there already: look at it first".to_owned()],
            412 => vec!["it was changed meanwhile: look at it again".to_owned()],
            413 => vec!["it is larger than the service takes".to_owned()],
            429 => vec![self.when()],
            502..=504 => vec!["the service is busy: try again later, or with more --retries".to_owned()],
            _ => Vec::new(),
        };
        let stranger = self.stranger.iter().filter(|_| matches!(self.status, 401 | 403 | 404));
        hints.extend(stranger.map(|place| {
            format!("the request was sent on to `{place}`, without the token: give that address as --base-url if you trust it")
        }));
        hints
    }

    fn whose_token(&self) -> String {
        match self.credential.source() {
            None => format!("set {}, or name a file with --token-file", self.dialect.advice()),
            Some(source) if self.credential.is_job_token() => {
                format!("the job's token ({source}) opens few operations: set TIDINGS_TOKEN to an access token")
            }
            Some(source) if self.dialect == Dialect::GitHub => format!("renew the token in {source}"),
            Some(source) => format!("renew the token in {source}; one of OAuth needs --auth bearer"),
        }
    }

    fn which_right(&self, call: &Call) -> Vec<String> {
        let scope = self.reason.scope.as_ref();
        let scope = scope.map(|scope| format!("the token needs one of these scopes: {}", scope.replace(' ', ", ")));
        let role = (!call.needs.is_empty()).then(|| format!("this needs {}", call.needs));
        let hints: Vec<String> = scope.into_iter().chain(role).collect();
        if hints.is_empty() { vec!["it takes more rights than the token's owner has".to_owned()] } else { hints }
    }

    fn where_it_could_be(&self) -> Vec<String> {
        let path = "check the path and the spelling; what a token may not see is answered as if it were not there";
        let token = "no token was sent: set TIDINGS_TOKEN for what is not public";
        let token = (!self.credential.is_some()).then_some(token);
        [Some(path), token].into_iter().flatten().map(str::to_owned).collect()
    }

    fn when(&self) -> String {
        match self.come_back {
            Some(pause) => format!("come back in {} s, or wait longer with --timeout SECONDS", pause.as_secs().max(1)),
            None => "come back in a minute".to_owned(),
        }
    }
}
