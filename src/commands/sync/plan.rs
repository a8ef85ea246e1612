//! The plan of a `sync`: the resources to create, change, leave and delete; and the trait of those resources.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::{
    api::{self, ApiRequest},
    commands::{
        Server,
        layout::text_at,
        resource::{Action, ActionArgs, RequestContent},
    },
    config::{Field, ResourceItem, ResourceList},
    model::{Problem, closest, pluralize},
};

/// A resource in a file: its `name` and the fields that are sent.
pub(crate) type Desired = Map<String, Value>;

/// The message for an update that lost a resource.
pub(crate) const LOST: &str = "the role was deleted, and neither the new one nor the old one could be created";

/// The behaviour in which the resources that a file can list differ.
pub(crate) trait SyncResource {
    fn context(&self) -> &SyncContext<'_>;
    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired>;
    /// Returns why a resource is never changed; `None` if it may be.
    fn keep_reason(&self, _actual: &Value) -> Option<&'static str> {
        None
    }
    /// Returns the fields that differ from the file; all of them if the resource does not exist.
    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference>;
    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value>;
}

/// The server and the owner of the resources, and the actions that list, create and delete them.
pub(crate) struct SyncContext<'a> {
    pub(crate) server: &'a Server,
    pub(crate) given: &'a ActionArgs<'a>,
    /// The name of the resource in messages.
    pub(crate) noun: &'static str,
    /// Whether the server cannot change a resource, so that it is deleted and recreated.
    pub(crate) recreates: bool,
    pub(crate) list: Action,
    pub(crate) create: Action,
    pub(crate) delete: Action,
}

impl SyncContext<'_> {
    /// Returns the request of an action for an existing resource, or for none.
    fn request(&self, action: &Action, actual: Option<&Value>, fields: Desired) -> ApiRequest {
        let id = actual.and_then(|actual| text_at(actual, "id"));
        let path = |name: &str| if name == "id" { self.given.field("id") } else { id.clone() };
        let draft = RequestContent { fields, ..RequestContent::default() };
        self.given.request_for(action, &path, draft)
    }

    /// Sends the request of an action, and returns the body of the response.
    pub(crate) fn send(&self, action: &Action, actual: Option<&Value>, fields: Desired) -> anyhow::Result<Value> {
        Ok(self.server.send_request(&self.request(action, actual, fields))?.body)
    }

    pub(crate) fn list(&self) -> anyhow::Result<Vec<Value>> {
        let request = self.request(&self.list, None, Desired::new());
        if self.list.paged {
            let listed = self.server.client().fetch_all(&request)?;
            self.server.finish_progress();
            return Ok(listed);
        }
        match self.server.send_request(&request)?.body {
            Value::Array(listed) => Ok(listed),
            _ => Err(api::Error::unexpected_response(&request, "it is not a list").into()),
        }
    }

    pub(crate) fn create(&self, desired: &Desired) -> anyhow::Result<Value> {
        self.send(&self.create, None, desired.clone())
    }

    pub(crate) fn delete(&self, actual: &Value) -> anyhow::Result<Value> {
        self.send(&self.delete, Some(actual), Desired::new())
    }
}

/// A field that differs from the file.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) field: &'static str,
    /// The actual value; `null` if there is none.
    pub(crate) from: Value,
    pub(crate) to: Value,
}

impl Difference {
    pub(crate) fn between(field: &'static str, from: impl Into<Value>, to: impl Into<Value>) -> Option<Self> {
        let (from, to) = (from.into(), to.into());
        (from != to).then_some(Self { field, from, to })
    }

    /// Returns the difference of a description, if the file has one. Spaces at its end do not count.
    pub(crate) fn between_descriptions(desired: Option<String>, actual: Option<String>) -> Option<Self> {
        let trimmed = |text: String| Some(text.trim_end().to_owned()).filter(|text| !text.is_empty());
        Self::between("description", actual.and_then(trimmed), trimmed(desired?))
    }
}

/// Returns the description; empty if the key has no value.
pub(crate) fn read_description(item: &ResourceItem<'_>) -> anyhow::Result<Option<String>> {
    let Some(field) = item.get("description") else { return Ok(None) };
    Ok(Some(field.text()?.unwrap_or_default().trim_end().to_owned()))
}

/// Returns the error for an unknown key, with the most similar known key as the hint.
pub(crate) fn unknown_key(field: &Field<'_>, known: &[&str]) -> Problem {
    field.unknown_key().hint(match closest(field.key(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", known.join(", ")),
    })
}

/// The steps in the order of the file, followed by those for resources that are not in the file.
pub(super) struct SyncPlan<'a> {
    pub(super) resource: &'a dyn SyncResource,
    pub(super) steps: Vec<SyncStep>,
}

pub(super) struct SyncStep {
    pub(super) name: String,
    pub(super) action: SyncAction,
    /// The fields that differ from the file.
    pub(super) differences: Vec<Difference>,
}

