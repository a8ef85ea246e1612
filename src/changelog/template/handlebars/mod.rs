//! Handlebars templates: strict, without HTML escaping, and with limits.

mod escape;
mod helpers;
mod limits;

use std::time::Instant;

use anyhow::Context as _;
use handlebars::{Context, Handlebars, RenderError, RenderErrorReason, TemplateError, TemplateErrorReason, no_escape};
use serde_json::Value as Json;

pub(crate) use self::limits::TEMPLATE_THREAD;
use self::limits::run_with_deadline;
use super::output::{BoundedOutput, too_large};
use crate::model::{Position, Problem, SourceText};

const NAME: &str = "template";

#[derive(Debug)]
pub(super) struct Template {
    source: SourceText,
    compiled: handlebars::Template,
}

impl Template {
    pub(super) fn parse(source: SourceText, deadline: Instant) -> anyhow::Result<Self> {
        limits::measure(&source)?;
        let text = source.text.clone();
        match run_with_deadline(deadline, move || compile(&text)) {
            Ok(Ok(compiled)) => Ok(Self { source, compiled }),
            Ok(Err(diagnostic)) => Err(diagnostic.problem(&source).into()),
            Err(problem) => Err(problem).context(format!("cannot read `{}`", source.name)),
        }
    }

    /// Whether a tag has this name in it, comments aside.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let tags = self.source.text.split("{{").skip(1).filter_map(|rest| rest.split("}}").next());
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut asking = tags.filter(|tag| !tag.trim_start_matches(['~', '{']).starts_with('!'));
        asking.any(|tag| tag.split(|letter| !is_part(letter)).any(|word| word == name))
    }

    pub(super) fn render(&self, data: Json, deadline: Instant) -> anyhow::Result<String> {
        let compiled = self.compiled.clone();
        match run_with_deadline(deadline, move || render(compiled, data, deadline)) {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(diagnostic)) if diagnostic.at.is_some() => Err(diagnostic.problem(&self.source).into()),
            Ok(Err(diagnostic)) => Err(diagnostic.problem(&self.source)).context(self.rendering()),
            Err(problem) => Err(problem).context(self.rendering()),
        }
    }

    fn rendering(&self) -> String {
        format!("cannot render `{}`", self.source.name)
    }
}

fn compile(text: &str) -> Result<handlebars::Template, Diagnostic> {
    let of_syntax = |error: TemplateError| Diagnostic::of_syntax(&error, text);
    let mut template = handlebars::Template::compile(text).map_err(of_syntax)?;
    limits::instrument(&mut template).map_err(of_syntax)?;
    Ok(template)
}

fn render(template: handlebars::Template, data: Json, deadline: Instant) -> Result<String, Diagnostic> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(no_escape);
    helpers::register(&mut registry);
    limits::register(&mut registry, deadline);
    registry.register_template(NAME, template);
    let mut out = BoundedOutput::until(deadline);
    registry.render_with_context_to_write(NAME, &Context::from(data), &mut out)?;
    Ok(out.into_text())
}

/// How many characters of the library's messages are shown.
const MAX_MESSAGE: usize = 200;

/// An error in a template, with its position if it is known.
struct Diagnostic {
    at: Option<Position>,
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
    fn of_syntax(error: &TemplateError, text: &str) -> Self {
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

#[cfg(test)]
mod tests;
