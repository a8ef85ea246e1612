//! Workflows of the pages, under `actions/checkout` as GitHub's and Gitea's runners run it.

#![cfg(unix)]

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::world::World;
use crate::{
    action::runner::Runner,
    support::{Job, Outcome, Page},
};

/// A workflow of a page.
struct Workflow {
    page: String,
    text: Value,
}

/// Every workflow that a page shows.
fn workflows() -> Vec<Workflow> {
    let mut all = Vec::new();
    for page in Page::all() {
        for block in page.blocks("yaml").filter(|block| block.contains("runs-on:")) {
            let text = serde_yaml::from_str(block).unwrap_or_else(|error| panic!("{}: {error}\n{block}", page.path));
            all.push(Workflow { page: page.path.clone(), text });
        }
    }
    assert!(all.len() >= 8, "{} workflows", all.len());
    all
}

/// What starts a workflow: the event, the ref that is checked out, and the right of the job's token.
#[derive(Clone, Copy, Debug)]
struct Trigger {
    event: &'static str,
    reference: &'static str,
    token: &'static str,
}

const PUSH: Trigger = Trigger { event: "push", reference: "refs/heads/main", token: "developer-token" };
const TAG: Trigger = Trigger { event: "push", reference: "refs/tags/v1.1.0", token: "developer-token" };
const BUTTON: Trigger = Trigger { event: "workflow_dispatch", ..PUSH };
const SCHEDULE: Trigger = Trigger { event: "schedule", ..PUSH };
const REQUEST: Trigger = Trigger { event: "pull_request", reference: "refs/pull/7/merge", token: "developer-token" };
/// A request from a fork has a token that may only read.
const FORK: Trigger = Trigger { token: "read-token", ..REQUEST };

impl Workflow {
    /// The triggers that its `on` names.
    fn triggers(&self) -> Vec<Trigger> {
        let on = self.text.get("on").unwrap_or_else(|| panic!("{}: no `on`: {}", self.page, self.text));
        let names: Vec<&str> = match on {
            Value::String(name) => vec![name],
            _ => on.as_object().unwrap().keys().map(String::as_str).collect(),
        };
        let triggers = names.into_iter().flat_map(|name| match name {
            "push" if on["push"]["tags"].is_array() => vec![TAG],
            "push" => vec![PUSH],
            "pull_request" => vec![REQUEST, FORK],
            "workflow_dispatch" => vec![BUTTON],
            "schedule" => vec![SCHEDULE],
            other => panic!("{}: no test knows the event `{other}`", self.page),
        });
        triggers.collect()
    }

    /// Whether it makes releases, or keeps a request of one open.
    fn publishes(&self) -> bool {
        self.text.to_string().contains(r#""execute":true"#)
    }
}

/// A run of a workflow, with the results of its jobs.
struct Run<'a> {
    world: &'a World,
    workflow: &'a Workflow,
    trigger: Trigger,
    commit: String,
    depth: Option<u32>,
    is_gitea: bool,
}

