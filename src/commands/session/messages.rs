//! What is printed to stderr, or kept for the result of a run: notes, questions, and failures of several things.

use std::{
    io::{self, BufRead as _, IsTerminal as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use anstream::adapter::strip_str;

use crate::model::{Problem, between_styles, hints, kind, message};

/// The place of notes, warnings and questions. Clones share it.
#[derive(Clone, Debug, Default)]
pub enum Messages {
    /// For whoever watches the program.
    #[default]
    Stderr,
    /// For whoever reads the result of a run later; without colours.
    Captured(Arc<Mutex<String>>),
}

impl Messages {
    /// Writes a line, safe to show between the styles of our own.
    pub(in crate::commands) fn say(&self, text: &str) {
        let text = between_styles(text, message);
        match self {
            // If stderr is closed there is nobody to report it to.
            Self::Stderr => drop(writeln!(anstream::stderr(), "{text}")),
            Self::Captured(kept) => {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_str(&strip_str(&text).to_string());
                kept.push('\n');
            }
        }
    }

    /// Whether somebody watches, who can be shown a bar or asked a question.
    pub(in crate::commands) fn is_terminal(&self) -> bool {
        match self {
            Self::Stderr => io::stderr().is_terminal(),
            Self::Captured(_) => false,
        }
    }

    /// What was said so far; nothing where it went to stderr.
    pub(crate) fn kept(&self) -> String {
        match self {
            Self::Stderr => String::new(),
            Self::Captured(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

/// Asks in a terminal whether to do it.
///
/// # Errors
///
/// Where the answer is not yes, or there is nobody to ask.
pub(in crate::commands) fn confirm(action: &str, messages: &Messages) -> anyhow::Result<()> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !messages.is_terminal() {
        return Err(Problem::usage(format!("refusing to {action} without confirmation"))
            .hint("use `--yes` to confirm")
            .into());
    }
    write!(anstream::stderr(), "{}? [y/N] ", message(action))?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    if matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        return Ok(());
    }
    Err(Problem::new("nothing was done").into())
}

/// Failures, each with the thing it befell.
#[derive(Debug, Default)]
pub(in crate::commands) struct Failures(Vec<(String, anyhow::Error)>);

impl Failures {
    pub(in crate::commands) fn push(&mut self, thing: String, error: anyhow::Error) {
        self.0.push((thing, error));
    }

    /// Prints every failure, and fails as the first of them did, with the hints of all.
    pub(in crate::commands) fn end(
        &self,
        messages: &Messages,
        message: impl FnOnce(usize) -> String,
    ) -> anyhow::Result<()> {
        let Some((_, first)) = self.0.first() else { return Ok(()) };
        let mut advice: Vec<&str> = Vec::new();
        for (thing, error) in &self.0 {
            messages.say(&format!("{thing}: {error:#}"));
            for hint in hints(error) {
                if !advice.contains(&hint) {
                    advice.push(hint);
                }
            }
        }
        let problem = Problem::new(message(self.0.len())).kind(kind(first));
        Err(advice.into_iter().fold(problem, Problem::hint).into())
    }
}
