//! What differs from one source of entries to the other, as data: how it classifies a commit, and the words about it.

use super::classification::Classification;
use crate::{
    config::Config,
    model::{CommitRef, Forge},
};

/// A source of entries. In its texts, `{trailer}` stands for the name of the trailer, `{category}` for one of its values.
#[derive(Debug)]
pub(crate) struct SourceProfile {
    /// Classifies a commit by itself, if no trailer lists it.
    pub(super) classify: fn(&CommitRef<'_>, &Config, Option<Forge>) -> SourceAnswer,
    /// What lists a commit, in words that follow "a" or "no".
    pub(super) property: &'static str,
    /// The same in a word or two.
    pub(crate) short_property: &'static str,
    /// The rule of `check` that a commit without it breaks.
    pub(crate) rule: &'static str,
    pub(super) rule_hint: &'static str,
    /// The hint if nothing of a range is listed; `None` if it depends on the commits.
    pub(super) unlisted_hint: Option<&'static str>,
}

impl SourceProfile {
    /// Returns what lists a commit, in words that follow "a" or "no".
    pub(crate) fn listed_property(&self, trailer: &str) -> String {
        self.property.replace("{trailer}", trailer)
    }

    /// Returns what mends a commit that breaks the rule.
    pub(crate) fn rule_hint(&self, trailer: &str, category: &str) -> String {
        self.rule_hint.replace("{trailer}", trailer).replace("{category}", category)
    }
}

/// What a source, or the configuration, says of a commit by itself.
pub(super) struct SourceAnswer {
    pub(super) classification: Classification,
    /// Whether a trailer decides it.
    pub(super) has_trailer: bool,
    /// The messages inside its message that are listed, one for each category, if they are others than itself.
    pub(super) messages: Vec<Box<str>>,
}

impl From<Classification> for SourceAnswer {
    fn from(classification: Classification) -> Self {
        Self { classification, has_trailer: false, messages: Vec::new() }
    }
}

/// The rule for a commit that lacks what lists it, for the sources of which no other file knows the words.
pub(super) const MISSING_CATEGORY: &str = "missing-category";

/// What mends a commit of which no merge request is known.
pub(super) const NAME_THE_REQUEST: &str = "name the merge or pull request, as its merge commit does";
