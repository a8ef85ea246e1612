//! GitLab's own template language: `{{ title }}`, `{% if %}`, `{% each %}`.
//!
//! The valid templates and their output are exactly those of GitLab, with these differences on purpose: errors name
//! their position, lists and objects print as JSON, and a body that holds only escaped line breaks prints nothing.

mod parser;
mod value;

use std::time::Instant;

use anyhow::Context as _;

use self::{
    parser::Instruction,
    value::{Items, Record, Value},
};
use super::output::{BoundedOutput, too_large};
use crate::model::{Position, Problem, Release, Source};

#[derive(Debug)]
pub(super) struct Template {
    source: Source,
    steps: Vec<Instruction>,
}

impl Template {
    pub(super) fn parse(source: Source) -> Result<Self, Problem> {
        Ok(Self { steps: parser::parse(&source)?, source })
    }

    pub(super) fn render(&self, release: &Release, deadline: Instant) -> anyhow::Result<String> {
        self.run(Value::Record(Record::Release(release)), deadline)
    }

    pub(super) fn render_data(&self, data: &serde_json::Value, deadline: Instant) -> anyhow::Result<String> {
        self.run(Value::Json(data), deadline)
    }

    fn run(&self, data: Value, deadline: Instant) -> anyhow::Result<String> {
        let (source, out) = (&self.source, BoundedOutput::with_deadline(deadline));
        let mut run = Evaluator { source, loops: Vec::new(), scope: data, out };
        let mut next = 0;
        while let Some(step) = self.steps.get(next) {
            next = run.step(step, next)?;
        }
        Ok(run.out.into_text())
    }
}

/// The maximum depth of nested loops, as in GitLab.
const MAX_LOOPS: usize = 4;

struct Evaluator<'a> {
    /// The template, which the steps point into.
    source: &'a Source,
    loops: Vec<Loop<'a>>,
    scope: Value<'a>,
    out: BoundedOutput,
}

struct Loop<'a> {
    items: Items<'a>,
    outer: Value<'a>,
    /// The first step of its body.
    body: usize,
}

impl<'a> Evaluator<'a> {
    /// Executes one step and returns the index of the next.
    fn step(&mut self, step: &Instruction, number: usize) -> anyhow::Result<usize> {
        let name = &self.source.name;
        let rendering = || format!("cannot render `{name}`");
        self.out.step().with_context(rendering)?;
        match step {
            Instruction::Text(range) => self.out.push(&self.source.text[range.clone()]).with_context(rendering)?,
            Instruction::Print(selector) => self.print(&self.scope.select(selector)).with_context(rendering)?,
            Instruction::If { selector, otherwise } if !self.scope.select(selector).is_truthy() => {
                return Ok(*otherwise);
            }
            Instruction::If { .. } => {}
            Instruction::Jump(target) => return Ok(*target),
            Instruction::Each { selector, end, offset } => {
                let Some(items) = self.scope.select(selector).items() else { return Ok(*end) };
                self.enter(items, number + 1, *offset)?;
                return Ok(self.next_item(*end));
            }
            Instruction::Next => return Ok(self.next_item(number + 1)),
        }
        Ok(number + 1)
    }

    fn enter(&mut self, items: Items<'a>, body: usize, offset: usize) -> Result<(), Problem> {
        if self.loops.len() == MAX_LOOPS {
            let at = Position::from_offset(&self.source.text, offset);
            return Err(self.source.problem(at, "you can only nest up to 4 loops"));
        }
        self.loops.push(Loop { items, outer: self.scope.clone(), body });
        Ok(())
    }

    /// Continues with the next item of the innermost loop, or after the loop, which is at `end`.
    fn next_item(&mut self, end: usize) -> usize {
        let Some(innermost) = self.loops.last_mut() else { return end };
        if let Some(item) = innermost.items.next() {
            self.scope = item;
            return innermost.body;
        }
        if let Some(left) = self.loops.pop() {
            self.scope = left.outer;
        }
        end
    }

    fn print(&mut self, value: &Value) -> Result<(), Problem> {
        match value.text() {
            Some(text) => self.out.push(&text),
            None => serde_json::to_writer(&mut self.out, value).map_err(|_| too_large()),
        }
    }
}

#[cfg(test)]
mod tests;
