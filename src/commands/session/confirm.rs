//! The question before what cannot be undone.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use super::Messages;
use crate::model::{Problem, message};

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
