//! `tidings feature`: the feature flags of a GitLab instance.

use serde_json::Value;

use super::{
    layout::{Cell, Column, computed, left, plain, text_at},
    resource::{Action, ActionArgs, Param, RequestContent, Resource},
};
use crate::model::Problem;

const EXAMPLES: &str = "\
Examples:
  tidings feature list
  tidings feature set fast_lane 30                     30 percent of the time
  tidings feature set fast_lane true --user ada,bob    only for these users
  tidings feature delete fast_lane";

const ADMINISTRATORS: &str = "an administrator's token";
const FEATURE: &str = "/features/:name";

/// The fields for the targets that a feature is set for.
const TARGETS: [&str; 6] = ["feature_group", "user", "group", "namespace", "project", "repository"];

const COLUMNS: [Column; 3] = [left("NAME", "name"), left("STATE", "state"), computed("GATES", gates)];

const DEFINITIONS: [Column; 5] = [
    left("NAME", "name"),
    left("TYPE", "type"),
    computed("DEFAULT", |definition| on_or_off(&definition["default_enabled"])),
    left("SINCE", "milestone"),
    left("GROUP", "group"),
];

const FIELDS: [Column; 7] = [
    left("state", "state"),
    computed("gates", gates),
    left("type", "definition.type"),
    left("group", "definition.group"),
    computed("default", |feature| on_or_off(&feature["definition"]["default_enabled"])),
    left("introduced by", "definition.introduced_by_url"),
    left("rollout", "definition.rollout_issue_url"),
];

/// The feature flags of an instance, which only administrators can see.
pub(crate) const RESOURCE: Resource = Resource {
    name: "feature",
    about: "List and set the feature flags of a GitLab instance (administrators only)",
    examples: EXAMPLES,
    of_project: false,
    note: "",
    actions,
};

fn actions() -> Vec<Action> {
    let of_users = "Set the feature for these users, separated by commas";
    vec![
        Action::get("list", "List the features that were set, with their gates", "/features", ADMINISTRATORS)
            .table("no feature is set", |_| &COLUMNS),
        Action::get(
            "definitions",
            "List the features that the server defines",
            "/features/definitions",
            ADMINISTRATORS,
        )
        .table("", |_| &DEFINITIONS),
        Action::post("set", "Set or create a feature flag", FEATURE, ADMINISTRATORS)
            .params([
                name(),
                Param::positional("value", "VALUE", "`true` (100), `false` (0), or a percentage between them")
                    .parse(parse_value),
                Param::option("key", "KEY", "What the percentage applies to [GitLab's default: `percentage_of_time`]")
                    .one_of(["percentage_of_time", "percentage_of_actors"]),
                Param::option("feature-group", "NAME", "Set the feature for this feature group"),
                Param::option("user", "NAMES", of_users),
                Param::option("group", "PATHS", "Set the feature for these groups"),
                Param::option("namespace", "PATHS", "Set the feature for the namespaces of these groups or users"),
                Param::option("for-project", "PATHS", "Set the feature for these projects").sends("project"),
                Param::option("repository", "PATHS", "Set the feature for these repositories"),
                Param::flag("force", "Skip the server's checks, such as that the feature is defined"),
            ])
            .complete(check)
            .card(&["name"], &FIELDS),
        Action::delete("delete", "Delete a feature flag's setting", FEATURE, ADMINISTRATORS)
            .params([name()])
            .confirm("delete the setting of the feature `{name}`")
            .done("deleted the setting of the feature `{name}`"),
    ]
}

fn name() -> Param {
    Param::positional("name", "NAME", "Name of the feature")
}

/// Refuses a percentage or a key for a target: GitLab accepts only on and off, and newer versions accept no key.
fn check(args: &ActionArgs<'_>, draft: &mut RequestContent) -> anyhow::Result<()> {
    let Some(target) = TARGETS.into_iter().find(|target| draft.is_given(target)) else { return Ok(()) };
    let target = target.replace('_', " ");
    let message = match args.value("value") {
        Some(Value::Number(percentage)) => format!("the percentage `{percentage}` cannot be set for a {target}"),
        _ if draft.is_given("key") => format!("`--key` is for percentages; newer servers refuse it for a {target}"),
        _ => return Ok(()),
    };
    Err(Problem::usage(message).hint("set `true` or `false` without `--key`, or omit the target").into())
}

fn parse_value(text: &str) -> Result<Value, &'static str> {
    match text {
        "true" | "100" => Ok(true.into()),
        "false" | "0" => Ok(false.into()),
        _ => {
            let percentage = text.parse::<u8>().ok().filter(|percentage| *percentage <= 100);
            percentage.map(Value::from).ok_or("it must be `true`, `false`, or a percentage from 0 to 100")
        }
    }
}

fn on_or_off(on: &Value) -> Option<Cell> {
    on.as_bool().map(|on| Cell::new(if on { "on" } else { "off" }))
}

/// Returns the gates; a switch that is off is omitted if there are other gates.
fn gates(feature: &Value) -> Option<Cell> {
    let all = feature["gates"].as_array()?;
    let is_off = |gate: &Value| gate["key"] == "boolean" && gate["value"] == false;
    let only_off = all.iter().all(is_off);
    let shown = all.iter().filter(|gate| only_off || !is_off(gate)).map(gate);
    Some(shown.collect::<Vec<_>>().join(", ")).filter(|gates| !gates.is_empty()).map(Cell::new)
}

fn gate(gate: &Value) -> String {
    let key = text_at(gate, "key").unwrap_or_default();
    match (key.as_str(), &gate["value"]) {
        ("boolean", Value::Bool(on)) => if *on { "on" } else { "off" }.to_owned(),
        ("percentage_of_time", Value::Number(percentage)) => format!("{percentage}% of the time"),
        ("percentage_of_actors", Value::Number(percentage)) => format!("{percentage}% of actors"),
        (key, Value::Array(names)) => {
            format!("{key}: {}", names.iter().map(plain).collect::<Vec<_>>().join(" "))
        }
        (key, value) => format!("{key}: {value}"),
    }
}
