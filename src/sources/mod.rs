//! Commits come in, changes go out: which commits are listed, under which categories, by whom, for which request.
//!
//! `config::EntrySource` names the sources. Each is a file with a [`SourceProfile`], and the classifier asks the one that
//! the configuration names: `trailers`, `conventional`, `requests` with their `labels`, and `titles`; `auto` chooses one
//! of them. The changes of `change_files` come from files beside the commits. A message may list several changes
//! (`inner_messages`, `squash_list`).

pub(crate) mod auto;
pub(crate) mod change_files;
pub(crate) mod conventional;
pub(crate) mod labels;
mod requests;
pub(crate) mod titles;
pub(crate) mod trailers;

pub(crate) mod authors;
pub(crate) mod bots;
pub(crate) mod categories;
mod classification;
pub(crate) mod classified_commit;
pub(crate) mod classifier;
pub(crate) mod entries;
pub(crate) mod entry_order;
pub(crate) mod entry_title;
pub(crate) mod folds;
mod inner_messages;
mod item_text;
pub(crate) mod lookup;
pub(crate) mod merge_request_reference;
pub(crate) mod merge_requests;
pub(crate) mod references;
pub(crate) mod reverted;
mod reverts;
mod source_profile;
mod squash_list;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod trailer_warnings;

use self::source_profile::SourceProfile;
use crate::config::EntrySource;

impl EntrySource {
    /// Returns the profile of the source. That of trailers is used until the source is known.
    pub(crate) fn profile(self) -> &'static SourceProfile {
        match self {
            Self::Auto | Self::Trailers => &trailers::SOURCE,
            Self::Conventional => &inner_messages::CONVENTIONAL,
            Self::Both => &inner_messages::BOTH,
            Self::MergeRequests => &requests::SOURCE,
            Self::Titles => &titles::SOURCE,
            Self::Files => &change_files::SOURCE,
        }
    }
}
