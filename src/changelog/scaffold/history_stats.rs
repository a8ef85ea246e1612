//! What commits say about themselves: trailers, and types of Conventional Commits.

use indexmap::IndexMap;

use crate::{
    changelog::conventional::{BREAKING, ConventionalCommit, TYPES, TypeListing},
    config::{Config, EntrySource},
    model::Commit,
};

/// The newest commits tell how a history is kept now.
const RECENT: usize = 1_000;
/// A word that few commits begin with is no type.
const SEVERAL: usize = 3;

/// What was counted.
#[derive(Clone, Debug, Default)]
pub(super) struct HistoryStats {
    recent: usize,
    recent_trailers: usize,
    recent_types: usize,
    /// Values of the trailer, the most frequent first.
    values: Vec<String>,
    /// Categories that types stand for.
    places: Vec<String>,
    /// Types that stand for nothing, with their counts.
    pub(super) unknown_types: IndexMap<String, usize>,
}

impl HistoryStats {
    pub(super) fn of(commits: &[Commit]) -> Self {
        let config = Config::default();
        let mut habits = Self::default();
        let mut values: IndexMap<&str, usize> = IndexMap::new();
        let own = commits.iter().filter(|commit| !commit.is_merge);
        for (number, commit) in own.enumerate() {
            let value = commit.trailer("Changelog").filter(|value| !value.is_empty());
            if let Some(value) = value {
                *values.entry(value).or_default() += 1;
            }
            let is_typed = habits.count_type(commit, &config);
            if number < RECENT {
                habits.recent += 1;
                habits.recent_trailers += usize::from(value.is_some());
                habits.recent_types += usize::from(is_typed);
            }
        }
        values.sort_by(|_, left, _, right| right.cmp(left));
        habits.values = values.into_keys().map(str::to_owned).collect();
        habits.unknown_types.retain(|_, count| *count >= SEVERAL);
        habits.unknown_types.sort_by(|_, left, _, right| right.cmp(left));
        habits
    }

    /// Whether a commit's title has a known type; one that git wrote for a revert tells nothing.
    fn count_type(&mut self, commit: &Commit, config: &Config) -> bool {
        let Some(title) = ConventionalCommit::of(commit).filter(|_| !commit.subject().starts_with("Revert \"")) else {
            return false;
        };
        match title.listing(config) {
            Some(TypeListing::Category(category)) if !self.places.iter().any(|known| known == category) => {
                self.places.push(category.to_owned());
            }
            Some(_) => {}
            None => {
                *self.unknown_types.entry(title.commit_type).or_default() += 1;
                return false;
            }
        }
        true
    }

    /// Titles count where most have a type, trailers where any is there or titles do not count.
    pub(super) fn source(&self) -> EntrySource {
        match (self.recent_types * 2 > self.recent, self.values.is_empty()) {
            (false, _) => EntrySource::Trailers,
            (true, true) => EntrySource::Conventional,
            (true, false) => EntrySource::Both,
        }
    }

    /// The categories that this source gives: what breaks first, then values by their number, then types in their order.
    pub(super) fn categories(&self, source: EntrySource) -> Vec<String> {
        let mut categories = Vec::new();
        if source.has_types() {
            categories.extend(self.places.iter().filter(|place| *place == BREAKING).cloned());
        }
        if source.has_trailers() {
            categories.extend(self.values.iter().cloned());
        }
        if source.has_types() {
            let usual = TYPES.iter().filter_map(|(_, category)| *category);
            categories.extend(usual.filter(|usual| self.places.iter().any(|place| place == usual)).map(str::to_owned));
        }
        let mut seen = std::collections::HashSet::new();
        categories.retain(|category| seen.insert(category.clone()));
        categories
    }

    pub(super) fn reasons(&self) -> Vec<String> {
        if self.recent == 0 {
            return vec!["there is no commit yet: these are the usual categories".to_owned()];
        }
        let of = |count: usize, what: &str| {
            let have = if count == 1 { "has" } else { "have" };
            format!("{count} of the newest {} commits {have} {what}", self.recent)
        };
        vec![
            of(self.recent_trailers, "a `Changelog` trailer"),
            of(self.recent_types, "the type of a Conventional Commit"),
        ]
    }
}
