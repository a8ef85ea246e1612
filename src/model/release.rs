//! A release: what a template is rendered with.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{CommitLink, Entry, MergeRequest};

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
    /// What is found out only for templates that name it.
    #[serde(flatten)]
    pub details: ReleaseDetails,
}

/// The people and numbers of a release; each is `None` unless the template names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReleaseDetails {
    /// Who made the commits of the range, those with the most commits first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributors: Option<Vec<ReleaseContributor>>,
    /// Those of them who have no commit in the history before the range; empty if there is no such history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_contributors: Option<Vec<ReleaseContributor>>,
    /// The numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
}

/// Somebody who made commits of a range, as an author or as a co-author.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReleaseContributor {
    /// The name after `.mailmap`.
    pub name: String,
    /// The address after `.mailmap`.
    pub email: String,
    /// `@username` on the forge, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// How many commits of the range they made, without merges.
    pub commits: usize,
    /// Whether the history before the range has no commit of theirs; `None` if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_time: Option<bool>,
    /// The oldest of their commits in the range.
    pub commit: CommitLink,
    /// The merge or pull request that brought it in, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_request: Option<MergeRequest>,
}

/// The numbers of a release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// How many commits the range has.
    pub commits: usize,
    /// How many whole days after the base tag the release is made; `None` if there is no base tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// How many entries each category has, by its title.
    pub categories: IndexMap<String, usize>,
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
