//! The recipes for CI name inputs that are there, and the shell one runs.

use serde_json::Value;

use super::Page;
use crate::{
    action::metadata::action,
    component,
    support::{TestRepo, tidings},
};

/// The recipes in this language, in their order.
fn recipes(language: &str) -> Vec<String> {
    Page::load("docs/ci.md").blocks(language).map(str::to_owned).collect()
}

#[test]
fn a_workflow_sets_inputs_of_the_action_and_reads_its_outputs() {
    let workflow = &recipes("yaml")[0];
    let action = action();
    let jobs: Value = serde_yaml::from_str(workflow).unwrap();
    let steps = jobs["jobs"].as_object().unwrap().values().flat_map(|job| job["steps"].as_array().unwrap());
    let uses: Vec<_> = steps.filter(|step| step["uses"] == "OWNER/tidings@v1").collect();
    assert_eq!(uses.len(), 2);
    for (name, _) in uses.iter().flat_map(|step| step["with"].as_object().unwrap()) {
        assert!(action["inputs"][name].is_object(), "{name}");
    }
    for output in workflow.split(".outputs.").skip(1).map(|rest| rest.split([' ', '\n']).next().unwrap()) {
        assert!(action["outputs"][output].is_object(), "{output}");
    }
}

#[test]
fn an_include_sets_inputs_of_the_component() {
    let recipe: Value = serde_yaml::from_str(&recipes("yaml")[1]).unwrap();
    let inputs = recipe["include"][0]["inputs"].as_object().unwrap();
    for name in inputs.keys() {
        assert!(component::parts().0[name].is_object(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn the_shell_recipe_checks_and_releases() {
    let repo = TestRepo::new();
    repo.author();
    let target = repo.commit("Initial");
    repo.git(&["init", "-q", "--bare", "../remote"]);
    repo.git(&["remote", "add", "origin", "../remote"]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let run = || {
        let program = tidings(repo.path());
        let mut shell = std::process::Command::new("sh");
        crate::support::isolate(&mut shell);
        let script =
            format!("tidings() {{ '{}' \"$@\"; }}\n{}", program.get_program().to_str().unwrap(), recipes("sh")[0]);
        let output =
            shell.args(["-c", &script]).current_dir(repo.path()).env("TARGET_COMMIT", &target).output().unwrap();
        output.status.code()
    };
    repo.commit("Add crane without a trailer");
    assert_eq!(run(), Some(3));
    repo.git(&["reset", "-q", "--hard", &target]);
    repo.change("Add crane", "added");
    assert_eq!(run(), Some(0));
    assert_eq!(repo.git(&["ls-remote", "--tags", "origin", "v0.1.0"]).lines().count(), 1);
}
