//! The list of a batch, one JSON object per line or a YAML list; its items; and the shard that one of several machines
//! runs.

use std::path::Path;

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::{
    commands::session::{input_name, read_text},
    config,
    model::{Position, Problem, Source, closest, mask_credentials},
};

/// Loads the items of a file, or of stdin for `-`. Every item is checked before the first one is run.
pub(super) fn load(path: &Path) -> anyhow::Result<Vec<Item>> {
    let text = read_text(path)?;
    parse(&Source::new(input_name(path), text))
}

fn parse(source: &Source) -> anyhow::Result<Vec<Item>> {
    let values = if source.text.trim_start().starts_with('{') { lines(source)? } else { config::list(source)? };
    let items = values.into_iter().enumerate();
    items
        .map(|(index, (at, value))| Item::parse(index, value).map_err(|wrong| at_position(&wrong, source, at).into()))
        .collect()
}

/// Returns an error in an item with its position in the list.
fn at_position(wrong: &Problem, source: &Source, at: Position) -> Problem {
    source.problem(at, &wrong.to_string()).with_hints(wrong.hints())
}

fn lines(source: &Source) -> anyhow::Result<Vec<(Position, Value)>> {
    let lines = source.text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| object(number + 1, line, source)).collect()
}

fn object(line: usize, text: &str, source: &Source) -> anyhow::Result<(Position, Value)> {
    let value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        source.problem(Position { line, column: error.column().max(1) }, message).hint("write one JSON object per line")
    })?;
    Ok((Position { line, column: 1 }, value))
}

const KEYS: [&str; 8] = ["command", "repo", "url", "project", "version", "arguments", "options", "id"];

/// A command with its repository, options and arguments.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) index: usize,
    /// The name of the result.
    pub(super) id: Option<String>,
    /// The words of the command: `repo`, `tree`.
    pub(super) command: Vec<String>,
    /// The option that names the repository, `repo` or `project`, and its value; `None` for that of the whole batch.
    pub(super) target: Option<(&'static str, String)>,
    /// The options as they are typed: `--from=v1`.
    pub(super) options: Vec<String>,
    pub(super) arguments: Vec<String>,
}

impl Item {
    /// Returns the arguments of the program. Options come first; an argument after them can begin with a dash.
    pub(super) fn command_line(&self) -> Vec<String> {
        let target = self.target.as_ref().map(|(option, value)| format!("--{option}={value}"));
        let mut line = self.command.clone();
        line.extend(target);
        line.extend_from_slice(&self.options);
        if !self.arguments.is_empty() {
            line.push("--".to_owned());
            line.extend_from_slice(&self.arguments);
        }
        line
    }

    /// Returns the key of the item, which is the same in every run: the FNV-1a hash of its command line.
    pub(super) fn key(&self) -> String {
        let text = self.command_line().join("\0");
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    /// Returns the name of the item in messages.
    pub(super) fn name(&self) -> String {
        let command = self.command.join(" ");
        match (&self.id, &self.target) {
            (Some(id), _) => id.clone(),
            (None, None) => command,
            (None, Some((_, value))) => format!("{command} {}", mask_credentials(value)),
        }
    }

    pub(super) fn parse(index: usize, value: Value) -> Result<Self, Problem> {
        let Value::Object(mut fields) = value else { return Err(Problem::new("an item must be a mapping")) };
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let known =
                closest(unknown, KEYS).map_or_else(|| KEYS.join(", "), |known| format!("did you mean `{known}`?"));
            return Err(Problem::new(format!("unknown key `{unknown}`")).hint(known));
        }
        let command = command(fields.remove("command").unwrap_or_default())?;
        let options = options(fields.remove("options").unwrap_or_default())?;
        let mut arguments = texts("version", fields.remove("version").unwrap_or_default())?;
        arguments.extend(texts("arguments", fields.remove("arguments").unwrap_or_default())?);
        let id = texts("id", fields.remove("id").unwrap_or_default())?.pop();
        let item = Self { index, id, command, target: target(&mut fields)?, options, arguments };
        if item.arguments.iter().any(|text| text == "-") || item.options.iter().any(|text| text.ends_with("=-")) {
            return Err(Problem::new("`-` cannot be used in an item, which has no stdin").hint("name a file"));
        }
        Ok(item)
    }
}

