//! Who made the commits of a history: their authors, and those whom the trailer `Co-authored-by` names.

use std::{
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;
use indexmap::IndexSet;

use super::{MapCommit, Repo, WalkOptions, WalkResult, mailmap, notes::Notes, walk};
use crate::model::{CommitRef, HistoryPeople, Oid, Person, Range};

const CO_AUTHOR: &str = "Co-authored-by";

/// Gives each person the index of the first one that is the same.
pub type Identify<'a> = &'a dyn Fn(&[Person]) -> Vec<usize>;

/// How people are read.
pub struct PeopleOptions<'a> {
    /// The notes in place of messages.
    pub notes: Notes,
    /// Which of them are the same.
    pub identify: Identify<'a>,
}

/// Reads the people of a range.
///
/// # Errors
/// As [`walk::walk_with`].
pub fn of_range(repo: &Repo, range: Range, walk: &WalkOptions, options: PeopleOptions<'_>) -> Result<HistoryPeople> {
    let (interned, reading) = reading(options.notes);
    let found = walk::walk_with(repo, range, walk, &reading)?;
    Ok(people(repo, found, (&interned, options.identify)))
}

/// Reads the people of the whole history of these commits, once for all ranges in it: the repository keeps them.
///
/// # Errors
/// If a commit cannot be read.
pub fn of_history(repo: &Repo, tips: &[Oid], options: PeopleOptions<'_>) -> Result<Rc<HistoryPeople>> {
    let known = repo.people().borrow().clone();
    if let Some(known) = known.as_ref().filter(|known| tips.iter().all(|tip| known.contains(*tip))) {
        return Ok(Rc::clone(known));
    }
    let mut all = known.map_or_else(Vec::new, |known| known.tips());
    all.extend(tips);
    let (interned, reading) = reading(options.notes);
    let found = walk::walk_all(repo, &all, &reading)?;
    let found = Rc::new(people(repo, found, (&interned, options.identify)));
    repo.people().replace(Some(Rc::clone(&found)));
    Ok(found)
}

/// Names and addresses, a line each.
type Interned = Arc<Mutex<IndexSet<String>>>;

fn reading(notes: Notes) -> (Interned, MapCommit<(Oid, Vec<u32>)>) {
    let interned = Interned::default();
    let people = Arc::clone(&interned);
    let read = move |commit: CommitRef<'_>| {
        let number = |name: &str, email: &str| {
            let line = [name.trim(), "\n", email.trim()].concat();
            let index = people.lock().unwrap_or_else(PoisonError::into_inner).insert_full(line).0;
            u32::try_from(index).expect("a history has fewer than four billion people")
        };
        let corrected = notes.correct(&commit);
        let trailers = &corrected.as_ref().unwrap_or(&commit).trailers;
        let further = trailers.iter().filter(|trailer| trailer.key.eq_ignore_ascii_case(CO_AUTHOR));
        let further = further.filter_map(|trailer| trailer.value.split_once('<'));
        let mut numbers = vec![number(&commit.author.name, &commit.author.email)];
        for (name, rest) in further {
            let further = number(name, rest.split('>').next().unwrap_or_default());
            if !numbers.contains(&further) {
                numbers.push(further);
            }
        }
        (commit.id, numbers)
    };
    let read = Arc::new(read);
    let reading: MapCommit<_> = Arc::new(move || {
        let read = Arc::clone(&read);
        Box::new(move |commit| read(commit))
    });
    (interned, reading)
}

fn people(
    repo: &Repo,
    found: WalkResult<(Oid, Vec<u32>)>,
    (interned, identify): (&Interned, Identify<'_>),
) -> HistoryPeople {
    let mailmap = mailmap::load(repo);
    let person = |line: &String| {
        let (name, email) = line.split_once('\n').unwrap_or_default();
        mailmap.resolve(&Person { name: name.into(), email: email.into() })
    };
    let persons: Vec<Person> = interned.lock().unwrap_or_else(PoisonError::into_inner).iter().map(person).collect();
    let same = identify(&persons);
    HistoryPeople::new(found.commits, found.parents, persons.into_iter().zip(same).collect())
}
