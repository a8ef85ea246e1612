//! A release: its entries by category, as the templates see them, what a forge may add to them, and its section in the
//! changelog file.

use std::{collections::HashMap, fmt};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer};

use super::{SharedText, Trailers};

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
    /// The forge's page that compares the base tag with the end of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compare_url: Option<String>,
    /// `group/project`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The categories that have entries: those of the configuration in its order, then others by first appearance.
    pub categories: Vec<Category>,
    /// The details that are found only for templates that name them.
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
    /// The contributors without a commit in the history before the range; empty if there is no such history.
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
    /// Their oldest commit in the range.
    pub commit: CommitLink,
    /// The merge or pull request that brought that commit in, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merge_request: Option<MergeRequest>,
}

/// The numbers of a release.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Statistics {
    /// How many commits the range has.
    pub commits: usize,
    /// The number of whole days from the base tag to the release; `None` if there is no base tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// How many entries each category has, by its title.
    pub categories: IndexMap<String, usize>,
}

impl Release {
    /// Counts the entries of each category, in the order of the headings that they are below. A heading may be that of
    /// several categories.
    pub(crate) fn counted_categories(&self) -> Vec<CountedCategory<'_>> {
        let mut counted = Vec::new();
        for heading in &self.categories {
            let mut counts = IndexMap::<&str, usize>::new();
            for entry in &heading.entries {
                *counts.entry(&entry.category).or_default() += 1;
            }
            let title = &heading.title;
            counted.extend(counts.into_iter().map(|(category, count)| CountedCategory { category, title, count }));
        }
        counted
    }
}

/// How many entries are of a category.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct CountedCategory<'a> {
    /// The raw category, as entries name it.
    category: &'a str,
    /// The heading that the entries are below.
    title: &'a str,
    count: usize,
}

/// The category of a breaking change, whatever its type.
pub(crate) const BREAKING: &str = "breaking";

/// The entries of one category.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Category {
    /// The configured title, else the raw trailer value.
    pub title: String,
    /// How many entries it has, at least one.
    pub count: usize,
    /// Whether `count` is one.
    pub single_change: bool,
    /// The entries, newest first.
    pub entries: Vec<Entry>,
}

impl Category {
    /// Creates a category of these entries.
    pub(crate) fn new(title: String, entries: Vec<Entry>) -> Self {
        Self { title, count: entries.len(), single_change: entries.len() == 1, entries }
    }
}

/// One listed commit with everything a template can use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The commit's subject, shortened from 100 characters as in GitLab, and without the prefix of a commit type.
    pub title: String,
    /// The first paragraph in Markdown, if the entry comes from a change file; `title` is the same text in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The further paragraphs in Markdown, indented as in an item of a list: of a change file, what breaks, or the body of
    /// the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// What the message says after `BREAKING CHANGE:`, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breaking_text: Option<String>,
    /// The part of the project that a conventional title names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Whether the title says that the commit breaks something, although its category does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaking: bool,
    /// The raw value of the category trailer.
    pub category: String,
    /// The title with its references as Markdown links, if the configuration has patterns for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linked_title: Option<String>,
    /// The things that the title refers to, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
    /// The commit.
    pub commit: CommitLink,
    /// The author, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// The merge or pull request that merged the commit, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merge_request: Option<MergeRequest>,
}

/// Something a title refers to, such as an issue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Reference {
    /// The text in the title, escaped for a Markdown link.
    pub text: String,
    /// The page of what is referred to.
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
    /// The page on the forge; `None` if the host is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}

/// `## VERSION (DATE)`, an empty line, the body and an empty line, with LF line endings; unreleased changes have no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// The version of the heading.
    pub version: String,
    /// The date of the heading, already formatted; it may be empty.
    pub date: Option<String>,
    /// The rendered template, stripped.
    pub body: String,
}

impl Section {
    /// Returns the section as `tidings show` prints it.
    pub(crate) fn notes(&self) -> SectionNotes<'_> {
        SectionNotes(self)
    }

    fn heading(&self) -> String {
        let date = self.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
        format!("## {}{date}", self.version)
    }
}

/// A section without the empty line at its end. It is written as it is, since the text of a long section should not be
/// copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionNotes<'a>(&'a Section);

impl fmt::Display for SectionNotes<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (heading, body) = (self.0.heading(), self.0.body.trim_end_matches(is_stripped));
        if body.is_empty() {
            writeln!(out, "{}", heading.trim_end_matches(is_stripped))
        } else {
            writeln!(out, "{heading}\n\n{body}")
        }
    }
}

impl Serialize for SectionNotes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}\n\n{}\n\n", self.heading(), self.body)
    }
}

/// Whether Ruby's `strip`, and so GitLab, removes the character: ASCII white space and NUL, not Unicode spaces.
pub(crate) fn is_stripped(character: char) -> bool {
    matches!(character, '\0' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ')
}

/// The users and merge requests to look up, because the repository alone does not show them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LookupRequest {
    /// The authors, each once.
    pub authors: Vec<UnresolvedAuthor>,
    /// The IDs of commits whose merge request no merge commit names.
    pub commits: Vec<String>,
    /// Full paths of groups whose members are credited.
    pub groups: Vec<String>,
}

impl LookupRequest {
    /// Whether there is nothing to look up.
    pub(crate) fn is_empty(&self) -> bool {
        self.authors.is_empty() && self.commits.is_empty()
    }
}

/// An author to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnresolvedAuthor {
    /// The e-mail address, in lower case.
    pub email: String,
    /// The user name on the forge, if known.
    pub username: Option<String>,
    /// The ID of one of their commits.
    pub commit: String,
}

/// A user of the forge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ForgeUser {
    /// `@username`.
    pub reference: String,
    /// Whether the user is from outside the project and had work merged before.
    pub contributor: bool,
    /// Whether the section names them.
    pub credit: bool,
}

/// A merge request as the forge has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MergedRequest {
    /// The number in the project.
    pub number: u64,
    /// The title.
    pub title: String,
    /// The names of the labels.
    pub labels: Vec<String>,
    /// The login of the author.
    pub author: Option<String>,
}

/// The users and merge requests that were found; the forge does not know any others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LookupResult {
    /// Users by e-mail address, in lower case.
    pub people: HashMap<String, ForgeUser>,
    /// Numbers of merge requests by the ID of a commit.
    pub requests: HashMap<String, u64>,
}
