//! Expressions that are inserted into a parsed template.
//!
//! Every block body begins with one that checks the deadline, because a loop may write nothing. And every `each` without
//! `else` gets one there that reports a value that is not a list: for the library it would be undefined.

use std::time::Instant;

use handlebars::{
    Context, Handlebars, Helper, JsonRender as _, Output, RenderContext, RenderError, RenderErrorReason, TemplateError,
    template::{HelperTemplate, Template, TemplateElement, TemplateMapping},
};
use serde_json::Value as Json;

use super::helpers::failure;
use crate::changelog::template::output::too_slow;

/// The name of the expression at the start of block bodies.
const TICK: &str = "__tick";
/// The name of the expression in the `else` of an `each`, with the arguments of the `each`.
const NO_ITEMS: &str = "__no_items";

/// Inserts the expressions into a template.
pub(super) fn instrument(template: &mut Template) -> Result<(), TemplateError> {
    let compile = |name: &str| Template::compile(&format!("{{{{{name}}}}}"));
    let probes = Probes { tick: compile(TICK)?, no_items: compile(NO_ITEMS)? };
    probes.insert_into(template, &probes.tick.mapping[0]);
    Ok(())
}

/// Registers the helpers of the expressions.
pub(super) fn register(registry: &mut Handlebars, deadline: Instant) {
    let tick = move |_: &Helper, _: &Handlebars, _: &Context, _: &mut RenderContext, _: &mut dyn Output| tick(deadline);
    let no_items =
        |helper: &Helper, _: &Handlebars, _: &Context, _: &mut RenderContext, _: &mut dyn Output| no_items(helper);
    registry.register_helper(TICK, Box::new(tick));
    registry.register_helper(NO_ITEMS, Box::new(no_items));
}

/// Templates of one expression each.
struct Probes {
    tick: Template,
    no_items: Template,
}

impl Probes {
    /// `outer` is the position for elements without one, such as the `each` of an `else each`.
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

    /// The `else` for an `each` that has none.
    fn no_items_of(&self, each: &HelperTemplate, position: &TemplateMapping) -> Template {
        let mut template = self.no_items.clone();
        if let TemplateElement::Expression(expression) = &mut template.elements[0] {
            expression.params.clone_from(&each.params);
        }
        template.mapping = vec![position.clone()];
        template
    }
}

/// Fails if the deadline has passed.
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
