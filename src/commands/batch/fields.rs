//! What the list says of an item, read field by field.

use serde_json::{Map, Value};

use super::item::{Item, ItemTarget};
use crate::model::{Position, Problem, Source, closest};

const KEYS: [&str; 8] = ["command", "repo", "url", "project", "version", "arguments", "options", "id"];

/// What is wrong with an item.
#[derive(Debug)]
pub(super) struct ItemError {
    message: String,
    hint: Option<String>,
}

impl ItemError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The failure at the place where the item stands.
    pub(super) fn at(self, source: Source, at: Position) -> Problem {
        self.hint.into_iter().fold(source.problem(at, &self.message), Problem::hint)
    }
}

impl Item {
    /// Reads what the list says.
    pub(super) fn parse(index: usize, value: Value) -> Result<Self, ItemError> {
        let Value::Object(mut fields) = value else { return Err(ItemError::new("an item must be a mapping")) };
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let known =
                closest(unknown, KEYS).map_or_else(|| KEYS.join(", "), |known| format!("did you mean `{known}`?"));
            return Err(ItemError::new(format!("unknown key `{unknown}`")).hint(known));
        }
        let command = command(fields.remove("command").unwrap_or_default())?;
        let options = options(fields.remove("options").unwrap_or_default())?;
        let mut arguments = texts("version", fields.remove("version").unwrap_or_default())?;
        arguments.extend(texts("arguments", fields.remove("arguments").unwrap_or_default())?);
        let id = texts("id", fields.remove("id").unwrap_or_default())?.pop();
        let item = Self { index, id, command, place: ItemTarget::parse(&mut fields)?, options, arguments };
        if item.arguments.iter().any(|text| text == "-") || item.options.iter().any(|text| text.ends_with("=-")) {
            return Err(ItemError::new("an item has no stdin to read from `-`").hint("name a file"));
        }
        Ok(item)
    }
}

impl ItemTarget {
    fn parse(fields: &mut Map<String, Value>) -> Result<Self, ItemError> {
        let mut given = Vec::new();
        for key in ["repo", "url", "project"] {
            given.extend(texts(key, fields.remove(key).unwrap_or_default())?.pop().map(|text| (key, text)));
        }
        match given.as_slice() {
            [] => Ok(Self::Inherited {}),
            [("project", project)] => Ok(Self::Project(project.clone())),
            [(_, repo)] => Ok(Self::Repo(repo.clone())),
            [(first, _), (second, _), ..] => Err(ItemError::new(format!("an item has `{first}` and `{second}`"))
                .hint("it runs in one place: make two items of it")),
        }
    }
}

fn command(value: Value) -> Result<Vec<String>, ItemError> {
    let words = match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        value => texts("command", value)?,
    };
    match words.first() {
        None => Err(ItemError::new("an item needs a `command`").hint("such as `show`, `add` or `repo tree`")),
        Some(_) if words.iter().any(|word| word.starts_with('-')) => {
            Err(ItemError::new("`command` is made of words").hint("options stand under `options`, by their long names"))
        }
        Some(_) => Ok(words),
    }
}

/// A flag is `true`, a list repeats the option, anything else is its value.
fn options(value: Value) -> Result<Vec<String>, ItemError> {
    let fields = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(fields) => fields,
        _ => return Err(ItemError::new("`options` must be a mapping of long names to values")),
    };
    let mut options = Vec::new();
    for (name, value) in fields {
        if name.starts_with('-') || name.is_empty() {
            return Err(ItemError::new(format!("the option `{name}` must be a long name without dashes")));
        }
        match value {
            Value::Bool(true) => options.push(format!("--{name}")),
            Value::Bool(false) => {}
            value => {
                let values = texts(&format!("the option `{name}`"), value)?;
                options.extend(values.into_iter().map(|text| format!("--{name}={text}")));
            }
        }
    }
    Ok(options)
}

/// One text or several; none where there is null.
fn texts(what: &str, value: Value) -> Result<Vec<String>, ItemError> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text]),
        Value::Number(number) => Ok(vec![number.to_string()]),
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().map(|item| texts(what, item)).collect::<Result<_, _>>()?;
            Ok(items.into_iter().flatten().collect())
        }
        Value::Bool(_) | Value::Object(_) => Err(ItemError::new(format!("{what} must be a text or a list of texts"))),
    }
}
