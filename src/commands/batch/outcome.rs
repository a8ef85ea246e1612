//! The outcome of an item, its result line, and the journal: a file of such lines, to which a later run appends.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::list::Item;
use crate::{
    commands::Session,
    model::{self, Problem, ProblemKind, Warning, mask_credentials, printable_lines},
};

#[derive(Default)]
pub(crate) struct ItemOutcome {
    /// The exit code that the command would have outside of a batch.
    pub(crate) code: u8,
    pub(crate) output: String,
    pub(crate) messages: String,
    /// The error, if the exit code is not 0.
    pub(crate) error: Option<ErrorReport>,
}

/// An error as JSON.
#[derive(Serialize)]
pub(crate) struct ErrorReport {
    #[serde(skip)]
    kind: ProblemKind,
    pub(crate) message: String,
    /// The causes, the outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) causes: Vec<String>,
    /// What the user can do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) hints: Vec<String>,
}

impl ItemOutcome {
    pub(crate) fn with_error(self, error: &anyhow::Error, code: u8) -> Self {
        let text = |text: String| printable_lines(mask_credentials(&text).trim_end());
        let report = ErrorReport {
            kind: model::problem_kind(error),
            message: text(error.to_string()),
            causes: error.chain().skip(1).map(|cause| text(cause.to_string())).collect(),
            hints: model::hints(error).into_iter().map(str::to_owned).collect(),
        };
        Self { code, error: Some(report), ..self }
    }

    /// Sets the error of a command line, or the help that it asks for.
    pub(crate) fn usage_error(self, error: &clap::Error) -> Self {
        let text = error.render().to_string();
        if error.exit_code() == 0 {
            return Self { output: text, ..self };
        }
        let message = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>().join(" ");
        let report = ErrorReport {
            kind: ProblemKind::Usage,
            message: model::printable_message(message.trim_start_matches("error: ")),
            causes: Vec::new(),
            hints: text.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ").map(str::to_owned)).collect(),
        };
        Self { code: u8::try_from(error.exit_code()).unwrap_or(2), error: Some(report), ..self }
    }

    /// Returns the kind of the error; `None` if the item was done.
    pub(super) fn kind(&self) -> Option<ProblemKind> {
        self.error.as_ref().map(|error| error.kind)
    }

    /// Returns the error, unless there was nothing to do.
    pub(super) fn failure(&self) -> Option<&ErrorReport> {
        self.error.as_ref().filter(|error| error.kind != ProblemKind::NothingToDo)
    }

    /// Returns the output as a JSON document or a text; `null` if it is empty.
    fn value(&self) -> Value {
        match serde_json::from_str(&self.output) {
            Ok(document @ (Value::Object(_) | Value::Array(_))) => document,
            _ if self.output.is_empty() => Value::Null,
            _ => self.output.as_str().into(),
        }
    }
}

/// Returns the result of an item as it is printed.
pub(super) fn result_line(item: &Item, outcome: &ItemOutcome, elapsed: Duration) -> Value {
    let mut line = json!({ "index": item.index });
    if let Some(id) = &item.id {
        line["id"] = id.as_str().into();
    }
    line["key"] = item.key().into();
    line["command"] = item.command.join(" ").into();
    if let Some((option, value)) = &item.target {
        line[*option] = mask_credentials(value).into();
    }
    line["ok"] = outcome.error.is_none().into();
    line["exit_code"] = outcome.code.into();
    line["output"] = outcome.value();
    if !outcome.messages.is_empty() {
        line["messages"] = outcome.messages.as_str().into();
    }
    if let Some(error) = &outcome.error {
        line["error"] = json!(error);
    }
    line["milliseconds"] = json!(elapsed.as_millis());
    line
}

/// A file of results, open for appending.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    done: HashSet<String>,
}

/// The part of a result that is read again.
#[derive(Deserialize)]
struct PastResult {
    key: String,
    ok: bool,
}

impl Journal {
    /// Opens the file and reads its results; creates it if it does not exist.
    pub(super) fn open(path: &Path, session: &Session) -> anyhow::Result<Self> {
        if session.global.output.as_deref() == Some(path) {
            let message = format!("`--resume` and `--output` both name `{}`", path.display());
            return Err(Problem::usage(message)
                .hint("use only `--resume FILE`, which writes the results to FILE")
                .into());
        }
        let (mut file, text) = load(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let past: Vec<_> = text.lines().map(serde_json::from_str::<PastResult>).collect();
        let invalid = past.iter().filter(|line| line.is_err()).count();
        // A run that was interrupted may have left half a line.
        session.warn(&(invalid > 0).then(|| {
            Warning::new(format!("{invalid} of the {} lines of `{}` are not results", past.len(), path.display()))
        }))?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(|| cannot_write(path))?;
        }
        let done = past.into_iter().flatten().filter(|line| line.ok).map(|line| line.key).collect();
        Ok(Self { path: path.to_owned(), file, done })
    }

    pub(super) fn is_done(&self, key: &str) -> bool {
        self.done.contains(key)
    }

    pub(super) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        // A single write, so that a line is complete or missing.
        self.file.write_all(format!("{line}\n").as_bytes()).with_context(|| cannot_write(&self.path))
    }
}

fn load(path: &Path) -> io::Result<(File, String)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", path.display())
}
