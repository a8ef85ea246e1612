//! Who made the commits of a history.

use super::{Oid, OidMap, Parents, Person};

/// Everybody who made commits of a history, by number.
#[derive(Debug)]
pub(crate) struct HistoryPeople {
    indexes: OidMap<usize>,
    /// By commit the numbers of its people, the author first.
    people: Vec<Vec<u32>>,
    parents: Parents,
    /// By number the name and address, and the first number of the same person.
    persons: Vec<(Person, usize)>,
}

impl HistoryPeople {
    /// The people of these commits, whose numbers are places in `persons`.
    pub(crate) fn new(commits: Vec<(Oid, Vec<u32>)>, parents: Parents, persons: Vec<(Person, usize)>) -> Self {
        let indexes = commits.iter().map(|(id, _)| *id).zip(0..).collect();
        Self { indexes, people: commits.into_iter().map(|(_, people)| people).collect(), parents, persons }
    }

    /// Whether the history has a commit.
    pub(crate) fn contains(&self, commit: Oid) -> bool {
        self.indexes.contains_key(&commit)
    }

    /// The commits of the history that no other descends from.
    pub(crate) fn tips(&self) -> Vec<Oid> {
        let mut is_tip = vec![true; self.people.len()];
        let parents = (0..self.people.len()).flat_map(|index| self.parents.inside(index));
        parents.for_each(|parent| is_tip[parent] = false);
        self.indexes.iter().filter(|(_, index)| is_tip[**index]).map(|(id, _)| *id).collect()
    }

    /// Who made a commit: each person, and a number that all their names and addresses share.
    pub(crate) fn of(&self, commit: Oid) -> impl Iterator<Item = (usize, &Person)> {
        let numbers = self.indexes.get(&commit).map_or(&[][..], |index| &self.people[*index]);
        numbers.iter().map(|number| {
            let (person, same) = &self.persons[*number as usize];
            (*same, person)
        })
    }

    /// By number, whether somebody made a commit that this one descends from, or this one.
    pub(crate) fn up_to(&self, commit: Oid) -> Vec<bool> {
        let mut found = vec![false; self.persons.len()];
        let mut met = vec![false; self.people.len()];
        let mut pending: Vec<usize> = self.indexes.get(&commit).copied().into_iter().collect();
        while let Some(index) = pending.pop() {
            if std::mem::replace(&mut met[index], true) {
                continue;
            }
            self.people[index].iter().for_each(|number| found[self.persons[*number as usize].1] = true);
            pending.extend(self.parents.inside(index));
        }
        found
    }
}
