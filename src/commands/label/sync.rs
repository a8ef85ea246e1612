//! `tidings label sync`: makes the labels of a project match a file.

use clap::FromArgMatches as _;
use serde_json::Value;

use super::{
    color::{digits, parse_color},
    parse_priority,
};
use crate::{
    commands::{
        PageArgs, Server, Session,
        resource::{Action, Given, text},
        sync::{Desired, Difference, SyncArgs, SyncContext, SyncResource, description, sync, unknown_key},
    },
    config::{Field, ResourceItem},
};

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

/// Runs `tidings label sync`.
pub(super) fn run(given: &Given<'_>, server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let args = SyncArgs::from_arg_matches(given.matches)?;
    sync(&Labels(SyncContext { server, given }), &args, session)
}

/// The labels of a project.
struct Labels<'a>(SyncContext<'a>);

impl SyncResource for Labels<'_> {
    fn noun(&self) -> &'static str {
        "label"
    }

    fn context(&self) -> SyncContext<'_> {
        self.0
    }

    fn actions(&self) -> [fn() -> Action; 3] {
        [super::list, super::create, super::delete]
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
        label.insert("name".to_owned(), item.required("name")?.filled()?.into());
        label.insert("color".to_owned(), color(item.required("color")?)?.into());
        label.extend(description(item)?.map(|text| ("description".to_owned(), text.into())));
        let priority = item.get("priority").map(priority).transpose()?;
        label.extend(priority.map(|priority| ("priority".to_owned(), priority)));
        Ok(label)
    }

    fn list(&self) -> anyhow::Result<Vec<Value>> {
        let request = self.0.request(&super::list(), None, Desired::new());
        let mut labels = Vec::new();
        self.0.server.list(request, PageArgs::whole(), true, |rows| {
            labels.extend(rows);
            Ok(())
        })?;
        Ok(labels)
    }

    fn keep_reason(&self, actual: &Value) -> Option<&'static str> {
        (actual["is_project_label"] == false).then_some("of an ancestor group")
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

    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value> {
        let changed = self.differences(desired, Some(actual));
        let mut fields = desired.clone();
        fields.retain(|name, _| changed.iter().any(|difference| difference.field == name));
        self.0.send(&super::edit(), Some(actual), fields)
    }
}

fn color(field: &Field<'_>) -> anyhow::Result<String> {
    let text = field.filled()?;
    parse_color(&text).map_err(|why| field.refusal(&format!("must be a colour, not `{text}`")).hint(why).into())
}

/// Parses a rank or `none`; no value is `none`.
fn priority(field: &Field<'_>) -> anyhow::Result<Value> {
    let text = field.title()?.unwrap_or_else(|| "none".to_owned());
    let problem = || field.refusal(&format!("must be a number from 0, or `none`, not `{text}`"));
    parse_priority(&text).map_err(|_| problem().into())
}
