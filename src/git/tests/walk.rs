//! The commits of a range and their order: `git rev-list` says the same, and so does counting by hand.

use std::{collections::HashSet, fs, path::Path, sync::Arc, thread};

use crate::{
    git::{self, MapCommit, Repo, WalkOptions, revision},
    model::{Oid, Range},
    support::{Clocks, Planned, Random, TestRepo, git_in, random_history},
};

const REPOSITORIES: u64 = 6;
const COMMITS: usize = 150;
/// The ranges of each repository, with each commit-graph: one in so many is compared with git, all with a simple walk.
const RANGES: usize = 120;
const ONE_IN: usize = 8;

/// How much of the history the commit-graph knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Graph {
    None,
    /// The older half and whatever else was there when it was written.
    Stale,
    Full,
}

/// The commits of a range, each with its parents.
fn walked(repo: &Repo, from: Option<&str>, to: &str) -> Vec<String> {
    let id = |spec: &str| revision::resolve(repo, spec).unwrap();
    let range = Range { from: from.map(id), to: id(to) };
    let walked = git::walk(repo, range, &WalkOptions { allow_shallow: true, ..WalkOptions::default() }).unwrap();
    let at = |index: usize| walked.commits[index].id;
    let line = |index| [at(index)].into_iter().chain(walked.parents.of(index).map(|parent| parent.id(at)));
    let lines =
        (0..walked.commits.len()).map(|index| line(index).map(|id| id.to_string()).collect::<Vec<_>>().join(" "));
    lines.collect()
}

fn rev_list(directory: &Path, from: Option<&str>, to: &str) -> Vec<String> {
    let range = from.map_or_else(|| to.to_owned(), |from| format!("{from}..{to}"));
    let ids = git_in(directory, &["-c", "core.useReplaceRefs=false", "rev-list", "--parents", &range], 0);
    ids.lines().map(str::to_owned).collect()
}

/// The commit that such a line is about.
fn commit(line: &str) -> &str {
    &line[..40]
}

/// The positions reachable from one.
fn reachable(history: &[Planned], tip: usize) -> HashSet<usize> {
    let mut pending = vec![tip];
    let mut met = HashSet::new();
    while let Some(commit) = pending.pop() {
        if met.insert(commit) {
            pending.extend(&history[commit].parents);
        }
    }
    met
}

#[track_caller]
fn compare(seed: u64, clocks: Clocks, graph: Graph) {
    let mut random = Random::new(seed);
    let history = random_history(&mut random, COMMITS, clocks);
    let repo = TestRepo::new();
    let ids = repo.import(&history);
    match graph {
        Graph::None => {}
        Graph::Stale => repo.write_commit_graph(&ids[..COMMITS / 2]),
        Graph::Full => repo.write_commit_graph(&ids),
    }
    let opened = Repo::open_isolated(repo.path()).unwrap();
    for _ in 0..RANGES {
        let from = (!random.once_in(10)).then(|| random.below(COMMITS));
        let to = random.below(COMMITS);
        let (from_id, to_id) = (from.map(|from| ids[from].as_str()), ids[to].as_str());
        let context = format!("seed {seed}, {clocks:?}, {graph:?}, {from_id:?}..{to_id}");
        let found = walked(&opened, from_id, to_id);
        let hidden = from.map_or_else(HashSet::new, |from| reachable(&history, from));
        let wanted: HashSet<&str> =
            reachable(&history, to).difference(&hidden).map(|commit| ids[*commit].as_str()).collect();
        assert_eq!(found.iter().map(|line| commit(line)).collect::<HashSet<_>>(), wanted, "{context}");
        if random.once_in(ONE_IN) {
            assert_eq!(found, rev_list(repo.path(), from_id, to_id), "{context}");
        }
    }
}

#[track_caller]
fn compare_all(graph: Graph) {
    for seed in 0..REPOSITORIES {
        for clocks in [Clocks::Right, Clocks::Equal, Clocks::Skewed] {
            compare(seed, clocks, graph);
        }
    }
}

#[test]
fn without_a_commit_graph() {
    compare_all(Graph::None);
}

#[test]
fn with_a_commit_graph() {
    compare_all(Graph::Full);
}

#[test]
fn with_a_commit_graph_that_is_stale() {
    compare_all(Graph::Stale);
}

