//! Handles that share what was read of a history.

use std::fs;

use crate::{
    git::{self, HistoryCache, Repo, WalkOptions},
    model::Range,
    support::TestRepo,
};

/// A repository with `v1.0.0` and one change after it.
fn harbor() -> TestRepo {
    let repo = TestRepo::new();
    repo.commit("Initial");
    repo.tag("v1.0.0");
    repo.change("Add crane", "added");
    repo
}

#[test]
fn handles_that_share_a_history_read_no_commit_twice() {
    for has_graph in [false, true] {
        let (repo, other) = (harbor(), harbor());
        for _ in 0..30 {
            repo.change("Mend it", "fixed");
        }
        if has_graph {
            repo.git(&["commit-graph", "write", "--reachable"]);
        }
        let cache = HistoryCache::default();
        let open = |cache: Option<&HistoryCache>, at: &TestRepo| {
            let mut opened = Repo::open_isolated(at.path()).unwrap();
            if let Some(cache) = cache {
                opened.share_history(cache).unwrap();
            }
            opened
        };
        let id = |name: &str| repo.git(&["rev-parse", name]).parse().unwrap();
        let whole = Range { from: None, to: id("main") };
        let ranges = [whole, Range { from: Some(id("v1.0.0")), ..whole }];
        let walk = |opened: &Repo, range: Range| git::walk(opened, range, &WalkOptions::default());
        let first = open(Some(&cache), &repo);
        let expected = ranges.map(|range| walk(&first, range).unwrap());
        for objects in fs::read_dir(repo.path().join(".git/objects")).unwrap().map(|entry| entry.unwrap().path()) {
            if objects.file_name().unwrap().len() == 2 {
                fs::remove_dir_all(objects).unwrap();
            }
        }
        assert_eq!(ranges.map(|range| walk(&open(Some(&cache), &repo), range).unwrap()), expected);
        walk(&open(None, &repo), whole).unwrap_err();
        walk(&open(Some(&cache), &other), whole).unwrap_err();
        // With other parents it is another history.
        repo.write(".git/info/grafts", repo.git(&["rev-parse", "v1.0.0"]) + "\n");
        walk(&open(Some(&cache), &repo), whole).unwrap_err();
    }
}
