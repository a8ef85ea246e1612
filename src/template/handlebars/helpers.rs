//! The helpers for changelogs, besides those of Handlebars.

use handlebars::{
    Context, Handlebars, Helper, HelperDef, PathAndJson, RenderContext, RenderError, RenderErrorReason, ScopedJson,
};
use serde_json::Value as Json;

use crate::{
    model::{Date, Oid, capitalize, strftime},
    template::escape,
};

/// The longest text that a helper returns, in bytes, so that nested helpers cannot fill the memory.
const MAX_TEXT: usize = 64 * 1024;

pub(super) const HELPERS: [TextHelper; 11] = [
    TextHelper { name: "date", make: date },
    TextHelper { name: "short", make: short },
    TextHelper { name: "upper", make: |call| Ok(call.text(0)?.to_uppercase()) },
    TextHelper { name: "lower", make: |call| Ok(call.text(0)?.to_lowercase()) },
    TextHelper { name: "capitalize", make: |call| Ok(capitalize(&call.text(0)?)) },
    TextHelper { name: "plural", make: plural },
    TextHelper { name: "join", make: join },
    TextHelper { name: "trailers", make: trailers },
    TextHelper { name: "link", make: link },
    TextHelper { name: "escape", make: escape },
    TextHelper { name: "json", make: |call| Ok(call.value(0)?.to_string()) },
];

pub(super) fn register(registry: &mut Handlebars) {
    for helper in HELPERS {
        registry.register_helper(helper.name, Box::new(helper));
    }
}

/// Writes a date in ISO 8601 as Ruby's `strftime` does: `{{date commit.date "%d %B %Y"}}`.
fn date(call: &HelperArgs) -> Result<String, String> {
    let (text, format) = (call.text(0)?, call.text(1)?);
    let date: Date = text.parse().map_err(|_| format!("`{text}` is not a date in ISO 8601"))?;
    Ok(strftime(&date, &format))
}

/// Returns the first digits of an ID: `{{short commit.id}}`, `{{short commit.id 12}}`.
fn short(call: &HelperArgs) -> Result<String, String> {
    let length = if call.len() > 1 { call.count(1)? } else { Oid::SHORT };
    Ok(call.text(0)?.chars().take(length).collect())
}

/// Writes a number and its word: `{{plural count "change"}}`, `{{plural count "entry" "entries"}}`.
fn plural(call: &HelperArgs) -> Result<String, String> {
    let (count, one) = (call.count(0)?, call.text(1)?);
    let many = if call.len() > 2 { call.text(2)? } else { format!("{one}s") };
    Ok(format!("{count} {}", if count == 1 { one } else { many }))
}

/// Joins the items of a list, or the values of an object: `{{join list ", "}}`.
fn join(call: &HelperArgs) -> Result<String, String> {
    let between = call.text(1)?;
    let texts: Vec<String> = match call.value(0)? {
        Json::Array(items) => items.iter().map(text).collect(),
        Json::Object(object) => object.values().map(text).collect(),
        other => return Err(format!("needs a list, not `{}`", text(other))),
    };
    Ok(texts.join(&between))
}

/// Joins the values of these trailers, as far as the commit has them: `{{trailers commit "Closes" "Refs"}}`.
fn trailers(call: &HelperArgs) -> Result<String, String> {
    let object = call.value(0)?;
    let trailers = object.get("trailers").unwrap_or(object);
    let names: Vec<String> = (1..call.len()).map(|index| call.text(index)).collect::<Result<_, _>>()?;
    let values: Vec<String> = names.iter().filter_map(|name| trailers.get(name)).map(text).collect();
    Ok(values.join(", "))
}

/// Writes a Markdown link, or only the text if the URL is empty: `{{link title commit.web_url}}`.
fn link(call: &HelperArgs) -> Result<String, String> {
    let address = call.value(1).map(text).unwrap_or_default();
    Ok(escape::link(&call.text(0)?, &address))
}

/// Escapes a text so that Markdown shows it as it is, with its references as links: `{{escape title}}`, `{{escape title
/// references}}`.
fn escape(call: &HelperArgs) -> Result<String, String> {
    let references = if call.len() > 1 { call.value(1)?.as_array() } else { None };
    let field = |reference: &'_ Json, name| reference.get(name).map(text).unwrap_or_default();
    let links: Vec<(String, String)> =
        references.into_iter().flatten().map(|found| (field(found, "text"), field(found, "url"))).collect();
    let links: Vec<(&str, &str)> = links.iter().map(|(text, address)| (text.as_str(), address.as_str())).collect();
    Ok(escape::escape(&call.text(0)?, &links))
}

fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(super) struct HelperArgs<'a> {
    values: &'a [PathAndJson<'a>],
}

impl HelperArgs<'_> {
    fn len(&self) -> usize {
        self.values.len()
    }

    fn value(&self, index: usize) -> Result<&Json, String> {
        let given = self.values.get(index).ok_or_else(|| format!("argument {} is missing", index + 1))?;
        if given.is_value_missing() {
            let path = given.relative_path().map_or("a value", String::as_str);
            return Err(format!("`{path}` is not defined"));
        }
        Ok(given.value())
    }

    fn text(&self, index: usize) -> Result<String, String> {
        self.value(index).map(text)
    }

    fn count(&self, index: usize) -> Result<usize, String> {
        let value = self.value(index)?;
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| format!("needs a whole number, not `{}`", text(value)))
    }
}

/// A helper that returns a text, also as an argument of another helper.
#[derive(Clone, Copy)]
pub(super) struct TextHelper {
    pub(super) name: &'static str,
    make: fn(&HelperArgs) -> Result<String, String>,
}

impl HelperDef for TextHelper {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        context: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        // Without arguments it is the value of the name, as of the heading's `date`, which the helper would hide.
        if let (true, Some(value)) = (helper.params().is_empty(), context.data().get(self.name)) {
            return Ok(ScopedJson::Derived(value.clone()));
        }
        let made = (self.make)(&HelperArgs { values: helper.params() });
        match made.map_err(|why| format!("`{}`: {why}", self.name)) {
            Ok(text) if text.len() > MAX_TEXT => {
                Err(failure(format!("`{}`: the text has more than {MAX_TEXT} bytes", self.name)))
            }
            Ok(text) => Ok(ScopedJson::Derived(Json::String(text))),
            Err(why) => Err(failure(why)),
        }
    }
}

pub(super) fn failure(message: String) -> RenderError {
    RenderErrorReason::Other(message).into()
}
