//! A first settings file, from what a history shows about how it is kept.

mod habits;
mod tags;
mod text;

use self::habits::Habits;
pub use self::tags::TagShape;
use crate::{
    changelog::check::COMMON,
    config::EntrySource,
    model::{Commit, Project},
};

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
    /// Where the repository came from, if that is known.
    project: Option<Project>,
    habits: Habits,
}

impl Starter {
    /// Looks at a history, the newest commit first, at its tags and the project; `is_folder` knows the folders there are.
    #[must_use]
    pub fn of(commits: &[Commit], tags: &[String], project: Option<Project>, is_folder: &dyn Fn(&str) -> bool) -> Self {
        let habits = Habits::of(commits);
        let tags = TagShape::of(tags, is_folder);
        let source = habits.source();
        let mut starter = Self { source, categories: Vec::new(), tags, template: None, project, habits };
        starter.take_from(source);
        starter
    }

    /// Takes the categories from somewhere else: those in use there, or the usual ones.
    pub fn take_from(&mut self, source: EntrySource) {
        self.source = source;
        self.categories = self.habits.categories(source);
        if self.categories.is_empty() {
            self.categories = COMMON.iter().map(|&word| word.to_owned()).collect();
        }
    }

    /// What was found, a sentence each.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let links = match &self.project {
            Some(project) => {
                format!("links lead to {}/{}, as the remote `origin` does", project.host(), project.path())
            }
            None => "no remote `origin` tells where links lead: `--host` and `--project-path` do".to_owned(),
        };
        [self.habits.reasons(), self.tags.reason().into_iter().collect(), vec![links]].concat()
    }
}
