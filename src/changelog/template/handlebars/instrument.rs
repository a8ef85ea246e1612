//! Expressions of our own in a parsed template, for what the library does not see.
//!
//! A loop that writes nothing is noticed by nobody, so every block body begins with one that looks at the clock. And of
//! whatever a loop cannot go over the library says that it is not there, so every `each` without `else` gets one there.

use std::time::Instant;

use handlebars::{
    Context, Handlebars, Helper, JsonRender as _, Output, RenderContext, RenderError, RenderErrorReason, TemplateError,
    template::{HelperTemplate, Template, TemplateElement, TemplateMapping},
};
use serde_json::Value as Json;

use super::helpers::failure;
use crate::changelog::template::output::too_slow;

/// The name of the expression at the head of block bodies.
const TICK: &str = "__tick";
/// The name of the expression where `each` has nothing to go over; it gets the values of the `each`.
const NO_ITEMS: &str = "__no_items";

/// Puts the expressions into a template.
pub(super) fn instrument(template: &mut Template) -> Result<(), TemplateError> {
    let compile = |name: &str| Template::compile(&format!("{{{{{name}}}}}"));
    let probes = Probes { tick: compile(TICK)?, no_items: compile(NO_ITEMS)? };
    probes.put_into(template, &probes.tick.mapping[0]);
    Ok(())
}

/// Makes the helpers behind the expressions known.
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
    /// `around` is the place of what has no place of its own, such as the `each` of an `else each`.
    fn put_into(&self, template: &mut Template, around: &TemplateMapping) {
        for (index, element) in template.elements.iter_mut().enumerate() {
            let TemplateElement::HelperBlock(block) = element else { continue };
            let place = template.mapping.get(index).unwrap_or(around);
            for body in [&mut block.template, &mut block.inverse].into_iter().flatten() {
                self.put_into(body, place);
                let place = body.mapping.first().unwrap_or(place).clone();
                body.elements.insert(0, self.tick.elements[0].clone());
                body.mapping.insert(0, place);
            }
            if block.name.as_name() == Some("each") && block.inverse.is_none() {
                block.inverse = Some(self.no_items_of(block, place));
            }
        }
    }

    /// What stands in the `else` of an `each` that has none.
    fn no_items_of(&self, each: &HelperTemplate, place: &TemplateMapping) -> Template {
        let mut template = self.no_items.clone();
        if let TemplateElement::Expression(expression) = &mut template.elements[0] {
            expression.params.clone_from(&each.params);
        }
        template.mapping = vec![place.clone()];
        template
    }
}

/// Looks at the clock.
fn tick(deadline: Instant) -> Result<(), RenderError> {
    if Instant::now() > deadline { Err(failure(too_slow().to_string())) } else { Ok(()) }
}

/// Lets an empty list or object pass, and says of any other value why there is nothing to go over.
fn no_items(each: &Helper) -> Result<(), RenderError> {
    let Some(given) = each.param(0) else { return Ok(()) };
    let kind = match given.value() {
        Json::Array(_) | Json::Object(_) => return Ok(()),
        Json::Null => return Err(RenderErrorReason::MissingVariable(given.relative_path().cloned()).into()),
        Json::String(_) => "a text",
        Json::Number(_) => "a number",
        Json::Bool(_) => "a truth value",
    };
    let name = given.relative_path().cloned().unwrap_or_else(|| given.value().render());
    Err(failure(format!("`{name}` is {kind}, and `each` goes over lists and objects")))
}
