//! A commit of a range with what becomes of it.

use super::{
    conventional::{BREAKING, ConventionalCommit},
    merge_request_reference::MergeRequestReference,
    reverts::RevertTarget,
};
use crate::{
    config::{Config, EntrySource},
    model::{Commit, CommitRef, Oid},
};

/// What becomes of a commit. What few have is boxed: there may be a hundred thousand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classification {
    /// Listed, an entry for each of these categories; there is one at least.
    Listed(Vec<String>),
    /// Nothing about it names a category.
    NoCategory,
    /// Its conventional type is one that is not listed.
    UnlistedType(Box<str>),
    /// All it does is take back an older commit of the range.
    Revert,
    /// A newer commit of the range takes it back.
    RevertedBy(Box<Oid>),
    /// It changes none of the paths of the settings.
    OutsidePaths,
    /// The settings leave it out, for this reason.
    Skipped(Box<str>),
}

impl Classification {
    /// The categories it is listed under.
    pub(crate) fn categories(&self) -> &[String] {
        match self {
            Self::Listed(categories) => categories,
            _ => &[],
        }
    }

    /// The same, or the category for everything else if nothing lists the commit; while the source is being found out,
    /// that has to wait.
    pub(super) fn or_other(self, commit: &CommitRef<'_>, config: &Config) -> Self {
        match &config.other {
            Some(other) if self == Self::NoCategory && !commit.is_merge && config.source != EntrySource::Auto => {
                Self::Listed(vec![other.clone()])
            }
            _ => self,
        }
    }

    /// Whether it is listed.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// The commit that takes it back.
    pub(crate) fn reverted_by(&self) -> Option<Oid> {
        match self {
            Self::RevertedBy(by) => Some(**by),
            _ => None,
        }
    }

    /// Whether the section is about other commits than this one, so that nothing is asked of it.
    pub(crate) fn is_out_of_scope(&self) -> bool {
        matches!(self, Self::RevertedBy(_) | Self::OutsidePaths | Self::Skipped(_))
    }
}

/// What lists a commit, in words, after "a" or "no".
pub(crate) fn wanted(source: EntrySource, trailer: &str) -> String {
    match source {
        EntrySource::Auto | EntrySource::Trailers => format!("`{trailer}:` trailer"),
        EntrySource::Conventional => "known type in its title".to_owned(),
        EntrySource::Both => format!("`{trailer}:` trailer or known type in its title"),
        EntrySource::MergeRequests => "merge or pull request in its message".to_owned(),
        EntrySource::Titles => "title of its own".to_owned(),
    }
}

/// A commit of a range, as small as can be: there may be a hundred thousand. What few have is boxed.
#[derive(Clone, Debug)]
pub struct ClassifiedCommit {
    pub id: Oid,
    /// Whether it joins two or more lines of history.
    pub is_merge: bool,
    pub verdict: Classification,
    /// Whether a trailer lists it, unless another commit or a path is in the way.
    pub has_trailer: bool,
    /// Whether anything lists it, unless another commit or a path is in the way.
    pub(super) was_listed: bool,
    /// All of it, where it is kept.
    pub commit: Option<Box<Commit>>,
    pub(super) mentions: Option<Box<ParsedMessage>>,
}

/// What few commits speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedMessage {
    /// The merge request it names as its own; asked of merges and of what is listed.
    pub(super) request: Option<MergeRequestReference>,
    /// What it may have meant, where nothing lists it.
    pub(super) clue: Option<NearMiss>,
    /// What it takes back by GitLab's rule.
    pub(crate) reverts: Option<Oid>,
    /// What it takes back in all forms, if these count or are reported.
    pub(super) revert_targets: Vec<RevertTarget>,
    /// The commit that takes it back in a form that GitLab does not read, so that it is listed all the same.
    pub(crate) unread_revert: Option<Oid>,
    /// Whether a note replaces its message.
    pub(crate) is_noted: bool,
    /// Which release of another line has it, in words, if that was looked up and it is listed all the same.
    pub(crate) release_remark: Option<String>,
}

impl ClassifiedCommit {
    /// What its message says beyond what becomes of it.
    pub(crate) fn mentions(&self) -> &ParsedMessage {
        static NOTHING: ParsedMessage = ParsedMessage {
            request: None,
            clue: None,
            reverts: None,
            revert_targets: Vec::new(),
            unread_revert: None,
            is_noted: false,
            release_remark: None,
        };
        self.mentions.as_deref().unwrap_or(&NOTHING)
    }

    /// The same of a commit whose message is that of a note.
    pub(crate) fn into_noted(mut self) -> Self {
        self.mentions.get_or_insert_default().is_noted = true;
        self
    }

    /// Whether it is a breaking Conventional Commit that a rule lists under another category.
    pub(crate) fn is_breaking_elsewhere(&self, source: EntrySource) -> bool {
        let asks =
            source.has_types() && !self.has_trailer && !self.verdict.categories().iter().any(|name| name == BREAKING);
        let commit = self.commit.as_deref().filter(|_| asks && self.verdict.is_listed());
        commit.and_then(ConventionalCommit::of).is_some_and(|found| found.is_breaking)
    }

    /// Notes in words that a release of another line has it, and skips it if that is set.
    pub(crate) fn set_released(&mut self, remark: String, is_skipped: bool) {
        if is_skipped {
            self.verdict = Classification::Skipped(remark.into());
        } else {
            self.mentions.get_or_insert_default().release_remark = Some(remark);
        }
    }

    /// The merge request it names as its own, if it is a merge or listed.
    pub(crate) fn merge_request(&self) -> Option<&MergeRequestReference> {
        self.mentions().request.as_ref()
    }

    /// Whether its title is that of a Conventional Commit of a known type; asked only of ranges that list nothing.
    pub(crate) fn looks_conventional(&self) -> bool {
        self.mentions().clue.as_ref().is_some_and(|clue| clue.is_conventional)
    }
}

/// What a commit that nothing lists may have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NearMiss {
    /// The names of its trailers that differ from the asked one in case alone.
    pub(super) other_case: Vec<String>,
    /// Whether its title is a Conventional Commit's.
    pub(super) is_conventional: bool,
}

impl NearMiss {
    /// The warning about a commit, if there is one.
    pub(super) fn of(commit: &CommitRef<'_>, config: &Config, trailer: &str) -> Option<Self> {
        let found = commit.trailers.iter().filter(|found| found.key.eq_ignore_ascii_case(trailer));
        let other_case: Vec<String> = found.map(|found| found.key.to_string()).collect();
        let is_conventional = ConventionalCommit::of_known_type(commit, config).is_some();
        (is_conventional || !other_case.is_empty()).then_some(Self { other_case, is_conventional })
    }
}
