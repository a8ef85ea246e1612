//! The commits of a range that was fetched are those of a full clone, in the same order.

use crate::{
    git::{
        self, Repo, WalkOptions,
        fetch::{self, Options, RepoUrl},
        revision,
    },
    model::Range,
    support::{Clocks, Random, TestRepo, random_history},
};

const COMMITS: usize = 80;
const RANGES: usize = 8;

fn served() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo
}

fn open(repo: &TestRepo, options: Options) -> Repo {
    let url = format!("file://{}", repo.path().display());
    fetch::open(&RepoUrl::parse(&url).unwrap().expect("a URL"), options).unwrap()
}

fn walked(repo: &Repo, from: Option<&str>, to: &str) -> Vec<String> {
    let id = |spec: &str| revision::resolve(repo, spec).unwrap();
    let range = Range { from: from.map(id), to: id(to) };
    let walked = git::walk(repo, range, &WalkOptions::default()).unwrap();
    assert!(walked.warnings.is_empty(), "{:?}", walked.warnings);
    walked.commits.iter().map(|commit| commit.id.to_string()).collect()
}

#[track_caller]
fn compare(seed: u64, clocks: Clocks) {
    let mut random = Random::new(seed);
    let repo = served();
    let ids = repo.import(&random_history(&mut random, COMMITS, clocks));
    let full = Repo::open_isolated(repo.path()).unwrap();
    for _ in 0..RANGES {
        let (from, to) = (random.pick(&ids), random.pick(&ids));
        let from = (!random.once_in(10)).then_some(from.as_str());
        let fetched = open(&repo, Options::default());
        assert_eq!(walked(&fetched, from, to), walked(&full, from, to), "seed {seed}, {from:?}..{to}");
    }
    // One directory for all of them: what is there from other ranges must not show.
    let kept = open(&repo, Options::default());
    let cache = Options { cache: Some(repo.beside("cache")), ..Options::default() };
    for _ in 0..RANGES {
        let (from, to) = (random.pick(&ids), random.pick(&ids));
        let from = (!random.once_in(20)).then_some(from.as_str());
        let expected = walked(&full, from, to);
        assert_eq!(walked(&kept, from, to), expected, "seed {seed}, kept, {from:?}..{to}");
        assert_eq!(walked(&open(&repo, cache.clone()), from, to), expected, "seed {seed}, cached, {from:?}..{to}");
    }
}

#[test]
fn on_clocks_that_are_right() {
    (0..3).for_each(|seed| compare(seed, Clocks::Right));
}

#[test]
fn on_clocks_that_stand_still() {
    (10..13).for_each(|seed| compare(seed, Clocks::Equal));
}

#[test]
fn on_clocks_that_are_skewed() {
    (20..23).for_each(|seed| compare(seed, Clocks::Skewed));
}
