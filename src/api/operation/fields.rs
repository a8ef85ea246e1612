//! Named values: the query of a request, or a form.

use super::escape;

/// Named values in the order they were added; what is absent is left out.
///
/// ```
/// use tidings::api::Fields;
///
/// let fields = Fields::new().add("search", Some("a b")).add("page", None::<u64>).each("refs", ["main", "v1.0"]);
/// assert_eq!(fields.encode(), "search=a%20b&refs%5B%5D=main&refs%5B%5D=v1.0");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// No fields yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, or nothing where it is `None`.
    #[must_use]
    pub fn add(mut self, name: impl Into<String>, value: impl FieldValue) -> Self {
        if let Some(text) = value.text() {
            self.0.push((name.into(), text));
        }
        self
    }

    /// Adds an array: `name[]` once for each value.
    #[must_use]
    pub fn each(self, name: &str, values: impl IntoIterator<Item = impl FieldValue>) -> Self {
        let name = format!("{name}[]");
        values.into_iter().fold(self, |fields, value| fields.add(&name, value))
    }

    /// The same fields with one of this name alone.
    pub(in crate::api) fn replace(mut self, name: &str, value: impl FieldValue) -> Self {
        self.0.retain(|(present, _)| present != name);
        self.add(name, value)
    }

    /// The fields of a query as it stands in a URL, escapes undone.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let undo = |text: &str| escape::decode(&text.replace('+', " "));
        Self(pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(n, v)| (undo(n), undo(v))).collect())
    }

    /// These fields and then those of another.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a query, or as the body of a form.
    #[must_use]
    pub fn encode(&self) -> String {
        let pairs = self.iter().map(|(name, value)| format!("{}={}", escape::value(name), escape::value(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// A value of a field.
pub trait FieldValue {
    /// The value as it is sent, before escaping; `None` leaves the field out.
    fn text(&self) -> Option<String>;
}

impl<T: FieldValue> FieldValue for Option<T> {
    fn text(&self) -> Option<String> {
        self.as_ref().and_then(FieldValue::text)
    }
}

impl<T: FieldValue + ?Sized> FieldValue for &T {
    fn text(&self) -> Option<String> {
        (*self).text()
    }
}

/// A JSON value as a form has it; `null` is an empty value.
impl FieldValue for serde_json::Value {
    fn text(&self) -> Option<String> {
        Some(match self {
            Self::Null => String::new(),
            Self::String(text) => text.clone(),
            other => other.to_string(),
        })
    }
}

macro_rules! plain_fields {
    ($($type:ty),*) => {$(
        impl FieldValue for $type {
            fn text(&self) -> Option<String> {
                Some(self.to_string())
            }
        }
    )*};
}

plain_fields!(str, String, bool, u32, u64, i64);
