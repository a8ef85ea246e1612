//! Errors in templates: the position, and a message that does not mention the grammar of the library.

use handlebars::{RenderError, RenderErrorReason, TemplateError, TemplateErrorReason};

use super::helpers;
use crate::{
    changelog::template::output::too_large,
    model::{Position, Problem, SourceText},
};

/// How many characters of the library's messages are shown.
const MAX_MESSAGE: usize = 200;

/// An error in a template, with its position if it is known.
pub(super) struct Diagnostic {
    pub(super) at: Option<Position>,
    message: String,
    hint: Option<String>,
}

impl Diagnostic {
    /// The error to show, with the line.
    pub(super) fn problem(self, source: &SourceText) -> Problem {
        let problem = match self.at {
            Some(at) => source.borrow().problem(at, &self.message),
            None => Problem::new(self.message),
        };
        self.hint.into_iter().fold(problem, Problem::hint)
    }

    /// An error of the parser; `text` is the template.
    pub(super) fn of_syntax(error: &TemplateError, text: &str) -> Self {
        let at = error.pos().map(|(line, column)| Position { line, column });
        let message = match error.reason() {
            TemplateErrorReason::MismatchingClosedHelper(open, close) => {
                format!("`{{{{#{open}}}}}` is closed by `{{{{/{close}}}}}`")
            }
            TemplateErrorReason::InvalidSyntax(_) => at.map_or_else(String::new, |at| unexpected(text, at)),
            other => other.to_string(),
        };
        Self { at, message: cut(&message), hint: None }
    }
}

/// The message about what the parser did not expect; the library would name rules of its grammar.
fn unexpected(text: &str, at: Position) -> String {
    let line = text.split('\n').nth(at.line.saturating_sub(1)).unwrap_or_default();
    let rest: String = line.chars().skip(at.column.saturating_sub(1)).collect();
    let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    match rest.chars().next() {
        None => "a tag or a block is not closed".to_owned(),
        Some(letter) => format!("unexpected `{}`", rest.get(..word.max(letter.len_utf8())).unwrap_or_default()),
    }
}

impl From<RenderError> for Diagnostic {
    fn from(error: RenderError) -> Self {
        let at = error.line_no.zip(error.column_no).map(|(line, column)| Position { line, column });
        let (message, hint) = match error.reason() {
            RenderErrorReason::MissingVariable(Some(path)) => {
                (format!("`{path}` is not defined"), Some(format!("test for it first: `{{{{#if {path}}}}}`")))
            }
            RenderErrorReason::MissingVariable(None) => ("a value is not defined".to_owned(), None),
            RenderErrorReason::HelperNotFound(name) => {
                let names = helpers::HELPERS.map(|helper| helper.name).join("`, `");
                (format!("unknown helper `{name}`"), Some(format!("use one of Handlebars, or one of `{names}`")))
            }
            RenderErrorReason::ParamNotFoundForName(helper, _) => (format!("`{helper}`: an argument is missing"), None),
            RenderErrorReason::ParamNotFoundForIndex(helper, index) => {
                (format!("`{helper}`: argument {} is missing", index + 1), None)
            }
            RenderErrorReason::IOError(_) => return Self { at: None, message: too_large().to_string(), hint: None },
            other => (other.to_string(), None),
        };
        Self { at, message: cut(&message), hint }
    }
}

/// Shortens a message: the library quotes whole templates and data.
fn cut(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message.to_owned(),
    }
}
