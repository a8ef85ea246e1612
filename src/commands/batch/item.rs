//! One item of a batch: what the list says about it, and the command line that follows.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{Position, Problem, Source, closest, mask_credentials};

const KEYS: [&str; 8] = ["command", "repo", "url", "project", "version", "arguments", "options", "id"];

/// A command with its repository, options and arguments.
#[derive(Debug)]
pub(super) struct Item {
    /// The index in the list.
    pub(super) index: usize,
    /// The name of the result.
    pub(super) id: Option<String>,
    /// The words of the command: `repo`, `tree`.
    pub(super) command: Vec<String>,
    pub(super) target: ItemTarget,
    /// The options as they are typed: `--from=v1`.
    pub(super) options: Vec<String>,
    /// The arguments after the options.
    pub(super) arguments: Vec<String>,
}

/// The repository or project of an item; serialized without passwords.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ItemTarget {
    #[serde(serialize_with = "shown")]
    Repo(String),
    Project(String),
    /// That of the whole batch.
    #[serde(untagged)]
    Inherited {},
}

impl Item {
    /// The arguments of the program. Options come first; an argument after them can begin with a dash.
    pub(super) fn command_line(&self) -> Vec<String> {
        let target = match &self.target {
            ItemTarget::Inherited {} => None,
            ItemTarget::Repo(repo) => Some(format!("--repo={repo}")),
            ItemTarget::Project(project) => Some(format!("--project={project}")),
        };
        let mut line = self.command.clone();
        line.extend(target);
        line.extend_from_slice(&self.options);
        if !self.arguments.is_empty() {
            line.push("--".to_owned());
            line.extend_from_slice(&self.arguments);
        }
        line
    }

    /// The key of the item, which is the same in every run: the FNV-1a hash of its command line.
    pub(super) fn key(&self) -> String {
        let text = self.command_line().join("\0");
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// The name in messages.
    pub(super) fn name(&self) -> String {
        let command = self.command.join(" ");
        match (&self.id, &self.target) {
            (Some(id), _) => id.clone(),
            (None, ItemTarget::Inherited {}) => command,
            (None, ItemTarget::Repo(repo)) => format!("{command} {}", mask_credentials(repo)),
            (None, ItemTarget::Project(project)) => format!("{command} {project}"),
        }
    }
}

/// Groups the items by repository, in the order of the list, because parallel commands in one repository would interfere.
pub(super) fn queues(items: Vec<Item>) -> Vec<Vec<Item>> {
    let mut queues: IndexMap<String, Vec<Item>> = IndexMap::new();
    for item in items {
        let name = match &item.target {
            ItemTarget::Inherited {} => String::new(),
            ItemTarget::Repo(repo) => {
                Path::new(repo).canonicalize().map_or(repo.clone(), |path| path.display().to_string())
            }
            ItemTarget::Project(project) => format!("project {project}"),
        };
        queues.entry(name).or_default().push(item);
    }
    queues.into_values().collect()
}

fn shown<S: serde::Serializer>(repo: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&mask_credentials(repo))
}

/// An error in an item.
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

    /// The problem with the item's position in the list.
    pub(super) fn at(self, source: Source, at: Position) -> Problem {
        self.hint.into_iter().fold(source.problem(at, &self.message), Problem::hint)
    }
}

impl Item {
    /// Parses an item.
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
        let item = Self { index, id, command, target: ItemTarget::parse(&mut fields)?, options, arguments };
        if item.arguments.iter().any(|text| text == "-") || item.options.iter().any(|text| text.ends_with("=-")) {
            return Err(ItemError::new("`-` cannot be used in an item, which has no stdin").hint("name a file"));
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
            [(first, _), (second, _), ..] => {
                Err(ItemError::new(format!("an item has `{first}` and `{second}`")).hint("write two items"))
            }
        }
    }
}

fn command(value: Value) -> Result<Vec<String>, ItemError> {
    let words = match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        value => texts("command", value)?,
    };
    match words.first() {
        None => Err(ItemError::new("an item needs a `command`").hint("use one such as `show`, `add` or `repo tree`")),
        Some(_) if words.iter().any(|word| word.starts_with('-')) => {
            Err(ItemError::new("`command` must not have options").hint("write them under `options`, with long names"))
        }
        Some(_) => Ok(words),
    }
}

/// Parses options: a flag is `true`, a list repeats the option, anything else is its value.
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

/// Parses one text or several; `null` is none.
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
