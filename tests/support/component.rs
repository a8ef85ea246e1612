//! The GitLab component of this repository.

use std::{fs, path::Path};

use serde_json::Value;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn text() -> String {
    fs::read_to_string(Path::new(HERE).join("templates/changelog/template.yml")).unwrap()
}

/// What is declared, and the text of the jobs.
pub fn parts() -> (Value, String) {
    let text = text();
    let (spec, jobs) = text.split_once("\n---\n").expect("two documents");
    let spec: Value = serde_yaml::from_str(spec).expect("the first is YAML");
    (spec["spec"]["inputs"].clone(), jobs.to_owned())
}

/// The jobs under these inputs, the others being what they are by default, with what each takes from another one.
pub fn jobs(given: &[(&str, &str)]) -> Value {
    let (inputs, mut jobs) = parts();
    for (name, input) in inputs.as_object().unwrap() {
        let given = given.iter().find(|(known, _)| known == name).map(|(_, value)| (*value).to_owned());
        let default = &input["default"];
        let value = given.unwrap_or_else(|| default.as_str().map_or_else(|| default.to_string(), str::to_owned));
        jobs = jobs.replace(&format!("$[[ inputs.{name} ]]"), &value);
    }
    let jobs: Value = serde_yaml::from_str(&jobs).unwrap_or_else(|error| panic!("{error}\n{jobs}"));
    let extended = jobs.as_object().unwrap().iter().map(|(name, job)| {
        let mut whole =
            job["extends"].as_str().map_or_else(Default::default, |base| jobs[base].as_object().unwrap().clone());
        whole.extend(job.as_object().unwrap().clone());
        (name.clone(), whole.into())
    });
    Value::Object(extended.filter(|(name, _)| !name.starts_with('.')).collect())
}

/// The script of a job, as the runner hands it to the shell.
pub fn script(job: &Value) -> String {
    let lines = ["before_script", "script"].into_iter().flat_map(|key| job[key].as_array().into_iter().flatten());
    lines.map(|line| line.as_str().unwrap()).collect::<Vec<_>>().join("\n")
}
