//! Statistics about commit messages: trailers, types of Conventional Commits, merge requests.

use indexmap::IndexMap;

use super::title_shapes::TitleShapes;
use crate::{
    changelog::{
        check::COMMON,
        conventional::{BREAKING, CHANGES, ConventionalCommit, TYPES},
        merge_request_reference::number_in_merge,
    },
    config::{Config, EntryRule, EntrySource},
    model::{CommitMessage, closest, is_digits},
};

/// The number of newest commits to count, which show current habits.
const RECENT: usize = 1_000;
/// The number of commits from which a word before the colon counts as a type.
const SEVERAL: usize = 3;
/// A source is common if at least one in this many commits has it.
const FEW: usize = 5;
/// A category is rare if fewer than one in this many trailers have it.
const RARE: usize = 100;

/// A category is not frequent if fewer than one in this many trailers have it.
const OCCASIONAL: usize = 10;

/// The counts in the newest commits. Merges are only counted if they name merge requests.
#[derive(Clone, Debug, Default)]
pub(super) struct HistoryStats {
    recent: usize,
    trailers: usize,
    types: usize,
    requests: usize,
    /// The number of merge requests that are named by merges.
    merged: usize,
    shapes: TitleShapes,
    /// Values of the trailer, the most frequent first.
    values: IndexMap<String, usize>,
    /// Types that are not known, with their counts.
    pub(super) unknown_types: IndexMap<String, usize>,
}

impl HistoryStats {
    pub(super) fn count(messages: impl Iterator<Item = CommitMessage>) -> Self {
        let config = Config::default();
        let mut stats = Self::default();
        for message in messages {
            let names_request = names_request(&message);
            stats.requests += usize::from(names_request);
            if message.is_merge {
                stats.merged += usize::from(names_request);
                continue;
            }
            stats.recent += 1;
            let trailer = message.trailers.iter().rev().find(|trailer| *trailer.key == *"Changelog");
            if let Some(trailer) = trailer.filter(|trailer| !trailer.value.is_empty()) {
                stats.trailers += 1;
                *stats.values.entry(trailer.value.to_string()).or_default() += 1;
            }
            stats.count_type(&message.text, &config);
            stats.shapes.count(message.text.lines().next().unwrap_or_default());
            if stats.recent == RECENT {
                break;
            }
        }
        stats.values.sort_by(|_, left, _, right| right.cmp(left));
        stats.unknown_types.retain(|_, count| *count >= SEVERAL);
        stats.unknown_types.sort_by(|_, left, _, right| right.cmp(left));
        stats
    }

    /// Counts the type in a commit's title; a title that git wrote for a revert shows nothing.
    fn count_type(&mut self, message: &str, config: &Config) {
        let subject = message.lines().next().unwrap_or_default();
        let title = ConventionalCommit::parse(subject, message);
        let Some(title) = title.filter(|_| !subject.starts_with("Revert \"")) else { return };
        if title.listing(config).is_some() {
            self.types += 1;
        } else {
            *self.unknown_types.entry(title.commit_type).or_default() += 1;
        }
    }

    /// Returns the first source that the newest commits have: trailers, types, merge requests, titles. Types count
    /// beside trailers if most titles have one.
    pub(super) fn source(&self) -> EntrySource {
        let is_common = |count: usize| count > 0 && count * FEW >= self.recent;
        match () {
            () if self.recent == 0 => EntrySource::Auto,
            () if self.trailers > 0 && self.types * 2 > self.recent => EntrySource::Both,
            () if self.trailers > 0 => EntrySource::Trailers,
            () if is_common(self.types) && self.habit().is_none() => EntrySource::Conventional,
            () if is_common(self.requests) => EntrySource::MergeRequests,
            () => EntrySource::Titles,
        }
    }

    /// Describes how most titles begin, if neither trailers nor types sort the commits; `None` if merges bring in what
    /// is listed, since the commits below them are not listed.
    fn habit(&self) -> Option<String> {
        self.shapes.habit(self.types).filter(|_| self.trailers == 0 && self.merged * 2 <= self.requests)
    }

    /// Returns the rules that sort the commits that a source lists.
    pub(super) fn rules(&self, source: EntrySource) -> Vec<EntryRule> {
        let asks = matches!(source, EntrySource::MergeRequests | EntrySource::Titles) && self.habit().is_some();
        if asks { self.shapes.rules() } else { Vec::new() }
    }

    /// Returns the categories of a source: breaking changes, the usual ones, then those that only this history has.
    pub(super) fn categories(&self, source: EntrySource) -> Vec<String> {
        if matches!(source, EntrySource::MergeRequests | EntrySource::Titles) {
            let rules = self.rules(source);
            let is_used = |name: &str| rules.iter().any(|rule| rule.category.as_deref() == Some(name));
            let used = std::iter::once(BREAKING).chain(COMMON).filter(|name| is_used(name));
            return used.chain([CHANGES]).map(str::to_owned).collect();
        }
        let breaking = source.has_types().then_some(BREAKING);
        let mut categories: Vec<String> = breaking.into_iter().chain(COMMON).map(str::to_owned).collect();
        if source.has_trailers() {
            let own = self.values.iter().filter(|(value, count)| !self.is_mistaken(value, **count));
            for (value, _) in own {
                if !categories.contains(value) {
                    categories.push(value.clone());
                }
            }
        }
        categories
    }

