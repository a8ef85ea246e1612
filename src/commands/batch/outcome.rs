//! What a run of one item gave, and the line that tells of it.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::item::Item;
use crate::model::{self, ProblemKind, mask_credentials, printable_lines};

/// How a command ended that ran beside others.
#[derive(Debug, Default)]
pub struct ItemOutcome {
    /// The exit code it would have had by itself.
    pub code: u8,
    /// What it answered.
    pub answer: String,
    /// What it told people meanwhile.
    pub messages: String,
    /// Why it ended with another code than 0.
    pub trouble: Option<ErrorReport>,
}

/// An error for machines.
#[derive(Debug, Serialize)]
pub struct ErrorReport {
    #[serde(skip)]
    kind: ProblemKind,
    /// What failed.
    pub message: String,
    /// Why, the outermost cause first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// What to do now.
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
    /// The same of a command that failed, or ended with an answer of a kind of its own.
    #[must_use]
    pub fn failed(self, error: &anyhow::Error, code: u8) -> Self {
        Self { code, trouble: Some(error.into()), ..self }
    }

    /// The same of a command line that is none, or asks for help.
    #[must_use]
    pub fn usage_error(self, error: &clap::Error) -> Self {
        if error.exit_code() == 0 {
            return Self { answer: error.render().to_string(), ..self };
        }
        Self { code: u8::try_from(error.exit_code()).unwrap_or(2), trouble: Some(error.into()), ..self }
    }

    /// What kept it from its end; `None` where it was done.
    pub(super) fn kind(&self) -> Option<ProblemKind> {
        self.trouble.as_ref().map(|trouble| trouble.kind)
    }

    /// Why it failed: to have nothing to do is no failure.
    pub(super) fn failure(&self) -> Option<&ErrorReport> {
        self.trouble.as_ref().filter(|trouble| trouble.kind != ProblemKind::NothingToDo)
    }

    /// The answer as the JSON document or the text it is.
    fn value(&self) -> Value {
        match serde_json::from_str(&self.answer) {
            Ok(document @ (Value::Object(_) | Value::Array(_))) => document,
            _ if self.answer.is_empty() => Value::Null,
            _ => self.answer.as_str().into(),
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
    place: &'a super::item::ItemTarget,
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
            place: &item.place,
            ok: outcome.trouble.is_none(),
            exit_code: outcome.code,
            output: outcome.value(),
            messages: &outcome.messages,
            error: outcome.trouble.as_ref(),
            milliseconds: elapsed.as_millis(),
        }
    }
}
