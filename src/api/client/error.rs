//! The errors of the client: which request failed, the server's message or what the status means, and hints.

use std::{fmt, time::Duration};

use serde_json::{Map, Value};

use crate::{
    api::{
        operation::ApiRequest,
        server::Credential,
        transport::{self, FailureStage, Headers, TransportError},
    },
    model::{AuthScheme, Forge, Problem, ProblemKind, printable},
};

/// A failed request. It shows which request failed and how; its source, a [`Problem`], says why and what to do.
#[derive(Debug)]
pub(crate) struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    operation: String,
    no_route: bool,
    refusal: Option<Refusal>,
    problem: Problem,
}

/// The response with which a server refused a request.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    /// At most 64 KiB of the body, with every secret masked.
    pub(crate) body: String,
}

/// A result of the API.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// The hint for a change that the server may have made.
const MAYBE_DONE: &str = "the server may have processed the request anyway: check before you try again";

impl Error {
    /// Returns the status of the error response; `None` if none arrived, or one that cannot be read.
    #[must_use]
    pub(crate) fn status(&self) -> Option<u16> {
        self.0.refusal.as_ref().map(|refusal| refusal.status)
    }

    /// Returns the server's message, without the status.
    #[must_use]
    pub(crate) fn reason(&self) -> String {
        self.0.problem.to_string()
    }

    pub(crate) fn refusal(&self) -> Option<&Refusal> {
        self.0.refusal.as_ref()
    }

    /// Whether the resource was not found, as opposed to the whole project.
    pub(in crate::api) fn is_resource_not_found(&self) -> bool {
        self.status() == Some(404) && self.reason() != "Project Not Found"
    }

    /// Whether the server does not have the endpoint, such as an older server.
    pub(crate) fn is_route_not_found(&self) -> bool {
        self.0.no_route
    }

    /// Creates the error for a response that differs from the documentation.
    pub(crate) fn unexpected_response(request: &ApiRequest, why: &str) -> Self {
        let problem = Problem::new(format!("unexpected response: {why}"));
        let problem = if request.method.is_read() {
            problem.hint(format!("run `tidings api {}` to see it", request.name()))
        } else {
            problem
        };
        Self::new(request.name(), problem)
    }

    /// Creates an error without an error response.
    pub(super) fn new(operation: impl Into<String>, problem: Problem) -> Self {
        Self(Box::new(Inner { operation: operation.into(), no_route: false, refusal: None, problem }))
    }

    pub(super) fn transport(request: &ApiRequest, error: &TransportError) -> Self {
        let problem = Problem::from(error);
        let unknown = matches!(error.stage, FailureStage::Broken | FailureStage::TimedOut) && !request.method.is_read();
        let problem = if unknown { problem.hint(MAYBE_DONE) } else { problem };
        Self::new(request.name(), problem)
    }

