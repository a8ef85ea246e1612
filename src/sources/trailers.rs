//! Trailers as a source: the category is the value of a trailer of the message, as in GitLab.

use super::classification::Classification;
use crate::{config::Config, model::CommitRef};

/// Classifies a commit by its category trailers.
pub(super) fn classify(commit: &CommitRef<'_>, config: &Config, trailer: &str) -> Classification {
    let mut values: Vec<String> = commit.trailers_named(trailer).map(str::to_owned).collect();
    if values.is_empty() && config.trailers_in_any_line {
        values = stray_trailers(&commit.message, trailer).map(str::to_owned).collect();
    }
    let read = if config.takes_repeated_trailers { values } else { values.pop().into_iter().collect() };
    if read.is_empty() { Classification::NoCategory } else { Classification::Listed(read) }
}

/// Returns the values of trailers of this name in any line of a message. A value has to be a single word, so that prose
/// does not match.
fn stray_trailers<'a>(message: &'a str, trailer: &str) -> impl Iterator<Item = &'a str> {
    message.lines().skip(1).filter_map(move |line| {
        let value = line.trim_start().strip_prefix(trailer)?.strip_prefix(':')?.trim();
        (value.split_whitespace().count() == 1).then_some(value)
    })
}