/// If git's own limit of five commits is not enough, the range is still exact: the walk sees how wrong the clocks are.
#[test]
fn on_clocks_that_git_itself_falls_for() {
    let planned = |date, parents| Planned {
        date: TestRepo::EPOCH + date,
        parents,
        message: b"Commit\n".into(),
        ..Planned::default()
    };
    let mut history = vec![planned(500, vec![]), planned(10_000, vec![0]), planned(5_000, vec![1])];
    history.extend((3..12).map(|own| planned(own, vec![if own == 3 { 1 } else { own_before(own) }])));
    let repo = TestRepo::new();
    let ids = repo.import(&history);
    let (to, from) = (&ids[2], &ids[11]);
    // git lists two more, since its dates mislead it; one that does not is right, too.
    assert!([1, 3].contains(&rev_list(repo.path(), Some(from), to).len()));
    for graph in [Graph::None, Graph::Full] {
        if graph == Graph::Full {
            repo.write_commit_graph(&ids);
        }
        let opened = Repo::open_isolated(repo.path()).unwrap();
        let walked = walked(&opened, Some(from), to);
        assert_eq!(walked.iter().map(|line| commit(line)).collect::<Vec<_>>(), [to], "{graph:?}");
    }
}

fn own_before(date: i64) -> usize {
    usize::try_from(date - 1).unwrap()
}

#[test]
fn with_annotated_tags_on_either_end() {
    let repo = TestRepo::new();
    for number in 0..6 {
        repo.commit(&format!("Commit {number}"));
        repo.annotated_tag(&format!("v{number}"));
    }
    repo.git(&["tag", "-a", "-m", "nested", "nested", "v2"]);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    for (from, to) in [("v1", "v4"), ("nested", "v5"), ("v4", "v1"), ("v3", "v3")] {
        assert_eq!(walked(&opened, Some(from), to), rev_list(repo.path(), Some(from), to), "{from}..{to}");
    }
}

#[test]
fn in_shallow_clones_with_merges() {
    let mut shallow = 0;
    for seed in 0..REPOSITORIES {
        let mut random = Random::new(seed);
        let repo = TestRepo::new();
        repo.import(&random_history(&mut random, COMMITS, Clocks::Right));
        for depth in ["3", "8", "20"] {
            let name = format!("clone-{depth}");
            let url = format!("file://{}", repo.path().display());
            repo.git(&["clone", "-q", "--bare", "--depth", depth, &url, repo.beside(&name).to_str().unwrap()]);
            let clone = repo.beside(&name);
            let opened = Repo::open_isolated(&clone).unwrap();
            shallow += usize::from(opened.is_shallow());
            let lines = rev_list(&clone, None, "HEAD");
            let ids: Vec<&str> = lines.iter().map(|line| commit(line)).collect();
            for _ in 0..RANGES / ONE_IN {
                let (from, to) = (random.pick(&ids), random.pick(&ids));
                let from = (!random.once_in(5)).then_some(*from);
                assert_eq!(
                    walked(&opened, from, to),
                    rev_list(&clone, from, to),
                    "seed {seed}, depth {depth}, {from:?}..{to}"
                );
            }
        }
    }
    assert!(shallow > 3, "the histories are too short to be cut off");
}

#[test]
fn with_grafts() {
    let repo = TestRepo::new();
    let ids: Vec<String> = (0..6).map(|number| repo.commit(&format!("Commit {number}"))).collect();
    repo.write_commit_graph(&ids);
    fs::create_dir_all(repo.path().join(".git/info")).unwrap();
    fs::write(repo.path().join(".git/info/grafts"), format!("# rewritten\n{} {}\n{}\n", ids[4], ids[1], ids[2]))
        .unwrap();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    for (from, to) in [(None, "HEAD"), (Some(ids[0].as_str()), "HEAD"), (Some(&ids[0]), &ids[3])] {
        assert_eq!(walked(&opened, from, to), rev_list(repo.path(), from, to), "{from:?}..{to}");
    }
}

#[test]
fn without_regard_to_replace_refs() {
    let repo = TestRepo::new();
    let ids: Vec<String> = (0..5).map(|number| repo.commit(&format!("Commit {number}"))).collect();
    repo.git(&["replace", "--graft", &ids[3], &ids[0]]);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    assert_eq!(walked(&opened, Some(&ids[0]), "HEAD"), rev_list(repo.path(), Some(&ids[0]), "HEAD"));
    assert_eq!(walked(&opened, None, "HEAD").len(), ids.len());
}

