//! Changes: shown before they are made, and made only when meant.

use std::io::{self, Write};

use clap::Args;
use serde_json::Value;

use super::Server;
use crate::{
    api::{ApiRequest, ApiResponse, Preview},
    commands::{Session, session::confirm},
};

/// How a change is made.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct WriteArgs {
    /// Print the request that would be sent, and send nothing.
    #[arg(short = 'n', long)]
    pub dry_run: bool,
}

/// How a change is made that cannot be undone.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ConfirmArgs {
    #[command(flatten)]
    write: WriteArgs,
    /// Do not ask for confirmation.
    #[arg(short, long)]
    pub yes: bool,
}

impl Server {
    /// Makes a change; under `--dry-run` prints it instead and gives `None`.
    ///
    /// # Errors
    ///
    /// As [`Server::send_request`].
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

    /// Makes a change that cannot be undone, `action` being what it does: "delete the label `bug`".
    ///
    /// # Errors
    ///
    /// If it is not confirmed, else as [`Server::send_change`].
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
    ///
    /// Where the answer cannot be written.
    pub fn show(&self, session: &mut Session, call: &ApiRequest) -> anyhow::Result<()> {
        let preview = self.client.preview(call);
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

/// Flat fields as lines, anything deeper as JSON.
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
