//! The plan: what is to be created, changed, left and deleted.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Difference, SyncResource};
use crate::{
    config::ResourceList,
    model::{Problem, pluralize},
};

/// Steps in the order of the file, and behind them what the file does not name.
pub(super) struct SyncPlan<K: SyncResource> {
    pub(super) steps: Vec<SyncAction<K>>,
}

/// What becomes of a thing.
pub(super) enum SyncAction<K: SyncResource> {
    Create(K::Desired),
    Update(K::Desired, K::Actual),
    /// Left as it is, and why.
    Keep(K::Actual, &'static str),
    Delete(K::Actual),
}

/// The things the file wants, each once.
pub(super) fn read<K: SyncResource>(kind: &K, list: &ResourceList) -> anyhow::Result<Vec<K::Desired>> {
    let (mut wanted, mut names) = (Vec::new(), HashSet::new());
    for item in list.items()? {
        let thing = kind.read(&item)?;
        if !names.insert(K::wanted_name(&thing).to_owned()) {
            return Err(item.required("name")?.refusal("is listed twice").into());
        }
        wanted.push(thing);
    }
    Ok(wanted)
}

impl<K: SyncResource> SyncPlan<K> {
    pub(super) fn of(wanted: Vec<K::Desired>, present: Vec<K::Actual>, prune: bool) -> Result<Self, Problem> {
        let mut by_name: HashMap<String, Vec<K::Actual>> = HashMap::new();
        let names: Vec<String> = present.iter().map(|thing| K::present_name(thing).to_owned()).collect();
        for (name, thing) in names.iter().zip(present) {
            by_name.entry(name.clone()).or_default().push(thing);
        }
        let mut steps = Vec::new();
        for thing in wanted {
            let found = by_name.remove(K::wanted_name(&thing)).unwrap_or_default();
            steps.push(SyncAction::reconcile(thing, found)?);
        }
        let rest = names.iter().filter_map(|name| by_name.remove(name)).flatten();
        steps.extend(rest.map(|thing| SyncAction::for_unlisted(thing, prune)));
        Ok(Self { steps })
    }

    /// How many steps change something.
    pub(super) fn changes(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step, SyncAction::Keep(..))).count()
    }

    /// What is lost by it, in words that fit behind "will not".
    pub(super) fn deletions(&self, place: &str) -> Option<String> {
        let count = |is_meant: fn(&SyncAction<K>) -> bool| self.steps.iter().filter(|step| is_meant(step)).count();
        let deleted = count(|step| matches!(step, SyncAction::Delete(_)));
        let remade = count(|step| K::MUST_RECREATE && matches!(step, SyncAction::Update(..)));
        let parts = [(deleted, "delete "), (remade, "delete and recreate ")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, verb)| verb.to_owned() + &pluralize(count, K::NOUN)).collect();
        (!parts.is_empty()).then(|| format!("{} of {place}", parts.join(" and ")))
    }
}

impl<K: SyncResource> SyncAction<K> {
    /// The step from what is there under a name to what is wanted.
    fn reconcile(wanted: K::Desired, found: Vec<K::Actual>) -> Result<Self, Problem> {
        let (mut kept, mut own): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|thing| K::keep_reason(thing).is_some());
        if own.len() > 1 {
            let (noun, name) = (K::NOUN, K::wanted_name(&wanted));
            let problem = Problem::new(format!("the server has {} {noun}s named `{name}`", own.len()));
            return Err(problem.hint("delete or rename all but one of them"));
        }
        Ok(match own.pop().or_else(|| kept.pop()) {
            None => Self::Create(wanted),
            Some(present) => match K::keep_reason(&present) {
                Some(why) => Self::Keep(present, why),
                None if K::differences(&wanted, Some(&present)).is_empty() => Self::Keep(present, ""),
                None => Self::Update(wanted, present),
            },
        })
    }

    fn for_unlisted(present: K::Actual, prune: bool) -> Self {
        match K::keep_reason(&present) {
            Some(why) => Self::Keep(present, why),
            None if prune => Self::Delete(present),
            None => Self::Keep(present, "not in the file"),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Create(wanted) | Self::Update(wanted, _) => K::wanted_name(wanted),
            Self::Keep(present, _) | Self::Delete(present) => K::present_name(present),
        }
    }

    pub(super) fn action(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Update(..) => "change",
            Self::Keep(..) => "leave",
            Self::Delete(_) => "delete",
        }
    }

    pub(super) fn differences(&self) -> Vec<Difference> {
        match self {
            Self::Create(wanted) => K::differences(wanted, None),
            Self::Update(wanted, present) => K::differences(wanted, Some(present)),
            Self::Keep(..) | Self::Delete(_) => Vec::new(),
        }
    }

    /// The outcome as long as it is not taken.
    pub(super) fn planned_outcome(&self) -> &'static str {
        if matches!(self, Self::Keep(..)) { "left" } else { "planned" }
    }

    /// Takes the step; gives the outcome and what the server answered.
    pub(super) fn apply(&self, kind: &K, within_reach: bool) -> anyhow::Result<(&'static str, Value)> {
        let answer = match self {
            Self::Keep(..) => return Ok(("left", Value::Null)),
            _ if !within_reach => return Ok(("untried", Value::Null)),
            Self::Create(wanted) => kind.create(wanted)?,
            Self::Update(wanted, present) => kind.update(wanted, present)?,
            Self::Delete(present) => kind.delete(present)?,
        };
        Ok(("done", answer))
    }
}
