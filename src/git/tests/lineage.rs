//! How tags are related to the end of a history, in a local repository and in one that is fetched, against the edges
//! that were written.

use std::collections::BTreeSet;

use crate::{
    git::{
        Repo,
        fetch::{self, Options, RepoUrl},
        lineage::{Lineage, at_or_after, between, contained, is_beside, lineage, place_on_first_parent_line},
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

/// Each release merges the branch of development, up to a commit of its own.
#[test]
fn releases_that_merge_a_branch_part_from_it_where_they_merged_it() {
    const RELEASES: usize = 150;
    let planned: Vec<Planned> = (0..2 * RELEASES)
        .map(|own| {
            let parents = match own {
                0 => vec![],
                1 => vec![0],
                _ if own % 2 == 0 => vec![own - 2],
                _ => vec![own - 2, own - 1],
            };
            let date = 1_700_000_000 + i64::try_from(own).unwrap();
            Planned { parents, date, message: b"Go on".to_vec(), files: Vec::new() }
        })
        .collect();
    let written = TestRepo::new();
    let ids: Vec<Oid> = written.import(&planned).iter().map(|id| id.parse().unwrap()).collect();
    let (development, releases): (Vec<Oid>, Vec<Oid>) = ids.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
    let repo = Repo::open_isolated(written.path()).unwrap();
    let expected: Vec<Lineage> = development.iter().map(|commit| Lineage::Parted { at: vec![*commit] }).collect();
    assert_eq!(lineage(&repo, development[RELEASES - 1], &releases).unwrap(), expected);
}

#[test]
fn a_release_has_a_place_on_a_line_if_it_is_on_it_or_a_short_branch_of_it_was_merged() {
    let repo = TestRepo::new();
    let (start, on_line) = (repo.commit("Begin"), repo.commit("Trim the wick"));
    repo.git(&["switch", "-q", "-c", "release"]);
    let (prepared, released) = (repo.commit("Prepare"), repo.commit("Release"));
    repo.git(&["switch", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the release", "release"]);
    let merged = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["switch", "-q", "-c", "old", &start]);
    let beside = repo.commit("Mend");
    repo.git(&["switch", "-q", "main"]);
    repo.commit("Go on");
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge the old line", "old"]);
    let end = repo.git(&["rev-parse", "HEAD"]);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let id = |text: &str| text.parse::<Oid>().unwrap();
    let place = |commit: &str| {
        let found = place_on_first_parent_line(&opened, id(&end), id(commit)).unwrap();
        found.map(|found| found.to_string())
    };
    assert_eq!(place(&end), Some(end.clone()));
    assert_eq!(place(&on_line), Some(on_line.clone()));
    assert_eq!(place(&released), Some(merged.clone()));
    assert_eq!(place(&prepared), None, "it is not the end of the branch");
    assert_eq!(place(&beside), None, "the line went on before it was merged");

    let is_beside = |commit: &str, line: &str| is_beside(&opened, id(commit), id(line)).unwrap();
    assert!(is_beside(&prepared, &on_line) && is_beside(&released, &on_line));
    assert!(!is_beside(&released, &start), "that is three commits before");
    assert!(!is_beside(&on_line, &released) && !is_beside(&on_line, &on_line) && !is_beside(&start, &end));
}
