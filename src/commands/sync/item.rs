//! What every thing of a file has, of whatever kind it is.

use crate::{
    config::{Field, ResourceItem},
    model::{Problem, closest},
};

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
