//! Which commits change certain paths: `git diff-tree` says the same of all, and `git rev-list` of those that are no merge.

use std::collections::HashSet;

use tidings::{
    git::{
        self, Repo, WalkOptions, WalkResult,
        paths::{changed, changed_scopes},
        revision,
    },
    model::{Commit, Range},
};

use crate::support::{Clocks, Planned, Random, TestRepo, random_history};

const REPOSITORIES: u64 = 4;
const COMMITS: usize = 200;

/// Some are files and folders in turn.
const FILES: [&str; 14] = [
    "a",
    "b/x",
    "b/y",
    "b/c/z",
    "docs/a.md",
    "docs/deep/b.md",
    "Src/lib.rs",
    "src/lib.rs",
    "src/generated/x.rs",
    "srcs/y",
    "lib",
    "lib/x",
    "lib/x/y",
    "x.rs/inner",
];

const SCOPES: [&[&str]; 18] = [
    &["a"],
    &["b"],
    &["b/"],
    &["b/c", "docs"],
    &["src"],
    &["src", ":!src/generated"],
    &[":!docs", ":^b"],
    &["*.md"],
    &["*.rs"],
    &[":(glob)*.rs"],
    &[":(glob)**/*.rs"],
    &[":(glob)src/*", "lib/x"],
    &[":(icase)SRC"],
    &["lib"],
    &["lib/", ":!lib/x/y"],
    &["s*/*b.rs", "[ab]"],
    &[":(literal)*.md"],
    &[".", ":!*.md"],
];

fn history(random: &mut Random) -> Vec<Planned> {
    let mut history = random_history(random, COMMITS, Clocks::Right);
    for (place, commit) in history.iter_mut().enumerate() {
        // The whole history shall lead to the last commit.
        let before = place.saturating_sub(1);
        if place > 0 && !commit.parents.contains(&before) {
            commit.parents.push(before);
        }
        let changes = random.below(4);
        let mut content = || (!random.once_in(3)).then(|| random.below(3).to_string());
        let contents: Vec<_> = (0..changes).map(|_| content()).collect();
        commit.files = contents.into_iter().map(|content| (*random.pick(&FILES), content)).collect();
    }
    history
}

fn found<'a>(repo: &Repo, walked: &'a WalkResult, scope: &[&str]) -> Vec<&'a Commit> {
    let WalkResult { commits, parents, .. } = walked;
    let scope: Vec<String> = scope.iter().map(|&path| path.to_owned()).collect();
    let first = |place| Some(parents.first(place)?.id(|place| commits[place].id));
    let with_parents = commits.iter().zip(0..).map(|(commit, place)| (commit.id, first(place)));
    let changed = changed(repo, with_parents, &scope).unwrap();
    commits.iter().zip(changed).filter(|(_, changed)| *changed).map(|(commit, _)| commit).collect()
}

/// The scopes that each commit changes, all asked for at once.
fn together(repo: &Repo, WalkResult { commits, parents, .. }: &WalkResult) -> Vec<Vec<u32>> {
    let scopes = SCOPES.map(|scope| scope.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
    let first = |place| Some(parents.first(place)?.id(|place| commits[place].id));
    let with_parents = commits.iter().zip(0..).map(|(commit, place)| (commit.id, first(place)));
    changed_scopes(repo, with_parents, scopes.iter().map(Vec::as_slice)).unwrap()
}

#[test]
fn commits_and_merges_count_for_what_they_change() {
    let mut merges = 0;
    for seed in 0..REPOSITORIES {
        let mut random = Random::new(seed + 70);
        let repo = TestRepo::new();
        repo.import(&history(&mut random));
        let opened = Repo::open(repo.path()).unwrap();
        let range = Range { from: None, to: revision::resolve(&opened, "main").unwrap() };
        let walked = git::walk(&opened, range, &WalkOptions::default()).unwrap();
        let ids: Vec<String> = walked.commits.iter().map(|commit| commit.id.to_string()).collect();
        let ids = ids.join("\n") + "\n";
        let together = together(&opened, &walked);
        for (number, scope) in (0..).zip(SCOPES) {
            let found = found(&opened, &walked, scope);
            let of_scope = walked.commits.iter().zip(&together).filter(|(_, scopes)| scopes.contains(&number));
            assert_eq!(found, of_scope.map(|(commit, _)| commit).collect::<Vec<_>>(), "seed {seed}, {scope:?}");
            let first_parent =
                ["diff-tree", "--stdin", "-r", "--root", "--diff-merges=first-parent", "--name-only", "--"];
            let told = repo.git_with_input(&[&first_parent, scope].concat(), ids.as_bytes());
            let told = String::from_utf8(told).unwrap();
            let wanted: HashSet<&str> = told.lines().filter(|line| line.len() == 40).collect();
            let all: Vec<String> = found.iter().map(|commit| commit.id.to_string()).collect();
            assert_eq!(all.iter().map(String::as_str).collect::<HashSet<_>>(), wanted, "seed {seed}, {scope:?}");

            let ordinary = ["rev-list", "--full-history", "--no-merges", "main", "--"];
            let listed = repo.git(&[&ordinary, scope].concat());
            let plain = found.iter().filter(|commit| !commit.is_merge).map(|commit| commit.id.to_string());
            assert_eq!(plain.collect::<Vec<_>>(), listed.lines().collect::<Vec<_>>(), "seed {seed}, {scope:?}");
            merges += found.iter().filter(|commit| commit.is_merge).count();
        }
    }
    assert!(merges > 0);
}
