//! An entry: one line of a changelog section, as the templates see it.

use serde::{Deserialize, Serialize};

use super::{SharedText, Trailers};

/// One listed commit with everything a template can use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The commit's subject, shortened from 100 characters as in GitLab, and without the prefix of a commit type.
    pub title: String,
    /// The part of the project that a conventional title names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether its title says that it breaks something, though its category does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaking: bool,
    /// The raw value of the category trailer.
    pub category: String,
    /// The title with its references as Markdown links, if the configuration has patterns for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked_title: Option<String>,
    /// What the title refers to, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// The commit.
    pub commit: CommitLink,
    /// The author, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// The merge or pull request that merged it, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_request: Option<MergeRequest>,
}

/// Something a title refers to, such as an issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// The text in the title, escaped for a Markdown link.
    pub text: String,
    /// Its page.
    pub url: String,
}

/// How an entry refers to its commit. A text is empty if it is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitLink {
    /// The object ID.
    pub id: String,
    /// The short ID: the first eight digits.
    pub short_id: String,
    /// `group/project@ID`, or the ID if the project is unknown.
    pub reference: String,
    /// The commit's page on the forge; `None` if the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// Every trailer, with the last value of a repeated key at the index of the first.
    pub trailers: Trailers,
    /// When it was committed, ISO 8601 with the committer's offset.
    pub date: String,
}

/// The author of an entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenAuthor")]
pub struct Author {
    /// The name after `.mailmap`.
    pub name: SharedText,
    /// The address after `.mailmap`.
    pub email: SharedText,
    /// `@username` on the forge, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Whether the author is from outside the project.
    pub contributor: bool,
    /// Whether the section names them [default: `contributor`].
    pub credit: bool,
}

/// An author in JSON, where everything may be missing.
#[derive(Default, Deserialize)]
#[serde(default)]
struct GivenAuthor {
    name: SharedText,
    email: SharedText,
    reference: Option<String>,
    contributor: bool,
    credit: Option<bool>,
}

impl From<GivenAuthor> for Author {
    fn from(given: GivenAuthor) -> Self {
        let GivenAuthor { name, email, reference, contributor, credit } = given;
        Self { name, email, reference, contributor, credit: credit.unwrap_or(contributor) }
    }
}

/// The merge or pull request of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeRequest {
    /// `group/project!7`, or `owner/project#7` if the forge writes it so.
    pub reference: String,
    /// The text of a link to it on forges other than GitLab: `#7`, or `owner/project#7` in another project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its page on the forge; `None` if the host is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}
