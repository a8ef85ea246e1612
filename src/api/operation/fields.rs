//! Fields: the query of a request, or a form.

use super::path::{decode, encode};

/// Names and values in the order in which they were added.
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

    /// Adds a value, unless it is `None`.
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

    /// Replaces all fields of a name by one.
    pub(in crate::api) fn replace(mut self, name: &str, value: impl FieldValue) -> Self {
        self.0.retain(|(present, _)| present != name);
        self.add(name, value)
    }

    /// Parses the query of a URL and decodes its values.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let decode = |text: &str| decode(&text.replace('+', " "));
        Self(
            pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(n, v)| (decode(n), decode(v))).collect(),
        )
    }

    /// Appends other fields.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encodes them as a query or as the body of a form.
    #[must_use]
    pub fn encode(&self) -> String {
        let pairs = self.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// A value of a field.
pub trait FieldValue {
    /// The value as it is sent, before encoding; `None` omits the field.
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

/// A JSON value in a form; `null` is an empty value.
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
