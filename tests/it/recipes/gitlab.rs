//! Pipelines of the pages, under the fetches of GitLab's runner.

#![cfg(unix)]

use std::{env, path::Path, process::Command};

use serde_json::Value;

use super::world::World;
use crate::support::{Job, Outcome, Page, component, isolate};

/// What starts a pipeline: the variables that say so, and the ref.
#[derive(Clone, Copy, Debug)]
struct Trigger {
    source: &'static str,
    reference: &'static str,
}

const BRANCH: Trigger = Trigger { source: "push", reference: "refs/heads/main" };
const SCHEDULE: Trigger = Trigger { source: "schedule", ..BRANCH };
const TAG: Trigger = Trigger { source: "push", reference: "refs/tags/v1.1.0" };
const REQUEST: Trigger = Trigger { source: "merge_request_event", reference: "refs/merge-requests/7/head" };
/// The pipeline of merged results runs on the merge that GitLab would make.
const MERGED: Trigger = Trigger { reference: "refs/merge-requests/7/merge", ..REQUEST };

/// A job of a page: its name, its script, what is set for it, and its rules.
struct Recipe {
    page: String,
    name: String,
    about: Value,
}

/// The jobs of every pipeline that a page shows, those of the component among them.
fn recipes() -> Vec<Recipe> {
    let mut all = Vec::new();
    for page in Page::all() {
        let is_pipeline = |block: &&str| block.contains("\n  script:") || block.contains("- component:");
        for block in page.blocks("yaml").filter(is_pipeline) {
            let text: Value = serde_yaml::from_str(block).unwrap_or_else(|error| panic!("{}: {error}", page.path));
            let jobs = match text["include"].as_array() {
                Some(included) => component_jobs(&included[0]["inputs"]),
                None => text.clone(),
            };
            for (name, about) in jobs.as_object().unwrap() {
                all.push(Recipe { page: page.path.clone(), name: name.clone(), about: about.clone() });
            }
        }
    }
    assert!(all.len() >= 7, "{} jobs", all.len());
    all
}

/// The jobs of the component with the inputs of a page. It does not install what is there already.
fn component_jobs(inputs: &Value) -> Value {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let given: Vec<_> = inputs.as_object().unwrap().iter().map(|(name, value)| (name.as_str(), shown(value))).collect();
    let mut given: Vec<_> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    given.push(("install", "command -v tidings"));
    component::jobs(&given)
}

/// Whether a rule may hold, by the inputs that it compares.
fn can_hold(rule: &str) -> bool {
    let sides =
        |part: &str| part.split_once("==").map(|(left, right)| (left.trim().to_owned(), right.trim().to_owned()));
    let compared = rule.split("&&").filter_map(sides).filter(|(left, _)| left.starts_with('"'));
    compared.into_iter().all(|(left, right)| left == right)
}

impl Recipe {
    /// What starts it, by its rules.
    fn triggers(&self) -> Vec<Trigger> {
        let rules = self.about["rules"].as_array().into_iter().flatten().filter_map(|rule| rule["if"].as_str());
        let rules: Vec<&str> = rules.filter(|rule| can_hold(rule)).collect();
        let all = [
            ("merge_request_event", REQUEST),
            ("merge_request_event", MERGED),
            ("== \"tag\"", TAG),
            ("schedule", SCHEDULE),
            ("CI_DEFAULT_BRANCH", BRANCH),
        ];
        let is_wanted = |(word, _): &(&str, Trigger)| rules.iter().any(|rule| rule.contains(word));
        all.into_iter().filter(is_wanted).map(|(_, trigger)| trigger).collect()
    }

    fn run(&self, world: &World, trigger: Trigger, depth: u32) -> Outcome {
        let commit = world.resolve(trigger.reference);
        let job = Job::gitlab(&world.repo, &world.url(), (trigger.reference, &commit), depth);
        // The forge of a test has no certificate; the address is that of the recipe otherwise.
        let host = world.home().replace("http://", "");
        let secure = format!("https://release:developer-token@{host}/group/app.git");
        job.git(&["config", &format!("url.{}.insteadOf", world.url()), &secure]);
        // Files of the job before it.
        std::fs::create_dir(job.path().join("dist")).unwrap();
        std::fs::write(job.path().join("dist/app.zip"), "1").unwrap();
        let mut shell = Command::new("bash");
        isolate(&mut shell);
        shell.args(["-eo", "pipefail", "-c", &component::script(&self.about)]).current_dir(job.path());
        shell.env("PATH", search_path()).envs(Self::variables(world, trigger, &commit));
        for (name, value) in self.about["variables"].as_object().into_iter().flatten() {
            let text = value["value"].as_str().or(value.as_str()).map_or_else(|| value.to_string(), str::to_owned);
            shell.env(name, text);
        }
        shell.output().expect("bash is there").into()
    }

