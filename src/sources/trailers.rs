//! Trailers as a source: the category is the value of a trailer of the message, as in GitLab.

use super::{
    classification::Classification,
    source_profile::{SourceAnswer, SourceProfile},
};
use crate::{config::Config, model::CommitRef};

pub(super) const SOURCE: SourceProfile = SourceProfile {
    classify: |_, _, _| Classification::NoCategory.into(),
    property: "`{trailer}:` trailer",
    short_property: "trailer",
    rule: "missing-trailer",
    rule_hint: "end the message with a paragraph such as `{trailer}: {category}`",
    unlisted_hint: None,
};

/// Classifies a commit by its category trailers. If each of several trailers counts, one may have a text of its own,
/// `Changelog: fixed: Mend the mast`; then the texts are returned too, that of the others being the message.
pub(super) fn classify(commit: &CommitRef<'_>, config: &Config, trailer: &str) -> SourceAnswer {
    let mut values: Vec<String> = commit.trailers_named(trailer).map(str::to_owned).collect();
    if values.is_empty() && config.trailers_in_any_line {
        values = stray_trailers(&commit.message, trailer).map(str::to_owned).collect();
    }
    let read = if config.takes_repeated_trailers { values } else { values.pop().into_iter().collect() };
    if read.is_empty() {
        return Classification::NoCategory.into();
    }
    let texts: Vec<Option<&str>> = read.iter().map(|value| split(value, config).1).collect();
    if texts.iter().all(Option::is_none) {
        return SourceAnswer { has_trailer: true, ..Classification::Listed(read).into() };
    }
    let messages = texts.into_iter().map(|text| text.unwrap_or(&commit.message).into()).collect();
    let categories = read.iter().map(|value| category(value, config).to_owned()).collect();
    SourceAnswer { classification: Classification::Listed(categories), has_trailer: true, messages }
}

/// Returns the category in the value of a trailer.
pub(crate) fn category<'v>(value: &'v str, config: &Config) -> &'v str {
    split(value, config).0
}

/// Splits the value of a trailer into the category and a text of its own.
fn split<'v>(value: &'v str, config: &Config) -> (&'v str, Option<&'v str>) {
    let parts = value.split_once(": ").filter(|_| config.takes_repeated_trailers && !config.is_gitlab_file);
    match parts {
        Some((category, text)) if !category.contains(char::is_whitespace) && !text.trim().is_empty() => {
            (category, Some(text.trim()))
        }
        _ => (value, None),
    }
}

/// Returns the values of trailers of this name in any line of a message. A value has to be a single word, so that prose
/// does not match.
fn stray_trailers<'a>(message: &'a str, trailer: &str) -> impl Iterator<Item = &'a str> {
    message.lines().skip(1).filter_map(move |line| {
        let value = line.trim_start().strip_prefix(trailer)?.strip_prefix(':')?.trim();
        (value.split_whitespace().count() == 1).then_some(value)
    })
}
