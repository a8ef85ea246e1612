//! Which commits change certain paths: `git diff-tree` says the same of all, and `git rev-list` of those that are no merge.

use std::collections::HashSet;

use crate::{
    git::{
        self, Repo, WalkOptions, WalkResult,
        paths::{changed_scopes, find_changes},
        revision,
    },
    model::{Commit, Range},
    support::{Clocks, Planned, Random, TestRepo, random_history},
};

const REPOSITORIES: u64 = 8;
const COMMITS: usize = 200;

/// Some are files and directories in turn.
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
    for (index, commit) in history.iter_mut().enumerate() {
        // Everything in the history is an ancestor of the last commit.
        let before = index.saturating_sub(1);
        if index > 0 && !commit.parents.contains(&before) {
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
    let first = |index| Some(parents.first(index)?.id(|index| commits[index].id));
    let with_parents = commits.iter().zip(0..).map(|(commit, index)| (commit.id, first(index)));
    let changed = find_changes(repo, with_parents, &scope).unwrap();
    commits.iter().zip(changed).filter(|(_, changed)| *changed).map(|(commit, _)| commit).collect()
}

/// Writes changed-path Bloom filters: none, of either version, or in a commit-graph of two files.
fn write_filters(repo: &TestRepo, seed: u64) {
    let write = |version: &str, more: &[&str]| {
        let setting = format!("commitGraph.changedPathsVersion={version}");
        let command = ["-c", &setting, "commit-graph", "write", "--changed-paths"];
        repo.git(&[&command, more].concat());
    };
    match seed % 4 {
        0 => {}
        1 => write("1", &["--reachable"]),
        2 => write("2", &["--reachable"]),
        _ => {
            let half = repo.git(&["rev-parse", "main~5"]) + "\n";
            let setting = "commitGraph.changedPathsVersion=2";
            let command =
                ["-c", setting, "commit-graph", "write", "--stdin-commits", "--changed-paths", "--split=no-merge"];
            repo.git_with_input(&command, half.as_bytes());
            write("2", &["--reachable", "--split=no-merge"]);
            assert!(repo.path().join(".git/objects/info/commit-graphs/commit-graph-chain").exists());
        }
    }
}

/// The scopes that each commit changes, all asked for at once.
fn together(repo: &Repo, WalkResult { commits, parents, .. }: &WalkResult) -> Vec<Vec<u32>> {
    let scopes = SCOPES.map(|scope| scope.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
    let first = |index| Some(parents.first(index)?.id(|index| commits[index].id));
    let with_parents = commits.iter().zip(0..).map(|(commit, index)| (commit.id, first(index)));
    changed_scopes(repo, with_parents, scopes.iter().map(Vec::as_slice)).unwrap()
}

#[test]
fn commits_and_merges_count_for_what_they_change() {
    let mut merges = 0;
    for seed in 0..REPOSITORIES {
        let mut random = Random::new(seed + 70);
        let repo = TestRepo::new();
        repo.import(&history(&mut random));
        write_filters(&repo, seed);
        let opened = Repo::open_isolated(repo.path()).unwrap();
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
            let listed = repo.git_with_input(&[&first_parent, scope].concat(), ids.as_bytes());
            let listed = String::from_utf8(listed).unwrap();
            let wanted: HashSet<&str> = listed.lines().filter(|line| line.len() == 40).collect();
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

#[test]
fn filters_rule_out_commits_and_broken_ones_nothing() {
    let mut random = Random::new(99);
    let repo = TestRepo::new();
    repo.import(&history(&mut random));
    let scope: &[&str] = &["b/c", "docs", "!docs/deep"];
    let listed = |repo: &TestRepo| {
        let opened = Repo::open_isolated(repo.path()).unwrap();
        let range = Range { from: None, to: revision::resolve(&opened, "main").unwrap() };
        let walked = git::walk(&opened, range, &WalkOptions::default()).unwrap();
        found(&opened, &walked, scope).into_iter().cloned().collect::<Vec<_>>()
    };
    let expected = listed(&repo);
    repo.git(&["commit-graph", "write", "--reachable", "--changed-paths"]);
    assert_eq!(listed(&repo), expected);
    let file = repo.path().join(".git/objects/info/commit-graph");
    let sound = std::fs::read(&file).unwrap();
    let chunk = |id: &[u8]| {
        let entry = sound[8..].chunks(12).find(|entry| &entry[..4] == id).unwrap();
        usize::try_from(u64::from_be_bytes(entry[4..].try_into().unwrap())).unwrap()
    };
    let (ends, data) = (chunk(b"BIDX"), chunk(b"BDAT"));
    let write = |bytes: &[u8]| {
        // Git makes the file read-only.
        let _ = std::fs::remove_file(&file);
        std::fs::write(&file, bytes).unwrap();
    };
    // A filter without a bit set rules every path out: so the filters are asked.
    let mut lying = sound.clone();
    lying[data + 12..sound.len() - 20].fill(0);
    write(&lying);
    assert_eq!(listed(&repo), []);
    let filled = |range: std::ops::Range<usize>, byte: u8| {
        let mut broken = lying.clone();
        broken[range].fill(byte);
        broken
    };
    let broken = [
        filled(ends..data, 0xff),
        filled(ends..data, 0),
        filled(data..data + 4, 9),
        filled(data + 4..data + 8, 0xff),
        lying[..data + 6].to_vec(),
    ];
    for (number, broken) in broken.iter().enumerate() {
        write(broken);
        assert_eq!(listed(&repo), expected, "breakage {number}");
    }
    write(&lying);
    repo.git(&["config", "commitGraph.readChangedPaths", "false"]);
    assert_eq!(listed(&repo), expected);
}
