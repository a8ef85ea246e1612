//! The server of a command: its client, lists, dry runs and confirmations, and the messages about requests.

mod detect;

use std::{
    io::{self, Write},
    sync::Arc,
};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::Value;

use super::{
    Messages, Session,
    global_args::{GlobalArgs, ServerArgs},
    layout::plain,
    session::{input_name, read_text, variable},
};
use crate::{
    api::{ApiRequest, ApiResponse, BaseUrl, Client, ClientEvent, ClientObserver, Credential, Preview, Proxies, Url},
    model::{Forge, Problem, Project},
};

/// A client that is set up by the global options and the environment.
pub(crate) struct Server {
    client: Client,
    messages: Messages,
    project: Option<String>,
}

impl Server {
    /// Finds the server by the global options or the environment. No request is sent yet.
    pub(crate) fn from_session(session: &Session) -> anyhow::Result<Self> {
        let options = &session.global.server;
        let project = options.project.clone().or_else(|| variable("CI_PROJECT_PATH"));
        Self::from_base_url(&session.global, &session.messages, detect::given_server(options)?, project)
    }

    /// Finds the server of a project: the given one, else that of `origin` or of the CI job.
    pub(crate) fn for_project(global: &GlobalArgs, messages: &Messages, project: &Project) -> anyhow::Result<Self> {
        let options = &global.server;
        let base = detect::server_of_project(options, project)?;
        let path = detect::path(options, project, base.forge());
        Self::from_base_url(global, messages, base, path)
    }

    fn from_base_url(
        global: &GlobalArgs,
        messages: &Messages,
        base: BaseUrl,
        project: Option<String>,
    ) -> anyhow::Result<Self> {
        let options = &global.server;
        let credential = credential(options, &base)?;
        let client = Client::new(base, credential)
            .proxies(Proxies::from_environment(&variable))
            .retry_policy(options.retry_policy())
            .allow_plain_http(options.allow_http)
            .observer(observer(global, messages));
        Ok(Self { client, messages: messages.clone(), project })
    }

    /// Returns the given project, or that of the CI job; an error if there is none.
    pub(crate) fn project(&self) -> anyhow::Result<&str> {
        Ok(self
            .project
            .as_deref()
            .filter(|project| !project.is_empty())
            .ok_or_else(|| Problem::usage("no project given").hint("use `--project`, such as `--project group/app`"))?)
    }

    pub(crate) fn send_request(&self, request: &ApiRequest) -> crate::api::Result<ApiResponse> {
        let response = self.client.send_request(request);
        self.finish_progress();
        response
    }

    pub(super) fn finish_progress(&self) {
        self.messages.progress().finish();
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }
}

/// Reads the token from a file or the environment.
fn credential(options: &ServerArgs, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(
            &read_text(path)?,
            server.forge().api().default_auth_scheme(),
            format!("`{}`", input_name(path)),
        )?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.flatten() {
        Some(scheme) => found.with_scheme(scheme),
        None => found,
    })
}

/// Returns the user and password with which git uses a token, if scheme, host and port are those of its server: the one
/// that was given, or the one that runs a GitHub job.
pub(super) fn git_credential(options: &ServerArgs, origin: &str) -> anyhow::Result<Option<(&'static str, String)>> {
    let given = match detect::given_server(options) {
        Ok(base) if base.url().origin() == origin => credential(options, &base)?.git_credential(base.forge()),
        _ => None,
    };
    Ok(given.or_else(|| git_credential_of_github_job(origin)))
}

fn git_credential_of_github_job(origin: &str) -> Option<(&'static str, String)> {
    let api = Forge::GitHub.api();
    let server = Url::parse(&variable(api.ci.server_url)?).ok()?;
    let token = api.token_variables.iter().find(|token| token.is_of_job && server.origin() == origin)?;
    Some((api.job_token_user, variable(token.name)?))
}

/// Which part of a list to fetch.
#[derive(Args)]
pub(crate) struct PageArgs {
    /// Fetch only this page.
    #[arg(long, value_name = "N", value_parser = parse_page)]
    pub(crate) page: Option<u64>,
    /// Number of rows on a page [default: 100].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) per_page: Option<u32>,
    /// Maximum number of rows to list [default: 1000, with `--format json` all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "page")]
    pub(crate) limit: Option<u32>,
    /// Fetch all pages, however many there are.
    #[arg(long, conflicts_with_all = ["page", "limit"])]
    pub(crate) all: bool,
}

fn parse_page(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|page| *page > 0).ok_or("it must be a number from 1")
}

/// The arguments of a change.
#[derive(Args)]
pub(crate) struct WriteArgs {
    /// Print the request that would be sent, and send nothing.
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
}

