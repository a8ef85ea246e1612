//! Handlebars templates: strict, without HTML escaping, and with limits.

mod helpers;
mod limits;

use std::time::Instant;

use anyhow::Context as _;
use handlebars::{Context, Handlebars, RenderError, RenderErrorReason, TemplateError, TemplateErrorReason, no_escape};
use serde_json::Value as Json;

pub(crate) use self::limits::TEMPLATE_THREAD;
use self::limits::run_with_deadline;
use super::output::{BoundedOutput, too_large};
use crate::model::{Position, Problem, Source};

const NAME: &str = "template";

#[derive(Debug)]
pub(super) struct Template {
    /// The template, and the partials that it calls, which call none.
    all: Vec<NamedTemplate>,
}

#[derive(Clone, Debug)]
struct NamedTemplate {
    name: String,
    source: Source,
    parsed: handlebars::Template,
}

/// A template that another one calls by its name.
#[derive(Debug)]
pub(super) struct Partial {
    pub(super) name: String,
    pub(super) source: Source,
}

impl Template {
    /// Parses a template; only one with partials may call some.
    pub(super) fn parse(source: Source, partials: Vec<Partial>, deadline: Instant) -> anyhow::Result<Self> {
        if partials.is_empty() {
            limits::measure(&source)?;
        }
        let mut all = vec![NamedTemplate::compile(NAME.to_owned(), source, deadline)?];
        for Partial { name, source } in partials {
            limits::measure(&source)?;
            all.push(NamedTemplate::compile(name, source, deadline)?);
        }
        Ok(Self { all })
    }

    /// Whether a tag that is not a comment contains this name.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.all.iter().any(|one| mentions(&one.source.text, name))
    }

    pub(super) fn render(&self, data: Json, deadline: Instant) -> anyhow::Result<String> {
        let (all, source) = (self.all.clone(), &self.all[0].source);
        let rendered = run_with_deadline(deadline, move || render(all, data, deadline));
        rendered.with_context(|| render_context(&source.name))?.map_err(|error| {
            let failed = self.all.iter().find(|one| error.template_name.as_ref() == Some(&one.name));
            render_error(&error, failed.map_or(source, |one| &one.source))
        })
    }
}

impl NamedTemplate {
    fn compile(name: String, source: Source, deadline: Instant) -> anyhow::Result<Self> {
        let (compiling, own_name) = (source.clone(), name.clone());
        let compiled = run_with_deadline(deadline, move || compile(&compiling, own_name));
        Ok(Self { name, parsed: compiled.with_context(|| format!("cannot read `{}`", source.name))??, source })
    }
}

/// Whether a tag that is not a comment contains this name.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let tags = text.split("{{").skip(1).filter_map(|rest| rest.split("}}").next());
    let mut asking = tags.filter(|tag| !tag.trim_start_matches(['~', '{']).starts_with('!'));
    asking.any(|tag| tag.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name))
}

fn render_context(name: &str) -> String {
    format!("cannot render `{name}`")
}

fn compile(source: &Source, name: String) -> Result<handlebars::Template, Problem> {
    let of_syntax = |error: TemplateError| syntax_error(&error, source);
    let mut template = handlebars::Template::compile_with_name(&source.text, name).map_err(of_syntax)?;
    limits::instrument(&mut template).map_err(of_syntax)?;
    Ok(template)
}

fn render(all: Vec<NamedTemplate>, data: Json, deadline: Instant) -> Result<String, RenderError> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(no_escape);
    helpers::register(&mut registry);
    limits::register(&mut registry, deadline);
    for one in all {
        registry.register_template(&one.name, one.parsed);
    }
    let mut out = BoundedOutput::with_deadline(deadline);
    registry.render_with_context_to_write(NAME, &Context::from(data), &mut out)?;
    Ok(out.into_text())
}

/// The maximum length of a message of the library, in characters.
const MAX_MESSAGE: usize = 200;

/// Returns the error to show, with the line if its position is known.
fn problem(source: &Source, at: Option<Position>, message: &str) -> Problem {
    at.map_or_else(|| Problem::new(shorten(message)), |at| source.problem(at, &shorten(message)))
}

fn syntax_error(error: &TemplateError, source: &Source) -> Problem {
    let at = error.pos().map(|(line, column)| Position { line, column });
    let message = match error.reason() {
        TemplateErrorReason::MismatchingClosedHelper(open, close) => {
            format!("`{{{{#{open}}}}}` is closed by `{{{{/{close}}}}}`")
        }
        TemplateErrorReason::InvalidSyntax(_) => {
            at.map_or_else(String::new, |at| describe_unexpected(&source.text, at))
        }
        other => other.to_string(),
    };
    problem(source, at, &message)
}

/// Describes what the parser did not expect; the library would name rules of its grammar.
fn describe_unexpected(text: &str, at: Position) -> String {
    let line = text.split('\n').nth(at.line.saturating_sub(1)).unwrap_or_default();
    let rest: String = line.chars().skip(at.column.saturating_sub(1)).collect();
    let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    match rest.chars().next() {
        None => "a tag or a block is not closed".to_owned(),
        Some(letter) => format!("unexpected `{}`", rest.get(..word.max(letter.len_utf8())).unwrap_or_default()),
    }
}

fn render_error(error: &RenderError, source: &Source) -> anyhow::Error {
    let at = error.line_no.zip(error.column_no).map(|(line, column)| Position { line, column });
    let (at, message, hint) = match error.reason() {
        RenderErrorReason::MissingVariable(Some(path)) => {
            (at, format!("`{path}` is not defined"), Some(format!("test for it first: `{{{{#if {path}}}}}`")))
        }
        RenderErrorReason::MissingVariable(None) => (at, "a value is not defined".to_owned(), None),
        RenderErrorReason::HelperNotFound(name) => {
            let names = helpers::HELPERS.map(|helper| helper.name).join("`, `");
            (at, format!("unknown helper `{name}`"), Some(format!("use one of Handlebars, or one of `{names}`")))
        }
        RenderErrorReason::ParamNotFoundForName(helper, _) => (at, format!("`{helper}`: an argument is missing"), None),
        RenderErrorReason::ParamNotFoundForIndex(helper, index) => {
            (at, format!("`{helper}`: argument {} is missing", index + 1), None)
        }
        RenderErrorReason::IOError(_) => (None, too_large().to_string(), None),
        other => (at, other.to_string(), None),
    };
    let problem = anyhow::Error::from(hint.into_iter().fold(problem(source, at, &message), Problem::hint));
    if at.is_some() { problem } else { problem.context(render_context(&source.name)) }
}

/// Shortens a message: the library quotes whole templates and data.
fn shorten(message: &str) -> String {
    match message.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}...", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests;
