//! The page about JSON documents describes what the commands print. Its tables are the source of the JSON schemas in
//! `docs/schemas`, which real documents are checked against.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{Page, TestRepo};

/// Returns the part of the page about a command.
fn section<'p>(page: &'p Page, command: &str) -> &'p str {
    let mut parts = page.text.split("\n## ");
    parts.find(|part| part.starts_with(&format!("`tidings {command}`"))).unwrap_or_else(|| panic!("{command}"))
}

/// Returns the place of a key such as `entries[].title` in a schema.
fn place<'s>(schema: &'s mut Value, key: &str) -> &'s mut Value {
    key.split('.').fold(schema, |schema, part| match part.strip_suffix("[]") {
        Some(name) => &mut schema["properties"][name]["items"],
        None => &mut schema["properties"][part],
    })
}

/// Makes the schema of a document from the table of its keys.
fn schema(command: &str, section: &str) -> Value {
    let mut document = json!({ "type": "object" });
    for row in section.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")) {
        let cells: Vec<&str> = row.splitn(3, " | ").collect();
        let [key, types, meaning] = cells[..] else { panic!("{row}") };
        let types: Vec<&str> = types.split(" or ").map(|word| if word == "list" { "array" } else { word }).collect();
        let place = place(&mut document, key.trim_end_matches('`'));
        place["type"] = if let [one] = types[..] { one.into() } else { json!(types) };
        place["description"] = meaning.into();
    }
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": format!("tidings {command} --format json"),
        "definitions": { "document": document },
    });
    let one = json!({ "$ref": "#/definitions/document" });
    if section.contains("a list of them") {
        schema["oneOf"] = json!([one, { "type": "array", "items": one }]);
    } else {
        schema["allOf"] = json!([one]);
    }
    schema
}

/// Fails unless a value has the types of its schema, and keys that the schema describes.
#[track_caller]
fn check(schema: &Value, value: &Value, path: &str) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types = &schema["type"];
    let is_allowed =
        types.is_null() || types == kind || types.as_array().is_some_and(|types| types.contains(&kind.into()));
    assert!(is_allowed, "`{path}` is of type {kind}, not {types}");
    if let (Some(known), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        for (key, value) in object {
            let schema = known.get(key).unwrap_or_else(|| panic!("`{path}.{key}` is not on the page"));
            check(schema, value, &format!("{path}.{key}"));
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(&schema["items"], item, &format!("{path}[{index}]"));
    }
}

/// `TIDINGS_RENEW=1 cargo test --test it pages::json` writes the schemas again.
#[test]
fn every_document_has_a_schema() {
    let page = Page::load("docs/json.md");
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    let commands = page.text.split("\n## `tidings ").skip(1).map(|part| part.split('`').next().unwrap());
    for command in commands {
        let text = format!("{:#}\n", schema(command, section(&page, command)));
        let file = directory.join(format!("{command}.json"));
        if std::env::var_os("TIDINGS_RENEW").is_some() {
            fs::write(&file, text).unwrap();
        } else {
            let present = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
            assert!(present == text, "{command}: `TIDINGS_RENEW=1 cargo test --test it pages::json` renews the schema");
        }
    }
}

#[test]
fn documents_are_as_their_schemas_say() {
    let page = Page::load("docs/json.md");
    let repo = TestRepo::new();
    repo.author();
    repo.file("CHANGELOG.md", "# Changelog\n").commit("Begin");
    repo.git(&["remote", "add", "origin", "https://gitlab.com/harbor/pilot.git"]);
    repo.tag("v1.0.0");
    repo.commit("feat(crane)!: lift more (#12)\n\nCloses #7");
    repo.commit("fix: mend the crane");
    repo.commit("chore: paint the crane");
    for (command, arguments) in [
        ("show", &["show", "2.0.0"][..]),
        ("show", &["show", "--all"]),
        ("show", &["show", "--from", "HEAD~1"]),
        ("next", &["next"]),
        ("base", &["base"]),
        ("explain", &["explain"]),
        ("explain", &["explain", "--from", "HEAD~1"]),
        ("check", &["check", "v1.0.0..", "--require", "any"]),
        ("release", &["release", "--no-push"]),
        ("add", &["add", "2.0.0", "--dry-run"]),
        ("doctor", &["doctor"]),
    ] {
        let schema = &schema(command, section(&page, command))["definitions"]["document"];
        let outcome = repo.tidings(&[arguments, &["--format", "json"]].concat()).json();
        let documents = outcome.as_array().map_or(std::slice::from_ref(&outcome), Vec::as_slice);
        assert!(!documents.is_empty(), "{command}");
        for document in documents {
            check(schema, document, command);
        }
    }
}

