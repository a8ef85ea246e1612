//! A release: what a template is rendered with.

use serde::Serialize;

use super::Entry;

/// The context of a template. GitLab's template language has only `categories`, Handlebars also the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Release {
    /// The version as in the heading, without a leading `v`.
    pub version: String,
    /// The date as in the heading.
    pub date: String,
    /// The version of the base tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_version: Option<String>,
    /// The forge's page that compares base and end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare_url: Option<String>,
    /// `group/project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The categories that have entries: those of the configuration in its order, then others by first appearance.
    pub categories: Vec<Category>,
}

/// The entries of one category.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Category {
    /// The configured title, else the raw trailer value.
    pub title: String,
    /// How many entries it has, at least one.
    pub count: usize,
    /// Whether `count` is one.
    pub single_change: bool,
    /// Its entries, newest first.
    pub entries: Vec<Entry>,
}

impl Category {
    /// A category of these entries.
    #[must_use]
    pub fn new(title: String, entries: Vec<Entry>) -> Self {
        Self { title, count: entries.len(), single_change: entries.len() == 1, entries }
    }
}
