//! Statistics about commit messages: trailers, types of Conventional Commits, merge requests.

use indexmap::IndexMap;

use super::title_shapes::TitleShapes;
use crate::{
    config::{CHANGES, COMMON_CATEGORIES, Config, DEFAULT_TRAILER, EntryRule, EntrySource},
    model::{BREAKING, closest},
    sources::{
        auto::{SourceCounts, is_of_person},
        classified_commit::ClassifiedCommit,
        conventional::{ConventionalCommit, TYPES},
    },
};

/// The number of commits from which a word before the colon counts as a type.
const SEVERAL: usize = 3;
/// A category is rare if fewer than one in this many trailers have it.
const RARE: usize = 100;

/// A category is not frequent if fewer than one in this many trailers have it.
const OCCASIONAL: usize = 10;

/// The counts in the newest commits. Titles are only counted if people wrote them.
#[derive(Clone, Debug, Default)]
pub(super) struct HistoryStats {
    counts: SourceCounts,
    /// Whether there are no commits yet.
    is_empty: bool,
    /// The number of commits that name merge requests.
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
    /// Counts the newest commits, of which the counts for the choice of the source are known.
    pub(super) fn count(commits: &[ClassifiedCommit], counts: SourceCounts) -> Self {
        let config = Config::default();
        let mut stats = Self { counts, is_empty: commits.is_empty(), ..Self::default() };
        for classified in commits {
            let Some(commit) = classified.commit.as_deref() else { continue };
            let names_request = classified.merge_request().is_some();
            stats.requests += usize::from(names_request);
            stats.merged += usize::from(names_request && classified.is_merge);
            if let Some(value) = commit.trailers_named(DEFAULT_TRAILER).last().filter(|value| !value.is_empty()) {
                *stats.values.entry(value.to_owned()).or_default() += 1;
            }
            if is_of_person(classified) {
                stats.count_type(commit.subject(), &config);
                stats.shapes.count(commit.subject());
            }
        }
        stats.values.sort_by(|_, left, _, right| right.cmp(left));
        stats.unknown_types.retain(|_, count| *count >= SEVERAL);
        stats.unknown_types.sort_by(|_, left, _, right| right.cmp(left));
        stats
    }

    /// Counts the type in a title if it is not known.
    fn count_type(&mut self, title: &str, config: &Config) {
        if let Some(title) = ConventionalCommit::parse(title, "").filter(|title| title.listing(config).is_none()) {
            *self.unknown_types.entry(title.commit_type).or_default() += 1;
        }
    }

    /// Returns the source that fits the newest commits, which `auto` takes too.
    pub(super) fn source(&self) -> EntrySource {
        if self.is_empty { EntrySource::Auto } else { self.counts.source() }
    }

    /// Describes how most titles begin, if neither trailers nor types sort the commits; `None` if merges bring in what
    /// is listed, since the commits below them are not listed.
    fn habit(&self) -> Option<String> {
        let habit = self.shapes.habit(self.counts.types);
        habit.filter(|_| !self.counts.trailers.is_habit() && self.merged * 2 <= self.requests)
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
            let used = std::iter::once(BREAKING)
                .chain(COMMON_CATEGORIES)
                .filter(|name| rules.iter().any(|rule| rule.category.as_deref() == Some(name)));
            return used.chain([CHANGES]).map(str::to_owned).collect();
        }
        let breaking = source.has_types().then_some(BREAKING);
        let mut categories: Vec<String> = breaking.into_iter().chain(COMMON_CATEGORIES).map(str::to_owned).collect();
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
        if COMMON_CATEGORIES.contains(&value) {
            return false;
        }
        count * RARE < self.counts.trailers.count
            || closest(value, COMMON_CATEGORIES).is_some_and(|near| {
                self.values.get(near).copied() >= Some(count) || count * OCCASIONAL < self.counts.trailers.count
            })
    }

    /// Describes the categories of the default types.
    pub(super) fn usual_types() -> String {
        let listed = TYPES.iter().filter_map(|(name, category)| Some(format!("{name} is {}", (*category)?)));
        listed.collect::<Vec<_>>().join(", ")
    }

    pub(super) fn reasons(&self) -> Vec<String> {
        if self.is_empty {
            return vec!["the repository has no commits yet: these are the usual categories".to_owned()];
        }
        let SourceCounts { people, trailers, types, requested, .. } = self.counts;
        let of = |count: usize, what: &str| {
            let have = if count == 1 { "has" } else { "have" };
            format!("{count} of the newest {people} commits {have} {what}")
        };
        let mut reasons =
            vec![of(trailers.count, "a `Changelog` trailer"), of(types, "the type of a Conventional Commit")];
        reasons.extend(self.habit());
        if matches!(self.source(), EntrySource::MergeRequests) {
            reasons.push(of(requested, "the number of a merge or pull request"));
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::testing::{commit, kept};

    fn stats(messages: &[(&str, usize)]) -> HistoryStats {
        let commits = messages.iter().flat_map(|(message, count)| (0..*count).map(|_| commit(1, message)));
        let commits = kept(&commits.collect::<Vec<_>>());
        HistoryStats::count(&commits, SourceCounts::count(&commits, &vec![None; commits.len()]))
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
        assert_eq!(
            categories.iter().map(String::as_str).collect::<Vec<_>>(),
            [&COMMON_CATEGORIES[..], &["docs"]].concat()
        );
        assert_eq!(stats.categories(EntrySource::Both)[..2], ["breaking", "added"]);
    }

    #[test]
    fn only_types_in_use_now_are_suggested() {
        let messages = [("deps: a", 3), ("rare: b", 2), ("feat: c", 995)];
        let found: Vec<_> = stats(&messages).unknown_types.into_iter().collect();
        assert_eq!(found, [("deps".to_owned(), 3)]);
    }
}