#[test]
fn documents_of_commands_that_write_are_as_their_schemas_say() {
    let page = Page::load("docs/json.md");
    let repo = TestRepo::new();
    repo.author();
    repo.file(".changeset/config.json", "{}");
    repo.file("message", "fix: mend the crane");
    repo.file("data.json", "{\"name\": \"crane\"}");
    repo.file("name.hbs", "{{name}}");
    repo.file("batch.yml", "- {command: notes, repo: ., id: notes}\n- {command: next, repo: nowhere}\n");
    repo.file("CHANGELOG.md", "# Changelog\n\n## 1.0.0 (2024-03-09)\n\n- Begin\n").commit("Begin");
    fs::write(repo.path().join("context.json"), repo.tidings(&["show", "--first-release", "--format", "json"]).stdout)
        .unwrap();
    for (command, arguments) in [
        ("notes", &["notes"][..]),
        ("change", &["change", "--patch", "pilot", "Mend the crane"]),
        ("note", &["note", "HEAD", "--file", "message"]),
        ("init", &["init", "--yes"]),
        ("render", &["render", "--data", "data.json", "--template", "name.hbs"]),
        ("render", &["render", "--context", "context.json", "--into", "CHANGELOG.md"]),
        ("batch", &["batch", "batch.yml"]),
    ] {
        let schema = &schema(command, section(&page, command))["definitions"]["document"];
        let outcome = repo.tidings(&[arguments, &["--format", "json"]].concat());
        let documents = serde_json::Deserializer::from_str(&outcome.stdout).into_iter::<Value>();
        let mut count = 0;
        for document in documents {
            count += 1;
            check(schema, &document.unwrap(), command);
        }
        assert!(count > 0, "{command}: {outcome:?}");
    }
}

#[test]
fn categories_have_one_shape_and_are_those_of_entries() {
    let repo = TestRepo::new();
    repo.author();
    repo.write("tidings.yml", "source: trailers\ncategories: {added: New, feature: New, fixed: Mended}\n");
    repo.commit("Begin");
    repo.tag("v1.0.0");
    for (title, category) in [("Add crane", "added"), ("Mend mast", "fixed"), ("Add lamp", "feature")] {
        repo.change(title, category);
    }
    let document = |arguments: &[&str]| repo.tidings(&[arguments, &["--format", "json"]].concat()).json();
    let counted = |category: &str, title: &str| json!({ "category": category, "title": title, "count": 1 });
    let shown = document(&["show", "1.1.0"]);
    let expected = json!([counted("feature", "New"), counted("added", "New"), counted("fixed", "Mended")]);
    assert_eq!(shown["categories"], expected);
    let of_entries: Vec<_> = shown["entries"].as_array().unwrap().iter().map(|entry| &entry["category"]).collect();
    let of_categories = |document: &Value| -> Vec<Value> {
        let categories = document.as_array().unwrap();
        assert!(categories.iter().all(|category| category["count"] == 1), "{document}");
        categories.iter().map(|category| category["category"].clone()).collect()
    };
    assert_eq!(of_categories(&shown["categories"]).iter().collect::<Vec<_>>(), of_entries);
    repo.write("show.json", shown.to_string());
    let rendered = document(&["render", "--context", "show.json", "--config-file", "tidings.yml"]);
    assert_eq!(rendered["categories"], shown["categories"]);
    for mut categories in [
        of_categories(&document(&["next"])["categories"]),
        of_categories(&document(&["explain"])["counts"]["categories"]),
    ] {
        categories.sort_by_key(ToString::to_string);
        assert_eq!(categories, ["added", "feature", "fixed"]);
    }
}
