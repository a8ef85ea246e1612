//! An entry: one line of a changelog section, as the templates see it.

use serde::{Deserialize, Serialize};

use super::{SharedText, Trailers};

/// One listed commit with everything a template may ask of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The commit's subject, shortened as the service does from 100 characters on; without the prefix of a type.
    pub title: String,
    /// The part of the project that a conventional title names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether its title says that it breaks something, though its category does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaking: bool,
    /// The raw value of the category trailer.
    pub category: String,
    /// The title with its references as Markdown links, where the settings know any of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked_title: Option<String>,
    /// What the title refers to, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// The commit behind the entry.
    pub commit: CommitLink,
    /// Who wrote it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// The merge request that brought it in, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_request: Option<MergeRequest>,
}

/// Something a title refers to, such as an issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// As it stands in the title, ready to be a link's text.
    pub text: String,
    /// Its page.
    pub url: String,
}

/// How an entry points at its commit. Every text is empty where it is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitLink {
    /// The full id.
    pub id: String,
    /// The first eight digits of the id.
    pub short_id: String,
    /// `group/project@<full id>`, or the full id where the project is unknown.
    pub reference: String,
    /// The commit's page on the host; absent where the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// Every trailer, the last value of a repeated key at the place of the first.
    pub trailers: Trailers,
    /// When it was committed, ISO 8601 with the committer's offset.
    pub date: String,
}

/// The person behind an entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "GivenAuthor")]
pub struct Author {
    /// The name after `.mailmap`.
    pub name: SharedText,
    /// The address after `.mailmap`.
    pub email: SharedText,
    /// `@username` on the host; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Whether this is somebody from outside the project.
    pub contributor: bool,
    /// Whether the section shall name them; where it is not given it follows `contributor`.
    pub credit: bool,
}

/// An author as JSON gives it: everything may be missing.
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

/// The merge request (or pull request) of an entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MergeRequest {
    /// `group/project!7`, or `#7` in the host's own manner.
    pub reference: String,
    /// What the text of a link to it is on hosts other than GitLab: `#7`, or `owner/project#7` in another project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its page on the host; absent where the host is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}
