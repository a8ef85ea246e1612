//! Merge bases against `git merge-base`.

use crate::{
    git::{self, Repo, revision::resolve},
    model::Oid,
    support::{Clocks, Random, TestRepo, random_history},
};

const HISTORIES: u64 = 8;
const QUESTIONS: usize = 12;

#[test]
fn merge_bases_are_those_git_finds() {
    let mut random = Random::new(3);
    for clocks in [Clocks::Right, Clocks::Equal, Clocks::Skewed] {
        for _ in 0..HISTORIES {
            let repo = TestRepo::with_options(&["--bare"]);
            let ids = repo.import(&random_history(&mut random, 40, clocks));
            let ours = Repo::open_isolated(repo.path()).unwrap();
            for _ in 0..QUESTIONS {
                let refs: Vec<&str> = (0..2 + random.below(3)).map(|_| random.pick(&ids).as_str()).collect();
                let best = repo.oracle().merge_base(&refs);
                let found: Vec<Oid> = refs.iter().map(|id| resolve(&ours, id).unwrap()).collect();
                let found = git::merge_base::merge_base(&ours, found[0], &found[1..]).unwrap();
                assert_eq!(found.map(|id| id.to_string()), best, "{clocks:?} {refs:?}");
            }
        }
    }
}