impl Run<'_> {
    /// Runs all jobs, and returns what their steps printed. Every step must end well.
    fn execute(&self) -> String {
        let (mut needs, mut log) = (Map::new(), String::new());
        for (name, job) in self.workflow.text["jobs"].as_object().unwrap() {
            let context = self.context(&needs);
            if !is_true(&job["if"], &context) {
                continue;
            }
            for context in matrices(job, &context) {
                let outputs = self.job(job, context, &mut log);
                needs.insert(name.clone(), json!({ "outputs": outputs, "result": "success" }));
            }
        }
        log
    }

    fn context(&self, needs: &Map<String, Value>) -> Value {
        let name = self.trigger.reference.rsplit('/').next().unwrap();
        json!({
            "github": {
                "event_name": self.trigger.event,
                "ref_name": name,
                "token": self.trigger.token,
                "event": { "pull_request": { "title": "Hoist the sail", "body": "At last.\n\nChangelog: added" } },
            },
            "needs": needs,
            "steps": {},
        })
    }

    /// What the forge says of the event.
    fn event(&self) -> Value {
        if self.trigger.event != "pull_request" {
            return json!({});
        }
        let (head, base) = (self.world.resolve("refs/pull/7/head"), self.world.resolve("refs/heads/main"));
        json!({ "pull_request": {
            "number": 7, "title": "Hoist the sail", "body": "At last.\n\nChangelog: added",
            "head": { "ref": "sail", "sha": head }, "base": { "ref": "main", "sha": base },
        }})
    }

    fn job(&self, about: &Value, mut context: Value, log: &mut String) -> Value {
        let mut job = None;
        for step in about["steps"].as_array().unwrap() {
            if !is_true(&step["if"], &context) {
                continue;
            }
            let uses = step["uses"].as_str().unwrap_or_default();
            let outputs = if uses.starts_with("actions/checkout@") {
                let written = step["with"]["fetch-depth"].as_u64().map(|depth| u32::try_from(depth).unwrap());
                let depth = self.depth.or(written).unwrap_or(1);
                let checkout = (self.trigger.reference, self.commit.as_str());
                job = Some(Job::github(&self.world.repo, &self.world.url(), checkout, depth));
                BTreeMap::new()
            } else {
                let directory = job.as_ref().map_or_else(|| self.world.directory("empty"), |job| job.path().to_owned());
                let done = self.step(step, &context, &directory);
                let output = format!("{}{}", done.0.stdout, done.0.stderr);
                assert_eq!(done.0.code, 0, "{} on {:?}: {step}\n{output}", self.workflow.page, self.trigger);
                log.push_str(&output);
                done.1
            };
            if let Some(id) = step["id"].as_str() {
                context["steps"][id] = json!({ "outputs": outputs });
            }
        }
        let outputs = about["outputs"].as_object().cloned().unwrap_or_default();
        outputs.into_iter().map(|(name, value)| (name, expand(&value, &context).into())).collect::<Map<_, _>>().into()
    }

    fn step(&self, step: &Value, context: &Value, directory: &std::path::Path) -> (Outcome, BTreeMap<String, String>) {
        let pairs = |value: &Value| {
            let given = value.as_object().cloned().unwrap_or_default();
            given.into_iter().map(|(name, value)| (name, expand(&value, context))).collect::<Vec<_>>()
        };
        let inputs = pairs(&step["with"]);
        let given: Vec<_> = inputs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let name = self.trigger.reference.trim_start_matches("refs/heads/").trim_start_matches("refs/tags/");
        let event = self.world.directory("event").join("event.json");
        std::fs::write(&event, self.event().to_string()).unwrap();
        let runner = Runner::with(&given)
            .with_token(self.trigger.token)
            .set("CI", "true")
            .set("GITHUB_ACTIONS", "true")
            .set("GITHUB_SERVER_URL", &self.world.home())
            .set(
                "GITHUB_API_URL",
                &format!("{}/api/{}", self.world.service.url(), if self.is_gitea { "v1" } else { "v3" }),
            )
            .set("GITHUB_REPOSITORY", "harbor/app")
            .set("GITHUB_EVENT_NAME", self.trigger.event)
            .set("GITHUB_EVENT_PATH", event.to_str().unwrap())
            .set("GITHUB_REF", self.trigger.reference)
            .set("GITHUB_REF_NAME", name)
            .set("GITHUB_REF_TYPE", if self.trigger.reference.starts_with("refs/tags/") { "tag" } else { "branch" })
            .set("GITHUB_SHA", &self.commit)
            .set("GITHUB_BASE_REF", if self.trigger.event == "pull_request" { "main" } else { "" })
            .set("GITEA_ACTIONS", if self.is_gitea { "true" } else { "" });
        if step["uses"].is_string() {
            let done = runner.step("Run tidings", directory);
            return (done.outcome, done.outputs);
        }
        (
            runner.shell(step["run"].as_str().expect("a step has one or the other"), &pairs(&step["env"]), directory),
            BTreeMap::new(),
        )
    }
}

/// The contexts of a job's matrix, or the one that it has without.
fn matrices(job: &Value, context: &Value) -> Vec<Value> {
    let Some(matrix) = job["strategy"]["matrix"].as_object() else { return vec![context.clone()] };
    let (name, value) = matrix.iter().next().unwrap();
    let list = value.as_str().and_then(|text| text.strip_prefix("${{ fromJSON(")?.strip_suffix(") }}"));
    let list: Vec<Value> = serde_json::from_str(&lookup(list.expect("a list of JSON"), context)).unwrap();
    let one = |value: Value| {
        let mut context = context.clone();
        context["matrix"] = json!({ name: value });
        context
    };
    list.into_iter().map(one).collect()
}

/// The value of a name in a context, or of a text in quotes.
fn lookup(name: &str, context: &Value) -> String {
    let name = name.trim();
    if let Some(text) = name.strip_prefix('\'') {
        return text.trim_end_matches('\'').to_owned();
    }
    let value = name.split('.').fold(context, |value, part| &value[part]);
    value.as_str().map_or_else(|| if value.is_null() { String::new() } else { value.to_string() }, str::to_owned)
}

/// A value with its expressions replaced.
fn expand(value: &Value, context: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut parts = text.split("${{");
    let mut expanded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("an expression ends");
        expanded.push_str(&lookup(name, context));
        expanded.push_str(rest);
    }
    expanded
}

