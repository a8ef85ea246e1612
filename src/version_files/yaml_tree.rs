//! A YAML document with the positions of its values, so that many keys are looked up in one reading.

use std::{collections::HashMap, ops::Range};

use anyhow::{Context as _, anyhow};
use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use super::span::{VersionSpan, missing_key, not_a_string, strip_quotes};

/// The first document of a YAML file. Its values are a list, since a tree of any depth could not be dropped.
#[derive(Default)]
pub(super) struct YamlTree {
    nodes: Vec<YamlNode>,
}

/// A value; others are known by their indexes.
enum YamlNode {
    Mapping(HashMap<String, YamlMember>),
    Sequence(Vec<usize>),
    Scalar { text: String, span: Option<Range<usize>>, is_block: bool },
    Alias,
}

/// The value of a key.
struct YamlMember {
    node: usize,
    is_repeated: bool,
}

/// A mapping or sequence that is being read.
struct OpenNode {
    node: usize,
    /// The key that was read and whose value follows.
    key: Option<PendingKey>,
}

/// A key of a mapping; the text of one that is not a scalar does not matter.
struct PendingKey(Option<String>);

impl YamlTree {
    pub(super) fn parse(text: &str) -> anyhow::Result<Self> {
        let mut events = Parser::new_from_str(text);
        loop {
            match next(&mut events)? {
                (Event::DocumentStart(..), _) => break,
                (Event::StreamEnd, _) => return Err(anyhow!("the file is empty")),
                _ => {}
            }
        }
        let (mut tree, mut open) = (Self::default(), Vec::new());
        loop {
            let (event, span) = next(&mut events)?;
            if matches!(event, Event::MappingEnd | Event::SequenceEnd) {
                open.pop();
            } else if let Some((node, is_open)) = new_node(event, span) {
                tree.add(node, is_open, &mut open);
            } else {
                return Err(anyhow!("the file is empty"));
            }
            if open.is_empty() {
                return Ok(tree);
            }
        }
    }

    /// Adds a value to the innermost one that is open.
    fn add(&mut self, node: YamlNode, is_open: bool, open: &mut Vec<OpenNode>) {
        let index = self.nodes.len();
        if let Some(outer) = open.last_mut() {
            match (&mut self.nodes[outer.node], outer.key.take()) {
                (YamlNode::Sequence(items), _) => items.push(index),
                (YamlNode::Mapping(members), Some(PendingKey(Some(name)))) => {
                    let member = YamlMember { node: index, is_repeated: false };
                    members.entry(name).and_modify(|known| known.is_repeated = true).or_insert(member);
                }
                (YamlNode::Mapping(_), None) => {
                    let text = if let YamlNode::Scalar { text, .. } = &node { Some(text.clone()) } else { None };
                    outer.key = Some(PendingKey(text));
                }
                _ => {}
            }
        }
        self.nodes.push(node);
        if is_open {
            open.push(OpenNode { node: index, key: None });
        }
    }

    /// Finds the text that keys lead to.
    pub(super) fn find(&self, text: &str, keys: &[String]) -> anyhow::Result<VersionSpan> {
        let mut node = self.nodes.first().context("the file is empty")?;
        for key in keys {
            let inner = match node {
                YamlNode::Mapping(members) => match members.get(key) {
                    Some(member) if member.is_repeated => return Err(anyhow!("the key `{key}` is repeated")),
                    member => member.map(|member| member.node),
                },
                YamlNode::Sequence(items) => key.parse().ok().and_then(|index: usize| items.get(index).copied()),
                YamlNode::Scalar { .. } => None,
                YamlNode::Alias => break,
            };
            node = inner.and_then(|index| self.nodes.get(index)).ok_or_else(|| missing_key(key))?;
        }
        match node {
            YamlNode::Scalar { is_block: true, .. } => Err(not_a_string("a block of lines")),
            YamlNode::Scalar { text: value, span, .. } => {
                strip_quotes(text, span.clone().context("its position in the file is unknown")?, value)
            }
            YamlNode::Mapping(_) => Err(not_a_string("a mapping")),
            YamlNode::Sequence(_) => Err(not_a_string("a list")),
            YamlNode::Alias => Err(not_a_string("an alias of another value")),
        }
    }
}

/// Returns the value that begins with an event, and whether others follow in it.
fn new_node(event: Event<'_>, span: Span) -> Option<(YamlNode, bool)> {
    match event {
        Event::MappingStart(..) => Some((YamlNode::Mapping(HashMap::new()), true)),
        Event::SequenceStart(..) => Some((YamlNode::Sequence(Vec::new()), true)),
        Event::Scalar(text, style, ..) => {
            let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
            Some((YamlNode::Scalar { text: text.into_owned(), span: span.byte_range(), is_block }, false))
        }
        Event::Alias(_) => Some((YamlNode::Alias, false)),
        _ => None,
    }
}

fn next<'a>(events: &mut Parser<'a, StrInput<'a>>) -> anyhow::Result<(Event<'a>, Span)> {
    let event = events.next_event().context("the file ends inside a value")?;
    event.map_err(|error| anyhow!("the file is not valid YAML: {error}"))
}
