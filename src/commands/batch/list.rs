//! The list of a batch: one JSON object per line, or a YAML list.

use std::path::Path;

use serde_json::Value;

use super::item::Item;
use crate::{
    commands::session::input,
    config,
    model::{Position, Source},
};

/// Loads the items of a file, or of stdin for `-`. All are checked before the first is run.
pub(super) fn load(path: &Path) -> anyhow::Result<Vec<Item>> {
    let text = input::read_text(path)?;
    parse(Source::new(&input::name(path), text.trim_start_matches('\u{feff}')))
}

fn parse(source: Source) -> anyhow::Result<Vec<Item>> {
    let values = if source.text.trim_start().starts_with('{') { lines(source)? } else { config::list(source)? };
    let items = values.into_iter().enumerate();
    items.map(|(index, (at, value))| Item::parse(index, value).map_err(|wrong| wrong.at(source, at).into())).collect()
}

fn lines(source: Source) -> anyhow::Result<Vec<(Position, Value)>> {
    let lines = source.text.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| object(number + 1, line, source)).collect()
}

fn object(line: usize, text: &str, source: Source) -> anyhow::Result<(Position, Value)> {
    let value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        source.problem(Position { line, column: error.column().max(1) }, message).hint("write one JSON object per line")
    })?;
    Ok((Position { line, column: 1 }, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command_lines(text: &str) -> Vec<String> {
        let items = parse(Source::new("list", text)).unwrap();
        items.iter().map(|item| item.command_line().join(" ")).collect()
    }

    fn refusal(text: &str) -> String {
        format!("{:#}", parse(Source::new("list", text)).unwrap_err())
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
}