/// Whether a condition holds: `a == 'b'`, `a != 'b'`, or nothing.
fn is_true(condition: &Value, context: &Value) -> bool {
    let Some(text) = condition.as_str() else { return condition.is_null() };
    let (left, right, wanted) = match (text.split_once("=="), text.split_once("!=")) {
        (Some((left, right)), _) => (left, right, true),
        (None, Some((left, right))) => (left, right, false),
        _ => panic!("no test knows the condition `{text}`"),
    };
    (lookup(left, context) == lookup(right, context)) == wanted
}

fn world(workflow: &Workflow, trigger: Trigger) -> Option<World> {
    let is_monorepo = workflow.page.ends_with("monorepo.md");
    let world = World::new(if is_monorepo { &["api", "web"] } else { &[] })?;
    if trigger.reference == TAG.reference {
        world.tag("v1.1.0");
    }
    Some(world)
}

/// Runs a workflow and again, at a depth, and checks what is published.
fn check(workflow: &Workflow, trigger: Trigger, depth: Option<u32>, is_gitea: bool) {
    let Some(world) = world(workflow, trigger) else { return };
    let run = |commit: &str| {
        let commit = commit.to_owned();
        Run { world: &world, workflow, trigger, commit, depth, is_gitea }.execute()
    };
    let name = format!("{} on {trigger:?} at {depth:?}, Gitea: {is_gitea}", workflow.page);
    let begun = world.resolve(trigger.reference);
    let log = run(&begun);
    let expected = match (workflow.publishes() && trigger.event != "pull_request", &workflow.page) {
        (false, _) => 0,
        (true, page) if page.ends_with("monorepo.md") => 2,
        (true, _) => 1,
    };
    let (releases, requests) = world.published();
    assert_eq!(releases + requests, expected, "{name}: {log}");
    // "Re-run all jobs" has the commit of the first run, and the push of the release starts another one.
    for commit in [begun.clone(), world.resolve(trigger.reference)] {
        let again = run(&commit);
        assert_eq!(world.published(), (releases, requests), "{name}, again: {again}");
    }
    // What a merged request releases does not depend on the depth of a whole clone.
    if requests > 0 && depth != Some(0) {
        world.merge_release();
        for _ in 0..2 {
            let merged = run(&world.resolve(trigger.reference));
            assert_eq!(world.published(), (1, 1), "{name}, once it is merged: {merged}");
        }
    }
}

#[test]
fn every_workflow_does_what_its_page_says_at_any_depth_and_again() {
    for workflow in workflows() {
        for trigger in workflow.triggers() {
            // A clone of that depth is whole and has one tag, which matters where that tag is checked out.
            let deep = (trigger.reference == TAG.reference).then_some(Some(50));
            for depth in [None, Some(0)].into_iter().chain(deep) {
                check(&workflow, trigger, depth, false);
            }
        }
    }
}

#[test]
fn every_workflow_works_on_gitea_too_and_again() {
    for workflow in workflows() {
        for trigger in workflow.triggers() {
            check(&workflow, trigger, None, true);
        }
    }
}

/// The actions of others in a text, with their major versions: `actions/checkout@v5` as ("actions/checkout", 5).
fn majors(text: &str) -> Vec<(String, u32)> {
    let uses = text.split("uses: ").skip(1).filter_map(|rest| rest.split_whitespace().next()?.split_once('@'));
    let numbered = uses.filter_map(|(name, version)| Some((name.to_owned(), version.strip_prefix('v')?.parse().ok()?)));
    numbered.filter(|(name, _)| !name.ends_with("/tidings")).collect()
}

/// Our own workflows name a commit, with the version in a comment.
fn own_majors() -> BTreeMap<String, u32> {
    let mut own = BTreeMap::new();
    for text in
        [include_str!("../../../.github/workflows/ci.yml"), include_str!("../../../.github/workflows/release.yml")]
    {
        for line in text.lines().filter_map(|line| line.split("uses: ").nth(1)) {
            let Some((name, rest)) = line.split_once('@') else { continue };
            let major = rest.split(" # v").nth(1).expect("a pinned action has its version beside it");
            own.insert(name.to_owned(), major.split('.').next().unwrap().parse().unwrap());
        }
    }
    own
}

#[test]
fn recipes_use_the_major_versions_that_this_project_uses() {
    let (own, mut count) = (own_majors(), 0);
    for page in Page::all() {
        for (name, major) in majors(&page.text) {
            count += 1;
            assert_eq!(
                own.get(&name),
                Some(&major),
                "{}: {name}@v{major} is outdated, or used nowhere here",
                page.path
            );
        }
    }
    assert!(count >= 8, "{count} uses");
}
