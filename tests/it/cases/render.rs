//! Cases of kind `render`: entries, settings and a changelog file.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    Case, check_all,
    differences::{Expected, expected, padded, with_own_header_line},
    same,
};
use crate::support::{Outcome, tidings};

#[test]
fn sections_and_files_are_as_the_service_makes_them() {
    check_all(&Case::all("render"), check);
}

fn check(case: &Case) -> Result<(), String> {
    let (input, answer) = (case.json("input.json"), case.json("expected.json"));
    let directory = TempDir::new().expect("a temporary directory");
    let arguments = lay_out(&input, directory.path());
    let outcome = render(directory.path(), &arguments);
    let different = expected(case.name());
    let clear = outcome.code > 0 && outcome.stderr.starts_with("error: ") && outcome.stdout.is_empty();
    let refused = answer.get("error").is_some() && different != Some(Expected::Success);
    if refused || different == Some(Expected::Refusal) {
        return if clear { Ok(()) } else { Err(format!("no refusal: {outcome:?}")) };
    }
    if different == Some(Expected::Success) {
        // A crash over a configuration of the wrong kind is a clear error here.
        let settled = outcome.code == 0 || clear && case.name().ends_with("-crash");
        return if settled { Ok(()) } else { Err(outcome.stderr) };
    }
    let notes = answer["notes"].as_str().ok_or("no notes recorded")?;
    same("notes", &outcome.stdout, notes)?;
    let Some(existing) = input["existing"].as_str() else { return Ok(()) };
    let file = render(directory.path(), &[&arguments[..], &["--into".into(), "existing.md".into()]].concat());
    check_file(&file.stdout, existing, notes, &answer, different)
}

fn check_file(
    file: &str,
    existing: &str,
    notes: &str,
    answer: &Value,
    different: Option<Expected>,
) -> Result<(), String> {
    let recorded = answer["file"].as_str().ok_or("no file recorded")?;
    match different {
        Some(Expected::Appended) => same("file", file, &(padded(existing) + notes)),
        Some(Expected::Unchanged) => same("file", file, existing),
        _ if answer["commit_noop"] == true => same("file", file, existing),
        Some(Expected::LineEnds) => {
            let unix = |text: &str| text.replace("\r\n", "\n");
            same("file", &unix(file), &with_own_header_line(&unix(recorded), notes))?;
            same("line ends", &unix(file).replace('\n', "\r\n"), file)
        }
        _ => same("file", file, &with_own_header_line(recorded, notes)),
    }
}

/// Writes the inputs of a case into files, and returns the arguments that name them.
fn lay_out(input: &Value, directory: &Path) -> Vec<String> {
    let entries = input.get("entries").cloned().unwrap_or(json!([]));
    let context = json!({ "version": input["version"], "date": input["date"], "entries": entries });
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).expect("an input is written");
    write("context.json", &context.to_string());
    write("existing.md", input["existing"].as_str().unwrap_or_default());
    let mut arguments = vec!["--context".to_owned(), "context.json".to_owned()];
    let yaml = input["config_yaml"].as_str().map(str::to_owned);
    if let Some(settings) = yaml.or_else(|| input.get("config").map(Value::to_string)) {
        write("settings.yml", &settings);
        arguments.extend(["--config-file".to_owned(), "settings.yml".to_owned()]);
    }
    arguments
}

fn render(directory: &Path, arguments: &[String]) -> Outcome {
    tidings(directory).arg("render").args(arguments).output().expect("the program runs").into()
}
