//! The people who made the commits of a history: the authors, counted as GitLab counts contributors, the people named
//! by `Co-authored-by` trailers, and all of their current names in `.mailmap`.

use std::{
    cmp::Ordering,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;
use gix::{actor::SignatureRef, bstr::ByteSlice as _, mailmap::Snapshot};
use indexmap::{IndexMap, IndexSet};

use super::{
    FetchedCommits, MapCommit, Repo, WalkOptions, WalkResult,
    decode::RawCommit,
    file,
    notes::Notes,
    object, oid, revision,
    walk::{self, Ancestors},
};
use crate::{
    bounded_read,
    model::{
        CommitRef, Oid, OidMap, Parents, Person, Range, SharedText,
        repository::{Contributor, ContributorOrder, ContributorsRequest},
    },
};

const CO_AUTHOR: &str = "Co-authored-by";
const MAILMAP: &str = ".mailmap";
/// How many commits GitLab counts, the newest ones.
const NEWEST: usize = 2000;

/// Reads the people of a range, with notes in place of commit messages.
pub(crate) fn read_range(repo: &Repo, range: Range, options: &WalkOptions, notes: Notes) -> Result<HistoryPeople> {
    read(repo, notes, |commits| walk::walk_with(repo, range, options, commits))
}

/// Reads the people of the whole history of these commits.
pub(crate) fn read_history(repo: &Repo, tips: &[Oid], notes: Notes) -> Result<HistoryPeople> {
    read(repo, notes, |commits| walk::walk_all(repo, tips, commits))
}

/// The people who made the commits of a history. Each different name and address has a number.
#[derive(Debug)]
pub(crate) struct HistoryPeople {
    indexes: OidMap<usize>,
    /// By index of a commit, the numbers of its people, the author first.
    people: Vec<Vec<u32>>,
    parents: Parents,
    /// By number, the name and address.
    persons: Vec<Person>,
    /// By number, the first number of the same person, as far as that is known.
    same: Vec<usize>,
}

impl HistoryPeople {
    /// Sets which people are the same: `identify` returns for each name and address the index of the person's first.
    pub(crate) fn with_identities(mut self, identify: impl FnOnce(&[Person]) -> Vec<usize>) -> Self {
        self.same = identify(&self.persons);
        self
    }

    /// Whether the history contains a commit.
    pub(crate) fn contains(&self, commit: Oid) -> bool {
        self.indexes.contains_key(&commit)
    }

    /// Returns the commits of the history that have no descendants in it.
    pub(crate) fn tips(&self) -> Vec<Oid> {
        let mut is_tip = vec![true; self.people.len()];
        let parents = (0..self.people.len()).flat_map(|index| self.parents.inside(index));
        parents.for_each(|parent| is_tip[parent] = false);
        self.indexes.iter().filter(|(_, index)| is_tip[**index]).map(|(id, _)| *id).collect()
    }

    /// Returns the people who made a commit, each with a number that all names and addresses of one person share.
    pub(crate) fn of_commit(&self, commit: Oid) -> impl Iterator<Item = (usize, &Person)> {
        let numbers = self.indexes.get(&commit).map_or(&[][..], |index| &self.people[*index]);
        numbers.iter().map(|number| (self.same[*number as usize], &self.persons[*number as usize]))
    }

    /// Returns, by the number that [`Self::of`] gives a person, whether they made this commit or one of its ancestors.
    pub(crate) fn up_to(&self, commit: Oid) -> Vec<bool> {
        let mut found = vec![false; self.persons.len()];
        let mut met = vec![false; self.people.len()];
        self.parents.visit(self.indexes.get(&commit).copied(), |index| {
            let is_new = !std::mem::replace(&mut met[index], true);
            self.people[index].iter().filter(|_| is_new).for_each(|number| found[self.same[*number as usize]] = true);
            is_new
        });
        found
    }
}

/// A commit, and the numbers of its people, the author first.
type CommitPeople = (Oid, Vec<u32>);

/// The different names and addresses: each is a name, a line feed and an address.
type Interned = Mutex<IndexSet<String>>;

fn read(
    repo: &Repo,
    notes: Notes,
    walk: impl FnOnce(&MapCommit<CommitPeople>) -> Result<WalkResult<CommitPeople>>,
) -> Result<HistoryPeople> {
    let shared = Arc::new((notes, Interned::default()));
    let in_chunks = Arc::clone(&shared);
    let reading: MapCommit<_> = Arc::new(move || {
        let shared = Arc::clone(&in_chunks);
        Box::new(move |commit| people_of(&commit, &shared.0, &shared.1))
    });
    let found = walk(&reading)?;
    let mailmap = Mailmap::load(repo);
    let lines = shared.1.lock().unwrap_or_else(PoisonError::into_inner);
    let persons: Vec<Person> = lines
        .iter()
        .map(|line| {
            let (name, email) = line.split_once('\n').unwrap_or_default();
            mailmap.resolve(&Person { name: name.into(), email: email.into() })
        })
        .collect();
    let indexes = found.commits.iter().map(|(id, _)| *id).zip(0..).collect();
    let people = found.commits.into_iter().map(|(_, people)| people).collect();
    let same = (0..persons.len()).collect();
    Ok(HistoryPeople { indexes, people, parents: found.parents, persons, same })
}

fn people_of(commit: &CommitRef<'_>, notes: &Notes, interned: &Interned) -> CommitPeople {
    let number = |name: &str, email: &str| {
        let line = [name.trim(), "\n", email.trim()].concat();
        let index = interned.lock().unwrap_or_else(PoisonError::into_inner).insert_full(line).0;
        u32::try_from(index).expect("a history has fewer than four billion people")
    };
    let note = notes.of(commit.id);
    let corrected = note.as_ref().map(|note| note.correct(commit));
    let trailers = &corrected.as_ref().unwrap_or(commit).trailers;
    let co_authors = trailers.iter().filter(|trailer| trailer.key.eq_ignore_ascii_case(CO_AUTHOR));
    let co_authors = co_authors.filter_map(|trailer| trailer.value.split_once('<'));
    let mut numbers = vec![number(&commit.author.name, &commit.author.email)];
    for (name, rest) in co_authors {
        let further = number(name, rest.split('>').next().unwrap_or_default());
        if !numbers.contains(&further) {
            numbers.push(further);
        }
    }
    (commit.id, numbers)
}

/// Returns for each merge of a range who wrote what it merges: the author of the newest commit of the merged branch
/// that has at most one parent, so that a merge of `main` into the branch does not count. `None` where that commit cannot be read.
pub(crate) fn merged_authors(repo: &Repo, range: Range, merges: &[Oid]) -> Result<Vec<Option<Person>>> {
    let commits = repo.with_range(range)?;
    Ok(merges.iter().map(|merge| merged_author(&commits, *merge)).collect())
}

fn merged_author(commits: &FetchedCommits<'_>, merge: Oid) -> Option<Person> {
    /// How many merges into the branch are passed over.
    const MERGES: usize = 100;
    let merge = object::commit(commits, merge).ok()?;
    let mut tip = RawCommit::parse(&merge.data).parents().nth(1)?;
    for _ in 0..MERGES {
        let object = object::commit(commits, oid(&tip)).ok()?;
        let commit = RawCommit::parse(&object.data);
        let mut parents = commit.parents();
        match (parents.next(), parents.next()) {
            (Some(first), Some(_)) => tip = first,
            _ => return commit.author(),
        }
    }
    None
}

/// Returns the authors of the newest 2000 commits without merges, in the requested order; `.mailmap` is not applied.
///
/// # Errors
/// If the ref is unknown or a commit cannot be read.
pub(crate) fn contributors(repo: &Repo, request: &ContributorsRequest) -> Result<Vec<Contributor>> {
    let tip = revision::resolve_or_head(repo, request.reference.as_deref())?;
    let limit = if request.all_commits { usize::MAX } else { NEWEST };
    let history = Ancestors::new(&repo.with_history(tip)?, tip)?.map(|read| read.map(|(_, commit)| commit));
    let authors = history.filter(|read| !read.as_ref().is_ok_and(|commit| commit.parents.len() > 1)).take(limit);
    let mut by_email = IndexMap::new();
    for commit in authors {
        count(&mut by_email, &RawCommit::parse(&commit?.object).author().unwrap_or_default());
    }
    let mut contributors: Vec<_> = by_email.into_values().collect();
    contributors.sort_by(|a, b| {
        let order = compare(a, b, request.order);
        if request.descending { order.reverse() } else { order }
    });
    Ok(contributors)
}

/// Counts a commit for its author, whose name is the first that is not blank, from the newest commit that has one.
fn count(by_email: &mut IndexMap<String, Contributor>, author: &Person) {
    let contributor = by_email.entry(author.email.to_string()).or_insert_with_key(|email| Contributor {
        name: String::new(),
        email: email.clone(),
        commits: Some(0),
        additions: 0,
        deletions: 0,
    });
    *contributor.commits.get_or_insert(0) += 1;
    if contributor.name.trim().is_empty() {
        contributor.name = author.name.to_string();
    }
}

fn compare(a: &Contributor, b: &Contributor, order: ContributorOrder) -> Ordering {
    match order {
        ContributorOrder::Commits => a.commits.cmp(&b.commits),
        ContributorOrder::Name => a.name.to_ascii_lowercase().cmp(&b.name.to_ascii_lowercase()),
        ContributorOrder::Email => a.email.to_ascii_lowercase().cmp(&b.email.to_ascii_lowercase()),
    }
}

/// The corrections of names and addresses (gitmailmap(5)).
#[derive(Debug)]
pub(crate) struct Mailmap {
    snapshot: Snapshot,
}

impl Mailmap {
    /// Loads `.mailmap` of the work tree (or of `HEAD` in a bare repository), `mailmap.file` and `mailmap.blob`. A
    /// file or line that cannot be read is ignored, as in git.
    #[must_use]
    pub(crate) fn load(repo: &Repo) -> Self {
        let config = repo.gix().config_snapshot();
        let blob = config.string("mailmap.blob").filter(|_| repo.server().is_none());
        let own = match repo.work_tree() {
            // As in git, a link is not followed.
            Some(top) if top.join(MAILMAP).is_symlink() => None,
            Some(_) => file::in_work_tree(repo, MAILMAP).ok().flatten(),
            None if blob.is_some() => None,
            None => revision::resolve(repo, "HEAD")
                .and_then(|head| file::read_at_commit(repo, head, MAILMAP))
                .ok()
                .flatten(),
        };
        let blob = blob.and_then(|name| file::raw_blob(repo, &name.to_str_lossy()).ok());
        let named = config.trusted_path("mailmap.file").ok().flatten();
        let named = named.and_then(|path| bounded_read::read_regular_file(&path, "mailmap.file").ok().flatten());
        let mut snapshot = Snapshot::default();
        for content in [own, blob, named].into_iter().flatten() {
            snapshot.merge(gix::mailmap::parse_ignore_errors(&content));
        }
        Self { snapshot }
    }

    /// Returns the corrected name and address, or the same if there is no correction.
    #[must_use]
    pub(crate) fn resolve(&self, person: &Person) -> Person {
        let signature = SignatureRef { name: (*person.name).into(), email: (*person.email).into(), time: "" };
        let Some(mapped) = self.snapshot.try_resolve_ref(signature) else { return person.clone() };
        let text = |mapped: Option<&gix::bstr::BStr>, own: &SharedText| {
            mapped.map_or_else(|| own.clone(), |mapped| mapped.to_str_lossy().into_owned().into())
        };
        Person { name: text(mapped.name, &person.name), email: text(mapped.email, &person.email) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_takes_its_newest_name_that_is_not_blank() {
        let mut by_email = IndexMap::new();
        for name in [" ", "Ida", "Old Ida"] {
            count(&mut by_email, &Person { name: name.into(), email: "ida@harbor.example".into() });
        }
        let ida = &by_email["ida@harbor.example"];
        assert_eq!((ida.name.as_str(), ida.commits), ("Ida", Some(3)));
    }
}
