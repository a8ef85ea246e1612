//! Runs the steps of a template over its data.

use super::{
    program::Step,
    value::{Items, Value},
};
use crate::{
    changelog::template::output::{Output, too_large},
    model::Problem,
};

/// How deep loops nest, as in the service.
const MAX_LOOPS: usize = 4;

/// Why a template stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// A fifth loop inside of four: where its tag stands.
    TooManyLoops(usize),
    /// Time or room ran out.
    Limit(Problem),
}

/// Takes the steps of a template, which point into its text, with `data` as the outermost scope.
pub(super) fn evaluate<'a>(text: &'a str, steps: &[Step], data: Value<'a>, out: &mut Output) -> Result<(), Stop> {
    let mut run = Run { text, loops: Vec::new(), scope: data, out };
    let mut next = 0;
    while let Some(step) = steps.get(next) {
        next = run.step(step, next)?;
    }
    Ok(())
}

struct Run<'a, 'o> {
    text: &'a str,
    loops: Vec<Loop<'a>>,
    scope: Value<'a>,
    out: &'o mut Output,
}

/// A loop that is being gone through.
struct Loop<'a> {
    items: Items<'a>,
    /// The scope outside.
    outer: Value<'a>,
    /// The first step of its body.
    body: usize,
}

impl<'a> Run<'a, '_> {
    /// Takes one step and tells the next.
    fn step(&mut self, step: &Step, number: usize) -> Result<usize, Stop> {
        self.out.step().map_err(Stop::Limit)?;
        match step {
            Step::Text(range) => self.out.push(&self.text[range.clone()]).map_err(Stop::Limit)?,
            Step::Print(selector) => self.print(&self.scope.select(selector)).map_err(Stop::Limit)?,
            Step::If { selector, otherwise } if !self.scope.select(selector).holds() => return Ok(*otherwise),
            Step::If { .. } => {}
            Step::Jump(target) => return Ok(*target),
            Step::Each { selector, end, offset } => {
                let Some(items) = self.scope.select(selector).items() else { return Ok(*end) };
                self.enter(items, number + 1, *offset)?;
                return Ok(self.next_item(*end));
            }
            Step::Next => return Ok(self.next_item(number + 1)),
        }
        Ok(number + 1)
    }

    fn enter(&mut self, items: Items<'a>, body: usize, offset: usize) -> Result<(), Stop> {
        if self.loops.len() == MAX_LOOPS {
            return Err(Stop::TooManyLoops(offset));
        }
        self.loops.push(Loop { items, outer: self.scope.clone(), body });
        Ok(())
    }

    /// Goes on with the next item of the innermost loop, or behind the loop, which is `end`.
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
            None => serde_json::to_writer(&mut *self.out, value).map_err(|_| too_large()),
        }
    }
}
