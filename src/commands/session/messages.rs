//! Messages, printed to stderr or captured: notes, questions, and the failures of several items.

use std::{
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use anstream::adapter::strip_str;

use crate::model::{Problem, between_styles, hints, kind, message};

/// Where notes, warnings and questions are printed. Clones share it.
#[derive(Clone, Debug, Default)]
pub enum Messages {
    /// To stderr.
    #[default]
    Stderr,
    /// Into a text, without colours.
    Captured(Arc<Mutex<String>>),
}

impl Messages {
    /// Prints a line that may have the program's own styles, made safe to show.
    pub(in crate::commands) fn say(&self, text: &str) {
        let text = between_styles(text, message);
        match self {
            // If stderr is closed, that cannot be reported.
            Self::Stderr => drop(writeln!(anstream::stderr(), "{text}")),
            Self::Captured(captured) => {
                let mut captured = captured.lock().unwrap_or_else(PoisonError::into_inner);
                captured.push_str(&strip_str(&text).to_string());
                captured.push('\n');
            }
        }
    }

    /// Whether they go to a terminal, so that progress and questions are possible.
    pub(in crate::commands) fn is_terminal(&self) -> bool {
        match self {
            Self::Stderr => io::stderr().is_terminal(),
            Self::Captured(_) => false,
        }
    }

    /// The captured text; empty for stderr.
    pub(crate) fn captured(&self) -> String {
        match self {
            Self::Stderr => String::new(),
            Self::Captured(captured) => captured.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

/// Asks for confirmation, and fails without it or without a terminal.
pub(in crate::commands) fn confirm(action: &str, messages: &Messages) -> anyhow::Result<()> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !messages.is_terminal() {
        return Err(Problem::usage(format!("refusing to {action} without confirmation"))
            .hint("use `--yes` to confirm")
            .into());
    }
    write!(anstream::stderr(), "{}? [y/N] ", message(action))?;
    let mut reply = String::new();
    stdin.lock().read_line(&mut reply)?;
    if matches!(reply.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Problem::new("nothing was done").into())
}

/// Failures with the names of what failed.
#[derive(Debug, Default)]
pub(in crate::commands) struct Failures(Vec<(String, anyhow::Error)>);

impl Failures {
    pub(in crate::commands) fn push(&mut self, name: String, error: anyhow::Error) {
        self.0.push((name, error));
    }

    /// Prints every failure, and fails with the kind of the first and the hints of all.
    pub(in crate::commands) fn end(
        &self,
        messages: &Messages,
        message: impl FnOnce(usize) -> String,
    ) -> anyhow::Result<()> {
        let Some((_, first)) = self.0.first() else { return Ok(()) };
        let mut unique: Vec<&str> = Vec::new();
        for (name, error) in &self.0 {
            messages.say(&format!("{name}: {error:#}"));
            for hint in hints(error) {
                if !unique.contains(&hint) {
                    unique.push(hint);
                }
            }
        }
        let problem = Problem::new(message(self.0.len())).kind(kind(first));
        Err(unique.into_iter().fold(problem, Problem::hint).into())
    }
}
