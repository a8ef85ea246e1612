//! What is printed from the table of keys: the schema, and the table of the page.

use std::{fmt::Write as _, fs, path::Path};

use super::{row::without_links, *};
use crate::config::parse;

const BEGIN: &str = "<!-- keys -->\n";
const END: &str = "<!-- end of keys -->\n";

/// `TIDINGS_RENEW=1 cargo test --lib config::keys` writes it again.
#[test]
fn the_page_has_the_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let page = fs::read_to_string(&file).unwrap().replace("\r\n", "\n");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a place for the table");
    let (present, after) = rest.split_once(END).expect("the table ends");
    let mut table = "\n| key | meaning | default | example |\n|---|---|---|---|\n".to_owned();
    for ConfigKey { name, meaning, default, example, .. } in all() {
        writeln!(table, "| `{name}` | {meaning} | {default} | `{example}` |").unwrap();
    }
    table.push('\n');
    if std::env::var_os("TIDINGS_RENEW").is_some() {
        fs::write(&file, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(present == table, "`TIDINGS_RENEW=1 cargo test --lib config::keys` renews the table");
    }
}

#[test]
fn the_example_of_every_key_is_read() {
    for ConfigKey { name, example, .. } in all().filter(|key| key.name != "extends") {
        let packages = if *name == "groups" { "packages: { api: , web: }\n" } else { "" };
        let (config, warnings) = parse(format!("{packages}{name}: {example}\n"), "c.yml").unwrap();
        assert!(warnings.is_empty(), "{name}: {warnings:?}");
        let (default, _) = parse(packages, "c.yml").unwrap();
        assert_ne!(format!("{config:?}"), format!("{default:?}"), "the example of `{name}` changes nothing");
    }
}

/// Returns each mapping that the schema of a value describes, as the text around the name of a key of it.
fn inner_keys<'s>(name: &str, shape: &'s Value) -> impl Iterator<Item = (String, &'s String)> {
    let places = [
        (format!("{name}: {{ "), &shape["properties"]),
        (format!("{name}: {{ x: {{ "), &shape["additionalProperties"]["properties"]),
        (format!("{name}: [{{ "), &shape["items"]["properties"]),
    ];
    places
        .into_iter()
        .filter_map(|(begin, keys)| Some((begin, keys.as_object()?)))
        .flat_map(|(begin, keys)| keys.keys().map(move |key| (begin.clone(), key)))
}

#[test]
fn every_key_of_the_schema_is_read() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let definitions = &schema["definitions"];
    let mut count = 0;
    for (name, shape) in schema["properties"].as_object().unwrap() {
        assert!(shape["examples"][0] != Value::Null, "{name} has an example");
        let shape = if shape["$ref"].is_string() { &definitions[name] } else { shape };
        for (begin, key) in inner_keys(name, shape) {
            count += 1;
            let end: String = begin
                .chars()
                .rev()
                .filter_map(|sign| [('{', '}'), ('[', ']')].into_iter().find(|(open, _)| *open == sign))
                .map(|(_, close)| close)
                .collect();
            let text = format!("{begin}{key}: x{end}");
            // A value of the wrong type is refused; an unknown key is a warning.
            let warnings = parse(&text, "c.yml").map(|(_, warnings)| warnings).unwrap_or_default();
            assert!(
                !warnings.iter().any(|warning| warning.to_string().contains("unknown key")),
                "{text}: {warnings:?}"
            );
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn descriptions_have_no_links() {
    assert_eq!(
        without_links("see [Hooks](releases.md#hooks): `{before: [...], after: [...]}`"),
        "see Hooks: `{before: [...], after: [...]}`"
    );
}
