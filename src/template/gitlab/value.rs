//! The values that a selector can reach: views into the release or into JSON, copied like references.

use std::ops::Deref;

use serde::{Serialize, Serializer, ser::SerializeTuple as _};
use serde_json::Value as Json;

use super::parser::{Key, Selector};
use crate::model::{Author, Category, CommitLink, Entry, MergeRequest, Reference, Release, Trailers, float_text};

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
    /// A key of an object and its value, as a loop over the object yields them.
    Pair(&'a str, Box<Value<'a>>),
}

impl<'a> Value<'a> {
    /// Follows a selector; a missing value is nil.
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

    /// Whether a condition holds: collections and texts hold if they are not empty, so `0` does and `""` does not.
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

    /// Returns what a loop iterates over: the items of a list, the pairs of an object; `None` for other values.
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

    /// Returns the text of a scalar; `None` for lists and objects, which print as JSON.
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

/// An object. A value that is absent has no key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Record<'a> {
    /// The top, of which this language only sees the categories.
    Release(&'a Release),
    Category(&'a Category),
    Entry(&'a Entry),
    Commit(&'a CommitLink),
    Trailers(&'a Trailers),
    Author(&'a Author),
    MergeRequest(&'a MergeRequest),
    Reference(&'a Reference),
}

impl<'a> Record<'a> {
    fn get(self, name: &str) -> Value<'a> {
        match self {
            Self::Release(release) => get(RELEASE, release, name),
            Self::Category(category) => get(CATEGORY, category, name),
            Self::Entry(entry) => get(ENTRY, entry, name),
            Self::Commit(commit) => get(COMMIT, commit, name),
            Self::Trailers(trailers) => text(trailers.get(name)),
            Self::Author(author) => get(AUTHOR, author, name),
            Self::MergeRequest(request) => get(MERGE_REQUEST, request, name),
            Self::Reference(reference) => get(REFERENCE, reference, name),
        }
    }

    /// Returns every key that has a value, with the value, in order.
    fn pairs(self) -> Vec<(&'a str, Value<'a>)> {
        match self {
            Self::Release(release) => pairs(RELEASE, release),
            Self::Category(category) => pairs(CATEGORY, category),
            Self::Entry(entry) => pairs(ENTRY, entry),
            Self::Commit(commit) => pairs(COMMIT, commit),
            Self::Trailers(trailers) => {
                trailers.iter().map(|trailer| (&*trailer.key, Value::Text(&trailer.value))).collect()
            }
            Self::Author(author) => pairs(AUTHOR, author),
            Self::MergeRequest(request) => pairs(MERGE_REQUEST, request),
            Self::Reference(reference) => pairs(REFERENCE, reference),
        }
    }

    fn is_empty(self) -> bool {
        matches!(self, Self::Trailers(trailers) if trailers.is_empty())
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.pairs())
    }
}

/// The keys of an object, and the function that reads the value of each, nil if it is absent.
type Keys<T> = &'static [(&'static str, fn(&T) -> Value<'_>)];

fn get<'a, T>(keys: Keys<T>, object: &'a T, name: &str) -> Value<'a> {
    keys.iter().find(|(known, _)| *known == name).map_or(Value::Nil, |(_, read)| read(object))
}

fn pairs<T>(keys: Keys<T>, object: &T) -> Vec<(&str, Value<'_>)> {
    let pairs = keys.iter().map(|(name, read)| (*name, read(object)));
    pairs.filter(|(_, value)| !matches!(value, Value::Nil)).collect()
}

const RELEASE: Keys<Release> = &[("categories", |release| Value::Categories(&release.categories))];

const CATEGORY: Keys<Category> = &[
    ("title", |category| Value::Text(&category.title)),
    ("count", |category| Value::Count(category.count)),
    ("single_change", |category| Value::Bool(category.single_change)),
    ("entries", |category| Value::Entries(&category.entries)),
];

const ENTRY: Keys<Entry> = &[
    ("title", |entry| Value::Text(&entry.title)),
    ("text", |entry| text(entry.text.as_ref())),
    ("body", |entry| text(entry.body.as_ref())),
    ("breaking_text", |entry| text(entry.breaking_text.as_ref())),
    ("scope", |entry| text(entry.scope.as_ref())),
    ("breaking", |entry| if entry.breaking { Value::Bool(true) } else { Value::Nil }),
    ("linked_title", |entry| text(entry.linked_title.as_ref())),
    ("references", |entry| match entry.references.as_slice() {
        [] => Value::Nil,
        references => Value::References(references),
    }),
    ("category", |entry| Value::Text(&entry.category)),
    ("commit", |entry| Value::Record(Record::Commit(&entry.commit))),
    ("author", |entry| record(entry.author.as_ref().map(Record::Author))),
    ("merge_request", |entry| record(entry.merge_request.as_ref().map(Record::MergeRequest))),
];

const COMMIT: Keys<CommitLink> = &[
    ("id", |commit| Value::Text(&commit.id)),
    ("short_id", |commit| Value::Text(&commit.short_id)),
    ("reference", |commit| Value::Text(&commit.reference)),
    ("web_url", |commit| text(commit.web_url.as_ref())),
    ("trailers", |commit| Value::Record(Record::Trailers(&commit.trailers))),
    ("date", |commit| Value::Text(&commit.date)),
];

const AUTHOR: Keys<Author> = &[
    ("name", |author| Value::Text(&author.name)),
    ("email", |author| Value::Text(&author.email)),
    ("reference", |author| text(author.reference.as_ref())),
    ("contributor", |author| Value::Bool(author.contributor)),
    ("credit", |author| Value::Bool(author.credit)),
];

const MERGE_REQUEST: Keys<MergeRequest> = &[
    ("reference", |request| Value::Text(&request.reference)),
    ("label", |request| text(request.label.as_ref())),
    ("web_url", |request| text(request.web_url.as_ref())),
];

const REFERENCE: Keys<Reference> =
    &[("text", |reference| Value::Text(&reference.text)), ("url", |reference| Value::Text(&reference.url))];

fn text<T: Deref<Target = str>>(text: Option<&T>) -> Value<'_> {
    text.map_or(Value::Nil, |text| Value::Text(text))
}

fn record(record: Option<Record<'_>>) -> Value<'_> {
    record.map_or(Value::Nil, Value::Record)
}
