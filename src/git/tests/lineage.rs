//! How tags are related to the end of a history, in a local repository and in one that is fetched, against the edges
//! that were written.

use std::collections::BTreeSet;

use crate::{
    git::{
        Repo,
        fetch::{self, Options, RepoUrl},
        lineage::{Lineage, at_or_after, between, contained, lineage},
    },
    model::{Oid, Parent},
    support::{Clocks, Planned, Random, TestRepo, random_history},
};

const COMMITS: usize = 40;

/// Finds which commits are in the history of each, itself among them.
fn histories(history: &[Planned]) -> Vec<BTreeSet<usize>> {
    let mut found: Vec<BTreeSet<usize>> = Vec::new();
    for (own, commit) in history.iter().enumerate() {
        let of_parents = commit.parents.iter().flat_map(|parent| found[*parent].iter().copied());
        found.push(of_parents.chain([own]).collect());
    }
    found
}

#[track_caller]
fn compare(seed: u64, clocks: Clocks) {
    let mut random = Random::new(seed);
    let written = TestRepo::new();
    written.git(&["config", "uploadpack.allowFilter", "true"]);
    let history = random_history(&mut random, COMMITS, clocks);
    let ids: Vec<Oid> = written.import(&history).iter().map(|id| id.parse().unwrap()).collect();
    let histories = histories(&history);
    let url = RepoUrl::parse(&format!("file://{}", written.path().display())).unwrap().expect("a URL");
    let local = Repo::open_isolated(written.path()).unwrap();
    for question in 0..6 {
        let repo = if question < 5 { &local } else { &fetch::open(&url, Options::default()).unwrap() };
        let end = COMMITS / 2 + random.below(COMMITS / 2);
        let tips: Vec<usize> = (0..=random.below(5)).map(|_| random.below(COMMITS)).collect();
        let told = format!("seed {seed}, question {question}: {tips:?} and {end} of {history:?}");
        let of = |numbers: &[usize]| numbers.iter().map(|number| ids[*number]).collect::<Vec<_>>();

        let is_contained: Vec<bool> = tips.iter().map(|tip| histories[end].contains(tip)).collect();
        assert_eq!(contained(repo, ids[end], &of(&tips)).unwrap(), is_contained, "{told}");

        let expected: Vec<Lineage> = tips
            .iter()
            .map(|tip| {
                if histories[end].contains(tip) {
                    return Lineage::Contained;
                }
                let common: Vec<usize> = histories[end].intersection(&histories[*tip]).copied().collect();
                let is_best =
                    |one: &&usize| common.iter().all(|other| other == *one || !histories[*other].contains(one));
                let best: BTreeSet<Oid> = common.iter().filter(is_best).map(|one| ids[*one]).collect();
                Lineage::Parted { at: best.into_iter().collect() }
            })
            .collect();
        assert_eq!(lineage(repo, ids[end], &of(&tips)).unwrap(), expected, "{told}");

        let (ancestors, within): (Vec<usize>, Vec<usize>) = (tips, histories[end].iter().copied().collect());
        let is_after = |one: &usize| ancestors.iter().any(|ancestor| histories[*one].contains(ancestor));
        let expected: Vec<bool> = within.iter().map(is_after).collect();
        let found = at_or_after(repo, &of(&ancestors), ids[end], &of(&within)).unwrap();
        assert_eq!(found, expected, "{told}");

        let start = ancestors[0];
        let (commits, parents) = between(repo, ids[start], ids[end]).unwrap();
        let expected: BTreeSet<Oid> = histories[end].difference(&histories[start]).map(|one| ids[*one]).collect();
        assert_eq!(commits.iter().copied().collect::<BTreeSet<_>>(), expected, "{told}");
        assert_eq!(commits.len(), expected.len(), "{told}");
        for (index, commit) in commits.iter().enumerate() {
            let number = ids.iter().position(|id| id == commit).unwrap();
            let found = parents.of(index).map(|parent| match parent {
                Parent::Inside(index) => commits[index],
                Parent::Outside(id) => id,
            });
            assert_eq!(found.collect::<Vec<_>>(), of(&history[number].parents), "{told}");
        }
    }
}

#[test]
fn lineages_are_those_of_the_edges() {
    for (clocks, seed) in [(Clocks::Right, 0), (Clocks::Equal, 10), (Clocks::Skewed, 20)] {
        (seed..seed + 2).for_each(|seed| compare(seed, clocks));
    }
}
