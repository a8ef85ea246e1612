//! What the mechanism must know of a resource, and what its files and differences have in common.

use serde_json::Value;

use crate::{
    commands::Session,
    config::{Field, ResourceItem},
    model::{Problem, closest},
};

/// Things of a kind, in one place of a server.
pub(in crate::commands) trait SyncResource {
    /// A thing as the file wants it.
    type Desired;
    /// A thing as the server has it.
    type Actual;
    /// What one is called.
    const NOUN: &'static str;
    /// Whether the server cannot change one, so that it is deleted and made anew.
    const MUST_RECREATE: bool;

    /// Whose they are, for the question before a loss.
    fn owner(&self) -> String;
    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Self::Desired>;
    fn list(&self, session: &Session) -> anyhow::Result<Vec<Self::Actual>>;
    fn wanted_name(wanted: &Self::Desired) -> &str;
    fn present_name(present: &Self::Actual) -> &str;
    /// Why one is left as it is, whatever the file says.
    fn keep_reason(present: &Self::Actual) -> Option<&'static str>;
    /// What the file says of a thing and the server does not; all of it where there is none yet.
    fn differences(wanted: &Self::Desired, present: Option<&Self::Actual>) -> Vec<Difference>;
    fn create(&self, wanted: &Self::Desired) -> anyhow::Result<Value>;
    fn update(&self, wanted: &Self::Desired, present: &Self::Actual) -> anyhow::Result<Value>;
    fn delete(&self, present: &Self::Actual) -> anyhow::Result<Value>;
}

/// The description; empty where the key is there and says nothing.
pub(in crate::commands) fn description(item: &ResourceItem<'_>) -> anyhow::Result<Option<String>> {
    let Some(field) = item.get("description") else { return Ok(None) };
    Ok(Some(field.text()?.unwrap_or_default().trim_end().to_owned()))
}

/// A refusal of a key that means nothing, with the known one most like it.
pub(in crate::commands) fn unknown(field: &Field<'_>, known: &[&str]) -> Problem {
    field.unknown().hint(match closest(field.key(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    })
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

    /// The difference of a description, where the file says anything about it.
    pub(in crate::commands) fn of_description(wanted: Option<&str>, present: Option<&str>) -> Option<Self> {
        Self::between("description", said(present), said(Some(wanted?)))
    }
}

/// A text as it is compared: without spaces at its end, and nothing where that is all of it.
fn said(text: Option<&str>) -> Option<&str> {
    text.map(str::trim_end).filter(|text| !text.is_empty())
}
