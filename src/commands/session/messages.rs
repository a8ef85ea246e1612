//! Where people are told things meanwhile: stderr, or a text that is handed on with the answer.

use std::{
    io::{self, IsTerminal as _, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use anstream::adapter::strip_str;

use crate::model::{between_styles, message};

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
