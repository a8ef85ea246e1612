//! A value and its key. It is read as the type of the key, or yields an error that names both.

use std::collections::HashSet;

use super::yaml::{self, Node, Scalar, Style, Value};
use crate::model::{Position, Problem, Source};

/// The value of a key, and the positions of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(super) source: &'a Source,
    pub(super) key: &'a str,
    pub(super) key_at: Position,
    pub(super) node: &'a Node,
}

impl<'a> Field<'a> {
    pub(crate) fn key(&self) -> &'a str {
        self.key
    }

    /// Reads a text that is not blank.
    pub(crate) fn filled(&self) -> anyhow::Result<String> {
        match self.scalar() {
            Some(Scalar::Text(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            Some(Scalar::Text(_) | Scalar::Null) => {
                Err(self.refusal("must not be empty").hint("put quotes round a text that begins with `#`").into())
            }
            _ => Err(self.not_a_text().into()),
        }
    }

    /// Reads a text; `None`, which means the default, for null and `false`.
    pub(crate) fn text(&self) -> anyhow::Result<Option<String>> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Ok(Some(text.to_owned())),
            Some(Scalar::Null | Scalar::Bool(false)) => Ok(None),
            _ => Err(self.not_a_text().into()),
        }
    }

    fn not_a_text(&self) -> Problem {
        let problem = self.type_mismatch("a text");
        if self.scalar().is_some() { problem.hint("put quotes round it to make it a text") } else { problem }
    }

    /// Reads a text with positions for errors: those in the file for a `|` block, otherwise those in the text itself.
    pub(super) fn source_text(&self) -> anyhow::Result<Option<Source>> {
        let Some(text) = self.text()? else { return Ok(None) };
        let (name, at) = (&self.source.name, self.node.at);
        if !matches!(self.node.value, Value::Scalar { style: Style::Literal, .. }) {
            return Ok(Some(Source::new(format!("{} in {name}", self.key), text)));
        }
        // The parser reports the position of the first letter of a block, after empty lines.
        let empty_lines = text.bytes().take_while(|byte| *byte == b'\n').count();
        let start = Position { line: at.line.saturating_sub(empty_lines).max(1), ..at };
        Ok(Some(Source { name: name.clone(), text, start }))
    }

    /// Reads any scalar, as Ruby prints it; `None` for null and `false`.
    pub(crate) fn title(&self) -> anyhow::Result<Option<String>> {
        match self.scalar() {
            Some(Scalar::Text(text)) => Ok(Some(text.to_owned())),
            Some(Scalar::Number(number)) => Ok(Some(number)),
            Some(Scalar::Bool(true)) => Ok(Some("true".to_owned())),
            Some(Scalar::Bool(false) | Scalar::Null) => Ok(None),
            None => Err(self.not_a_text().into()),
        }
    }

    /// Reads `true` or `false`; null means `false`.
    pub(crate) fn flag(&self) -> anyhow::Result<bool> {
        match self.scalar() {
            Some(Scalar::Bool(flag)) => Ok(flag),
            Some(Scalar::Null) => Ok(false),
            _ => Err(self.type_mismatch("`true` or `false`").into()),
        }
    }

    /// Returns the elements of a list, with their positions; a single value is a list of one.
    pub(crate) fn elements(&self) -> anyhow::Result<Vec<Self>> {
        let nodes = match &self.node.value {
            Value::List(nodes) => nodes.as_slice(),
            Value::Scalar { .. } => std::slice::from_ref(self.node),
            Value::Mapping(_) => return Err(self.type_mismatch("a list").into()),
        };
        Ok(nodes.iter().map(|node| Self { node, ..*self }).collect())
    }

    /// Reads a list of texts; a single text is a list of one.
    pub(super) fn texts(&self) -> anyhow::Result<Vec<String>> {
        self.elements()?.iter().filter_map(|element| element.title().transpose()).collect()
    }

    /// Returns the pairs of a mapping; null and `false` mean an empty one.
    pub(super) fn pairs(&self, kind: &str) -> anyhow::Result<&'a [(Node, Node)]> {
        match &self.node.value {
            Value::Mapping(pairs) => Ok(pairs),
            _ if matches!(self.scalar(), Some(Scalar::Null | Scalar::Bool(false))) => Ok(&[]),
            _ => Err(self.type_mismatch(kind).into()),
        }
    }

    /// Reads one of several words; null and `false` mean `default`.
    pub(super) fn one_of<T: Copy>(&self, words: &[(&str, T)], default: T) -> anyhow::Result<T> {
        let Some(text) = self.text()? else { return Ok(default) };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*value);
        }
        let mut words: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        let last = words.pop().unwrap_or_default();
        Err(self.refusal(&format!("must be {} or {last}, not `{text}`", words.join(", "))).into())
    }

    pub(super) fn type_mismatch(&self, kind: &str) -> Problem {
        self.refusal(&format!("must be {kind}, not {}", self.kind()))
    }

    /// Returns an error about the value, with key, position and line.
    pub(crate) fn refusal(&self, message: &str) -> Problem {
        self.source.problem(self.node.at, &format!("`{}` {message}", self.key))
    }

    pub(crate) fn unknown_key(&self) -> Problem {
        self.source.problem(self.key_at, &format!("unknown key `{}`", self.key))
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

/// Returns the fields of a mapping, and refuses a repeated key.
pub(super) fn unique_fields<'a>(source: &'a Source, pairs: &'a [(Node, Node)]) -> Result<Vec<Field<'a>>, Problem> {
    fields(source, pairs, |repeated| {
        Err(source.problem(repeated.key_at, &format!("the key `{}` is repeated", repeated.key)))
    })
}

/// Returns the fields of a mapping; calls `on_repeated` for each repeated key.
pub(super) fn fields<'a>(
    source: &'a Source,
    pairs: &'a [(Node, Node)],
    mut on_repeated: impl FnMut(Field<'a>) -> Result<(), Problem>,
) -> Result<Vec<Field<'a>>, Problem> {
    let mut seen = HashSet::new();
    let mut fields = Vec::with_capacity(pairs.len());
    for (key, node) in pairs {
        let name = key.as_written().ok_or_else(|| source.problem(key.at, "a key must be a text"))?;
        let field = Field { source, key: name, key_at: key.at, node };
        if !seen.insert(name) {
            on_repeated(field)?;
        }
        fields.push(field);
    }
    Ok(fields)
}

impl Node {
    pub(super) fn scalar(&self) -> Option<Scalar<'_>> {
        match &self.value {
            Value::Scalar { text, style: Style::Plain } => Some(yaml::resolve(text)),
            Value::Scalar { text, .. } => Some(Scalar::Text(text)),
            Value::List(_) | Value::Mapping(_) => None,
        }
    }

    /// Returns the text as it is written, if this is a scalar.
    pub(super) fn as_written(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::List(_) | Value::Mapping(_) => None,
        }
    }
}
