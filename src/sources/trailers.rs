//! Trailers as a source: the category is the value of a trailer of the message, as in GitLab.

use super::classification::Classification;
use crate::{config::Config, model::CommitRef};

/// Classifies a commit by its category trailers. Where each of several trailers counts, one may have a text of its own,
/// `Changelog: fixed: Mend the mast`; then the texts are returned too, that of the others being the message.
pub(super) fn classify(commit: &CommitRef<'_>, config: &Config, trailer: &str) -> (Classification, Vec<Box<str>>) {
    let mut values: Vec<String> = commit.trailers_named(trailer).map(str::to_owned).collect();
    if values.is_empty() && config.trailers_in_any_line {
        values = stray_trailers(&commit.message, trailer).map(str::to_owned).collect();
    }
    let read = if config.takes_repeated_trailers { values } else { values.pop().into_iter().collect() };
    if read.is_empty() {
        return (Classification::NoCategory, Vec::new());
    }
    let texts: Vec<Option<(&str, &str)>> = read.iter().map(|value| split_text(value)).collect();
    if !config.takes_repeated_trailers || config.is_gitlab_file || texts.iter().all(Option::is_none) {
        return (Classification::Listed(read), Vec::new());
    }
    let own = || read.iter().zip(&texts);
    let categories = own().map(|(value, text)| text.map_or(value.as_str(), |(category, _)| category).to_owned());
    let messages = own().map(|(_, text)| text.map_or(&*commit.message, |(_, text)| text).into());
    (Classification::Listed(categories.collect()), messages.collect())
}

/// Splits the value of a trailer into a category and a text.
fn split_text(value: &str) -> Option<(&str, &str)> {
    let (category, text) = value.split_once(": ")?;
    let is_word = !category.is_empty() && !category.contains(char::is_whitespace);
    Some((category, text.trim())).filter(|(_, text)| is_word && !text.is_empty())
}

/// Returns the values of trailers of this name in any line of a message. A value has to be a single word, so that prose
/// does not match.
fn stray_trailers<'a>(message: &'a str, trailer: &str) -> impl Iterator<Item = &'a str> {
    message.lines().skip(1).filter_map(move |line| {
        let value = line.trim_start().strip_prefix(trailer)?.strip_prefix(':')?.trim();
        (value.split_whitespace().count() == 1).then_some(value)
    })
}