/// The arguments of a change that cannot be undone.
#[derive(Args)]
pub(crate) struct ConfirmArgs {
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// Do not ask for confirmation.
    #[arg(short, long)]
    pub(crate) yes: bool,
}

impl Server {
    /// Sends a change; for a dry run prints the request instead and returns `None`.
    pub(crate) fn send_change(
        &self,
        session: &mut Session,
        request: &ApiRequest,
        dry_run: bool,
    ) -> anyhow::Result<Option<ApiResponse>> {
        if dry_run {
            self.show(session, request)?;
            return Ok(None);
        }
        Ok(Some(self.send_request(request)?))
    }

    /// Prints the request that would be sent.
    pub(crate) fn show(&self, session: &mut Session, request: &ApiRequest) -> anyhow::Result<()> {
        let preview = self.client.preview(request);
        session.answer(&preview, |out| text(&preview, out))
    }
}

fn text(preview: &Preview, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{} {}", preview.method, preview.url)?;
    for (name, value) in &preview.headers {
        writeln!(out, "{name}: {value}")?;
    }
    if !preview.body.is_null() {
        writeln!(out)?;
    }
    body(&preview.body, out)
}

/// Prints flat fields as lines, anything else as JSON.
fn body(body: &Value, out: &mut impl Write) -> io::Result<()> {
    let Value::Object(fields) = body else {
        return if body.is_null() { Ok(()) } else { writeln!(out, "{body:#}") };
    };
    if fields.values().any(|value| value.is_object() || value.is_array()) {
        return writeln!(out, "{body:#}");
    }
    for (name, value) in fields {
        writeln!(out, "{name}: {}", plain(value))?;
    }
    Ok(())
}

const DIM: Style = Style::new().dimmed();
const WAIT: Style = AnsiColor::Yellow.on_default();

/// Returns the observer that reports the client's work: requests with `--verbose`, pauses, and progress.
fn observer(global: &GlobalArgs, messages: &Messages) -> ClientObserver {
    let (messages, verbose) = (messages.clone(), global.verbose > 0);
    Arc::new(move |event| {
        let progress = messages.progress();
        let text = match event {
            ClientEvent::Received { bytes, total } => return progress.bytes("receiving", *bytes, *total),
            ClientEvent::Sent { bytes, total } => return progress.bytes("sending", *bytes, Some(*total)),
            ClientEvent::Listed { rows, total } => return progress.items("listing", *rows, *total),
            ClientEvent::Waiting { pause, why } => {
                format!("{WAIT}waiting{WAIT:#} {:.1} s: {why}", pause.as_secs_f64())
            }
            ClientEvent::Unreadable { status, why } => {
                format!("{WAIT}warning{WAIT:#}: the server confirmed the change ({status}), but {why}")
            }
            _ if !verbose => return,
            ClientEvent::Sending { method, url } => format!("{DIM}> {method} {url}{DIM:#}"),
            ClientEvent::Responded { status, elapsed } => {
                format!("{DIM}< {status} after {} ms{DIM:#}", elapsed.as_millis())
            }
            ClientEvent::Redirected { to, trusted } => {
                format!("{DIM}  redirected to {to}{}{DIM:#}", if *trusted { "" } else { ", without the token" })
            }
        };
        progress.suspend(|| messages.note(&text));
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_preview_has_flat_fields_as_lines_and_any_other_body_as_json() {
        let shown = |headers: &[(&'static str, &str)], body: Value| {
            let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            let preview = Preview { method: "POST", url: "https://h/labels".to_owned(), headers, body };
            let mut out = Vec::new();
            text(&preview, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(shown(&[], Value::Null), "POST https://h/labels\n");
        assert_eq!(shown(&[("A", "b")], Value::Null), "POST https://h/labels\nA: b\n");
        let head = "POST https://h/labels\nA: b\n\n";
        for (body, lines) in [
            (json!({"name": "x", "priority": 3, "is_open": true}), "name: x\npriority: 3\nis_open: true\n"),
            (json!({"name": "x", "parts": [1]}), "{\n  \"name\": \"x\",\n  \"parts\": [\n    1\n  ]\n}\n"),
            (json!({"name": "x", "of": {}}), "{\n  \"name\": \"x\",\n  \"of\": {}\n}\n"),
            (json!([1]), "[\n  1\n]\n"),
            (json!("x"), "\"x\"\n"),
        ] {
            assert_eq!(shown(&[("A", "b")], body), format!("{head}{lines}"));
        }
    }

    #[test]
    fn a_page_is_a_number_from_one() {
        assert_eq!((parse_page("1"), parse_page("7")), (Ok(1), Ok(7)));
        for text in ["0", "-1", "x", ""] {
            assert!(parse_page(text).is_err(), "{text}");
        }
    }
}
