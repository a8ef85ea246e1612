//! YAML as a tree with the position of each node and how it was written.
//!
//! The tree is built from the events of the parser, because values alone are not enough: errors need positions, and
//! some keys need the text of a scalar as it is written, or whether it was quoted.

use std::collections::HashMap;

use anyhow::Context as _;
use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};

use crate::model::{Position, Problem, Source, float_text, is_digits};

/// The maximum depth of nested lists and mappings.
const MAX_DEPTH: usize = 32;
/// The maximum number of nodes of a document, including those that aliases repeat.
pub(super) const MAX_NODES: usize = 200_000;

/// A value and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) at: Position,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar { text: String, style: Style },
    List(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Neither quoted nor a block nor tagged: it may be a number, a boolean or null.
    Plain,
    /// A `|` block: its lines are lines of the file.
    Literal,
    /// Quoted, folded or tagged.
    Other,
}

/// Parses the first document of a text, of at most `max_nodes` nodes; `None` if there is none.
pub(super) fn parse(source: &Source, max_nodes: usize) -> anyhow::Result<Option<Node>> {
    let mut composer =
        Composer { source, events: Parser::new_from_str(&source.text), anchors: HashMap::new(), nodes: 0, max_nodes };
    loop {
        match composer.next()? {
            None | Some((Event::StreamEnd, _)) => return Ok(None),
            Some((Event::DocumentStart(..), _)) => break,
            Some(_) => {}
        }
    }
    composer.node(0).map(Some)
}

struct Composer<'a> {
    source: &'a Source,
    events: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    max_nodes: usize,
}

impl<'a> Composer<'a> {
    fn next(&mut self) -> anyhow::Result<Option<(Event<'a>, Position)>> {
        let Some(event) = self.events.next_event() else { return Ok(None) };
        let (event, span) = event.map_err(|error| self.invalid_yaml(&error))?;
        Ok(Some((event, Position { line: span.start.line(), column: span.start.col() + 1 })))
    }

    fn node(&mut self, depth: usize) -> anyhow::Result<Node> {
        let (event, at) = self.next()?.context("the document ends inside a value")?;
        self.compose(event, at, depth)
    }

    fn compose(&mut self, event: Event<'a>, at: Position, depth: usize) -> anyhow::Result<Node> {
        self.count(1, depth, at)?;
        let anchor = event.anchor_id();
        let value = match event {
            Event::Alias(id) => return self.alias(id, at),
            Event::SequenceStart(..) => Value::List(self.list(depth + 1)?),
            Event::MappingStart(..) => Value::Mapping(self.mapping(depth + 1)?),
            Event::Scalar(text, style, _, tag) => {
                let style = match style {
                    ScalarStyle::Plain if tag.is_none() => Style::Plain,
                    ScalarStyle::Literal => Style::Literal,
                    _ => Style::Other,
                };
                Value::Scalar { text: text.into_owned(), style }
            }
            // Comments and the like are not values.
            _ => return self.node(depth),
        };
        let node = Node { value, at };
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self, depth: usize) -> anyhow::Result<Vec<Node>> {
        let mut items = Vec::new();
        while let Some((event, at)) = self.next()?.filter(|(event, _)| *event != Event::SequenceEnd) {
            items.push(self.compose(event, at, depth)?);
        }
        Ok(items)
    }

    fn mapping(&mut self, depth: usize) -> anyhow::Result<Vec<(Node, Node)>> {
        let mut pairs = Vec::new();
        // By the names of keys that were merged, their indexes.
        let mut merged: HashMap<String, usize> = HashMap::new();
        while let Some((event, at)) = self.next()?.filter(|(event, _)| *event != Event::MappingEnd) {
            let key = self.compose(event, at, depth)?;
            let value = self.node(depth)?;
            let is_merge = key.is_merge() && !matches!(value.value, Value::Scalar { .. });
            for (key, value) in if is_merge { value.merge_pairs() } else { vec![(key, value)] } {
                let name = key.as_written().unwrap_or_default();
                let known = if is_merge { merged.get(name).copied() } else { merged.remove(name) };
                if is_merge && known.is_none() {
                    merged.insert(name.to_owned(), pairs.len());
                }
                match known {
                    Some(index) => pairs[index] = (key, value),
                    None => pairs.push((key, value)),
                }
            }
        }
        Ok(pairs)
    }

    fn alias(&mut self, id: usize, at: Position) -> anyhow::Result<Node> {
        let Some(node) = self.anchors.get(&id).cloned() else {
            return Err(self.source.problem(at, "an alias is inside of the value that it repeats").into());
        };
        self.count(node.size(), 0, at)?;
        Ok(Node { at, ..node })
    }

    fn count(&mut self, nodes: usize, depth: usize, at: Position) -> anyhow::Result<()> {
        self.nodes = self.nodes.saturating_add(nodes);
        if depth > MAX_DEPTH {
            return Err(self.source.problem(at, &format!("nested deeper than {MAX_DEPTH} levels")).into());
        }
        if self.nodes > self.max_nodes {
            let message = format!("more than {} values, including those that aliases repeat", self.max_nodes);
            return Err(self.source.problem(at, &message).into());
        }
        Ok(())
    }

    fn invalid_yaml(&self, error: &ScanError) -> Problem {
        let at = Position { line: error.marker().line(), column: error.marker().col() + 1 };
        self.source.problem(at, &format!("invalid YAML: {}", error.info())).hint(if error.info().contains("tab") {
            "indent lines with spaces, because YAML does not allow tabs there"
        } else {
            "quote a text that starts with a special character, such as `@` or `%`, or contains `: `"
        })
    }
}

