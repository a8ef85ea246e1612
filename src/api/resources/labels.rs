//! Labels of a project. Every call needs a token.

use serde::{Deserialize, Serialize};

use crate::api::{ApiRequest, Body, Endpoint, FieldValue, Fields, Method, Paged, Path};

const READERS: &str = "a token of somebody who sees the project";
const EDITORS: &str = "the role Planner, or Reporter and up";

/// A label. Counts are there only where they were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Label {
    /// The id; a label keeps it when it is promoted.
    pub id: u64,
    /// The title.
    pub name: String,
    /// Six digits of hexadecimal behind `#`.
    pub color: Option<String>,
    /// The colour of text upon it.
    pub text_color: Option<String>,
    /// Description of the label.
    pub description: Option<String>,
    /// The same as HTML.
    pub description_html: Option<String>,
    /// Open issues with it.
    pub open_issues_count: Option<u64>,
    /// Closed issues with it.
    pub closed_issues_count: Option<u64>,
    /// Open merge requests with it.
    pub open_merge_requests_count: Option<u64>,
    /// Whether the owner of the token is subscribed.
    pub subscribed: Option<bool>,
    /// The rank among prioritized labels, from 0; `None` for one without.
    pub priority: Option<u64>,
    /// Whether it is the project's own, rather than one of a group above.
    pub is_project_label: Option<bool>,
}

/// A change of priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// A rank, from 0.
    Rank(u64),
    /// None any more.
    None,
}

/// In a form, no priority is an empty value.
impl FieldValue for Priority {
    fn text(&self) -> Option<String> {
        match self {
            Self::Rank(rank) => Some(rank.to_string()),
            Self::None => Some(String::new()),
        }
    }
}

fn labels(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("labels")
}

fn label(project: &str, label: &str) -> Path {
    labels(project).arg("label_id", label)
}

/// How older services take a label: by `label_id` where it is a number, else by `name`.
fn older_key(label: &str) -> Fields {
    let key = if label.bytes().all(|byte| byte.is_ascii_digit()) { "label_id" } else { "name" };
    Fields::new().add(key, label)
}

/// `GET /projects/:id/labels`
#[derive(Clone, Debug, Default)]
pub struct ListLabels {
    /// Id or path.
    pub project: String,
    /// Whether counts are wanted.
    pub with_counts: Option<bool>,
    /// Whether those of groups above are listed, as they are by default.
    pub include_ancestor_groups: Option<bool>,
    /// Only those with this in title or description.
    pub search: Option<String>,
}

impl Endpoint for ListLabels {
    type Output = Vec<Label>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        labels(&self.project)
    }

    fn query(&self) -> Fields {
        Fields::new()
            .add("with_counts", self.with_counts)
            .add("include_ancestor_groups", self.include_ancestor_groups)
            .add("search", &self.search)
    }
}

impl Paged for ListLabels {
    type Item = Label;
}

/// `GET /projects/:id/labels/:label_id`
#[derive(Clone, Debug, Default)]
pub struct GetLabel {
    /// Id or path.
    pub project: String,
    /// Id or title; an id goes before a title of the same digits.
    pub label: String,
    /// Whether those of groups above are looked through, as they are by default.
    pub include_ancestor_groups: Option<bool>,
}

impl Endpoint for GetLabel {
    type Output = Label;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        label(&self.project, &self.label)
    }

    fn query(&self) -> Fields {
        Fields::new().add("include_ancestor_groups", self.include_ancestor_groups)
    }
}

/// `POST /projects/:id/labels`
#[derive(Clone, Debug, Default)]
pub struct CreateLabel {
    /// Id or path.
    pub project: String,
    /// The title.
    pub name: String,
    /// Six digits of hexadecimal behind `#`, or the CSS name of a colour.
    pub color: String,
    /// Description of the label.
    pub description: Option<String>,
    /// Its rank.
    pub priority: Option<Priority>,
}

impl Endpoint for CreateLabel {
    type Output = Label;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        labels(&self.project)
    }

    fn body(&self) -> Body {
        let required = Fields::new().add("name", &self.name).add("color", &self.color);
        Body::Form(required.add("description", &self.description).add("priority", self.priority))
    }
}

/// `PUT /projects/:id/labels/:label_id`
#[derive(Clone, Debug, Default)]
pub struct EditLabel {
    /// Id or path.
    pub project: String,
    /// Id or title.
    pub label: String,
    /// New name of the label.
    pub new_name: Option<String>,
    /// Another colour.
    pub color: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// Another rank, or none.
    pub priority: Option<Priority>,
}

impl EditLabel {
    /// Whether it would change nothing, which the service refuses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.new_name.is_none() && self.color.is_none() && self.description.is_none() && self.priority.is_none()
    }

    fn changes(&self, fields: Fields) -> Body {
        let named = fields.add("new_name", &self.new_name).add("color", &self.color);
        Body::Form(named.add("description", &self.description).add("priority", self.priority))
    }
}

impl Endpoint for EditLabel {
    type Output = Label;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        label(&self.project, &self.label)
    }

    fn body(&self) -> Body {
        self.changes(Fields::new())
    }

    fn legacy_request(&self) -> Option<ApiRequest> {
        Some(ApiRequest::new(Self::METHOD, labels(&self.project)).body(self.changes(older_key(&self.label))))
    }
}

/// `DELETE /projects/:id/labels/:label_id`
#[derive(Clone, Debug, Default)]
pub struct DeleteLabel {
    /// Id or path.
    pub project: String,
    /// Id or title.
    pub label: String,
}

impl Endpoint for DeleteLabel {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = EDITORS;

    fn path(&self) -> Path {
        label(&self.project, &self.label)
    }

    fn legacy_request(&self) -> Option<ApiRequest> {
        Some(ApiRequest::new(Self::METHOD, labels(&self.project)).query(older_key(&self.label)))
    }
}

/// `PUT /projects/:id/labels/:label_id/promote`
#[derive(Clone, Debug, Default)]
pub struct PromoteLabel {
    /// Id or path.
    pub project: String,
    /// Id or title.
    pub label: String,
}

impl Endpoint for PromoteLabel {
    type Output = Label;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = "the role Planner, or Reporter and up, in the group";

    fn path(&self) -> Path {
        label(&self.project, &self.label).lit("promote")
    }

    fn legacy_request(&self) -> Option<ApiRequest> {
        let body = Body::Form(Fields::new().add("name", &self.label));
        Some(ApiRequest::new(Self::METHOD, labels(&self.project).lit("promote")).body(body))
    }
}

/// `POST /projects/:id/labels/:label_id/subscribe`
#[derive(Clone, Debug, Default)]
pub struct SubscribeLabel {
    /// Id or path.
    pub project: String,
    /// Id or title.
    pub label: String,
}

impl Endpoint for SubscribeLabel {
    /// `None` where the subscription was there already.
    type Output = Option<Label>;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        label(&self.project, &self.label).lit("subscribe")
    }
}

/// `POST /projects/:id/labels/:label_id/unsubscribe`
#[derive(Clone, Debug, Default)]
pub struct UnsubscribeLabel {
    /// Id or path.
    pub project: String,
    /// Id or title.
    pub label: String,
}

impl Endpoint for UnsubscribeLabel {
    /// `None` where there was no subscription.
    type Output = Option<Label>;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        label(&self.project, &self.label).lit("unsubscribe")
    }
}
