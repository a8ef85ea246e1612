//! `tidings label`: the labels of a project.

mod color;

use anstyle::{RgbColor, Style};
use clap::{Args as _, FromArgMatches as _};
use serde_json::Value;

use self::color::{digits, parse_color};
use super::{
    Server, Session,
    layout::{Cell, Column, computed, left, right, text_at},
    resource::{Action, ActionArgs, Param, Resource},
    sync::{Desired, Difference, SyncArgs, SyncContext, SyncResource, read_description, sync, unknown_key},
};
use crate::config::{Field, ResourceItem};

const EXAMPLES: &str = "\
Examples:
  tidings label list --project group/app --search bug
  tidings label create late '#d9534f' --description 'not in time' --priority 0
  tidings label edit late --new-color teal --priority none
  tidings label sync labels.yml --dry-run              what a file would change";

const FILE: &str = "\
The file:
  - name: late
    color: '#d9534f'              # or the CSS name of a colour
    description: not in time      # not changed if the key is missing
    priority: 0                   # or none; not changed if the key is missing";

const READERS: &str = "a token with access to the project";
const EDITORS: &str = "the role Planner, or Reporter and up";
const PROMOTERS: &str = "the role Planner, or Reporter and up, in the group";

const LABELS: &str = "/projects/:id/labels";
const LABEL: &str = "/projects/:id/labels/:label_id";
const PROMOTION: &str = "/projects/:id/labels/:label_id/promote";
const SUBSCRIPTION: &str = "/projects/:id/labels/:label_id/subscribe";
const NO_SUBSCRIPTION: &str = "/projects/:id/labels/:label_id/unsubscribe";

const COLUMNS: [Column; 6] = [
    right("ID", "id"),
    computed("COLOR", swatch),
    left("NAME", "name"),
    right("PRIORITY", "priority"),
    computed("OF", owner),
    left("DESCRIPTION", "description"),
];

const COUNTED: [Column; 6] = [
    right("ID", "id"),
    computed("COLOR", swatch),
    left("NAME", "name"),
    right("OPEN", "open_issues_count"),
    right("CLOSED", "closed_issues_count"),
    right("REQUESTS", "open_merge_requests_count"),
];

const FIELDS: [Column; 9] = [
    left("id", "id"),
    computed("color", swatch),
    left("description", "description"),
    left("priority", "priority"),
    computed("of", owner),
    left("subscribed", "subscribed"),
    left("open issues", "open_issues_count"),
    left("closed issues", "closed_issues_count"),
    left("open merge requests", "open_merge_requests_count"),
];

/// The labels of a project. Every request needs a token.
pub(crate) const RESOURCE: Resource = Resource {
    name: "label",
    about: "List, create and change the labels of a project on the server",
    examples: EXAMPLES,
    of_project: true,
    note: "",
    actions,
};

fn actions() -> Vec<Action> {
    vec![
        list(),
        Action::get("get", "Show one label", LABEL, READERS)
            .params([label(), no_ancestors_param()])
            .card(&["name"], &FIELDS),
        create(),
        edit(),
        delete(),
        Action::put("promote", "Promote a project label to a group label; it keeps its ID", PROMOTION, PROMOTERS)
            .params([label()])
            .confirm("promote the label `{label_id}` of {owner} to its group")
            .legacy("/projects/:id/labels/promote", |_| "name")
            .card(&["name"], &FIELDS),
        Action::post(
            "subscribe",
            "Subscribe to a label, to be notified of the issues and merge requests that get it",
            SUBSCRIPTION,
            READERS,
        )
        .params([label()])
        .done_or("subscribed to the label `{label_id}`", "already subscribed to the label `{label_id}`"),
        Action::post("unsubscribe", "Unsubscribe from a label", NO_SUBSCRIPTION, READERS)
            .params([label()])
            .done_or("no longer subscribed to the label `{label_id}`", "was not subscribed to the label `{label_id}`"),
        Action::custom(
            "sync",
            "Make the project's labels match a file: print the plan, then apply it",
            |command| SyncArgs::augment_args(command).after_help(FILE),
            run_sync,
        ),
    ]
}

fn label() -> Param {
    Param::positional("label_id", "LABEL", "ID or name of the label")
}

fn description() -> Param {
    Param::option("description", "TEXT", "Description of the label")
}

fn priority() -> Param {
    let param = Param::option("priority", "RANK", "Rank among the prioritized labels, from 0, or `none`");
    param.parse(parse_priority).with(|arg| arg.allow_negative_numbers(true))
}

/// Turns a parameter into a colour; its name is another one in each command.
fn color(param: Param) -> Param {
    param.parse(|text| parse_color(text).map(Value::String)).sends("color")
}

fn no_ancestors_param() -> Param {
    let help = "Exclude labels of ancestor groups";
    Param::flag("no-ancestor-groups", help).sends_false("include_ancestor_groups")
}

fn list() -> Action {
    Action::get("list", "List labels", LABELS, READERS)
        .params([
            Param::option("search", "TEXT", "List only labels with this text in name or description"),
            Param::flag("with-counts", "Count the issues and merge requests of each label"),
            no_ancestors_param(),
        ])
        .paged()
        .table("no labels", |given| if given.flag("with-counts") { &COUNTED } else { &COLUMNS })
}

fn create() -> Action {
    let help = "`#` and six hexadecimal digits, or the CSS name of a colour";
    Action::post("create", "Create a label", LABELS, EDITORS)
        .params([
            Param::positional("name", "NAME", "Name of the label").filled(),
            color(Param::positional("new_color", "COLOR", help)),
            description(),
            priority(),
        ])
        .card(&["name"], &FIELDS)
}