    /// Returns the values of the trailer that are probably mistakes, with their counts.
    pub(super) fn mistakes(&self) -> impl Iterator<Item = (&str, usize)> {
        let mistakes = self.values.iter().filter(|(value, count)| self.is_mistaken(value, **count));
        mistakes.map(|(value, count)| (value.as_str(), *count))
    }

    /// Whether a value is rare, or like a usual one and either less frequent than that or not frequent itself.
    fn is_mistaken(&self, value: &str, count: usize) -> bool {
        let is_less = |near| self.values.get(near).copied() >= Some(count) || count * OCCASIONAL < self.trailers;
        let near = || closest(value, COMMON).is_some_and(is_less);
        !COMMON.contains(&value) && (count * RARE < self.trailers || near())
    }

    /// Describes the categories of the default types.
    pub(super) fn usual_types() -> String {
        let listed = TYPES.iter().filter_map(|(name, category)| Some(format!("{name} is {}", (*category)?)));
        listed.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn reasons(&self) -> Vec<String> {
        if self.recent == 0 {
            return vec!["the repository has no commits yet: these are the usual categories".to_owned()];
        }
        let of = |count: usize, what: &str| {
            let have = if count == 1 { "has" } else { "have" };
            format!("{count} of the newest {} commits {have} {what}", self.recent)
        };
        let mut reasons =
            vec![of(self.trailers, "a `Changelog` trailer"), of(self.types, "the type of a Conventional Commit")];
        reasons.extend(self.habit());
        if matches!(self.source(), EntrySource::MergeRequests) {
            reasons.push(of(self.requests.min(self.recent), "the number of a merge or pull request"));
        }
        reasons
    }
}

/// Whether a squashed commit, or a merge, names its merge request.
fn names_request(message: &CommitMessage) -> bool {
    let title = message.text.lines().next().unwrap_or_default().trim_end();
    let number = title.strip_suffix(')').and_then(|title| title.rsplit_once("(#"));
    number.is_some_and(|(_, number)| is_digits(number))
        || message.text.contains("See merge request ")
        || message.is_merge && number_in_merge(&message.text).is_some()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::{changelog::testing::commit, model::Trailer};

    fn own(trailer: &Trailer<Cow<str>>) -> Trailer {
        Trailer { key: trailer.key.to_string().into(), value: trailer.value.to_string().into() }
    }

    fn stats(messages: &[(&str, usize)]) -> HistoryStats {
        let commits = messages.iter().flat_map(|(message, count)| (0..*count).map(|_| commit(1, message)));
        HistoryStats::count(commits.map(|commit| CommitMessage {
            text: commit.message.into_owned(),
            trailers: commit.trailers.iter().map(own).collect(),
            is_merge: false,
        }))
    }

    #[test]
    fn trailers_are_never_the_source_if_there_are_none() {
        for (messages, source) in [
            (&[][..], EntrySource::Auto),
            (&[("a\n\nChangelog: added", 1), ("b", 9)], EntrySource::Trailers),
            (&[("feat: a\n\nChangelog: added", 6), ("b", 5)], EntrySource::Both),
            (&[("feat: a", 2), ("b", 8)], EntrySource::Conventional),
            (&[("feat: a", 1), ("b", 9)], EntrySource::Titles),
            (&[("b (#12)", 2), ("b (#x)", 8)], EntrySource::MergeRequests),
            (&[("b", 1_000), ("a\n\nChangelog: added", 1)], EntrySource::Titles),
        ] {
            assert_eq!(stats(messages).source(), source, "{messages:?}");
        }
    }

    #[test]
    fn mistakes_are_not_categories() {
        let messages = [
            ("a\n\nChangelog: added", 150),
            ("a\n\nChangelog: Added", 2),
            ("a\n\nChangelog: fixd", 1),
            ("a\n\nChangelog: fixed", 1),
            ("a\n\nChangelog: docs", 20),
            ("a\n\nChangelog: secruity", 2),
            ("a\n\nChangelog: doc", 1),
        ];
        let stats = stats(&messages);
        let mistakes: Vec<_> = stats.mistakes().collect();
        assert_eq!(mistakes, [("Added", 2), ("secruity", 2), ("fixd", 1), ("doc", 1)]);
        let categories = stats.categories(EntrySource::Trailers);
        assert_eq!(categories.iter().map(String::as_str).collect::<Vec<_>>(), [&COMMON[..], &["docs"]].concat());
        assert_eq!(stats.categories(EntrySource::Both)[..2], ["breaking", "added"]);
    }

    #[test]
    fn only_types_in_use_now_are_suggested() {
        let messages = [("deps: a", 3), ("rare: b", 2), ("feat: c", 995), ("release: d", 50)];
        let found: Vec<_> = stats(&messages).unknown_types.into_iter().collect();
        assert_eq!(found, [("deps".to_owned(), 3)]);
    }
}
