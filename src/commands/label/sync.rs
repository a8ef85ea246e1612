//! `tidings label sync`: the labels of a project as a file wants them.

use serde_json::Value;

use super::{
    color::{digits, parse_color},
    parse_priority,
};
use crate::{
    api::labels::{CreateLabel, DeleteLabel, EditLabel, Label, ListLabels, Priority},
    commands::{
        PageArgs, Server, Session,
        sync::{Difference, SyncResource, description, unknown},
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

/// The labels of a project.
pub(super) struct Labels<'a> {
    pub(super) server: &'a Server,
    pub(super) project: String,
}

impl SyncResource for Labels<'_> {
    type Desired = CreateLabel;
    type Actual = Label;
    const NOUN: &'static str = "label";
    const MUST_RECREATE: bool = false;

    fn owner(&self) -> String {
        format!("`{}`", self.project)
    }

    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<CreateLabel> {
        for field in item.fields() {
            if !KEYS.contains(&field.key()) && !ANSWERED.contains(&field.key()) {
                return Err(unknown(field, &KEYS).into());
            }
        }
        Ok(CreateLabel {
            project: self.project.clone(),
            name: item.required("name")?.filled()?,
            color: color(item.required("color")?)?,
            description: description(item)?,
            priority: item.get("priority").map(priority).transpose()?,
        })
    }

    fn list(&self, session: &Session) -> anyhow::Result<Vec<Label>> {
        let all = PageArgs { per_page: Some(100), all: true, ..PageArgs::default() };
        let endpoint = ListLabels { project: self.project.clone(), ..ListLabels::default() };
        Ok(self.server.list(session, &endpoint, all)?.items)
    }

    fn wanted_name(wanted: &CreateLabel) -> &str {
        &wanted.name
    }

    fn present_name(present: &Label) -> &str {
        &present.name
    }

    fn keep_reason(present: &Label) -> Option<&'static str> {
        (present.is_project_label == Some(false)).then_some("of a group above")
    }

    fn differences(wanted: &CreateLabel, present: Option<&Label>) -> Vec<Difference> {
        let color = Difference::between("color", present.map(present_color), digits(&wanted.color));
        let description = present.and_then(|label| label.description.as_deref());
        let description = Difference::of_description(wanted.description.as_deref(), description);
        let priority = wanted.priority.and_then(|wanted| {
            let present = present.and_then(|label| label.priority);
            Difference::between("priority", present, rank(wanted))
        });
        [color, description, priority].into_iter().flatten().collect()
    }

    fn create(&self, wanted: &CreateLabel) -> anyhow::Result<Value> {
        Ok(self.server.send(wanted)?.raw)
    }

    fn update(&self, wanted: &CreateLabel, present: &Label) -> anyhow::Result<Value> {
        let changed = Self::differences(wanted, Some(present));
        let is_changed = |field: &str| changed.iter().any(|difference| difference.field == field);
        let endpoint = EditLabel {
            project: self.project.clone(),
            label: present.id.to_string(),
            new_name: None,
            color: is_changed("color").then(|| wanted.color.clone()),
            description: wanted.description.clone().filter(|_| is_changed("description")),
            priority: wanted.priority.filter(|_| is_changed("priority")),
        };
        Ok(self.server.send(&endpoint)?.raw)
    }

    fn delete(&self, present: &Label) -> anyhow::Result<Value> {
        let endpoint = DeleteLabel { project: self.project.clone(), label: present.id.to_string() };
        Ok(self.server.send(&endpoint)?.raw)
    }
}

fn present_color(label: &Label) -> String {
    digits(label.color.as_deref().unwrap_or_default())
}

fn rank(priority: Priority) -> Option<u64> {
    match priority {
        Priority::Rank(rank) => Some(rank),
        Priority::None => None,
    }
}

fn color(field: &Field<'_>) -> anyhow::Result<String> {
    let text = field.filled()?;
    parse_color(&text).map_err(|why| field.refusal(&format!("must be a colour, not `{text}`")).hint(why).into())
}

/// A rank, or `none`, or nothing at all for none.
fn priority(field: &Field<'_>) -> anyhow::Result<Priority> {
    let text = field.title()?.unwrap_or_else(|| "none".to_owned());
    parse_priority(&text).map_err(|why| field.refusal(&format!("must be {why}, not `{text}`")).into())
}