    /// Creates the error for an error response; `no_route` if the server does not have the endpoint.
    pub(super) fn from_error_response(
        request: &ApiRequest,
        refusal: Refusal,
        no_route: bool,
        problem: Problem,
    ) -> Self {
        Self(Box::new(Inner { operation: request.name(), no_route, refusal: Some(refusal), problem }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = &self.0.operation;
        match self.status() {
            Some(status) => write!(out, "`{operation}` was refused: {status} {}", transport::reason_phrase(status)),
            None => write!(out, "`{operation}` failed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.problem)
    }
}

/// An error response, with what is needed to explain it.
#[derive(Debug)]
pub(super) struct ErrorResponse<'a> {
    pub(super) status: u16,
    pub(super) message: ServerMessage,
    pub(super) credential: &'a Credential,
    pub(super) forge: Forge,
    /// The server that the request was redirected to without the credential, if any.
    pub(super) redirected_origin: Option<String>,
    pub(super) rate_limited: bool,
    /// The pause that the server asks for.
    pub(super) retry_after: Option<Duration>,
}

impl ErrorResponse<'_> {
    /// Returns the message with its kind and hints.
    pub(super) fn problem(&self, request: &ApiRequest) -> Problem {
        let has_text = !self.message.text.is_empty() && !self.message.no_route;
        let text = if has_text { &self.message.text } else { self.default_message() };
        let kind = if matches!(self.status, 401 | 403) && !self.rate_limited {
            ProblemKind::AccessDenied
        } else {
            ProblemKind::Failed
        };
        self.hints(request).into_iter().fold(Problem::new(text).kind(kind), Problem::hint)
    }

    /// Returns the meaning of the status, for a response without a message.
    fn default_message(&self) -> &'static str {
        match self.status {
            401 if self.credential.is_some() => "the token is unknown, expired or revoked",
            401 => "no token was sent",
            403 => "the token's owner is not allowed to do this",
            404 | 405 if self.message.no_route => "the server has no such endpoint",
            404 => "not found, or not visible to the token's owner",
            429 => "too many requests",
            500.. => "the server failed",
            _ => "the server gave no reason",
        }
    }

    fn hints(&self, request: &ApiRequest) -> Vec<String> {
        let mut hints = match self.status {
            401 => vec![self.token_hint()],
            403 if !self.rate_limited => self.permission_hints(request),
            403 | 429 => vec![self.retry_hint()],
            404 if !self.message.no_route => self.not_found_hints(),
            _ => Vec::from_iter(self.status_hint(request).map(str::to_owned)),
        };
        let origin = self.redirected_origin.iter().filter(|_| matches!(self.status, 401 | 403 | 404));
        hints.extend(origin.map(|origin| {
            format!("the request was redirected to `{origin}` without the token: use that address as `--base-url` if you trust it")
        }));
        hints
    }

    fn status_hint(&self, request: &ApiRequest) -> Option<&'static str> {
        Some(match self.status {
            404 | 405 if self.message.no_route => "check the path; the server may also be too old for it",
            400 if !request.precondition.is_empty() => request.precondition,
            405 => "use the new path: a project that moved accepts changes only there",
            409 => "it already exists, or someone changed it at the same time: check its current state",
            412 => "someone changed it at the same time: check its current state",
            413 => "it is larger than the server accepts",
            500..=504 if !request.method.is_read() => MAYBE_DONE,
            502..=504 => "the server is busy: try again later, or with more `--retries`",
            _ => return None,
        })
    }

    fn token_hint(&self) -> String {
        match self.credential.source() {
            None => format!("set {}, or name a file with `--token-file`", self.forge.api().suggested_token_variables()),
            Some(source) if self.credential.is_job_token() => {
                format!(
                    "the job's token ({source}) has access to few endpoints: set `TIDINGS_TOKEN` to an access token"
                )
            }
            Some(source) if self.forge.api().default_auth_scheme() == AuthScheme::Bearer => {
                format!("renew the token in {source}")
            }
            Some(source) => format!("renew the token in {source}; an OAuth token needs `--auth bearer`"),
        }
    }

    fn permission_hints(&self, request: &ApiRequest) -> Vec<String> {
        let scope = self.message.scope.as_ref();
        let scope = scope.map(|scope| format!("the token needs one of these scopes: {}", scope.replace(' ', ", ")));
        let role = (!request.required_access.is_empty()).then(|| format!("this needs {}", request.required_access));
        let hints: Vec<String> = scope.into_iter().chain(role).collect();
        if hints.is_empty() { vec!["use a token whose owner has more permissions".to_owned()] } else { hints }
    }

    fn not_found_hints(&self) -> Vec<String> {
        let path = "check the path; the server also says \"not found\" if the token has no access";
        let token = "no token was sent: set `TIDINGS_TOKEN` for what is not public";
        let token = (!self.credential.is_some()).then_some(token);
        [Some(path), token].into_iter().flatten().map(str::to_owned).collect()
    }

    fn retry_hint(&self) -> String {
        match self.retry_after {
            Some(pause) => {
                format!("try again in {} s, or wait longer with `--timeout SECONDS`", pause.as_secs().max(1))
            }
            None => "try again in a minute".to_owned(),
        }
    }
}

