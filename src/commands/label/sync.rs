//! `tidings label sync`: the labels of a project as a file wants them.

use clap::FromArgMatches as _;
use serde_json::Value;

use super::{
    color::{digits, parse_color},
    parse_priority,
};
use crate::{
    commands::{
        PageArgs, Server, Session,
        resource::{Action, Draft, Given, text},
        sync::{Desired, Difference, SyncArgs, SyncResource, description, sync, unknown_key},
    },
    config::{Field, ResourceItem},
};

const KEYS: [&str; 4] = ["name", "color", "description", "priority"];

/// What `label list` prints besides, which no file can change.
const ANSWERED: [&str; 9] = [
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

/// Runs `tidings label sync`.
pub(super) fn run(given: &Given<'_>, server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let args = SyncArgs::from_arg_matches(given.matches)?;
    sync(&Labels { server, given }, &args, session)
}

/// The labels of a project.
struct Labels<'a> {
    server: &'a Server,
    given: &'a Given<'a>,
}

impl SyncResource for Labels<'_> {
    fn noun(&self) -> &'static str {
        "label"
    }

    fn owner(&self) -> String {
        self.given.field("owner").unwrap_or_default()
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired> {
        // What has an ID was printed by a server, which may know more keys than this program.
        let fields = item.fields().iter().filter(|_| item.get("id").is_none());
        for field in fields {
            if !KEYS.contains(&field.key()) && !ANSWERED.contains(&field.key()) {
                return Err(unknown_key(field, &KEYS).into());
            }
        }
        let mut label = Desired::new();
        label.insert("name".to_owned(), item.required("name")?.filled()?.into());
        label.insert("color".to_owned(), color(item.required("color")?)?.into());
        label.extend(description(item)?.map(|text| ("description".to_owned(), text.into())));
        let priority = item.get("priority").map(priority).transpose()?;
        label.extend(priority.map(|priority| ("priority".to_owned(), priority)));
        Ok(label)
    }

    fn list(&self) -> anyhow::Result<Vec<Value>> {
        let request = self.given.request_for(&super::list(), &|name| self.given.field(name), Draft::default());
        let mut labels = Vec::new();
        self.server.list(request, PageArgs::whole(), true, |rows| {
            labels.extend(rows);
            Ok(())
        })?;
        Ok(labels)
    }

    fn keep_reason(&self, actual: &Value) -> Option<&'static str> {
        (actual["is_project_label"] == false).then_some("of a group above")
    }

    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference> {
        let field = |name: &str| actual.and_then(|label| text(label, name));
        let of_desired = |name: &str| desired.get(name).and_then(Value::as_str).map(str::to_owned);
        let color = of_desired("color").map(|color| digits(&color));
        let color = Difference::between("color", actual.map(|_| digits(&field("color").unwrap_or_default())), color);
        let described = Difference::of_description(of_desired("description"), field("description"));
        let priority = desired.get("priority").and_then(|priority| {
            let actual = field("priority").and_then(|rank| rank.parse::<u64>().ok());
            Difference::between("priority", actual, priority.clone())
        });
        [color, described, priority].into_iter().flatten().collect()
    }

    fn create(&self, desired: &Desired) -> anyhow::Result<Value> {
        self.send(&super::create(), None, desired.clone())
    }

    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value> {
        let changed = self.differences(desired, Some(actual));
        let mut fields = desired.clone();
        fields.retain(|name, _| changed.iter().any(|difference| difference.field == name));
        self.send(&super::edit(), Some(actual), fields)
    }

    fn delete(&self, actual: &Value) -> anyhow::Result<Value> {
        self.send(&super::delete(), Some(actual), Desired::new())
    }
}

impl Labels<'_> {
    fn send(&self, action: &Action, label: Option<&Value>, fields: Desired) -> anyhow::Result<Value> {
        let label = label.and_then(|label| text(label, "id"));
        let path = |name: &str| if name == "id" { self.given.field("id") } else { label.clone() };
        let draft = Draft { fields: fields.into_iter().collect(), ..Draft::default() };
        Ok(self.server.send_request(&self.given.request_for(action, &path, draft))?.body)
    }
}

fn color(field: &Field<'_>) -> anyhow::Result<String> {
    let text = field.filled()?;
    parse_color(&text).map_err(|why| field.refusal(&format!("must be a colour, not `{text}`")).hint(why).into())
}

/// A rank, or `none`, or nothing at all for none.
fn priority(field: &Field<'_>) -> anyhow::Result<Value> {
    let text = field.title()?.unwrap_or_else(|| "none".to_owned());
    parse_priority(&text).map_err(|why| field.refusal(&format!("must be {why}, not `{text}`")).into())
}