/// Groups the items by repository, in the order of the list, because parallel commands in one repository would interfere.
pub(super) fn queues(items: Vec<Item>) -> Vec<Vec<Item>> {
    let mut queues: IndexMap<String, Vec<Item>> = IndexMap::new();
    for item in items {
        let name = match &item.target {
            None => String::new(),
            Some(("project", project)) => format!("project {project}"),
            Some((_, repo)) => Path::new(repo).canonicalize().map_or(repo.clone(), |path| path.display().to_string()),
        };
        queues.entry(name).or_default().push(item);
    }
    queues.into_values().collect()
}

fn target(fields: &mut Map<String, Value>) -> Result<Option<(&'static str, String)>, Problem> {
    let mut given = Vec::new();
    for key in ["repo", "url", "project"] {
        given.extend(texts(key, fields.remove(key).unwrap_or_default())?.pop().map(|text| (key, text)));
    }
    match given.as_slice() {
        [(first, _), (second, _), ..] => {
            Err(Problem::new(format!("an item has `{first}` and `{second}`")).hint("write two items"))
        }
        _ => Ok(given.pop().map(|(key, text)| (if key == "project" { key } else { "repo" }, text))),
    }
}

fn command(value: Value) -> Result<Vec<String>, Problem> {
    let words = match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        value => texts("command", value)?,
    };
    match words.first() {
        None => Err(Problem::new("an item needs a `command`").hint("use one such as `show`, `add` or `repo tree`")),
        Some(_) if words.iter().any(|word| word.starts_with('-')) => {
            Err(Problem::new("`command` must not have options").hint("write them under `options`, with long names"))
        }
        Some(_) => match words.iter().find(|word| word.len() > LONGEST_NAME) {
            Some(word) => Err(Problem::new(format!("unknown command `{word}`"))),
            None => Ok(words),
        },
    }
}

/// More bytes than the name of a command or an option has. To look for a similar one takes long for a text of any length.
const LONGEST_NAME: usize = 100;

/// Parses options: a flag is `true`, a list repeats the option, anything else is its value.
fn options(value: Value) -> Result<Vec<String>, Problem> {
    let fields = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(fields) => fields,
        _ => return Err(Problem::new("`options` must be a mapping of long names to values")),
    };
    let mut options = Vec::new();
    for (name, value) in fields {
        if name.len() > LONGEST_NAME {
            return Err(Problem::new(format!("unknown option `{name}`")));
        }
        if name.starts_with('-') || name.is_empty() {
            return Err(Problem::new(format!("the option `{name}` must be a long name without dashes")));
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

/// Parses one text or several; `null` is an empty list.
fn texts(what: &str, value: Value) -> Result<Vec<String>, Problem> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) => Ok(vec![text]),
        Value::Number(number) => Ok(vec![number.to_string()]),
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().map(|item| texts(what, item)).collect::<Result<_, _>>()?;
            Ok(items.into_iter().flatten().collect())
        }
        Value::Bool(_) | Value::Object(_) => Err(Problem::new(format!("{what} must be a text or a list of texts"))),
    }
}

/// A shard of a list: number `number`, counted from 1, of `of` shards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Parses `3/10`, `auto` or `auto/10`; `variable` reads the environment.
    pub(super) fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Problem> {
        let number = |name: &str| variable(name)?.parse().ok();
        let (first, of) = match text.split_once('/') {
            None if text == "auto" => {
                let of = number("CI_NODE_TOTAL").ok_or_else(|| missing_total(variable))?;
                return Self { number: number("CI_NODE_INDEX").unwrap_or(1), of }.check(text);
            }
            None => return Err(invalid_shard(text)),
            Some((first, of)) => (first, of.parse().map_err(|_| invalid_shard(text))?),
        };
        let number = match first {
            // GitLab counts from 1, an indexed Kubernetes job (JOB_COMPLETION_INDEX) from 0.
            "auto" => number("CI_NODE_INDEX").or_else(|| number("JOB_COMPLETION_INDEX")?.checked_add(1)),
            _ => first.parse().ok(),
        };
        Self { number: number.ok_or_else(|| invalid_shard(text))?, of }.check(text)
    }

    /// Whether the item at an index belongs to this shard: every `of`-th item, starting at `number`.
    pub(super) fn contains(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }

    fn check(self, text: &str) -> Result<Self, Problem> {
        if (1..=self.of).contains(&self.number) { Ok(self) } else { Err(invalid_shard(text)) }
    }
}

