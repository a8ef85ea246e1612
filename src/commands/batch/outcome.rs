//! The outcome of one item, and its result line.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::item::{Item, ItemTarget};
use crate::model::{self, ProblemKind, mask_credentials, printable_lines};

/// The outcome of a command that ran in a batch.
#[derive(Debug, Default)]
pub struct ItemOutcome {
    /// The exit code that the command alone would have.
    pub code: u8,
    /// The output.
    pub output: String,
    /// The messages.
    pub messages: String,
    /// The error, if the exit code is not 0.
    pub error: Option<ErrorReport>,
}

/// An error as JSON.
#[derive(Debug, Serialize)]
pub struct ErrorReport {
    #[serde(skip)]
    kind: ProblemKind,
    /// The message.
    pub message: String,
    /// The causes, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// What the user can do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
}

impl From<&anyhow::Error> for ErrorReport {
    fn from(error: &anyhow::Error) -> Self {
        let text = |text: String| printable_lines(mask_credentials(&text).trim_end());
        Self {
            kind: model::kind(error),
            message: text(error.to_string()),
            causes: error.chain().skip(1).map(|cause| text(cause.to_string())).collect(),
            hints: model::hints(error).into_iter().map(str::to_owned).collect(),
        }
    }
}

impl From<&clap::Error> for ErrorReport {
    fn from(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let hint = |line: &str| line.trim_start().strip_prefix("tip: ").map(str::to_owned);
        let message = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
        Self {
            kind: ProblemKind::Usage,
            message: message.trim_start_matches("error: ").to_owned(),
            causes: Vec::new(),
            hints: text.lines().filter_map(hint).collect(),
        }
    }
}

impl ItemOutcome {
    /// Sets error and exit code.
    #[must_use]
    pub fn failed(self, error: &anyhow::Error, code: u8) -> Self {
        Self { code, error: Some(error.into()), ..self }
    }

    /// Sets the error of a command line, or the help that it asks for.
    #[must_use]
    pub fn usage_error(self, error: &clap::Error) -> Self {
        if error.exit_code() == 0 {
            return Self { output: error.render().to_string(), ..self };
        }
        Self { code: u8::try_from(error.exit_code()).unwrap_or(2), error: Some(error.into()), ..self }
    }

    /// The kind of the error; `None` if the item was done.
    pub(super) fn kind(&self) -> Option<ProblemKind> {
        self.error.as_ref().map(|error| error.kind)
    }

    /// The error, unless there was nothing to do.
    pub(super) fn failure(&self) -> Option<&ErrorReport> {
        self.error.as_ref().filter(|error| error.kind != ProblemKind::NothingToDo)
    }

    /// The output as a JSON document or a text.
    fn value(&self) -> Value {
        match serde_json::from_str(&self.output) {
            Ok(document @ (Value::Object(_) | Value::Array(_))) => document,
            _ if self.output.is_empty() => Value::Null,
            _ => self.output.as_str().into(),
        }
    }
}

/// A result as it is printed.
#[derive(Debug, Serialize)]
pub(super) struct ResultLine<'a> {
    index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    key: String,
    command: String,
    #[serde(flatten)]
    target: &'a ItemTarget,
    ok: bool,
    exit_code: u8,
    output: Value,
    #[serde(skip_serializing_if = "str::is_empty")]
    messages: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorReport>,
    milliseconds: u128,
}

impl<'a> ResultLine<'a> {
    pub(super) fn new(item: &'a Item, outcome: &'a ItemOutcome, elapsed: Duration) -> Self {
        Self {
            index: item.index,
            id: item.id.as_deref(),
            key: item.key(),
            command: item.command.join(" "),
            target: &item.target,
            ok: outcome.error.is_none(),
            exit_code: outcome.code,
            output: outcome.value(),
            messages: &outcome.messages,
            error: outcome.error.as_ref(),
            milliseconds: elapsed.as_millis(),
        }
    }
}
