//! Handlebars templates: strict, without HTML escaping, and with limits.

mod diagnostic;
mod escape;
mod helpers;
mod instrument;
mod limits;

use std::time::Instant;

use anyhow::Context as _;
use handlebars::{Context, Handlebars, TemplateError, no_escape};
use serde_json::Value as Json;

pub use self::limits::TEMPLATE_THREAD;
use self::{diagnostic::Diagnostic, limits::run_with_deadline};
use super::output::BoundedOutput;
use crate::model::SourceText;

/// The name of the template in the registry.
const NAME: &str = "template";

/// A parsed template.
#[derive(Debug)]
pub(super) struct Template {
    source: SourceText,
    compiled: handlebars::Template,
}

impl Template {
    /// Parses a template.
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

    /// Renders any data.
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
    instrument::instrument(&mut template).map_err(of_syntax)?;
    Ok(template)
}

fn render(template: handlebars::Template, data: Json, deadline: Instant) -> Result<String, Diagnostic> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(no_escape);
    helpers::register(&mut registry);
    instrument::register(&mut registry, deadline);
    registry.register_template(NAME, template);
    let mut out = BoundedOutput::until(deadline);
    registry.render_with_context_to_write(NAME, &Context::from(data), &mut out)?;
    Ok(out.into_text())
}

#[cfg(test)]
mod tests;
