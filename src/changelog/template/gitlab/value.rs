//! What a selector can reach: views into the release or into JSON, copied like references.

use serde::{Serialize, Serializer, ser::SerializeTuple as _};
use serde_json::Value as Json;

use super::{
    program::{Key, Selector},
    record::Record,
};
use crate::model::{Category, Entry, Reference, float_text};

/// A value and how it behaves in conditions, loops and print.
#[derive(Clone, Debug)]
pub(super) enum Value<'a> {
    Nil,
    Bool(bool),
    Count(usize),
    Text(&'a str),
    Json(&'a Json),
    Categories(&'a [Category]),
    Entries(&'a [Entry]),
    References(&'a [Reference]),
    Record(Record<'a>),
    /// A key of an object and its value: what a loop over an object gives.
    Pair(&'a str, Box<Value<'a>>),
}

impl<'a> Value<'a> {
    /// Follows a selector; what is not there is nil.
    pub(super) fn select(&self, selector: &Selector) -> Self {
        selector.0.iter().fold(self.clone(), |value, key| match key {
            Key::It => value,
            Key::Name(name) => value.get(name),
            Key::Index(index) => value.at(*index),
        })
    }

    fn get(&self, name: &str) -> Self {
        match self {
            Self::Record(record) => record.get(name),
            Self::Json(Json::Object(object)) => object.get(name).map_or(Self::Nil, Self::from),
            _ => Self::Nil,
        }
    }

    fn at(&self, index: usize) -> Self {
        let item = match self {
            Self::Json(Json::Array(items)) => items.get(index).map(Self::from),
            Self::Categories(items) => items.get(index).map(Self::from),
            Self::Entries(items) => items.get(index).map(Self::from),
            Self::References(items) => items.get(index).map(Self::from),
            Self::Pair(key, value) => match index {
                0 => Some(Self::Text(key)),
                1 => Some((**value).clone()),
                _ => None,
            },
            _ => None,
        };
        item.unwrap_or(Self::Nil)
    }

    /// Whether a condition holds: collections and texts hold where they are not empty, so `0` does and `""` does not.
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Nil | Self::Bool(false) | Self::Json(Json::Null | Json::Bool(false)) => false,
            Self::Text(text) => !text.is_empty(),
            Self::Json(Json::String(text)) => !text.is_empty(),
            Self::Json(Json::Array(items)) => !items.is_empty(),
            Self::Json(Json::Object(object)) => !object.is_empty(),
            Self::Categories(items) => !items.is_empty(),
            Self::Entries(items) => !items.is_empty(),
            Self::References(items) => !items.is_empty(),
            Self::Record(record) => !record.is_empty(),
            Self::Bool(true) | Self::Count(_) | Self::Json(_) | Self::Pair(..) => true,
        }
    }

    /// What a loop goes over: the items of a list, the pairs of an object; `None` for what is neither.
    pub(super) fn items(&self) -> Option<Items<'a>> {
        Some(match self {
            Self::Json(Json::Array(items)) => Box::new(items.iter().map(Self::from)),
            Self::Json(Json::Object(object)) => {
                Box::new(object.iter().map(|(key, value)| Self::Pair(key, Box::new(value.into()))))
            }
            Self::Categories(items) => Box::new(items.iter().map(Self::from)),
            Self::Entries(items) => Box::new(items.iter().map(Self::from)),
            Self::References(items) => Box::new(items.iter().map(Self::from)),
            Self::Record(record) => {
                Box::new(record.pairs().into_iter().map(|(key, value)| Self::Pair(key, Box::new(value))))
            }
            Self::Pair(key, value) => Box::new([Self::Text(key), (**value).clone()].into_iter()),
            Self::Nil | Self::Bool(_) | Self::Count(_) | Self::Text(_) | Self::Json(_) => return None,
        })
    }

    /// The text of a scalar; `None` for lists and objects, which print as JSON.
    pub(super) fn text(&self) -> Option<std::borrow::Cow<'a, str>> {
        Some(match self {
            Self::Nil | Self::Json(Json::Null) => "".into(),
            Self::Bool(flag) | Self::Json(Json::Bool(flag)) => if *flag { "true" } else { "false" }.into(),
            Self::Count(count) => count.to_string().into(),
            Self::Text(text) => (*text).into(),
            Self::Json(Json::String(text)) => text.as_str().into(),
            Self::Json(Json::Number(number)) => match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) => float_text(float).into(),
                None => number.to_string().into(),
            },
            _ => return None,
        })
    }
}

/// The items of a loop, one at a time.
pub(super) type Items<'a> = Box<dyn Iterator<Item = Value<'a>> + 'a>;

impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        Self::Json(json)
    }
}

impl<'a> From<&'a Category> for Value<'a> {
    fn from(category: &'a Category) -> Self {
        Self::Record(Record::Category(category))
    }
}

impl<'a> From<&'a Entry> for Value<'a> {
    fn from(entry: &'a Entry) -> Self {
        Self::Record(Record::Entry(entry))
    }
}

impl<'a> From<&'a Reference> for Value<'a> {
    fn from(reference: &'a Reference) -> Self {
        Self::Record(Record::Reference(reference))
    }
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nil => to.serialize_unit(),
            Self::Bool(flag) => flag.serialize(to),
            Self::Count(count) => count.serialize(to),
            Self::Text(text) => text.serialize(to),
            Self::Json(json) => json.serialize(to),
            Self::Categories(items) => items.serialize(to),
            Self::Entries(items) => items.serialize(to),
            Self::References(items) => items.serialize(to),
            Self::Record(record) => record.serialize(to),
            Self::Pair(key, value) => {
                let mut pair = to.serialize_tuple(2)?;
                pair.serialize_element(key)?;
                pair.serialize_element(value)?;
                pair.end()
            }
        }
    }
}