fn invalid_shard(text: &str) -> Problem {
    Problem::usage(format!("`--shard {text}` is not a shard"))
        .hint("use N/M with N from 1 to M, such as `3/10`; `auto` is `CI_NODE_INDEX` or `JOB_COMPLETION_INDEX`")
}

fn missing_total(variable: &dyn Fn(&str) -> Option<String>) -> Problem {
    let problem = Problem::usage("`--shard auto` needs `CI_NODE_TOTAL`, which is not set");
    match variable("JOB_COMPLETION_INDEX") {
        Some(_) => problem.hint("use `--shard auto/M`: an indexed job does not know the number of jobs"),
        None => problem.hint("use it in a GitLab job with `parallel: N`, or use `--shard N/M`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_lines(text: &str) -> Vec<String> {
        let items = parse(&Source::new("list", text)).unwrap();
        items.iter().map(|item| item.command_line().join(" ")).collect()
    }

    fn refusal(text: &str) -> String {
        format!("{:#}", parse(&Source::new("list", text)).unwrap_err())
    }

    #[test]
    fn lines_and_yaml_are_equivalent() {
        let expected = ["show --repo=../a --from=v1 --first-release -- 1.10", "repo tree --project=a/b -- src"];
        let lines = "{\"command\": \"show\", \"repo\": \"../a\", \"version\": \"1.10\", \
                     \"options\": {\"from\": \"v1\", \"first-release\": true, \"strict\": false, \"to\": null}}\n\n\
                     {\"command\": [\"repo\", \"tree\"], \"project\": \"a/b\", \"arguments\": [\"src\"]}\r\n";
        assert_eq!(command_lines(lines), expected);
        let yaml = "- command: show\n  repo: ../a\n  version: 1.10\n  options: {from: v1, first-release: yes}\n\
                    - {command: repo tree, project: a/b, arguments: [src]}\n";
        assert_eq!(command_lines(yaml), expected);
        assert_eq!(
            command_lines("- {command: x, options: {exclude-path: [a, b], n: 3}}"),
            ["x --exclude-path=a --exclude-path=b --n=3"]
        );
    }

    #[test]
    fn an_error_has_its_position() {
        let table = [
            ("{\"command\": \"show\"}\n{\"command\": show}\n", "list:2:13: expected"),
            ("{\"command\": \"show\"}\n[]\n", "list:2:1: an item must be a mapping"),
            ("- command: show\n- {}\n", "list:2:3: an item needs a `command`"),
            ("- {comand: show}\n", "list:1:3: unknown key `comand`"),
            ("- {command: [show, '--strict']}\n", "`command` must not have options"),
            ("- {command: show, repo: a, project: b}\n", "`repo` and `project`"),
            ("- {command: show, options: {from: {}}}\n", "the option `from`"),
            ("- {command: show, options: {--from: x}}\n", "without dashes"),
            ("- {command: show, options: [from]}\n", "`options` must be a mapping"),
            ("- {command: render, options: {context: '-'}}\n", "no stdin"),
            ("command: show\n", "list:1:1: must be a list"),
        ];
        for (text, expected) in table {
            assert!(refusal(text).contains(expected), "{text}: {}", refusal(text));
        }
    }

    fn shard(text: &str, set: &[(&str, &str)]) -> Option<(usize, usize)> {
        let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        Shard::parse(text, &variable).ok().map(|shard| (shard.number, shard.of))
    }

    #[test]
    fn a_shard_is_given_or_read_from_the_environment() {
        assert_eq!(shard("3/10", &[]), Some((3, 10)));
        assert_eq!(shard("auto", &[("CI_NODE_INDEX", "2"), ("CI_NODE_TOTAL", "4")]), Some((2, 4)));
        assert_eq!(shard("auto", &[("CI_NODE_TOTAL", "1")]), Some((1, 1)));
        assert_eq!(shard("auto/5", &[("JOB_COMPLETION_INDEX", "0")]), Some((1, 5)));
        assert_eq!(shard("3/10", &[("CI_NODE_INDEX", "9"), ("CI_NODE_TOTAL", "9")]), Some((3, 10)));
    }

    #[test]
    fn what_is_not_a_shard_is_refused() {
        for text in ["", "3", "0/10", "11/10", "a/b", "1/0", "-1/3", "auto", "auto/3", "auto/"] {
            assert_eq!(shard(text, &[]), None, "{text}");
        }
        assert_eq!(shard("auto/3", &[("JOB_COMPLETION_INDEX", "3")]), None);
    }
}
