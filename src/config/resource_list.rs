//! A YAML file that lists what shall be on a server: things with fields, and the place of each.
//!
//! JSON is YAML too, so a list that a server answered can be read as well.

use std::collections::HashSet;

use super::{
    field::Field,
    yaml::{self, Node, Value},
};
use crate::model::{Position, Problem, Source, SourceText};

/// What shall be on a server.
#[derive(Clone, Debug)]
pub struct ResourceList {
    text: SourceText,
    things: Vec<Node>,
}

impl ResourceList {
    /// Reads a list of mappings; `name` is what errors call the text.
    ///
    /// # Errors
    ///
    /// Where the text is no UTF-8, no YAML, or no list.
    pub fn parse(bytes: &[u8], name: &str) -> anyhow::Result<Self> {
        let text = super::decode(bytes, name)?;
        let source = Source::new(name, text);
        // Without aliases there is a node to every other byte at most; aliases must not make it more.
        let root = yaml::parse(source, text.len().max(yaml::MAX_NODES))?;
        let (at, value) = root.map_or((Position::START, None), |root| (root.at, Some(root.value)));
        let Some(Value::List(things)) = value else {
            let problem = source.problem(at, "the file must be a list");
            return Err(problem.hint("begin each thing with `- name: ...`, and indent its other keys as far").into());
        };
        Ok(Self { text: SourceText::new(name, text), things })
    }

    /// The things in the order of the file.
    ///
    /// # Errors
    ///
    /// Where one of them is no mapping, or has a key twice.
    pub fn items(&self) -> Result<Vec<ResourceItem<'_>>, Problem> {
        self.things.iter().map(|node| ResourceItem::of(self.text.borrow(), node)).collect()
    }
}

/// One of the things.
#[derive(Clone, Debug)]
pub struct ResourceItem<'a> {
    source: Source<'a>,
    at: Position,
    fields: Vec<Field<'a>>,
}

impl<'a> ResourceItem<'a> {
    fn of(source: Source<'a>, node: &'a Node) -> Result<Self, Problem> {
        let Value::Mapping(pairs) = &node.value else {
            return Err(source.problem(node.at, "each thing of the list must be a mapping of keys to values"));
        };
        let mut seen = HashSet::new();
        let mut fields = Vec::with_capacity(pairs.len());
        for (key, node) in pairs {
            let name = key.as_written().ok_or_else(|| source.problem(key.at, "a key must be a text"))?;
            if !seen.insert(name) {
                return Err(source.problem(key.at, &format!("the key `{name}` stands here again")));
            }
            fields.push(Field { source, key: name, key_at: key.at, node });
        }
        Ok(Self { source, at: node.at, fields })
    }

    /// Every field.
    #[must_use]
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// The field of this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The field of a key that must be there.
    ///
    /// # Errors
    ///
    /// Where it is not.
    pub fn required(&self, key: &str) -> Result<&Field<'a>, Problem> {
        self.get(key).ok_or_else(|| self.source.problem(self.at, &format!("the key `{key}` is missing")))
    }
}