/// The maximum length of a text that is not JSON and is shown, in characters.
const MAX_TEXT: usize = 300;

/// The message of an error response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ServerMessage {
    /// The message without the status; empty if there is none.
    pub(super) text: String,
    /// Whether the endpoint was not found, as opposed to the resource.
    pub(super) no_route: bool,
    /// The scopes that the token lacks.
    pub(super) scope: Option<String>,
}

impl ServerMessage {
    /// Parses the body of an error response: `message` as a text, a list, an object of lists or an object with
    /// `error`, each possibly with `errors`; `error` with `error_description`; a text; HTML; nothing.
    pub(super) fn parse(status: u16, body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let Ok(Value::Object(document)) = serde_json::from_str(&text) else {
            return Self { text: strip_status(status, &first_line(&text)), ..Self::default() };
        };
        let message = ["error_description", "message", "error", "detail", "title"]
            .iter()
            .find_map(|key| document.get(*key).filter(|message| !message.is_null()))
            .map(sentence);
        let mut text = strip_status(status, &one_line(&message.unwrap_or_default()));
        if let Some(details) = document.get("errors").and_then(Value::as_array) {
            let details: Vec<String> = details.iter().map(detail).collect();
            let (details, colon) = (details.join(", "), if text.is_empty() { "" } else { ": " });
            text = one_line(&format!("{text}{colon}{details}"));
        }
        let field = |name: &str| document.get(name).and_then(Value::as_str);
        let no_route = matches!(field("error"), Some("404 Not Found" | "405 Not Allowed"));
        Self { text, no_route, scope: field("scope").map(one_line) }
    }
}

fn sentence(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(sentence).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields_sentence(fields),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Turns `{"resource": "Release", "field": "tag_name", "code": "already_exists"}` into `tag_name already exists`.
fn detail(error: &Value) -> String {
    let part = |name: &str| error.get(name).and_then(Value::as_str);
    match (part("message"), part("field"), part("code")) {
        (Some(message), ..) => message.to_owned(),
        (None, Some(field), Some(code)) => format!("{field} {}", code.replace('_', " ")),
        _ => sentence(error),
    }
}

/// Turns `{"color": ["is invalid", "is too long"], "base": ["no"]}` into `color is invalid, is too long; no`.
fn fields_sentence(fields: &Map<String, Value>) -> String {
    // `base` stands for the whole resource; after a dot it stands for a whole part of the resource.
    let parts = fields.iter().map(|(name, value)| match name.rsplit('.').next() {
        Some("error" | "base" | "message") => sentence(value),
        _ => format!("{name} {}", sentence(value)),
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// Returns the first line of a text, or the title of an HTML page.
fn first_line(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let text = if lower.trim_start().starts_with('<') { html_title(text, &lower).unwrap_or_default() } else { text };
    let line = text.trim().lines().next().unwrap_or_default();
    one_line(&line.chars().take(MAX_TEXT).collect::<String>())
}

fn html_title<'t>(text: &'t str, lower: &str) -> Option<&'t str> {
    let begin = lower.find("<title>")? + "<title>".len();
    text.get(begin..begin + lower.get(begin..)?.find("</title>")?)
}

/// Turns a text into a message of this program: one line, no final period.
fn one_line(text: &str) -> String {
    printable(text).trim().trim_end_matches('.').to_owned()
}

/// Removes the status of a message: the number of `404 Project Not Found`, or number and phrase of `403 Forbidden -
/// why`.
fn strip_status(status: u16, text: &str) -> String {
    let code = status.to_string();
    let phrase = transport::reason_phrase(status);
    if text.eq_ignore_ascii_case(phrase) {
        return String::new();
    }
    let Some(after) = text.strip_prefix(code.as_str()) else { return text.to_owned() };
    let message = after.trim_start();
    let has_phrase = message.get(..phrase.len()).is_some_and(|start| start.eq_ignore_ascii_case(phrase));
    let rest = if has_phrase { &message[phrase.len()..] } else { message };
    rest.trim_start_matches([' ', '-', ':']).to_owned()
}

#[cfg(test)]
mod tests;
