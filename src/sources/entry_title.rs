//! The title of an entry, made from a commit's subject.

use std::ops::Deref;

use super::merge_request_reference::{bors_ng_merge, gitea_merge, last_number, prefixed_title};
use crate::{
    config::{Config, EntrySource, RuleMatch},
    model::Commit,
};

/// The length from which on a subject is too long for a title, in characters.
pub(super) const LONG_SUBJECT: usize = 100;

/// The greatest index at which a long subject is cut, in characters.
const LAST_CUT: usize = 78;

/// Returns the subject as a title; one of 100 characters or more is cut at the last space up to the 79th character and
/// gets an ellipsis.
pub(crate) fn title(commit: &Commit) -> String {
    if commit.message.is_empty() {
        return "No commit message".to_owned();
    }
    shorten(commit.subject())
}

/// Returns the text of an entry's title: the subject, or if merge requests are listed the title of the one that was merged
/// or squashed.
pub(crate) fn source_title<T: Deref<Target = str>>(commit: &Commit<T>, source: EntrySource) -> &str {
    let subject = commit.subject();
    if source != EntrySource::MergeRequests {
        return subject;
    }
    if let Some((_, title)) = prefixed_title(subject) {
        return title;
    }
    if !commit.is_merge {
        return subject;
    }
    if let Some((title, _)) = gitea_merge(&commit.message) {
        return title;
    }
    if let Some((_, Some(title))) = bors_ng_merge(&commit.message) {
        return title;
    }
    if last_number(subject).is_some() {
        return subject;
    }
    // The subject names the branches, and the title is on the line after it.
    let mut lines = commit.message.lines().skip(1).map(str::trim).filter(|line| !line.is_empty());
    lines.next().filter(|line| !line.starts_with("See merge request ") && !line.contains("-by: ")).unwrap_or(subject)
}

/// Applies the first rule of the configuration that matches a commit.
pub(crate) fn rule_match<'a, T: Deref<Target = str>>(commit: &'a Commit<T>, config: &Config) -> Option<RuleMatch<'a>> {
    if config.rules.is_empty() {
        return None;
    }
    let title = source_title(commit, config.source);
    config.rules.iter().find_map(|rule| rule.apply(title, commit))
}

/// Shortens a text to a title: it stays whole up to 99 characters.
pub(crate) fn shorten(subject: &str) -> String {
    if subject.len() < LONG_SUBJECT || subject.chars().count() < LONG_SUBJECT {
        return subject.to_owned();
    }
    let mut head = subject.char_indices().take(LAST_CUT + 1);
    let space = head.clone().filter(|(_, character)| *character == ' ').last();
    let (cut, _) = space.or_else(|| head.nth(LAST_CUT)).unwrap_or((subject.len(), ' '));
    format!("{}...", &subject[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::testing::commit;

    fn title_of(message: &str) -> String {
        title(&commit(1, message).to_shared())
    }

    #[test]
    fn short_subjects_stay_whole() {
        assert_eq!(title_of(&"x".repeat(99)), "x".repeat(99));
        assert_eq!(title_of(" Odd \rone\n\nbody"), " Odd ");
        assert_eq!(title_of(""), "No commit message");
        assert_eq!(title_of("\nlate"), "");
    }

    #[test]
    fn long_subjects_are_cut_at_a_space_or_hard() {
        assert_eq!(title_of(&"ä".repeat(100)), format!("{}...", "ä".repeat(78)));
        assert_eq!(title_of(&format!("aaaa {}", "x".repeat(120))), "aaaa...");
        let spaced = format!("{} {}", "x".repeat(78), "y".repeat(60));
        assert_eq!(title_of(&spaced), format!("{}...", "x".repeat(78)));
        let later = format!("{} {}", "x".repeat(79), "y".repeat(60));
        assert_eq!(title_of(&later), format!("{}...", "x".repeat(78)));
    }
}