#[test]
fn a_thread_that_panics_is_an_error_and_not_the_end() {
    let repo = TestRepo::new();
    let commit = |own: usize| Planned { parents: own.checked_sub(1).into_iter().collect(), ..Planned::default() };
    let ids = repo.import(&(0..2_000).map(commit).collect::<Vec<_>>());
    let main = thread::current().id();
    let check = move || assert_eq!(thread::current().id(), main, "on purpose");
    let reading: MapCommit<()> = Arc::new(move || Box::new(move |_| check()));
    let range = Range { from: None, to: id(&ids[1_999]) };
    let walked = git::walk_with(&Repo::open_isolated(repo.path()).unwrap(), range, &WalkOptions::default(), &reading);
    assert_eq!(walked.unwrap_err().to_string(), "a thread that decodes commits has died");
}

#[test]
fn past_the_limit_is_an_error_in_the_words_of_the_service() {
    let repo = TestRepo::new();
    let ids: Vec<String> = (0..6).map(|number| repo.commit(&format!("Commit {number}"))).collect();
    for with_graph in [false, true] {
        if with_graph {
            repo.write_commit_graph(&ids);
        }
        let opened = Repo::open_isolated(repo.path()).unwrap();
        let range = |from: usize| Range { from: Some(id(&ids[from])), to: id(&ids[5]) };
        let options = WalkOptions { max_commits: 3, ..WalkOptions::default() };
        assert_eq!(git::walk(&opened, range(2), &options).unwrap().commits.len(), 3);
        let error = git::walk(&opened, range(1), &options).unwrap_err();
        assert_eq!(error.to_string(), "the range has more than 3 commits");
        let all = Range { from: None, to: id(&ids[5]) };
        assert!(git::walk(&opened, all, &options).is_err());
    }
}

/// The start is dated before everything else: all history is met before any of it turns out to be outside.
#[test]
fn within_the_limit_although_more_was_met() {
    let message = || b"Commit\n".to_vec();
    let chain = |own: usize| Planned {
        parents: own.checked_sub(1).into_iter().collect(),
        date: TestRepo::EPOCH + i64::try_from(own).unwrap(),
        message: message(),
        ..Planned::default()
    };
    let mut history: Vec<Planned> = (0..50).map(chain).collect();
    history.push(Planned { parents: vec![44], date: 1, message: message(), ..Planned::default() });
    let repo = TestRepo::new();
    let ids = repo.import(&history);
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let range = Range { from: Some(id(&ids[50])), to: id(&ids[49]) };
    let walk = |max_commits| git::walk(&opened, range, &WalkOptions { max_commits, ..WalkOptions::default() });
    let lines = rev_list(repo.path(), Some(&ids[50]), &ids[49]);
    let expected: Vec<&str> = lines.iter().map(|line| commit(line)).collect();
    for max_commits in [5, 7, 30, 60] {
        let found: Vec<String> =
            walk(max_commits).unwrap().commits.iter().map(|commit| commit.id.to_string()).collect();
        assert_eq!(found, expected, "at most {max_commits}");
    }
    assert!(walk(4).is_err());
}

fn id(hex: &str) -> Oid {
    hex.parse().unwrap()
}

#[test]
fn what_one_range_ends_with_is_not_read_again_for_the_next() {
    let repo = TestRepo::new();
    repo.author();
    let ids: Vec<String> = (0..40)
        .map(|number| {
            repo.change(&format!("Change {number}"), "fixed");
            repo.git(&["rev-parse", "HEAD"])
        })
        .collect();
    let opened = Repo::open_isolated(repo.path()).unwrap();
    let range = |from: usize, to: usize| Range { from: Some(id(&ids[from])), to: id(&ids[to]) };
    let walk = |range| git::walk(&opened, range, &WalkOptions::default()).map(|walked| walked.commits.len());
    assert_eq!(walk(range(30, 39)).unwrap(), 9);
    let object = |id: &String| repo.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
    for met in &ids[27..=30] {
        fs::remove_file(object(met)).unwrap();
    }
    assert_eq!(walk(range(20, 30)).unwrap(), 10);
    fs::remove_file(object(&ids[12])).unwrap();
    walk(range(10, 20)).unwrap_err();
}
