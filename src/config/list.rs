//! A YAML list of anything, for commands that are given many things to do.

use serde_json::{Map, Value};

use super::{
    scalar::Scalar,
    yaml::{self, Node},
};
use crate::model::{Position, Source};

/// Reads a list: every item, and where it starts.
///
/// Numbers are texts as they are written, so that the version `1.10` does not become `1.1`.
///
/// # Errors
///
/// Where the text is no YAML, or no list.
pub fn list(source: Source) -> anyhow::Result<Vec<(Position, Value)>> {
    // Without aliases there is a node to every other byte at most; aliases must not make it more.
    let Some(document) = yaml::parse(source, source.text.len().max(yaml::MAX_NODES))? else { return Ok(Vec::new()) };
    match &document.value {
        yaml::Value::List(items) => items.iter().map(|item| Ok((item.at, value(item, source)?))).collect(),
        _ if document.scalar() == Some(Scalar::Null) => Ok(Vec::new()),
        _ => Err(source.problem(document.at, "must be a list").hint("begin each item with `- `").into()),
    }
}

fn value(node: &Node, source: Source) -> anyhow::Result<Value> {
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

fn mapping(pairs: &[(Node, Node)], source: Source) -> anyhow::Result<Map<String, Value>> {
    let mut fields = Map::new();
    for (key, node) in pairs {
        let name = key.as_written().ok_or_else(|| source.problem(key.at, "a key must be a text"))?;
        if fields.insert(name.to_owned(), value(node, source)?).is_some() {
            return Err(source.problem(key.at, &format!("the key `{name}` stands here again")).into());
        }
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn items(text: &str) -> Vec<Value> {
        list(Source::new("list.yml", text)).unwrap().into_iter().map(|(_, value)| value).collect()
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
    fn anything_else_is_refused_at_its_place() {
        let refusal = |text: &str| list(Source::new("list.yml", text)).unwrap_err().to_string();
        assert!(refusal("\nshow: x\n").starts_with("list.yml:2:1: must be a list"), "{}", refusal("\nshow: x\n"));
        assert!(refusal("- {a: 1, a: 2}\n").contains("list.yml:1:10: the key `a` stands here again"));
    }

    #[test]
    fn long_lists_are_read_and_aliases_do_not_explode() {
        assert_eq!(items(&"- {command: show}\n".repeat(20_000)).len(), 20_000);
        let level = |level: usize| format!("- &a{} [{}]\n", level, format!("*a{}, ", level - 1).repeat(8));
        let text: String = ["- &a0 [x]\n".to_owned()].into_iter().chain((1..8).map(level)).collect();
        assert!(list(Source::new("list.yml", &text)).unwrap_err().to_string().contains("more than"));
    }
}
