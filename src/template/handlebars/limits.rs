//! The limits of a Handlebars template; the library itself has no limits.
//!
//! The parser and renderer of the library recurse, and the time for parsing grows with the square of the size. So the
//! source is measured before it is parsed, and the work is done on a thread with a large stack and a deadline.
//!
//! Expressions are inserted into a parsed template: every block body begins with one that checks the deadline, because
//! a loop may write nothing. Every `each` without `else` gets one with an expression that reports a value that is not a
//! list; the library would call it undefined.

use std::{sync::mpsc, thread, time::Instant};

use handlebars::{
    Context, Handlebars, Helper, JsonRender as _, Output, RenderContext, RenderError, RenderErrorReason, TemplateError,
    template::{HelperTemplate, Template, TemplateElement, TemplateMapping},
};
use serde_json::Value as Json;

use super::helpers::failure;
use crate::{
    model::{Position, Problem, Source},
    template::output::too_slow,
};

pub(super) const MAX_BYTES: usize = 16 * 1024;
/// The maximum number of times each of these may occur in a source, which limits how deeply they nest.
const MAX_TIMES: [(&str, usize); 4] = [("{{", 1024), ("(", 512), ("[", 512), ("{", 2300)];
const MAX_BACKSLASHES: usize = 16;

/// Refuses a source that exceeds a limit, or has tags that are not supported.
pub(super) fn measure(source: &Source) -> Result<(), Problem> {
    let text = &source.text;
    let refuse = |message: String| Err(Problem::new(format!("{}: {message}", source.name)));
    if text.len() > MAX_BYTES {
        return refuse(format!("a Handlebars template may have {MAX_BYTES} bytes, this one has {}", text.len()));
    }
    for (piece, most) in MAX_TIMES {
        let times = text.matches(piece).count();
        if times > most {
            return refuse(format!("a Handlebars template may have {most} times `{piece}`, this one has {times}"));
        }
    }
    if text.contains(&"\\".repeat(MAX_BACKSLASHES + 1)) {
        return refuse(format!("more than {MAX_BACKSLASHES} backslashes in a row"));
    }
    match text.match_indices("{{").find(|(offset, _)| is_partial(&text[offset + 2..])) {
        Some((offset, _)) => {
            let message = "partials (`{{> name}}`) and decorators (`{{* name}}`) are not supported";
            Err(source.problem(Position::from_offset(text, offset), message))
        }
        None => Ok(()),
    }
}

/// Whether a tag includes another template, which could recurse without end.
fn is_partial(tag: &str) -> bool {
    tag.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '~')
        .trim_start_matches('#')
        .trim_start()
        .starts_with(['>', '*'])
}

/// The name of the thread; a panic in it is reported as an error.
pub(crate) const TEMPLATE_THREAD: &str = "template";

/// The stack size for the deepest template that [`measure`] accepts, on any system.
const STACK: usize = 64 << 20;

/// Runs `work` on a thread, and returns its result if it is done before the deadline.
pub(super) fn run_with_deadline<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let run = move || {
        // Sending fails if the deadline has passed and nobody waits for the result.
        let _ = sender.send(work());
    };
    let started = thread::Builder::new().name(TEMPLATE_THREAD.to_owned()).stack_size(STACK).spawn(run);
    started.map_err(|error| Problem::new(format!("cannot start a thread: {error}")))?;
    let remaining = deadline.saturating_duration_since(Instant::now());
    receiver.recv_timeout(remaining).map_err(|error| match error {
        mpsc::RecvTimeoutError::Timeout => too_slow(),
        mpsc::RecvTimeoutError::Disconnected => Problem::new("the template makes the Handlebars library panic"),
    })
}

/// The name of the expression at the start of block bodies.
const TICK: &str = "__tick";
/// The name of the expression in the `else` of an `each`, with the arguments of the `each`.
const NO_ITEMS: &str = "__no_items";

pub(super) fn instrument(template: &mut Template) -> Result<(), TemplateError> {
    let compile = |name: &str| Template::compile(&format!("{{{{{name}}}}}"));
    let probes = Probes { tick: compile(TICK)?, no_items: compile(NO_ITEMS)? };
    probes.insert_into(template, &probes.tick.mapping[0]);
    Ok(())
}

pub(super) fn register(registry: &mut Handlebars, deadline: Instant) {
    let tick = move |_: &Helper, _: &Handlebars, _: &Context, _: &mut RenderContext, _: &mut dyn Output| tick(deadline);
    registry.register_helper(TICK, Box::new(tick));
    registry.register_helper(
        NO_ITEMS,
        Box::new(|helper: &Helper, _: &Handlebars, _: &Context, _: &mut RenderContext, _: &mut dyn Output| {
            no_items(helper)
        }),
    );
}

struct Probes {
    tick: Template,
    no_items: Template,
}

impl Probes {
    /// Inserts the expressions; `outer` is the position for elements without one, such as the `each` of an `else each`.
    fn insert_into(&self, template: &mut Template, outer: &TemplateMapping) {
        for (index, element) in template.elements.iter_mut().enumerate() {
            let TemplateElement::HelperBlock(block) = element else { continue };
            let position = template.mapping.get(index).unwrap_or(outer);
            for body in [&mut block.template, &mut block.inverse].into_iter().flatten() {
                self.insert_into(body, position);
                let position = body.mapping.first().unwrap_or(position).clone();
                body.elements.insert(0, self.tick.elements[0].clone());
                body.mapping.insert(0, position);
            }
            if block.name.as_name() == Some("each") && block.inverse.is_none() {
                block.inverse = Some(self.no_items_of(block, position));
            }
        }
    }

    fn no_items_of(&self, each: &HelperTemplate, position: &TemplateMapping) -> Template {
        let mut template = self.no_items.clone();
        if let TemplateElement::Expression(expression) = &mut template.elements[0] {
            expression.params.clone_from(&each.params);
        }
        template.mapping = vec![position.clone()];
        template
    }
}

fn tick(deadline: Instant) -> Result<(), RenderError> {
    if Instant::now() > deadline { Err(failure(too_slow().to_string())) } else { Ok(()) }
}

/// Accepts an empty list or object, and reports any other value.
fn no_items(each: &Helper) -> Result<(), RenderError> {
    let Some(given) = each.param(0) else { return Ok(()) };
    let kind = match given.value() {
        Json::Array(_) | Json::Object(_) => return Ok(()),
        Json::Null => return Err(RenderErrorReason::MissingVariable(given.relative_path().cloned()).into()),
        Json::String(_) => "a text",
        Json::Number(_) => "a number",
        Json::Bool(_) => "a boolean",
    };
    let name = given.relative_path().cloned().unwrap_or_else(|| given.value().render());
    Err(failure(format!("`{name}` is {kind}, but `each` needs a list or an object")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let deadline = Instant::now() + Duration::from_secs(60);
        let error = run_with_deadline(deadline, || panic!("as the library must not")).map(|(): ()| ()).unwrap_err();
        assert_eq!(error.to_string(), "the template makes the Handlebars library panic");
    }
}
