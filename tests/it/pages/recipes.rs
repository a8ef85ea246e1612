//! The recipes for CI name inputs that are there, and the shell one runs.

use serde_json::Value;

use crate::support::{Page, action::action, component};

#[test]
fn workflows_set_inputs_of_the_action_and_read_its_outputs() {
    let (action, mut count) = (action(), 0);
    for page in Page::all() {
        for workflow in page.examples(".github/workflows/") {
            let parsed: Value = serde_yaml::from_str(workflow).unwrap_or_else(|error| panic!("{}: {error}", page.path));
            let jobs = parsed["jobs"].as_object().unwrap().values();
            let steps = jobs.flat_map(|job| job["steps"].as_array().unwrap());
            let is_ours = |step: &&Value| step["uses"].as_str().is_some_and(|uses| uses.contains("/tidings@"));
            for step in steps.filter(is_ours) {
                count += 1;
                assert_eq!(step["uses"].as_str().unwrap().split("@v").nth(1), Some(env!("CARGO_PKG_VERSION_MAJOR")));
                for name in step["with"].as_object().unwrap().keys() {
                    assert!(action["inputs"][name].is_object(), "{}: {name}", page.path);
                }
            }
            for output in workflow.split(".outputs.").skip(1).map(|rest| rest.split([' ', ')', '\n']).next().unwrap()) {
                assert!(action["outputs"][output].is_object(), "{}: {output}", page.path);
            }
        }
    }
    assert!(count >= 9, "{count} steps");
}

#[test]
fn includes_set_inputs_of_the_component() {
    let mut count = 0;
    for page in Page::all() {
        for recipe in page.examples(".gitlab-ci.yml") {
            let recipe: Value = serde_yaml::from_str(recipe).unwrap_or_else(|error| panic!("{}: {error}", page.path));
            for name in recipe["include"][0]["inputs"].as_object().into_iter().flat_map(serde_json::Map::keys) {
                count += 1;
                assert!(component::parts().0[name].is_object(), "{}: {name}", page.path);
            }
        }
    }
    assert!(count >= 6, "{count} inputs");
}

#[cfg(unix)]
#[test]
fn the_shell_recipe_checks_and_releases() {
    use crate::support::{TestRepo, isolate, tidings};
    let repo = TestRepo::new();
    repo.author();
    let target = repo.commit("Initial");
    repo.git(&["init", "-q", "--bare", "../remote"]);
    repo.git(&["remote", "add", "origin", "../remote"]);
    repo.git(&["push", "-q", "-u", "origin", "main"]);
    let page = Page::load("docs/ci.md");
    let recipe = page.blocks("sh").next().unwrap();
    let run = || {
        let program = tidings(repo.path());
        let mut shell = std::process::Command::new("sh");
        isolate(&mut shell);
        let script = format!("tidings() {{ '{}' \"$@\"; }}\n{recipe}", program.get_program().to_str().unwrap());
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
