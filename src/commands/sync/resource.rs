//! The interface of a resource that can be synced, and what the items of all resources have in common.

use serde_json::{Map, Value};

use crate::{
    api::ApiRequest,
    commands::{
        Server,
        resource::{Action, Draft, Given, text},
    },
    config::{Field, ResourceItem},
    model::{Problem, closest},
};

/// A resource in a file: its `name` and the fields that are sent.
pub(in crate::commands) type Desired = Map<String, Value>;

/// The message for an update that lost a resource.
pub(in crate::commands) const LOST: &str =
    "the role was deleted, and neither the new one nor the old one could be created";

/// Resources that a file lists, of one owner on a server.
pub(in crate::commands) trait SyncResource {
    /// The name of the resource in messages.
    fn noun(&self) -> &'static str;
    /// Whether the server cannot change one, so that it is deleted and recreated.
    fn must_recreate(&self) -> bool {
        false
    }
    fn read(&self, item: &ResourceItem<'_>) -> anyhow::Result<Desired>;
    fn list(&self) -> anyhow::Result<Vec<Value>>;
    /// Why a resource is never changed, if so.
    fn keep_reason(&self, _actual: &Value) -> Option<&'static str> {
        None
    }
    /// The fields that differ from the file; all of them if the resource does not exist.
    fn differences(&self, desired: &Desired, actual: Option<&Value>) -> Vec<Difference>;
    fn update(&self, desired: &Desired, actual: &Value) -> anyhow::Result<Value>;

    /// The server and the arguments.
    fn context(&self) -> SyncContext<'_>;
    /// The actions that list, create and delete.
    fn actions(&self) -> [fn() -> Action; 3];

    /// The owner of the resources, for the confirmation of deletions.
    fn owner(&self) -> String {
        self.context().given.field("owner").unwrap_or_default()
    }
    fn create(&self, desired: &Desired) -> anyhow::Result<Value> {
        self.context().send(&self.actions()[1](), None, desired.clone())
    }
    fn delete(&self, actual: &Value) -> anyhow::Result<Value> {
        self.context().send(&self.actions()[2](), Some(actual), Desired::new())
    }
}

/// The server and the arguments of a sync.
#[derive(Clone, Copy)]
pub(in crate::commands) struct SyncContext<'a> {
    pub(in crate::commands) server: &'a Server,
    pub(in crate::commands) given: &'a Given<'a>,
}

impl SyncContext<'_> {
    /// The request of an action for an existing resource, if any.
    pub(in crate::commands) fn request(&self, action: &Action, actual: Option<&Value>, fields: Desired) -> ApiRequest {
        let id = actual.and_then(|actual| text(actual, "id"));
        let path = |name: &str| if name == "id" { self.given.field("id") } else { id.clone() };
        let draft = Draft { fields: fields.into_iter().collect(), ..Draft::default() };
        self.given.request_for(action, &path, draft)
    }

    /// Sends that request, and returns the body of the response.
    pub(in crate::commands) fn send(
        &self,
        action: &Action,
        actual: Option<&Value>,
        fields: Desired,
    ) -> anyhow::Result<Value> {
        Ok(self.server.send_request(&self.request(action, actual, fields))?.body)
    }
}

/// A field that differs from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Difference {
    pub(in crate::commands) field: &'static str,
    /// `null` for nothing.
    pub(in crate::commands) from: Value,
    pub(in crate::commands) to: Value,
}

impl Difference {
    /// Returns the difference between two values, if any.
    pub(in crate::commands) fn between(
        field: &'static str,
        from: impl Into<Value>,
        to: impl Into<Value>,
    ) -> Option<Self> {
        let (from, to) = (from.into(), to.into());
        (from != to).then_some(Self { field, from, to })
    }

    /// Returns the difference of a description, if the file has one. Spaces at its end do not count.
    pub(in crate::commands) fn of_description(desired: Option<String>, actual: Option<String>) -> Option<Self> {
        let trimmed = |text: String| Some(text.trim_end().to_owned()).filter(|text| !text.is_empty());
        Self::between("description", actual.and_then(trimmed), trimmed(desired?))
    }
}

/// Returns the description; empty if the key has no value.
pub(in crate::commands) fn description(item: &ResourceItem<'_>) -> anyhow::Result<Option<String>> {
    let Some(field) = item.get("description") else { return Ok(None) };
    Ok(Some(field.text()?.unwrap_or_default().trim_end().to_owned()))
}

/// The error for an unknown key, with the most similar known one as the hint.
pub(in crate::commands) fn unknown_key(field: &Field<'_>, known: &[&str]) -> Problem {
    field.unknown().hint(match closest(field.key(), known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", known.join(", ")),
    })
}