    fn variables(world: &World, trigger: Trigger, commit: &str) -> Vec<(&'static str, String)> {
        let name = trigger.reference.rsplit('/').next().unwrap().to_owned();
        let home = world.home();
        let mut all = vec![
            ("CI", "true".to_owned()),
            ("GITLAB_CI", "true".to_owned()),
            ("CI_PIPELINE_SOURCE", trigger.source.to_owned()),
            ("CI_COMMIT_SHA", commit.to_owned()),
            ("CI_DEFAULT_BRANCH", "main".to_owned()),
            ("CI_PROJECT_PATH", "group/app".to_owned()),
            ("CI_PROJECT_URL", format!("{home}/harbor/app")),
            ("CI_SERVER_URL", home.clone()),
            ("CI_SERVER_HOST", home.trim_start_matches("http://").to_owned()),
            ("CI_API_V4_URL", format!("{}/api/v4", world.service.url())),
            ("GITLAB_USER_NAME", "Ida".to_owned()),
            ("GITLAB_USER_EMAIL", "ida@harbor.example".to_owned()),
            ("TIDINGS_TOKEN", "developer-token".to_owned()),
            // The page shows that an option may name a variable of the job.
            ("TRAILER", "Changelog".to_owned()),
        ];
        match trigger {
            Trigger { source: "merge_request_event", .. } => all.extend([
                ("CI_MERGE_REQUEST_DIFF_BASE_SHA", world.resolve("refs/heads/main")),
                ("CI_MERGE_REQUEST_IID", "7".to_owned()),
                ("CI_MERGE_REQUEST_PROJECT_PATH", "group/app".to_owned()),
                ("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "sail".to_owned()),
                ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main".to_owned()),
                ("CI_MERGE_REQUEST_TITLE", "Hoist the sail".to_owned()),
                ("CI_MERGE_REQUEST_DESCRIPTION", "At last.\n\nChangelog: added".to_owned()),
            ]),
            Trigger { reference, .. } if reference.starts_with("refs/tags/") => all.push(("CI_COMMIT_TAG", name)),
            _ => all.push(("CI_COMMIT_BRANCH", name)),
        }
        all
    }
}

fn search_path() -> std::ffi::OsString {
    let built = Path::new(assert_cmd::cargo::cargo_bin!("tidings")).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap();
    env::join_paths([built].into_iter().chain(env::split_paths(&others))).unwrap()
}

/// Runs a job twice, at a depth, and checks what is on the forge afterwards.
fn check(recipe: &Recipe, trigger: Trigger, depth: u32) {
    let Some(world) = World::new(&[]) else { return };
    if trigger.reference == TAG.reference {
        world.tag("v1.1.0");
    }
    let name = format!("{}: {} on {trigger:?} at {depth}", recipe.page, recipe.name);
    let run = || {
        let outcome = recipe.run(&world, trigger, depth);
        assert_eq!(outcome.code, 0, "{name}: {outcome:?}");
    };
    run();
    run();
    let (releases, requests) = world.published();
    let expected = usize::from(trigger.source != "merge_request_event");
    assert_eq!(releases + requests, expected, "{name}");
    // A clone that lacks the base is the hard one for what a merged request releases.
    if requests > 0 && depth == 1 {
        world.merge_release();
        run();
        run();
        assert_eq!(world.published(), (1, 1), "{name}, once it is merged");
    }
}

#[test]
fn every_job_does_what_its_page_says_at_any_depth_and_again() {
    for recipe in recipes() {
        for trigger in recipe.triggers() {
            for depth in [20, 1, 0] {
                check(&recipe, trigger, depth);
            }
        }
    }
}
