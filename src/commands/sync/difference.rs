//! What the file says and the server does not.

use serde_json::Value;

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
