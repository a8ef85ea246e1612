//! YAML lists: the commands of a batch, and the desired resources of a server, with the position of each item. JSON is
//! YAML too, so a list that a server returned can be read as well.

use serde_json::{Map, Value};

use super::{
    field::{self, Field},
    yaml::{self, Node, Scalar},
};
use crate::model::{Position, Problem, Source};

/// Parses a list: every item, and its position. Numbers stay as they are written, so that the version `1.10` does not
/// become `1.1`.
pub(crate) fn list(source: &Source) -> anyhow::Result<Vec<(Position, Value)>> {
    let Some(document) = document(source)? else { return Ok(Vec::new()) };
    match &document.value {
        yaml::Value::List(items) => items.iter().map(|item| Ok((item.at, value(item, source)?))).collect(),
        _ if document.scalar() == Some(Scalar::Null) => Ok(Vec::new()),
        _ => Err(source.problem(document.at, "must be a list").hint("begin each item with `- `").into()),
    }
}

/// Parses a text of any size. It has at most one node for every other byte, and aliases must not add more.
fn document(source: &Source) -> anyhow::Result<Option<Node>> {
    yaml::parse(source, source.text.len().max(yaml::MAX_NODES))
}

fn value(node: &Node, source: &Source) -> anyhow::Result<Value> {
    Ok(match &node.value {
        yaml::Value::List(items) => items.iter().map(|item| value(item, source)).collect::<anyhow::Result<_>>()?,
        yaml::Value::Mapping(pairs) => Value::Object(mapping(pairs, source)?),
        yaml::Value::Scalar { text, .. } => match node.scalar() {
            Some(Scalar::Null) => Value::Null,
            Some(Scalar::Bool(flag)) => Value::Bool(flag),
            _ => Value::String(text.clone()),
        },
    })
}

fn mapping(pairs: &[(Node, Node)], source: &Source) -> anyhow::Result<Map<String, Value>> {
    let fields = field::unique_fields(source, pairs)?;
    fields.into_iter().map(|field| Ok((field.key.to_owned(), value(field.node, source)?))).collect()
}

/// The desired resources of a server.
#[derive(Clone, Debug)]
pub(crate) struct ResourceList {
    source: Source,
    nodes: Vec<Node>,
}

impl ResourceList {
    /// Parses a list of mappings; errors name the text `name`.
    pub(crate) fn parse(bytes: &[u8], name: &str) -> anyhow::Result<Self> {
        let source = super::decode::decode_text(bytes, name)?;
        let (at, value) = document(&source)?.map_or((Position::START, None), |root| (root.at, Some(root.value)));
        let Some(yaml::Value::List(nodes)) = value else {
            let problem = source.problem(at, "the file must be a list");
            return Err(problem.hint("begin each item with `- name: ...`, and indent its other keys as far").into());
        };
        Ok(Self { source, nodes })
    }

    pub(crate) fn items(&self) -> Result<Vec<ResourceItem<'_>>, Problem> {
        self.nodes.iter().map(|node| ResourceItem::from_node(&self.source, node)).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ResourceItem<'a> {
    source: &'a Source,
    at: Position,
    fields: Vec<Field<'a>>,
}

impl<'a> ResourceItem<'a> {
    fn from_node(source: &'a Source, node: &'a Node) -> Result<Self, Problem> {
        let yaml::Value::Mapping(pairs) = &node.value else {
            return Err(source.problem(node.at, "each item of the list must be a mapping of keys to values"));
        };
        let fields = field::unique_fields(source, pairs)?;
        Ok(Self { source, at: node.at, fields })
    }

    pub(crate) fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.key == key)
    }

    pub(crate) fn required_field(&self, key: &str) -> Result<&Field<'a>, Problem> {
        self.get(key).ok_or_else(|| self.source.problem(self.at, &format!("the key `{key}` is missing")))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn items(text: &str) -> Vec<Value> {
        list(&Source::new("list.yml", text)).unwrap().into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn numbers_stay_as_they_are_written() {
        let text = "- {version: 1.10, deep: [yes, ~, 'no', 0x1F]}\n- a\n";
        assert_eq!(items(text), [json!({ "version": "1.10", "deep": [true, null, "no", "0x1F"] }), json!("a")]);
    }

    #[test]
    fn nothing_is_an_empty_list() {
        assert_eq!(items(""), [] as [Value; 0]);
        assert_eq!(items("---\n# none yet\n"), [] as [Value; 0]);
    }

    #[test]
    fn anything_else_is_refused_with_its_position() {
        let refusal = |text: &str| list(&Source::new("list.yml", text)).unwrap_err().to_string();
        assert!(refusal("\nshow: x\n").starts_with("list.yml:2:1: must be a list"), "{}", refusal("\nshow: x\n"));
        assert!(refusal("- {a: 1, a: 2}\n").contains("list.yml:1:10: the key `a` is repeated"));
    }

    #[test]
    fn long_lists_are_read_and_aliases_do_not_explode() {
        assert_eq!(items(&"- {command: show}\n".repeat(20_000)).len(), 20_000);
        let level = |level: usize| format!("- &a{} [{}]\n", level, format!("*a{}, ", level - 1).repeat(8));
        let text: String = ["- &a0 [x]\n".to_owned()].into_iter().chain((1..8).map(level)).collect();
        assert!(list(&Source::new("list.yml", &text)).unwrap_err().to_string().contains("more than"));
    }
}
