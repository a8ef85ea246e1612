//! The configurations of other tools, in TOML, JSON or YAML: one tree, whose errors name file, line and key.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike};

use super::{
    field::{self, Field},
    yaml::{self, MAX_NODES, Node, Scalar, Style, Value},
};
use crate::model::{Position, Source};

/// The configuration file of another tool.
#[derive(Clone, Debug)]
pub(crate) struct ForeignConfig {
    source: Source,
    root: Node,
}

impl ForeignConfig {
    /// Parses a file by its name: TOML or JSON, anything else is YAML, which JSON is too.
    pub(crate) fn parse(bytes: &[u8], name: &str) -> anyhow::Result<Self> {
        let source = super::decode::decode_text(bytes, name)?;
        let extension = name.rsplit('.').next().unwrap_or_default();
        let root = match extension {
            "toml" => Some(from_toml(&source)?),
            "json" => {
                let valid: Result<serde::de::IgnoredAny, _> = serde_json::from_str(&source.text);
                valid.map_err(|error| {
                    let at = Position { line: error.line().max(1), column: error.column().max(1) };
                    source.problem(at, &format!("invalid JSON: {error}"))
                })?;
                yaml::parse(&source, MAX_NODES)?
            }
            _ => yaml::parse(&source, MAX_NODES)?,
        };
        let at = root.as_ref().map_or(Position::START, |root| root.at);
        let root = root
            .filter(|root| matches!(root.value, Value::Mapping(_)))
            .ok_or_else(|| source.problem(at, "the file must be a mapping of keys to values"))?;
        Ok(Self { source, root })
    }

    pub(crate) fn fields(&self) -> anyhow::Result<Vec<Field<'_>>> {
        let whole = Field { source: &self.source, key: "", key_at: self.root.at, node: &self.root };
        whole.fields()
    }
}

impl Field<'_> {
    /// Returns the fields of a mapping; null and `false` mean an empty one.
    pub(crate) fn fields(&self) -> anyhow::Result<Vec<Self>> {
        let pairs = self.pairs("a mapping of keys to values")?;
        Ok(field::unique_fields(self.source, pairs)?)
    }

    pub(crate) fn is_mapping(&self) -> bool {
        matches!(self.node.value, Value::Mapping(_))
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.node.value, Value::List(_))
    }

    /// Whether the value says nothing: null, `false`, or an empty text, list or mapping.
    pub(crate) fn is_off(&self) -> bool {
        match &self.node.value {
            Value::List(items) => items.is_empty(),
            Value::Mapping(pairs) => pairs.is_empty(),
            Value::Scalar { text, .. } => {
                text.is_empty() || matches!(self.node.scalar(), Some(Scalar::Null | Scalar::Bool(false)))
            }
        }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.node.scalar() == Some(Scalar::Bool(true))
    }

    /// Returns the line of the key, from 1.
    pub(crate) fn line(&self) -> usize {
        self.key_at.line
    }
}

fn from_toml(source: &Source) -> anyhow::Result<Node> {
    let document = Document::parse(source.text.as_str()).map_err(|error| {
        let at = Position::from_offset(&source.text, error.span().map_or(0, |span| span.start));
        source.problem(at, &format!("invalid TOML: {}", error.message().trim()))
    })?;
    Ok(TomlText::new(&source.text).mapping(document.as_table(), Position::START))
}

/// The text of a TOML file, which knows the position of an offset without reading all that is before it.
struct TomlText<'t> {
    text: &'t str,
    /// The offsets of the first characters of the lines.
    lines: Vec<usize>,
    /// The number of characters before each piece.
    characters: Vec<usize>,
}

impl<'t> TomlText<'t> {
    /// The bytes of a piece.
    const PIECE: usize = 1024;

    fn new(text: &'t str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(newlines.map(|(at, _)| at + 1)).collect();
        let counts = text.as_bytes().chunks(Self::PIECE).scan(0, |before, piece| {
            let characters = *before;
            *before += count_characters(piece);
            Some(characters)
        });
        Self { text, lines, characters: counts.collect() }
    }

    fn position(&self, span: Option<Range<usize>>, otherwise: Position) -> Position {
        let Some(offset) = span.map(|span| span.start.min(self.text.len())) else { return otherwise };
        let line = self.lines.partition_point(|start| *start <= offset);
        Position { line, column: 1 + self.characters_before(offset) - self.characters_before(self.lines[line - 1]) }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let piece = offset / Self::PIECE;
        let before = self.characters.get(piece).copied();
        let start = piece * Self::PIECE;
        before.map_or_else(
            || count_characters(self.text.as_bytes()),
            |before| before + count_characters(&self.text.as_bytes()[start..offset]),
        )
    }

