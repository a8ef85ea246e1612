//! A refusal in words: what its status means where the service is silent, and what to do now.

use std::time::Duration;

use super::reason::ServerMessage;
use crate::{
    api::{
        operation::ApiRequest,
        server::{Credential, suggested_token_variables},
    },
    model::{Forge, Problem, ProblemKind},
};

/// An answer that is no success, with what is needed to explain it.
#[derive(Debug)]
pub(super) struct ErrorResponse<'a> {
    pub(super) status: u16,
    pub(super) reason: ServerMessage,
    pub(super) credential: &'a Credential,
    pub(super) forge: Forge,
    /// The place the request was sent on to without the credential, if any.
    pub(super) redirected_origin: Option<String>,
    /// Whether there were too many requests.
    pub(super) rate_limited: bool,
    /// When the service wants to be asked again.
    pub(super) retry_after: Option<Duration>,
}

impl ErrorResponse<'_> {
    /// Why, and what to do about it.
    pub(super) fn problem(&self, call: &ApiRequest) -> Problem {
        let words = if self.reason.text.is_empty() || self.reason.no_route {
            self.default_message()
        } else {
            self.reason.text.clone()
        };
        let kind = if matches!(self.status, 401 | 403) && !self.rate_limited {
            ProblemKind::AccessDenied
        } else {
            ProblemKind::Failed
        };
        self.hints(call).into_iter().fold(Problem::new(words).kind(kind), Problem::hint)
    }

    /// What a status means where the service adds nothing to it.
    fn default_message(&self) -> String {
        let words = match self.status {
            401 if self.credential.is_some() => "the token is unknown, expired or revoked",
            401 => "no token was sent",
            403 => "the token's owner may not do this",
            404 | 405 if self.reason.no_route => "the server has no such endpoint",
            404 => "not found, or not visible to the token's owner",
            429 => "too many requests",
            500.. => "the service failed",
            _ => "the server gave no reason",
        };
        words.to_owned()
    }

    fn hints(&self, call: &ApiRequest) -> Vec<String> {
        let mut hints: Vec<String> = match self.status {
            404 | 405 if self.reason.no_route => {
                vec!["check the path; the service may also be too old for it".to_owned()]
            }
            400 if !call.rule.is_empty() => vec![call.rule.to_owned()],
            401 => vec![self.token_hint()],
            403 if self.rate_limited => vec![self.retry_hint()],
            403 => self.permission_hints(call),
            404 => self.not_found_hints(),
            405 => vec!["a project that moved takes changes under its new path alone".to_owned()],
            409 => {
                vec!["it already exists, or someone changed it at the same time: check its current state".to_owned()]
            }
            412 => vec!["it was changed meanwhile: look at it again".to_owned()],
            413 => vec!["it is larger than the service takes".to_owned()],
            429 => vec![self.retry_hint()],
            502..=504 => vec!["the service is busy: try again later, or with more --retries".to_owned()],
            _ => Vec::new(),
        };
        let stranger = self.redirected_origin.iter().filter(|_| matches!(self.status, 401 | 403 | 404));
        hints.extend(stranger.map(|place| {
            format!("the request was sent on to `{place}`, without the token: give that address as --base-url if you trust it")
        }));
        hints
    }

    fn token_hint(&self) -> String {
        match self.credential.source() {
            None => format!("set {}, or name a file with --token-file", suggested_token_variables(self.forge)),
            Some(source) if self.credential.is_job_token() => {
                format!("the job's token ({source}) opens few operations: set TIDINGS_TOKEN to an access token")
            }
            Some(source) if self.forge == Forge::GitHub => format!("renew the token in {source}"),
            Some(source) => format!("renew the token in {source}; one of OAuth needs --auth bearer"),
        }
    }

    fn permission_hints(&self, call: &ApiRequest) -> Vec<String> {
        let scope = self.reason.scope.as_ref();
        let scope = scope.map(|scope| format!("the token needs one of these scopes: {}", scope.replace(' ', ", ")));
        let role = (!call.needs.is_empty()).then(|| format!("this needs {}", call.needs));
        let hints: Vec<String> = scope.into_iter().chain(role).collect();
        if hints.is_empty() { vec!["it takes more rights than the token's owner has".to_owned()] } else { hints }
    }

    fn not_found_hints(&self) -> Vec<String> {
        let path = "check the path and the spelling; what a token may not see is answered as if it were not there";
        let token = "no token was sent: set TIDINGS_TOKEN for what is not public";
        let token = (!self.credential.is_some()).then_some(token);
        [Some(path), token].into_iter().flatten().map(str::to_owned).collect()
    }

    fn retry_hint(&self) -> String {
        match self.retry_after {
            Some(pause) => format!("come back in {} s, or wait longer with --timeout SECONDS", pause.as_secs().max(1)),
            None => "try again in a minute".to_owned(),
        }
    }
}
