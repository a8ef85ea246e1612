//! The plan: what is created, changed, left and deleted.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Desired, Difference, SyncResource};
use crate::{
    commands::resource::text,
    config::ResourceList,
    model::{Problem, pluralize},
};

/// Steps in the order of the file, followed by those for resources that are not in the file.
pub(super) struct SyncPlan<'a> {
    pub(super) resource: &'a dyn SyncResource,
    pub(super) steps: Vec<SyncStep>,
}

/// The step for one resource.
pub(super) struct SyncStep {
    pub(super) name: String,
    pub(super) action: SyncAction,
    /// The fields that differ from the file.
    pub(super) differences: Vec<Difference>,
}

pub(super) enum SyncAction {
    Create(Desired),
    Update(Desired, Value),
    /// Left as it is, and why.
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
            return Err(item.required("name")?.refusal("is listed twice").into());
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
        let names: Vec<String> = actual.iter().map(|one| text(one, "name").unwrap_or_default()).collect();
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

    /// The number of steps that change something.
    pub(super) fn changes(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step.action, SyncAction::Keep(_))).count()
    }

    /// The deletions, to follow "refusing to".
    pub(super) fn deletions(&self) -> Option<String> {
        let count = |name: &str| self.steps.iter().filter(|step| step.action.name() == name).count();
        let recreated = if self.resource.must_recreate() { count("change") } else { 0 };
        let parts = [(count("delete"), "delete "), (recreated, "delete and recreate ")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> =
            parts.map(|(count, verb)| verb.to_owned() + &pluralize(count, self.resource.noun())).collect();
        (!parts.is_empty()).then(|| format!("{} of {}", parts.join(" and "), self.resource.owner()))
    }

    /// Applies a step, and returns the outcome and the server's response.
    pub(super) fn apply(&self, step: &SyncStep, is_available: bool) -> anyhow::Result<(&'static str, Value)> {
        let response = match &step.action {
            SyncAction::Keep(_) => return Ok(("left", Value::Null)),
            _ if !is_available => return Ok(("untried", Value::Null)),
            SyncAction::Create(desired) => self.resource.create(desired)?,
            SyncAction::Update(desired, actual) => self.resource.update(desired, actual)?,
            SyncAction::Delete(actual) => self.resource.delete(actual)?,
        };
        Ok(("done", response))
    }
}

impl SyncStep {
    /// Plans the step from the resources found under a name to the desired one.
    fn reconcile(
        resource: &dyn SyncResource,
        name: String,
        desired: Desired,
        found: Vec<Value>,
    ) -> Result<Self, Problem> {
        let (mut kept, mut own): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|one| resource.keep_reason(one).is_some());
        if own.len() > 1 {
            let problem = Problem::new(format!("the server has {} {}s named `{name}`", own.len(), resource.noun()));
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

    /// The outcome before the plan is applied.
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
