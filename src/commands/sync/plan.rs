//! The plan: what is to be created, changed, left and deleted.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Difference, Kind};
use crate::{
    config::Inventory,
    model::{Problem, counted},
};

/// Steps in the order of the file, and behind them what the file does not name.
pub(super) struct Plan<K: Kind> {
    pub(super) steps: Vec<Step<K>>,
}

/// What becomes of a thing.
pub(super) enum Step<K: Kind> {
    Create(K::Wanted),
    Change(K::Wanted, K::Present),
    /// Left as it is, and why.
    Leave(K::Present, &'static str),
    Delete(K::Present),
}

/// The things the file wants, each once.
pub(super) fn read<K: Kind>(kind: &K, list: &Inventory) -> anyhow::Result<Vec<K::Wanted>> {
    let (mut wanted, mut names) = (Vec::new(), HashSet::new());
    for item in list.items()? {
        let thing = kind.read(&item)?;
        if !names.insert(K::wanted_name(&thing).to_owned()) {
            return Err(item.required("name")?.refusal("stands in the list already").into());
        }
        wanted.push(thing);
    }
    Ok(wanted)
}

impl<K: Kind> Plan<K> {
    pub(super) fn of(wanted: Vec<K::Wanted>, present: Vec<K::Present>, prune: bool) -> Result<Self, Problem> {
        let mut by_name: HashMap<String, Vec<K::Present>> = HashMap::new();
        let names: Vec<String> = present.iter().map(|thing| K::present_name(thing).to_owned()).collect();
        for (name, thing) in names.iter().zip(present) {
            by_name.entry(name.clone()).or_default().push(thing);
        }
        let mut steps = Vec::new();
        for thing in wanted {
            let found = by_name.remove(K::wanted_name(&thing)).unwrap_or_default();
            steps.push(Step::towards(thing, found)?);
        }
        let rest = names.iter().filter_map(|name| by_name.remove(name)).flatten();
        steps.extend(rest.map(|thing| Step::without_file(thing, prune)));
        Ok(Self { steps })
    }

    /// How many steps change something.
    pub(super) fn changes(&self) -> usize {
        self.steps.iter().filter(|step| !matches!(step, Step::Leave(..))).count()
    }

    /// What is lost by it, in words that fit behind "will not".
    pub(super) fn loss(&self, place: &str) -> Option<String> {
        let count = |is_meant: fn(&Step<K>) -> bool| self.steps.iter().filter(|step| is_meant(step)).count();
        let deleted = count(|step| matches!(step, Step::Delete(_)));
        let remade = count(|step| K::REMADE && matches!(step, Step::Change(..)));
        let parts = [(deleted, "delete "), (remade, "delete and make anew ")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, verb)| verb.to_owned() + &counted(count, K::NOUN)).collect();
        (!parts.is_empty()).then(|| format!("{} of {place}", parts.join(" and ")))
    }
}

impl<K: Kind> Step<K> {
    /// The step from what is there under a name to what is wanted.
    fn towards(wanted: K::Wanted, found: Vec<K::Present>) -> Result<Self, Problem> {
        let (mut kept, mut own): (Vec<_>, Vec<_>) = found.into_iter().partition(|thing| K::kept(thing).is_some());
        if own.len() > 1 {
            let (noun, name) = (K::NOUN, K::wanted_name(&wanted));
            let problem = Problem::new(format!("the server has {} {noun}s named `{name}`", own.len()));
            return Err(problem.hint("delete or rename all but one of them"));
        }
        Ok(match own.pop().or_else(|| kept.pop()) {
            None => Self::Create(wanted),
            Some(present) => match K::kept(&present) {
                Some(why) => Self::Leave(present, why),
                None if K::differences(&wanted, Some(&present)).is_empty() => Self::Leave(present, ""),
                None => Self::Change(wanted, present),
            },
        })
    }

    fn without_file(present: K::Present, prune: bool) -> Self {
        match K::kept(&present) {
            Some(why) => Self::Leave(present, why),
            None if prune => Self::Delete(present),
            None => Self::Leave(present, "not in the file"),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Create(wanted) | Self::Change(wanted, _) => K::wanted_name(wanted),
            Self::Leave(present, _) | Self::Delete(present) => K::present_name(present),
        }
    }

    pub(super) fn action(&self) -> &'static str {
        match self {
            Self::Create(_) => "create",
            Self::Change(..) => "change",
            Self::Leave(..) => "leave",
            Self::Delete(_) => "delete",
        }
    }

    pub(super) fn differences(&self) -> Vec<Difference> {
        match self {
            Self::Create(wanted) => K::differences(wanted, None),
            Self::Change(wanted, present) => K::differences(wanted, Some(present)),
            Self::Leave(..) | Self::Delete(_) => Vec::new(),
        }
    }

    /// The outcome as long as it is not taken.
    pub(super) fn prospect(&self) -> &'static str {
        if matches!(self, Self::Leave(..)) { "left" } else { "planned" }
    }

    /// Takes the step; gives the outcome and what the server answered.
    pub(super) fn take(&self, kind: &K, within_reach: bool) -> anyhow::Result<(&'static str, Value)> {
        let answer = match self {
            Self::Leave(..) => return Ok(("left", Value::Null)),
            _ if !within_reach => return Ok(("untried", Value::Null)),
            Self::Create(wanted) => kind.create(wanted)?,
            Self::Change(wanted, present) => kind.change(wanted, present)?,
            Self::Delete(present) => kind.delete(present)?,
        };
        Ok(("done", answer))
    }
}
