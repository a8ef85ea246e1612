//! Changes on the server: dry runs and confirmations.

use std::io::{self, Write};

use clap::Args;
use serde_json::Value;

use super::Server;
use crate::{
    api::{ApiRequest, ApiResponse, Preview},
    commands::{Session, session::confirm},
};

/// The arguments of a change.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct WriteArgs {
    /// Print the request that would be sent, and send nothing.
    #[arg(short = 'n', long)]
    pub dry_run: bool,
}

/// The arguments of a change that cannot be undone.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ConfirmArgs {
    #[command(flatten)]
    write: WriteArgs,
    /// Do not ask for confirmation.
    #[arg(short, long)]
    pub yes: bool,
}

impl Server {
    /// Makes a change; with `--dry-run` prints the request instead and returns `None`.
    ///
    /// # Errors
    /// If the server refuses or cannot be reached, or the output cannot be written.
    pub fn send_change(
        &self,
        session: &mut Session,
        request: &ApiRequest,
        args: WriteArgs,
    ) -> anyhow::Result<Option<ApiResponse>> {
        if args.dry_run {
            self.show(session, request)?;
            return Ok(None);
        }
        Ok(Some(self.send_request(request)?))
    }

    /// Makes a change that cannot be undone. `action` describes it: "delete the label `bug`".
    ///
    /// # Errors
    /// If it is not confirmed, the server refuses or cannot be reached, or the output cannot be written.
    pub fn confirm_and_send(
        &self,
        session: &mut Session,
        request: &ApiRequest,
        args: ConfirmArgs,
        action: &str,
    ) -> anyhow::Result<Option<ApiResponse>> {
        if !args.yes && !args.write.dry_run {
            confirm(action, &session.messages)?;
        }
        self.send_change(session, request, args.write)
    }

    /// Prints the request that would be sent.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn show(&self, session: &mut Session, request: &ApiRequest) -> anyhow::Result<()> {
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
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        writeln!(out, "{name}: {value}")?;
    }
    Ok(())
}