fn edit() -> Action {
    let help = "New colour: `#` and six hexadecimal digits, or a CSS name";
    Action::put("edit", "Change name, colour, description or priority of a label", LABEL, EDITORS)
        .params([
            label(),
            Param::option("new-name", "NAME", "New name of the label").filled(),
            color(Param::option("new-color", "COLOR", help)),
            description(),
            priority(),
        ])
        .requires(
            &["new_name", "color", "description", "priority"],
            "nothing to change about the label `{label_id}`",
            "use `--new-name`, `--new-color`, `--description` or `--priority`",
        )
        .legacy(LABELS, legacy_key)
        .card(&["name"], &FIELDS)
}

fn delete() -> Action {
    Action::delete("delete", "Delete a label", LABEL, EDITORS)
        .params([label()])
        .confirm("delete the label `{label_id}` of {owner}")
        .legacy(LABELS, legacy_key)
        .done("deleted the label `{label_id}`")
}

/// Returns the field in which older servers take a label: `label_id` for a number, else `name`.
fn legacy_key(label: &str) -> &'static str {
    if label.bytes().all(|byte| byte.is_ascii_digit()) { "label_id" } else { "name" }
}

/// Parses a rank; `none` is `null`, which a form sends as an empty value.
fn parse_priority(text: &str) -> Result<Value, String> {
    match text {
        "none" => Ok(Value::Null),
        rank => rank.parse::<u64>().map(Value::from).map_err(|_| "it must be a number from 0, or `none`".to_owned()),
    }
}

fn owner(label: &Value) -> Option<Cell> {
    label["is_project_label"].as_bool().map(|own| Cell::new(if own { "project" } else { "group" }))
}

/// Returns the colour as text on a background of that colour.
fn swatch(label: &Value) -> Option<Cell> {
    let color = text_at(label, "color")?;
    let ground = rgb(&color);
    let ink = text_at(label, "text_color").and_then(|color| rgb(&color)).filter(|_| ground.is_some());
    let style = Style::new().bg_color(ground.map(Into::into)).fg_color(ink.map(Into::into));
    Some(Cell::new(color).with_style(style))
}

fn rgb(hex: &str) -> Option<RgbColor> {
    let digits = hex.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some(RgbColor(part(0)?, part(2)?, part(4)?))
}

const KEYS: [&str; 4] = ["name", "color", "description", "priority"];

/// The other keys that `label list` prints, which a file cannot change.
const READ_ONLY: [&str; 9] = [
    "id",
    "text_color",
    "description_html",
    "open_issues_count",
    "closed_issues_count",
    "open_merge_requests_count",
    "subscribed",
    "is_project_label",
    "archived",
];

fn run_sync(given: &ActionArgs<'_>, server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let args = SyncArgs::from_arg_matches(given.matches)?;
    let context = SyncContext {
        server,
        given,
        noun: "label",
        recreates: false,
        list: list(),
        create: create(),
        delete: delete(),
    };
    sync(&Labels(context), &args, session)
}

struct Labels<'a>(SyncContext<'a>);

impl SyncResource for Labels<'_> {
    fn context(&self) -> &SyncContext<'_> {
        &self.0
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired> {
        // An item with an ID comes from a server, which may have keys that this program does not know.
        let fields = item.fields().iter().filter(|_| item.get("id").is_none());
        for field in fields {
            if !KEYS.contains(&field.key()) && !READ_ONLY.contains(&field.key()) {
                return Err(unknown_key(field, &KEYS).into());
            }
        }
        let mut label = Desired::new();
        label.insert("name".to_owned(), item.required_field("name")?.filled()?.into());
        label.insert("color".to_owned(), color_of(item.required_field("color")?)?.into());
        label.extend(read_description(item)?.map(|text| ("description".to_owned(), text.into())));
        let priority = item.get("priority").map(priority_of).transpose()?;
        label.extend(priority.map(|priority| ("priority".to_owned(), priority)));
        Ok(label)
    }

    fn keep_reason(&self, actual: &Value) -> Option<&'static str> {
        (actual["is_project_label"] == false).then_some("of an ancestor group")
    }

    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference> {
        let field = |name: &str| actual.and_then(|label| text_at(label, name));
        let of_desired = |name: &str| desired.get(name).and_then(Value::as_str).map(str::to_owned);
        let color = of_desired("color").map(|color| digits(&color));
        let color = Difference::between("color", actual.map(|_| digits(&field("color").unwrap_or_default())), color);
        let described = Difference::between_descriptions(of_desired("description"), field("description"));
        let priority = desired.get("priority").and_then(|priority| {
            let actual = field("priority").and_then(|rank| rank.parse::<u64>().ok());
            Difference::between("priority", actual, priority.clone())
        });
        [color, described, priority].into_iter().flatten().collect()
    }

    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value> {
        let changed = self.differences(desired, Some(actual));
        let mut fields = desired.clone();
        fields.retain(|name, _| changed.iter().any(|difference| difference.field == name));
        self.0.send(&edit(), Some(actual), fields)
    }
}

fn color_of(field: &Field<'_>) -> anyhow::Result<String> {
    let text = field.filled()?;
    parse_color(&text).map_err(|why| field.refusal(&format!("must be a colour, not `{text}`")).hint(why).into())
}

/// Parses a rank or `none`; a missing value is `none`.
fn priority_of(field: &Field<'_>) -> anyhow::Result<Value> {
    let text = field.title()?.unwrap_or_else(|| "none".to_owned());
    parse_priority(&text)
        .map_err(|_| field.refusal(&format!("must be a number from 0, or `none`, not `{text}`")).into())
}
