//! A value of the settings file under its key: read as the kind its key wants, or a clear refusal.

use super::{
    scalar::{self, Scalar},
    yaml::{Node, Style, Value},
};
use crate::model::{Position, Problem, Source, SourceText};

/// The value of one key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) source: Source<'a>,
    pub(super) key: &'a str,
    pub(super) key_at: Position,
    pub(super) node: &'a Node,
}

impl<'a> Field<'a> {
    /// A text; null and `false` stand for the default.
    pub(super) fn text(&self) -> anyhow::Result<Option<String>> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Ok(Some(text.to_owned())),
            Some(Scalar::Null | Scalar::Bool(false)) => Ok(None),
            Some(Scalar::Number(_) | Scalar::Bool(true)) => {
                Err(self.unlike("a text").hint("put quotes round it to make it a text").into())
            }
            None => Err(self.unlike("a text").into()),
        }
    }

    /// A text with places of its own: in the file where it is a `|` block, else in itself.
    pub(super) fn text_with_places(&self) -> anyhow::Result<Option<SourceText>> {
        let Some(text) = self.text()? else { return Ok(None) };
        let (name, at) = (self.source.name, self.node.at);
        if !matches!(self.node.value, Value::Scalar { style: Style::Literal, .. }) {
            return Ok(Some(SourceText::new(format!("{} in {name}", self.key), text)));
        }
        // The parser places a block where its first letter stands, below any empty lines.
        let empty_lines = text.bytes().take_while(|byte| *byte == b'\n').count();
        let start = Position { line: at.line.saturating_sub(empty_lines).max(1), ..at };
        Ok(Some(SourceText { name: name.to_owned(), text, start }))
    }

    /// Any scalar, as Ruby prints it; null and `false` stand for none.
    pub(super) fn title(&self) -> anyhow::Result<Option<String>> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Ok(Some(text.to_owned())),
            Some(Scalar::Number(number)) => Ok(Some(number)),
            Some(Scalar::Bool(true)) => Ok(Some("true".to_owned())),
            Some(Scalar::Bool(false) | Scalar::Null) => Ok(None),
            None => Err(self.unlike("a text").into()),
        }
    }

    /// `true` or `false`; null stands for `false`.
    pub(super) fn flag(&self) -> anyhow::Result<bool> {
        match self.scalar() {
            Some(Scalar::Bool(flag)) => Ok(flag),
            Some(Scalar::Null) => Ok(false),
            _ => Err(self.unlike("`true` or `false`").into()),
        }
    }

    /// A list of texts, where one text stands for a list of one.
    pub(super) fn texts(&self) -> anyhow::Result<Vec<String>> {
        let items = match &self.node.value {
            Value::List(items) => items.as_slice(),
            Value::Scalar { .. } => std::slice::from_ref(self.node),
            Value::Mapping(_) => return Err(self.unlike("a list").into()),
        };
        items.iter().filter_map(|node| Field { node, ..*self }.title().transpose()).collect()
    }

    /// The pairs of a mapping; null and `false` stand for an empty one.
    pub(super) fn pairs(&self, kind: &str) -> anyhow::Result<&'a [(Node, Node)]> {
        match &self.node.value {
            Value::Mapping(pairs) => Ok(pairs),
            _ if matches!(self.scalar(), Some(Scalar::Null | Scalar::Bool(false))) => Ok(&[]),
            _ => Err(self.unlike(kind).into()),
        }
    }

    /// A refusal that says what the key wants and what stands there.
    pub(super) fn unlike(&self, kind: &str) -> Problem {
        self.refusal(&format!("must be {kind}, not {}", self.kind()))
    }

    /// A refusal of the value: key, place and line.
    pub(super) fn refusal(&self, message: &str) -> Problem {
        self.source.problem(self.node.at, &format!("`{}` {message}", self.key))
    }

    fn scalar(&self) -> Option<Scalar<'a>> {
        self.node.scalar()
    }

    fn kind(&self) -> &'static str {
        match (&self.node.value, self.scalar()) {
            (Value::List(_), _) => "a list",
            (Value::Mapping(_), _) => "a mapping",
            (_, Some(Scalar::Null)) => "nothing",
            (_, Some(Scalar::Bool(_))) => "a boolean",
            (_, Some(Scalar::Number(_))) => "a number",
            _ => "a text",
        }
    }
}

impl Node {
    /// The scalar this is, if it is one.
    pub(super) fn scalar(&self) -> Option<Scalar<'_>> {
        match &self.value {
            Value::Scalar { text, style: Style::Plain } => Some(scalar::resolve(text)),
            Value::Scalar { text, .. } => Some(Scalar::Text(text)),
            Value::List(_) | Value::Mapping(_) => None,
        }
    }

    /// The text as it is written, if this is a scalar.
    pub(super) fn as_written(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::List(_) | Value::Mapping(_) => None,
        }
    }
}
