//! The service's own template language: `{{ title }}`, `{% if %}`, `{% each %}`.
//!
//! Which texts are templates, and what each prints, is exactly as in the service, with these differences on purpose:
//! mistakes are named where they are, lists and objects print as JSON, and a body that holds only escaped line breaks
//! prints nothing.

mod cursor;
mod evaluator;
mod parser;
mod program;
mod value;

use std::time::Instant;

use anyhow::Context as _;

use self::{
    evaluator::EvalError,
    program::Instruction,
    value::{Record, Value},
};
use super::output::BoundedOutput;
use crate::model::{Position, Problem, Release, SourceText};

/// A parsed template.
#[derive(Debug)]
pub(super) struct Template {
    source: SourceText,
    steps: Vec<Instruction>,
}

impl Template {
    /// Reads a template.
    pub(super) fn parse(source: SourceText) -> Result<Self, Problem> {
        match parser::parse(&source.text) {
            Ok(steps) => Ok(Self { source, steps }),
            Err(mistake) => Err(problem(&source, mistake.offset, &mistake.message)),
        }
    }

    /// Renders a release.
    pub(super) fn render(&self, release: &Release, deadline: Instant) -> anyhow::Result<String> {
        self.run(Value::Record(Record::Release(release)), deadline)
    }

    /// Renders any data.
    pub(super) fn render_data(&self, data: &serde_json::Value, deadline: Instant) -> anyhow::Result<String> {
        self.run(Value::Json(data), deadline)
    }

    fn run(&self, data: Value, deadline: Instant) -> anyhow::Result<String> {
        let mut out = BoundedOutput::until(deadline);
        match evaluator::evaluate(&self.source.text, &self.steps, data, &mut out) {
            Ok(()) => Ok(out.into_text()),
            Err(EvalError::Limit(problem)) => Err(problem).context(format!("cannot render `{}`", self.source.name)),
            Err(EvalError::TooManyLoops(offset)) => {
                Err(problem(&self.source, offset, "you can only nest up to 4 loops").into())
            }
        }
    }
}

fn problem(source: &SourceText, offset: usize, message: &str) -> Problem {
    source.borrow().problem(Position::of(&source.text, offset), message)
}

#[cfg(test)]
mod tests;