    fn mapping(&self, table: &dyn TableLike, at: Position) -> Node {
        let pairs = table.iter().map(|(name, item)| {
            let key_at = self.position(table.key(name).and_then(toml_edit::Key::span), at);
            let key = Node { value: Value::Scalar { text: name.to_owned(), style: Style::Other }, at: key_at };
            (key, self.node(item, key_at))
        });
        Node { value: Value::Mapping(pairs.collect()), at }
    }

    fn node(&self, item: &Item, otherwise: Position) -> Node {
        let at = self.position(item.span(), otherwise);
        if let Some(table) = item.as_table_like() {
            return self.mapping(table, at);
        }
        let value = match item {
            Item::ArrayOfTables(tables) => {
                Value::List(tables.iter().map(|table| self.mapping(table, self.position(table.span(), at))).collect())
            }
            Item::Value(toml_edit::Value::Array(items)) => {
                Value::List(items.iter().map(|item| self.node(&Item::Value(item.clone()), at)).collect())
            }
            Item::Value(toml_edit::Value::String(text)) => {
                Value::Scalar { text: text.value().clone(), style: Style::Other }
            }
            // Numbers, booleans and dates mean the same in YAML.
            other => {
                let written = other.span().and_then(|span| self.text.get(span)).unwrap_or_default();
                Value::Scalar { text: written.trim().to_owned(), style: Style::Plain }
            }
        };
        Node { value, at }
    }
}

/// Counts the characters that begin in a part of a text.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, name: &str) -> String {
        ForeignConfig::parse(text.as_bytes(), name).unwrap_err().to_string()
    }

    #[test]
    fn formats_are_read_as_one_tree() {
        let toml = "flag = true\n[a.b]\nname = 'x'\n[[c]]\nname = \"y\"\n[[c]]\nname = \"z\"\n";
        let json = "{\n\t\"flag\": true,\n\t\"a\": {\"b\": {\"name\": \"x\"}},\n\t\"c\": [{\"name\": \"y\"}, {\"name\": \"z\"}]\n}";
        let yaml = "flag: true\na: { b: { name: x } }\nc:\n  - name: y\n  - name: z\n";
        for (text, name) in [(toml, "x.toml"), (json, "x.json"), (yaml, ".x")] {
            let config = ForeignConfig::parse(text.as_bytes(), name).unwrap();
            let mut fields = config.fields().unwrap();
            fields.sort_by_key(Field::key);
            assert_eq!(fields.iter().map(Field::key).collect::<Vec<_>>(), ["a", "c", "flag"], "{name}");
            let b = fields[0].fields().unwrap()[0].fields().unwrap();
            assert_eq!(b[0].text().unwrap().as_deref(), Some("x"), "{name}");
            let names = fields[1].elements().unwrap().into_iter().map(|item| item.fields().unwrap()[0].text().unwrap());
            assert_eq!(names.flatten().collect::<Vec<_>>(), ["y", "z"], "{name}");
            assert!(fields[2].is_on() && !fields[2].is_off(), "{name}");
        }
    }

    #[test]
    fn positions_are_those_of_the_whole_text() {
        let text = format!("a = 'ä{}'\nb = [1,\n 'ß', 2]\n", "ü".repeat(3000));
        let known = TomlText::new(&text);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let expected = Position::from_offset(&text, offset);
            assert_eq!(known.position(Some(offset..offset), Position::START), expected, "{offset}");
        }
    }

    #[test]
    fn emoji_in_json_may_be_escaped() {
        let config = ForeignConfig::parse(br#"{"a": "\ud83d\ude80 \u00e9"}"#, "x.json").unwrap();
        assert_eq!(config.fields().unwrap()[0].text().unwrap().as_deref(), Some("\u{1f680} é"));
    }

    #[test]
    fn errors_name_file_line_and_key() {
        assert!(
            error("a = 1\nb = = 2\n", "x.toml").starts_with("x.toml:2:5: invalid TOML: "),
            "{}",
            error("b = = 2\n", "x.toml")
        );
        assert!(error("{\n\"a\": 1,,}", "x.json").starts_with("x.json:2:8: invalid JSON: "));
        assert!(error("- a\n", ".x").starts_with(".x:1:1: the file must be a mapping"));
        let config = ForeignConfig::parse(b"[a]\nb = 'x'\nc = [1]\n", "x.toml").unwrap();
        let fields = config.fields().unwrap()[0].fields().unwrap();
        assert!(fields[0].flag().unwrap_err().to_string().starts_with("x.toml:2:5: `b` must be `true` or `false`"));
        assert!(fields[1].text().unwrap_err().to_string().starts_with("x.toml:3:5: `c` must be a text"));
    }
}