pub(super) enum SyncAction {
    Create(Desired),
    Update(Desired, Value),
    /// The resource is left as it is, for this reason; empty if it has no differences.
    Keep(&'static str),
    Delete(Value),
}

/// Reads the desired resources with their names, and refuses one that is listed twice.
pub(super) fn read(resource: &dyn SyncResource, list: &ResourceList) -> anyhow::Result<Vec<(String, Desired)>> {
    let (mut desired, mut names) = (Vec::new(), HashSet::new());
    for item in list.items()? {
        let one = resource.read(&item)?;
        let name = one.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !names.insert(name.clone()) {
            return Err(item.required_field("name")?.refusal("is listed twice").into());
        }
        desired.push((name, one));
    }
    Ok(desired)
}

impl<'a> SyncPlan<'a> {
    pub(super) fn new(
        resource: &'a dyn SyncResource,
        desired: Vec<(String, Desired)>,
        actual: Vec<Value>,
        prune: bool,
    ) -> Result<Self, Problem> {
        let mut by_name: HashMap<String, Vec<Value>> = HashMap::new();
        let names: Vec<String> = actual.iter().map(|one| text_at(one, "name").unwrap_or_default()).collect();
        for (name, one) in names.iter().zip(actual) {
            by_name.entry(name.clone()).or_default().push(one);
        }
        let mut steps = Vec::new();
        for (name, one) in desired {
            let found = by_name.remove(&name).unwrap_or_default();
            steps.push(SyncStep::reconcile(resource, name, one, found)?);
        }
        for name in names {
            let rest = by_name.remove(&name).into_iter().flatten();
            steps.extend(rest.map(|one| SyncStep::for_unlisted(resource, name.clone(), one, prune)));
        }
        Ok(Self { resource, steps })
    }

    /// Returns the number of steps that change something.
    pub(super) fn changes(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step.action, SyncAction::Keep(_))).count()
    }

    /// Returns the deletions in words that follow "refusing to"; `None` if there are none.
    pub(super) fn deletions(&self) -> Option<String> {
        let count = |name: &str| self.steps.iter().filter(|step| step.action.name() == name).count();
        let context = self.resource.context();
        let recreated = if context.recreates { count("change") } else { 0 };
        let counts = [(count("delete"), "delete "), (recreated, "delete and recreate ")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> =
            counts.map(|(count, verb)| verb.to_owned() + &pluralize(count, context.noun)).collect();
        (!parts.is_empty()).then(|| format!("{} of {}", parts.join(" and "), context.given.owner()))
    }

    /// Applies a step, and returns the outcome and the server's response.
    pub(super) fn apply(&self, step: &SyncStep, is_available: bool) -> anyhow::Result<(&'static str, Value)> {
        let response = match &step.action {
            SyncAction::Keep(_) => return Ok(("left", Value::Null)),
            _ if !is_available => return Ok(("untried", Value::Null)),
            SyncAction::Create(desired) => self.resource.context().create(desired)?,
            SyncAction::Update(desired, actual) => self.resource.update(desired, actual)?,
            SyncAction::Delete(actual) => self.resource.context().delete(actual)?,
        };
        Ok(("done", response))
    }
}

impl SyncStep {
    /// Plans the step that turns the resources found under a name into the desired one.
    fn reconcile(
        resource: &dyn SyncResource,
        name: String,
        desired: Desired,
        found: Vec<Value>,
    ) -> Result<Self, Problem> {
        let (mut kept, mut own): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| resource.keep_reason(one).is_some());
        if own.len() > 1 {
            let problem =
                Problem::new(format!("the server has {} {}s named `{name}`", own.len(), resource.context().noun));
            return Err(problem.hint("delete or rename all but one of them"));
        }
        let found = own.pop().or_else(|| kept.pop());
        let differences = resource.differences(&desired, found.as_ref());
        let action = match found {
            None => SyncAction::Create(desired),
            Some(actual) => match resource.keep_reason(&actual) {
                Some(why) => SyncAction::Keep(why),
                None if differences.is_empty() => SyncAction::Keep(""),
                None => SyncAction::Update(desired, actual),
            },
        };
        let keeps = matches!(action, SyncAction::Keep(_));
        Ok(Self { name, action, differences: if keeps { Vec::new() } else { differences } })
    }

    fn for_unlisted(resource: &dyn SyncResource, name: String, actual: Value, prune: bool) -> Self {
        let action = match resource.keep_reason(&actual) {
            Some(why) => SyncAction::Keep(why),
            None if prune => SyncAction::Delete(actual),
            None => SyncAction::Keep("not in the file"),
        };
        Self { name, action, differences: Vec::new() }
    }

    /// Returns the outcome of the step before the plan is applied.
    pub(super) fn planned_outcome(&self) -> &'static str {
        if matches!(self.action, SyncAction::Keep(_)) { "left" } else { "planned" }
    }
}

impl SyncAction {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update(..) => "change",
            Self::Keep(_) => "leave",
            Self::Delete(_) => "delete",
        }
    }
}
