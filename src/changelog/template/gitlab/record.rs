//! The parts of a release as objects of the template language: the names they have, and the value behind each.

use std::ops::Deref;

use serde::{Serialize, Serializer};

use super::value::Value;
use crate::model::{Author, Category, CommitLink, Entry, MergeRequest, Reference, Release, Trailers};

/// An object. What is absent has no key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Record<'a> {
    /// The top: this language sees nothing but the categories.
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
    pub(super) fn get(self, name: &str) -> Value<'a> {
        match self {
            Self::Release(release) => release_value(release, name),
            Self::Category(category) => category_value(category, name),
            Self::Entry(entry) => entry_value(entry, name),
            Self::Commit(commit) => commit_value(commit, name),
            Self::Trailers(trailers) => text(trailers.get(name)),
            Self::Author(author) => author_value(author, name),
            Self::MergeRequest(request) => request_value(request, name),
            Self::Reference(reference) => reference_value(reference, name),
        }
    }

    /// Every key that is there, with its value, in order.
    pub(super) fn pairs(self) -> Vec<(&'a str, Value<'a>)> {
        let names: &[&str] = match self {
            Self::Release(_) => &["categories"],
            Self::Category(_) => &["title", "count", "single_change", "entries"],
            Self::Entry(_) => {
                &["title", "scope", "linked_title", "references", "category", "commit", "author", "merge_request"]
            }
            Self::Commit(_) => &["id", "short_id", "reference", "web_url", "trailers", "date"],
            Self::Author(_) => &["name", "email", "reference", "contributor", "credit"],
            Self::MergeRequest(_) => &["reference", "web_url"],
            Self::Reference(_) => &["text", "url"],
            Self::Trailers(trailers) => {
                return trailers.iter().map(|trailer| (&*trailer.key, Value::Text(&trailer.value))).collect();
            }
        };
        let pairs = names.iter().map(|name| (*name, self.get(name)));
        pairs.filter(|(_, value)| !matches!(value, Value::Nil)).collect()
    }

    pub(super) fn is_empty(self) -> bool {
        matches!(self, Self::Trailers(trailers) if trailers.is_empty())
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.pairs())
    }
}

fn release_value<'a>(release: &'a Release, name: &str) -> Value<'a> {
    match name {
        "categories" => Value::Categories(&release.categories),
        _ => Value::Nil,
    }
}

fn category_value<'a>(category: &'a Category, name: &str) -> Value<'a> {
    match name {
        "title" => Value::Text(&category.title),
        "count" => Value::Count(category.count),
        "single_change" => Value::Bool(category.single_change),
        "entries" => Value::Entries(&category.entries),
        _ => Value::Nil,
    }
}

fn entry_value<'a>(entry: &'a Entry, name: &str) -> Value<'a> {
    match name {
        "title" => Value::Text(&entry.title),
        "scope" => text(entry.scope.as_ref()),
        "linked_title" => text(entry.linked_title.as_ref()),
        "references" if !entry.references.is_empty() => Value::References(&entry.references),
        "category" => Value::Text(&entry.category),
        "commit" => Value::Record(Record::Commit(&entry.commit)),
        "author" => record(entry.author.as_ref().map(Record::Author)),
        "merge_request" => record(entry.merge_request.as_ref().map(Record::MergeRequest)),
        _ => Value::Nil,
    }
}

fn commit_value<'a>(commit: &'a CommitLink, name: &str) -> Value<'a> {
    match name {
        "id" => Value::Text(&commit.id),
        "short_id" => Value::Text(&commit.short_id),
        "reference" => Value::Text(&commit.reference),
        "web_url" => text(commit.web_url.as_ref()),
        "trailers" => Value::Record(Record::Trailers(&commit.trailers)),
        "date" => Value::Text(&commit.date),
        _ => Value::Nil,
    }
}

fn author_value<'a>(author: &'a Author, name: &str) -> Value<'a> {
    match name {
        "name" => Value::Text(&author.name),
        "email" => Value::Text(&author.email),
        "reference" => text(author.reference.as_ref()),
        "contributor" => Value::Bool(author.contributor),
        "credit" => Value::Bool(author.credit),
        _ => Value::Nil,
    }
}

fn request_value<'a>(request: &'a MergeRequest, name: &str) -> Value<'a> {
    match name {
        "reference" => Value::Text(&request.reference),
        "web_url" => text(request.web_url.as_ref()),
        _ => Value::Nil,
    }
}

fn reference_value<'a>(reference: &'a Reference, name: &str) -> Value<'a> {
    match name {
        "text" => Value::Text(&reference.text),
        "url" => Value::Text(&reference.url),
        _ => Value::Nil,
    }
}

fn text<T: Deref<Target = str>>(text: Option<&T>) -> Value<'_> {
    text.map_or(Value::Nil, |text| Value::Text(text))
}

fn record(record: Option<Record<'_>>) -> Value<'_> {
    record.map_or(Value::Nil, Value::Record)
}
