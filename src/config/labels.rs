//! How the labels of a merge request decide on its category.

use indexmap::IndexMap;

use crate::model::MergedRequest;

/// The label that stands for every other one.
const ANY: &str = "*";

/// The rules for the labels of merge requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LabelRules {
    /// What is not listed at all.
    pub(super) left_out: RequestFilter,
    /// The categories; the first that fits is taken.
    pub(super) categories: Vec<LabelledCategory>,
}

/// The labels and the authors of some merge requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RequestFilter {
    pub(super) labels: Vec<String>,
    pub(super) authors: Vec<String>,
}

/// A category, and the labels of what it lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelledCategory {
    pub(super) name: String,
    pub(super) labels: Vec<String>,
    /// What it does not list.
    pub(super) excluded: RequestFilter,
}

/// What the labels of a merge request say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelVerdict<'r> {
    /// It is listed under this category.
    Category(&'r str),
    /// It is not listed, because of this label or author.
    LeftOut(&'r str),
    /// Nothing.
    Unlabelled,
}

impl LabelRules {
    /// Reads the key `labels`, a mapping of labels to categories.
    pub(super) fn from_categories(categories: IndexMap<String, Option<String>>) -> Self {
        let mut rules = Self::default();
        for (label, category) in categories {
            match category {
                Some(name) => {
                    rules.categories.push(LabelledCategory {
                        name,
                        labels: vec![label],
                        ..LabelledCategory::default()
                    });
                }
                None => rules.left_out.labels.push(label),
            }
        }
        // Any other label comes last, wherever it is written.
        rules.categories.sort_by_key(|category| category.labels == [ANY]);
        rules
    }

    /// Whether there are no rules.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the categories in the order of the rules.
    pub(crate) fn category_names(&self) -> impl Iterator<Item = &str> {
        self.categories.iter().map(|category| category.name.as_str())
    }

    /// Returns what the rules say of a merge request.
    pub(crate) fn judge(&self, request: &MergedRequest) -> LabelVerdict<'_> {
        if let Some(why) = self.left_out.reason(request) {
            return LabelVerdict::LeftOut(why);
        }
        self.categories
            .iter()
            .find(|category| {
                find(&category.labels, &request.labels).is_some() && category.excluded.reason(request).is_none()
            })
            .map_or(LabelVerdict::Unlabelled, |found| LabelVerdict::Category(&found.name))
    }
}

impl RequestFilter {
    /// Returns the label or the author by which the filter catches a merge request.
    fn reason(&self, request: &MergedRequest) -> Option<&str> {
        let author = request.author.as_deref().unwrap_or_default();
        find(&self.labels, &request.labels).or_else(|| {
            self.authors.iter().find(|name| login(name).eq_ignore_ascii_case(login(author))).map(String::as_str)
        })
    }
}

/// Returns the first label of a rule that a merge request has. Forges take labels as equal in any case.
fn find<'r>(rule: &'r [String], labels: &[String]) -> Option<&'r str> {
    rule.iter()
        .find(|name| *name == ANY || labels.iter().any(|label| label.to_lowercase() == name.to_lowercase()))
        .map(String::as_str)
}

/// Returns a login without the mark of a bot, which people leave out.
fn login(name: &str) -> &str {
    name.trim_start_matches('@').trim_end_matches("[bot]")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::config) fn request(labels: &[&str], author: &str) -> MergedRequest {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        MergedRequest { number: 7, title: "Add it".into(), labels, author: Some(author.into()) }
    }

    #[test]
    fn the_first_label_of_the_configuration_decides_and_none_leaves_out() {
        let text = "labels: { '*': changed, Bug: fixed, feature: added, internal: none }\n";
        let (config, _) = crate::config::parse(text, "c.yml").unwrap();
        for (labels, expected) in [
            (&["feature", "bug"][..], LabelVerdict::Category("fixed")),
            (&["feature"], LabelVerdict::Category("added")),
            (&["feature", "Internal"], LabelVerdict::LeftOut("internal")),
            (&["docs"], LabelVerdict::Category("changed")),
            (&[], LabelVerdict::Category("changed")),
        ] {
            assert_eq!(config.labels.judge(&request(labels, "ida")), expected, "{labels:?}");
        }
        assert_eq!(config.source.name(), "merge-requests");
    }
}
