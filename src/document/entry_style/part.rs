//! The parts after the title of an entry: how they are recognised in a file, and how they are written.

use crate::model::is_digits;

/// The request of an entry in GitLab's template language, by its label where it has one.
macro_rules! request {
    () => {
        "{% if merge_request.label %}{{ merge_request.label }}{% else %}{{ merge_request.reference }}{% end %}"
    };
}

/// A part after the title of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// `([#12](address))`
    LinkedRequest,
    /// `(#12)`
    Request,
    /// `([1a2b3c4d](address))`
    LinkedCommit,
    /// `(1a2b3c4d)`
    Commit,
    /// `` (`1a2b3c4d`) ``
    CodedCommit,
    /// `by @ida`
    Author,
    /// `in #12`
    InRequest,
    /// `in https://host/pull/12`
    InAddress,
}

impl Part {
    /// Returns the part in GitLab's template language.
    pub(super) fn template(self) -> &'static str {
        match self {
            Self::LinkedRequest => {
                concat!(
                    "{% if merge_request %}{% if merge_request.web_url %} ([",
                    request!(),
                    "]({{ merge_request.web_url }})){% else %} ({{ merge_request.reference }}){% end %}{% end %}"
                )
            }
            Self::Request => {
                concat!("{% if merge_request %} (", request!(), "){% end %}")
            }
            Self::LinkedCommit => {
                "{% if commit.web_url %} ([{{ commit.short_id }}]({{ commit.web_url }})){% else %} ({{ commit.short_id }}){% end %}"
            }
            Self::Commit => " ({{ commit.short_id }})",
            Self::CodedCommit => " (`{{ commit.short_id }}`)",
            Self::Author => "{% if author.reference %} by {{ author.reference }}{% end %}",
            Self::InRequest => {
                concat!("{% if merge_request %} in ", request!(), "{% end %}")
            }
            Self::InAddress => "{% if merge_request.web_url %} in {{ merge_request.web_url }}{% end %}",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LinkedRequest => "linked request",
            Self::Request => "request",
            Self::LinkedCommit => "linked commit",
            Self::Commit | Self::CodedCommit => "commit",
            Self::Author => "author",
            Self::InRequest | Self::InAddress => "`in` and the request",
        }
    }
}

/// Returns the parts after the title of an entry, in their order; `None` if the title itself is a link.
pub(super) fn parts(entry: &str) -> Option<Vec<Part>> {
    let mut rest = entry.split(", closes ").next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let mut parts = Vec::new();
    while let Some((before, part)) = last_part(rest) {
        parts.push(part);
        rest = before.trim_end_matches([',', ' ']);
    }
    parts.reverse();
    let title = rest.rsplit_once(":** ").map_or(rest, |(_, title)| title);
    let is_link = title.starts_with('[') && title.ends_with(')') && title.contains("](");
    (!is_link).then_some(parts)
}

/// Splits the last part off an entry.
fn last_part(entry: &str) -> Option<(&str, Part)> {
    if let Some((before, word)) = entry.rsplit_once(' ') {
        let person = word.strip_prefix('[').map_or(word, |word| word.split(']').next().unwrap_or_default());
        if person.starts_with('@') && person.len() > 1 && before.ends_with(" by") {
            return Some((before.strip_suffix(" by")?, Part::Author));
        }
        if let Some(before) = before.strip_suffix(" in") {
            if word.starts_with("https://") {
                return Some((before, Part::InAddress));
            }
            if word.trim_start_matches('[').strip_prefix(['#', '!'])?.starts_with(|digit: char| digit.is_ascii_digit())
            {
                return Some((before, Part::InRequest));
            }
        }
    }
    let inner = entry.strip_suffix(')')?;
    if let Some(inner) = inner.strip_suffix(')') {
        let (before, text) = inner.rsplit_once(" ([")?;
        let (text, _) = text.split_once("](")?;
        return Some((before, if is_request(text) { Part::LinkedRequest } else { linked_commit(text)? }));
    }
    let (before, text) = inner.rsplit_once(" (")?;
    let part = match text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) {
        Some(text) => is_commit(text).then_some(Part::CodedCommit)?,
        None if is_request(text) => Part::Request,
        None => is_commit(text).then_some(Part::Commit)?,
    };
    Some((before, part))
}

fn linked_commit(text: &str) -> Option<Part> {
    is_commit(text.trim_matches('`')).then_some(Part::LinkedCommit)
}

fn is_request(text: &str) -> bool {
    text.strip_prefix(['#', '!']).is_some_and(is_digits)
}

fn is_commit(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}
