//! A commit of a range with its classification.

pub(crate) use super::classification::Classification;
use super::{conventional::ConventionalCommit, merge_request_reference::MergeRequestReference, reverts::RevertTarget};
use crate::{
    config::{Config, EntrySource},
    model::{BREAKING, Commit, CommitRef, Oid},
};

/// A commit of a range. It is kept small, with rare data boxed, since a range may have a hundred thousand commits.
#[derive(Clone, Debug)]
pub(crate) struct ClassifiedCommit {
    pub id: Oid,
    /// Whether it has two or more parents.
    pub is_merge: bool,
    pub classification: Classification,
    /// Whether a trailer lists it, before other commits and paths are considered.
    pub has_trailer: bool,
    /// Whether anything lists it, before other commits and paths are considered.
    pub(super) was_listed: bool,
    /// The whole commit, if it is kept.
    pub commit: Option<Box<Commit>>,
    pub(super) mentions: Option<Box<ParsedMessage>>,
}

/// The data that only few commits have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedMessage {
    /// The merge request it names as its own; read of merges, of listed commits and of possible near misses.
    pub(super) request: Option<MergeRequestReference>,
    /// The messages inside its message that are listed, one for each category, if they are others than the message itself.
    pub(super) messages: Vec<Box<str>>,
    /// The login of the author of its merge request, if the forge was asked.
    pub(super) request_author: Option<Box<str>>,
    /// The near miss, if nothing lists the commit.
    pub(super) near_miss: Option<NearMiss>,
    /// The type of its title, if types list the commits and it is not known.
    pub(super) unknown_type: Option<Box<str>>,
    /// The commit that it reverts by GitLab's rule.
    pub(crate) reverts: Option<Oid>,
    /// What it reverts in any form, if other forms than GitLab's count or are reported.
    pub(super) revert_targets: Vec<RevertTarget>,
    /// The commit that reverts it in a form that GitLab does not read, so that it is still listed.
    pub(crate) unread_revert: Option<Oid>,
    /// Whether a git note replaces its message.
    pub(crate) is_noted: bool,
    /// A remark about another release that has the commit, if that was looked up and the commit is still listed.
    pub(crate) release_remark: Option<String>,
}

impl ClassifiedCommit {
    /// Returns the rare data of the commit, which is empty for most.
    pub(crate) fn mentions(&self) -> &ParsedMessage {
        static NOTHING: ParsedMessage = ParsedMessage {
            request: None,
            messages: Vec::new(),
            request_author: None,
            near_miss: None,
            unknown_type: None,
            reverts: None,
            revert_targets: Vec::new(),
            unread_revert: None,
            is_noted: false,
            release_remark: None,
        };
        self.mentions.as_deref().unwrap_or(&NOTHING)
    }

    /// Marks the commit as one whose message comes from a git note.
    pub(crate) fn into_noted(mut self) -> Self {
        self.mentions.get_or_insert_default().is_noted = true;
        self
    }

    /// Whether it is a breaking Conventional Commit that a rule lists under another category.
    pub(crate) fn is_breaking_elsewhere(&self, source: EntrySource) -> bool {
        let asks = source.has_types()
            && !self.has_trailer
            && self.mentions().messages.is_empty()
            && !self.classification.categories().iter().any(|name| name == BREAKING);
        let commit = self.commit.as_deref().filter(|_| asks && self.classification.is_listed());
        commit.and_then(ConventionalCommit::from_commit).is_some_and(|found| found.is_breaking)
    }

    /// Records a remark about another release that has the commit, and skips the commit if `is_skipped`.
    pub(crate) fn set_released(&mut self, remark: String, is_skipped: bool) {
        if is_skipped {
            self.classification = Classification::Skipped(remark.into());
        } else {
            self.mentions.get_or_insert_default().release_remark = Some(remark);
        }
    }

    /// Returns the messages inside its message that are listed, if they are others than the message itself.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &str> {
        self.mentions().messages.iter().map(|message| &**message)
    }

    /// Returns the merge request it names as its own, if it is a merge or listed.
    pub(crate) fn merge_request(&self) -> Option<&MergeRequestReference> {
        self.mentions().request.as_ref()
    }

    /// Whether its title is that of a Conventional Commit of a known type; known only in ranges that list nothing.
    pub(crate) fn looks_conventional(&self) -> bool {
        self.mentions().near_miss.as_ref().is_some_and(|near_miss| near_miss.is_conventional)
    }
}

/// A trailer or title that nearly lists a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NearMiss {
    /// The names of its trailers that differ from the category trailer only in case.
    pub(super) other_case: Vec<String>,
    /// Whether its title is that of a Conventional Commit.
    pub(super) is_conventional: bool,
}

impl NearMiss {
    /// Finds the near miss of a commit; `None` if there is none.
    pub(super) fn from_commit(commit: &CommitRef<'_>, config: &Config, trailer: &str) -> Option<Self> {
        let found = commit.trailers.iter().filter(|found| found.key.eq_ignore_ascii_case(trailer));
        let other_case: Vec<String> = found.map(|found| found.key.to_string()).collect();
        let is_conventional = ConventionalCommit::of_known_type(commit, config).is_some();
        (is_conventional || !other_case.is_empty()).then_some(Self { other_case, is_conventional })
    }
}
