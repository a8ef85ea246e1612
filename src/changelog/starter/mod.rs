//! A first settings file, from what a history shows about how it is kept.

mod habits;
mod tags;
mod text;

use indexmap::IndexMap;

use self::habits::Habits;
pub use self::tags::TagShape;
use crate::{changelog::check::COMMON, config::EntrySource, model::Commit};

/// What a first settings file says.
#[derive(Clone, Debug)]
pub struct Starter {
    /// Where categories come from.
    pub source: EntrySource,
    /// The categories, in the order of the section; what is in use, else the usual ones.
    pub categories: Vec<String>,
    /// How tags are named.
    pub tags: TagShape,
    /// A built-in template; `None` is the section as the service writes it.
    pub template: Option<String>,
    /// Types of Conventional Commits that are in use and not known, with their counts.
    unknown_types: IndexMap<String, usize>,
    /// What the history shows, a sentence each.
    pub reasons: Vec<String>,
}

impl Starter {
    /// Looks at a history, the newest commit first, and at its tags; `is_folder` knows the folders of the newest commit.
    #[must_use]
    pub fn of(commits: &[Commit], tags: &[String], is_folder: &dyn Fn(&str) -> bool) -> Self {
        let habits = Habits::of(commits);
        let source = habits.source();
        let used = habits.categories(source);
        let usual = || COMMON.iter().map(|&word| word.to_owned()).collect();
        let tags = TagShape::of(tags, is_folder);
        let reasons = [habits.reasons(), tags.reason().into_iter().collect()].concat();
        Self {
            source,
            categories: if used.is_empty() { usual() } else { used },
            tags,
            template: None,
            unknown_types: habits.unknown_types,
            reasons,
        }
    }
}
