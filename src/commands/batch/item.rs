//! One item of a batch: from what the list says to a command line.

use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    git::fetch::Url,
    model::{Position, Problem, Source, closest},
};

const KEYS: [&str; 8] = ["command", "repo", "url", "project", "version", "arguments", "options", "id"];

/// A command, where it runs, and with what.
#[derive(Debug)]
pub(super) struct Item {
    /// Its place in the list, from 0.
    pub(super) index: usize,
    /// What its result is known by.
    pub(super) id: Option<String>,
    /// The words of the command: `repo`, `tree`.
    pub(super) command: Vec<String>,
    /// Where it runs.
    pub(super) place: Place,
    options: Vec<String>,
    arguments: Vec<String>,
}

/// Where an item runs; shown without passwords.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Place {
    #[serde(serialize_with = "shown")]
    Repo(String),
    Project(String),
    /// Where the whole run does.
    #[serde(untagged)]
    Here {},
}

/// What is wrong with an item.
#[derive(Debug)]
pub(super) struct Wrong {
    message: String,
    hint: Option<String>,
}

impl Wrong {
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
    pub(super) fn parse(index: usize, value: Value) -> Result<Self, Wrong> {
        let Value::Object(mut fields) = value else { return Err(Wrong::new("an item must be a mapping")) };
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let known =
                closest(unknown, KEYS).map_or_else(|| KEYS.join(", "), |known| format!("did you mean `{known}`?"));
            return Err(Wrong::new(format!("unknown key `{unknown}`")).hint(known));
        }
        let command = command(fields.remove("command").unwrap_or_default())?;
        let options = options(fields.remove("options").unwrap_or_default())?;
        let mut arguments = texts("version", fields.remove("version").unwrap_or_default())?;
        arguments.extend(texts("arguments", fields.remove("arguments").unwrap_or_default())?);
        let id = texts("id", fields.remove("id").unwrap_or_default())?.pop();
        let item = Self { index, id, command, place: Place::parse(&mut fields)?, options, arguments };
        if item.arguments.iter().any(|text| text == "-") || item.options.iter().any(|text| text.ends_with("=-")) {
            return Err(Wrong::new("an item has no stdin to read from `-`").hint("name a file"));
        }
        Ok(item)
    }

    /// The arguments of the program. Options come first: what begins with a dash behind them is an argument.
    pub(super) fn command_line(&self) -> Vec<String> {
        let place = match &self.place {
            Place::Here {} => None,
            Place::Repo(repo) => Some(format!("--repo={repo}")),
            Place::Project(project) => Some(format!("--project={project}")),
        };
        let mut line = self.command.clone();
        line.extend(place);
        line.extend_from_slice(&self.options);
        if !self.arguments.is_empty() {
            line.push("--".to_owned());
            line.extend_from_slice(&self.arguments);
        }
        line
    }

    /// What tells it from other items and is the same in every run: the FNV-1a hash of its command line.
    pub(super) fn key(&self) -> String {
        let text = self.command_line().join("\0");
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// What people know it by.
    pub(super) fn name(&self) -> String {
        let command = self.command.join(" ");
        match (&self.id, &self.place) {
            (Some(id), _) => id.clone(),
            (None, Place::Here {}) => command,
            (None, Place::Repo(repo)) => format!("{command} {}", without_password(repo)),
            (None, Place::Project(project)) => format!("{command} {project}"),
        }
    }
}

/// The items by repository, each in the order of the list: two commands in one repository would disturb each other.
pub(super) fn queues(items: Vec<Item>) -> Vec<Vec<Item>> {
    let mut queues: IndexMap<String, Vec<Item>> = IndexMap::new();
    for item in items {
        let name = match &item.place {
            Place::Here {} => String::new(),
            Place::Repo(repo) => Path::new(repo).canonicalize().map_or(repo.clone(), |path| path.display().to_string()),
            Place::Project(project) => format!("project {project}"),
        };
        queues.entry(name).or_default().push(item);
    }
    queues.into_values().collect()
}

impl Place {
    fn parse(fields: &mut Map<String, Value>) -> Result<Self, Wrong> {
        let mut given = Vec::new();
        for key in ["repo", "url", "project"] {
            given.extend(texts(key, fields.remove(key).unwrap_or_default())?.pop().map(|text| (key, text)));
        }
        match given.as_slice() {
            [] => Ok(Self::Here {}),
            [("project", project)] => Ok(Self::Project(project.clone())),
            [(_, repo)] => Ok(Self::Repo(repo.clone())),
            [(first, _), (second, _), ..] => Err(Wrong::new(format!("an item has `{first}` and `{second}`"))
                .hint("it runs in one place: make two items of it")),
        }
    }
}

fn command(value: Value) -> Result<Vec<String>, Wrong> {
    let words = match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        value => texts("command", value)?,
    };
    match words.first() {
        None => Err(Wrong::new("an item needs a `command`").hint("such as `show`, `add` or `repo tree`")),
        Some(_) if words.iter().any(|word| word.starts_with('-')) => {
            Err(Wrong::new("`command` is made of words").hint("options stand under `options`, by their long names"))
        }
        Some(_) => Ok(words),
    }
}

/// A flag is `true`, a list repeats the option, anything else is its value.
fn options(value: Value) -> Result<Vec<String>, Wrong> {
    let fields = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(fields) => fields,
        _ => return Err(Wrong::new("`options` must be a mapping of long names to values")),
    };
    let mut options = Vec::new();
    for (name, value) in fields {
        if name.starts_with('-') || name.is_empty() {
            return Err(Wrong::new(format!("the option `{name}` must be a long name without dashes")));
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
fn texts(what: &str, value: Value) -> Result<Vec<String>, Wrong> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text]),
        Value::Number(number) => Ok(vec![number.to_string()]),
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().map(|item| texts(what, item)).collect::<Result<_, _>>()?;
            Ok(items.into_iter().flatten().collect())
        }
        Value::Bool(_) | Value::Object(_) => Err(Wrong::new(format!("{what} must be a text or a list of texts"))),
    }
}

fn without_password(repo: &str) -> String {
    Url::parse(repo).ok().flatten().map_or_else(|| repo.to_owned(), |url| url.to_string())
}

fn shown<S: serde::Serializer>(repo: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&without_password(repo))
}
