//! YAML as a tree with the position of each node and how it was written.
//!
//! The tree is built from the events of the parser, because values alone are not enough: errors need positions, and some keys
//! need the text of a scalar as it is written, or whether it was quoted.

use std::collections::HashMap;

use anyhow::Context as _;
use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};

use crate::model::{Position, Problem, Source};

/// How deeply lists and mappings may nest.
const MAX_DEPTH: usize = 32;
/// How many nodes a document may have, including those that aliases repeat.
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
pub(super) fn parse(source: Source, max_nodes: usize) -> anyhow::Result<Option<Node>> {
    let mut composer =
        Composer { source, events: Parser::new_from_str(source.text), anchors: HashMap::new(), nodes: 0, max_nodes };
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
    source: Source<'a>,
    events: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    max_nodes: usize,
}

impl<'a> Composer<'a> {
    fn next(&mut self) -> anyhow::Result<Option<(Event<'a>, Position)>> {
        let Some(event) = self.events.next_event() else { return Ok(None) };
        let (event, span) = event.map_err(|error| self.malformed(&error))?;
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
        while let Some((event, at)) = self.next()?.filter(|(event, _)| *event != Event::MappingEnd) {
            let key = self.compose(event, at, depth)?;
            let value = self.node(depth)?;
            match value.value {
                Value::Mapping(merged) if key.is_merge() => pairs.extend(merged),
                _ => pairs.push((key, value)),
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

    fn malformed(&self, error: &ScanError) -> Problem {
        let at = Position { line: error.marker().line(), column: error.marker().col() + 1 };
        self.source
            .problem(at, &format!("invalid YAML: {}", error.info()))
            .hint("quote a text that starts with a special character, such as `@` or `%`, or contains `: `")
    }
}

impl Node {
    fn is_merge(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, style: Style::Plain } if text == "<<")
    }

    fn size(&self) -> usize {
        1 + match &self.value {
            Value::Scalar { .. } => 0,
            Value::List(items) => items.iter().map(Self::size).sum(),
            Value::Mapping(pairs) => pairs.iter().map(|(key, value)| key.size() + value.size()).sum(),
        }
    }
}
