//! The commits of a range and their order.

use tidings::{
    git::{self, Repo, WalkOptions},
    model::{Oid, Range},
};

use crate::support::{Clocks, Random, TestRepo, random_history};

const COMMITS: usize = 120;
const RANGES: usize = 60;

fn walked(repo: &Repo, from: Option<&str>, to: &str) -> Vec<String> {
    let id = |hex: &str| hex.parse::<Oid>().unwrap();
    let range = Range { from: from.map(id), to: id(to) };
    let walked = git::walk(repo, range, &WalkOptions::default()).unwrap();
    assert!(walked.warnings.is_empty(), "{:?}", walked.warnings);
    walked.commits.iter().map(|commit| commit.id.to_string()).collect()
}

fn rev_list(repo: &TestRepo, from: Option<&str>, to: &str) -> Vec<String> {
    let range = from.map_or_else(|| to.to_owned(), |from| format!("{from}..{to}"));
    repo.git(&["rev-list", &range]).lines().map(str::to_owned).collect()
}

#[track_caller]
fn compare(seed: u64, clocks: Clocks) {
    let mut random = Random::new(seed);
    let repo = TestRepo::new();
    let ids = repo.import(&random_history(&mut random, COMMITS, clocks));
    let opened = Repo::open(repo.path()).unwrap();
    for _ in 0..RANGES {
        let (from, to) = (random.pick(&ids), random.pick(&ids));
        let from = (!random.once_in(10)).then_some(from.as_str());
        assert_eq!(walked(&opened, from, to), rev_list(&repo, from, to), "seed {seed}, {from:?}..{to}");
    }
}

#[test]
fn on_clocks_that_are_right() {
    (0..4).for_each(|seed| compare(seed, Clocks::Right));
}

#[test]
fn on_clocks_that_stand_still() {
    (10..14).for_each(|seed| compare(seed, Clocks::Equal));
}

#[test]
fn on_clocks_that_are_skewed() {
    (20..24).for_each(|seed| compare(seed, Clocks::Skewed));
}
