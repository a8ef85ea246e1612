//! Histories in which clocks were wrong, against the edges that were written.

use gix::{
    ObjectId,
    actor::Signature,
    bstr::BString,
    date::Time,
    objs::{Commit, Tree},
};
use tempfile::TempDir;

use super::*;
use crate::git::oid;

/// A commit of a made history: its time, and the numbers of its parents.
type Planned<'a> = (i64, &'a [usize]);

/// Writes a history, a commit each, parents first.
fn write(history: &[Planned<'_>]) -> (TempDir, Repo, Vec<Oid>) {
    let directory = tempfile::tempdir().unwrap();
    let repository = gix::init_bare(directory.path()).unwrap();
    let tree = repository.write_object(Tree::empty()).unwrap().detach();
    let mut ids = Vec::<ObjectId>::new();
    for (number, (seconds, parents)) in history.iter().enumerate() {
        let time = Time { seconds: *seconds, offset: 0 };
        let author = Signature { name: "Ada".into(), email: "ada@example.org".into(), time };
        let commit = Commit {
            tree,
            parents: parents.iter().map(|parent| ids[*parent]).collect(),
            author: author.clone(),
            committer: author,
            encoding: None,
            message: BString::from(number.to_string()),
            extra_headers: Vec::new(),
        };
        ids.push(repository.write_object(commit).unwrap().detach());
    }
    let repo = Repo::open_isolated(directory.path()).unwrap();
    (directory, repo, ids.iter().map(|id| oid(id)).collect())
}

/// The histories: a root, and 24 commits on three lines that merge now and then; one in six clocks is wrong.
fn histories() -> impl Iterator<Item = Vec<(i64, Vec<usize>)>> {
    let mut random = fastrand::Rng::with_seed(26);
    (0..60).map(move |_| {
        let mut history = vec![(1_000_000, Vec::new())];
        for number in 1..25_usize {
            let mut parents = vec![random.usize(number.saturating_sub(4)..number)];
            if random.usize(0..4) == 0 {
                parents.push(random.usize(0..number));
                parents.dedup();
            }
            let right = 1_000_000 + i64::try_from(number).unwrap() * 1000;
            let wrong = [0, 5_000_000, right - 20_000, right + 20_000];
            history.push((if random.usize(0..6) == 0 { wrong[random.usize(0..4)] } else { right }, parents));
        }
        history
    })
}

/// Whether a commit is another one or an ancestor of it, by the edges.
fn is_at_or_below(history: &[(i64, Vec<usize>)], ancestor: usize, commit: usize) -> bool {
    ancestor == commit || history[commit].1.iter().any(|parent| is_at_or_below(history, ancestor, *parent))
}

#[test]
fn wrong_clocks_hide_no_descendant_and_no_ancestor() {
    let mut random = fastrand::Rng::with_seed(27);
    for history in histories() {
        let planned: Vec<Planned<'_>> = history.iter().map(|(time, parents)| (*time, parents.as_slice())).collect();
        let (_directory, repo, ids) = write(&planned);
        for _ in 0..8 {
            let mut pick = |count: usize| (0..count).map(|_| random.usize(0..ids.len())).collect::<Vec<_>>();
            let (ancestors, mut commits) = (pick(2), pick(4));
            let of = |numbers: &[usize]| numbers.iter().map(|number| ids[*number]).collect::<Vec<_>>();
            let is_after = |commit: &usize| ancestors.iter().any(|one| is_at_or_below(&history, *one, *commit));
            let expected: Vec<bool> = commits.iter().map(is_after).collect();
            let found = at_or_after(&repo.own_commits(), &of(&ancestors), &of(&commits)).unwrap();
            assert_eq!(found, expected, "{history:?}: {commits:?} after {ancestors:?}");
            commits.sort_unstable();
            commits.dedup();
            let is_alone =
                |one: &&usize| !commits.iter().any(|other| other != *one && is_at_or_below(&history, **one, *other));
            let expected: Vec<usize> = commits.iter().filter(is_alone).copied().collect();
            let found = independent(&repo.own_commits(), &of(&commits)).unwrap();
            assert_eq!(found, of(&expected), "{history:?}: {commits:?}");

            // What is known of all commits tells the same of some.
            let mut all = [commits.clone(), pick(3)].concat();
            all.sort_unstable();
            all.dedup();
            let ancestry = Ancestry::find(&repo.own_commits(), &of(&all)).unwrap().unwrap();
            let mut kept = of(&commits);
            ancestry.retain_independent(&mut kept);
            assert_eq!(kept, of(&expected), "{history:?}: {commits:?} of {all:?}");

            let end = pick(1)[0];
            let expected: Vec<bool> = all.iter().map(|one| is_at_or_below(&history, *one, end)).collect();
            let found = in_history(&repo.own_commits(), ids[end], &of(&all)).unwrap();
            assert_eq!(found, expected, "{history:?}: {all:?} in {end}");
        }
    }
}

#[test]
fn wrong_clocks_hide_no_merge_base() {
    let mut random = fastrand::Rng::with_seed(28);
    for history in histories() {
        let planned: Vec<Planned<'_>> = history.iter().map(|(time, parents)| (*time, parents.as_slice())).collect();
        let (_directory, repo, ids) = write(&planned);
        for _ in 0..8 {
            let first = random.usize(0..ids.len());
            let others: Vec<usize> = (0..random.usize(1..4)).map(|_| random.usize(0..ids.len())).collect();
            let is_common = |one: &usize| {
                is_at_or_below(&history, *one, first)
                    && others.iter().any(|other| is_at_or_below(&history, *one, *other))
            };
            let common: Vec<usize> = (0..ids.len()).filter(is_common).collect();
            let is_best =
                |one: &&usize| !common.iter().any(|other| other != *one && is_at_or_below(&history, **one, *other));
            let best: Vec<usize> = common.iter().filter(is_best).copied().collect();
            let of: Vec<Oid> = others.iter().map(|other| ids[*other]).collect();
            let found = merge_base(&repo, ids[first], &of).unwrap();
            let found = best.iter().find(|one| Some(ids[**one]) == found);
            let newest = best.iter().map(|one| history[*one].0).max();
            assert_eq!(found.map(|one| history[*one].0), newest, "{history:?}: {first} and {others:?}, {best:?}");
            assert_eq!(is_ancestor(&repo, ids[first], of[0]).unwrap(), is_at_or_below(&history, first, others[0]));
        }
    }
}

#[test]
fn histories_without_a_common_commit_have_no_merge_base() {
    let (_directory, repo, ids) = write(&[(10, &[]), (20, &[]), (30, &[0]), (40, &[1])]);
    assert_eq!(merge_base(&repo, ids[2], &[ids[3]]).unwrap(), None);
    assert!(!is_ancestor(&repo, ids[0], ids[3]).unwrap());
    assert_eq!(merge_base(&repo, ids[2], &[ids[3], ids[0]]).unwrap(), Some(ids[0]));
}

#[test]
fn a_descendant_whose_clock_is_behind_everything_is_found() {
    // Older tags are asked about too, so many that the walk does not come to the descendant by itself.
    let mut history: Vec<Planned<'_>> = vec![(1_000_000, &[])];
    let numbers: Vec<usize> = (0..100).collect();
    for number in 1..100 {
        history.push((1_000_000 + i64::try_from(number).unwrap(), &numbers[number - 1..number]));
    }
    history.push((2_000_000, &numbers[99..]));
    history.push((10, &[100]));
    let (_directory, repo, ids) = write(&history);
    let commits: Vec<Oid> = ids[50..100].iter().chain(&ids[101..]).copied().collect();
    let found = at_or_after(&repo.own_commits(), &[ids[100]], &commits).unwrap();
    assert_eq!(found.iter().position(|is_after| *is_after), Some(50));
}

#[test]
fn what_is_far_below_is_not_read() {
    let mut further: Vec<Planned<'_>> = vec![(10, &[])];
    let numbers: Vec<usize> = (0..60).collect();
    (1..60).for_each(|number| further.push((10 * i64::try_from(number).unwrap(), &numbers[number - 1..number])));
    further.extend([(10_000, &numbers[59..]), (10_001, &numbers[59..])]);
    let (_directory, repo, ids) = write(&further);
    let read = with_table(&repo.own_commits(), |table| {
        let starts = [node(table, ids[60])?, node(table, ids[61])?];
        let mut walk = BackwardWalk::from(table, &starts)?;
        while let Some(commit) = walk.next(Some(10_000)) {
            for edge in table.parents(commit) {
                let parent = table.parent(edge);
                walk.meet(table, commit, parent)?;
            }
        }
        Ok(walk.met.len())
    });
    assert!(read.unwrap() <= 2 + BEYOND + 1);
}
