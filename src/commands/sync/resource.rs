//! What the mechanism must know of a resource, and what every item of a file has, of whatever resource it is.

use serde_json::{Map, Value};

use crate::{
    config::{Field, ResourceItem},
    model::{Problem, closest},
};

/// A resource as a file wants it: its `name` and the fields that are sent.
pub(in crate::commands) type Desired = Map<String, Value>;

/// The failure of an update that lost what was there.
pub(in crate::commands) const LOST: &str =
    "the role was deleted, and neither the new one nor the old one could be created";

/// Resources that a file lists, of one owner on a server.
pub(in crate::commands) trait SyncResource {
    /// What one is called.
    fn noun(&self) -> &'static str;
    /// Whether the server cannot change one, so that it is deleted and made anew.
    fn must_recreate(&self) -> bool {
        false
    }
    /// Whose they are, for the question before a loss.
    fn owner(&self) -> String;
    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired>;
    fn list(&self) -> anyhow::Result<Vec<Value>>;
    /// Why one is left as it is, whatever the file says.
    fn keep_reason(&self, _actual: &Value) -> Option<&'static str> {
        None
    }
    /// What the file says of one and the server does not; all of it where there is none yet.
    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference>;
    fn create(&self, desired: &Desired) -> anyhow::Result<Value>;
    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value>;
    fn delete(&self, actual: &Value) -> anyhow::Result<Value>;
}

/// A field that is not as the file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Difference {
    pub(in crate::commands) field: &'static str,
    /// `null` for nothing.
    pub(in crate::commands) from: Value,
    pub(in crate::commands) to: Value,
}

impl Difference {
    /// The difference, if there is one.
    pub(in crate::commands) fn between(
        field: &'static str,
        from: impl Into<Value>,
        to: impl Into<Value>,
    ) -> Option<Self> {
        let (from, to) = (from.into(), to.into());
        (from != to).then_some(Self { field, from, to })
    }

    /// The difference of a description, if the file says anything about it. Spaces at its end do not count.
    pub(in crate::commands) fn of_description(desired: Option<String>, actual: Option<String>) -> Option<Self> {
        let said = |text: String| Some(text.trim_end().to_owned()).filter(|text| !text.is_empty());
        Self::between("description", actual.and_then(said), said(desired?))
    }
}

/// The description; empty where the key is there and says nothing.
pub(in crate::commands) fn description(item: &ResourceItem<'_>) -> anyhow::Result<Option<String>> {
    let Some(field) = item.get("description") else { return Ok(None) };
    Ok(Some(field.text()?.unwrap_or_default().trim_end().to_owned()))
}

/// A refusal of a key that means nothing, with the known one most like it.
pub(in crate::commands) fn unknown_key(field: &Field<'_>, known: &[&str]) -> Problem {
    field.unknown().hint(match closest(field.key(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    })
}