impl Node {
    fn is_merge(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, style: Style::Plain } if text == "<<")
    }

    /// Returns the pairs of a mapping, or of the mappings in a list, the last one first: as in Ruby, later pairs win.
    fn merge_pairs(self) -> Vec<(Self, Self)> {
        match self.value {
            Value::Mapping(pairs) => pairs,
            Value::List(items) => items.into_iter().rev().flat_map(Self::merge_pairs).collect(),
            Value::Scalar { .. } => Vec::new(),
        }
    }

    fn size(&self) -> usize {
        1 + match &self.value {
            Value::Scalar { .. } => 0,
            Value::List(items) => items.iter().map(Self::size).sum(),
            Value::Mapping(pairs) => pairs.iter().map(|(key, value)| key.size() + value.size()).sum(),
        }
    }
}

/// A scalar with its type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// A number as Ruby prints it.
    Number(String),
    Text(&'a str),
}

/// Resolves a plain (unquoted, one-line) scalar.
pub(super) fn resolve(text: &str) -> Scalar<'_> {
    match text.to_ascii_lowercase().as_str() {
        "" | "~" | "null" => Scalar::Null,
        "yes" | "true" | "on" => Scalar::Bool(true),
        "no" | "false" | "off" => Scalar::Bool(false),
        ".nan" => Scalar::Number("NaN".to_owned()),
        ".inf" | "+.inf" => Scalar::Number("Infinity".to_owned()),
        "-.inf" => Scalar::Number("-Infinity".to_owned()),
        _ => integer(text)
            .or_else(|| float(text))
            .or_else(|| sexagesimal(text))
            .map_or(Scalar::Text(text), Scalar::Number),
    }
}

/// Parses a whole number in decimal, `0b`, `0x` or (with a leading zero) octal digits; `_` and `,` may separate them.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = split_sign(text);
    let magnitude = match digits.as_bytes() {
        [b'0', b'b', ..] => with_radix(2, &digits[2..]),
        [b'0', b'x', ..] => with_radix(16, &digits[2..]),
        [b'0', _, ..] => with_radix(8, digits),
        [b'0'..=b'9', ..] => decimal(digits),
        _ => None,
    }?;
    Some(if magnitude == "0" { magnitude } else { format!("{sign}{magnitude}") })
}

fn with_radix(radix: u32, digits: &str) -> Option<String> {
    u128::from_str_radix(&strip_separators(digits), radix).ok().map(|number| number.to_string())
}

/// Parses a decimal number of any size; each separator must be between two digits.
fn decimal(digits: &str) -> Option<String> {
    let groups = digits.split(is_separator);
    groups.clone().all(is_digits).then(|| groups.collect())
}

/// Parses a number to the base of 60, as in Ruby: both `a:b` and `a:b:c` begin with hours.
fn sexagesimal(text: &str) -> Option<String> {
    let (hours, rest) = text.split_once(':')?;
    let rest: Vec<&str> = rest.split(':').collect();
    if split_sign(hours).1.starts_with('_')
        || rest.len() > 2
        || !rest.iter().all(|part| matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']))
    {
        return None;
    }
    let hours: i64 = hours.replace('_', "").parse().ok()?;
    let rest = rest.iter().zip([60, 1]).map(|(part, unit)| part.parse::<i64>().unwrap_or_default() * unit);
    Some(hours.checked_mul(3600)?.checked_add(rest.sum())?.to_string())
}

/// Parses a number with a point: `1.`, `.5`, `1_000.25`, `1.5e+3`.
fn float(text: &str) -> Option<String> {
    let (_, unsigned) = split_sign(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "+0"));
    let (whole, fraction) = mantissa.split_once('.')?;
    let all = |text: &str, known: fn(char) -> bool| text.chars().all(known);
    let valid = all(whole, |letter| letter.is_ascii_digit() || matches!(letter, '_' | ','))
        && !whole.starts_with(['_', ','])
        && all(fraction, |letter| letter.is_ascii_digit())
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.strip_prefix(['+', '-']).is_some_and(is_digits);
    let number = valid.then(|| strip_separators(text))?;
    number.parse().ok().map(float_text)
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | ',')
}

fn strip_separators(digits: &str) -> String {
    digits.replace(is_separator, "")
}

fn split_sign(text: &str) -> (&str, &str) {
    match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_ruby_reads_them() {
        let table = [
            ("7", "7"),
            ("+7", "7"),
            ("-7", "-7"),
            ("-0", "0"),
            ("1_000", "1000"),
            ("1,000", "1000"),
            ("017", "15"),
            ("00_", "0"),
            ("12:30", "45000"),
            ("-1:02:03", "-3477"),
            ("0x1F", "31"),
            ("0b101", "5"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("7.50", "7.5"),
            ("-.5", "-0.5"),
            ("1.", "1.0"),
            ("1_0.5e+3", "10500.0"),
            (".inf", "Infinity"),
        ];
        for (text, number) in table {
            assert_eq!(resolve(text), Scalar::Number(number.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_a_text() {
        for text in [
            "08",
            "12:60",
            "1:2:3:4",
            "1e3",
            "1.5e3",
            "1__0",
            "1_",
            ".",
            "-",
            "1.2.3",
            "v1",
            "2024-03-09",
            ":symbol",
            "0xg",
            "+",
        ] {
            assert_eq!(resolve(text), Scalar::Text(text));
        }
    }

    #[test]
    fn words_of_yaml_1_1_are_booleans_and_null() {
        assert_eq!(resolve("Yes"), Scalar::Bool(true));
        assert_eq!(resolve("OFF"), Scalar::Bool(false));
        assert_eq!(resolve("~"), Scalar::Null);
        assert_eq!(resolve("y"), Scalar::Text("y"));
    }
}
