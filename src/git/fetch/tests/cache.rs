//! A cache: the next run fetches only what is new.

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
    rc::Rc,
    thread,
};

use crate::{
    git::{
        WalkOptions,
        fetch::{self, FetchEvent, FetchPhase, Options, RepoUrl},
        file, revision, tags, walk,
    },
    model::Range,
    support::TestRepo,
};

/// What a run fetched, by kind, and how many commits its section starts from.
fn run(repo: &TestRepo, base: &str) -> (Vec<FetchPhase>, usize) {
    run_at(repo.path(), &repo.beside("cache"), base)
}

fn run_at(path: &Path, cache: &Path, base: &str) -> (Vec<FetchPhase>, usize) {
    let parts = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&parts);
    let observer = move |event: FetchEvent<'_>| {
        if let FetchEvent::Received { part, .. } = event {
            seen.borrow_mut().push(part);
        }
    };
    let options = Options { cache: Some(cache.to_owned()), observer: Some(Rc::new(observer)), ..Options::default() };
    let url = format!("file://{}", path.display());
    let remote = fetch::open(&RepoUrl::parse(&url).unwrap().expect("a URL"), options).unwrap();
    let to = revision::resolve(&remote, "HEAD").unwrap();
    file::read_at_commit(&remote, to, "lamp").unwrap().expect("the file is there");
    let range = Range { from: tags::peel(&remote, base).unwrap(), to };
    let commits = walk(&remote, range, &WalkOptions::default()).unwrap().commits.len();
    (parts.take(), commits)
}

fn lamp() -> TestRepo {
    let repo = TestRepo::new();
    repo.git(&["config", "uploadpack.allowFilter", "true"]);
    repo.file("lamp", "on").commit("Light the lamp");
    repo.tag("v1.0.0");
    repo.commit("Trim the wick");
    repo
}

#[test]
fn what_is_there_is_not_fetched_again() {
    use FetchPhase::{Commits, Files, References};
    let repo = lamp();
    assert_eq!(run(&repo, "v1.0.0"), (vec![References, Files, Files, Commits], 1));
    assert_eq!(run(&repo, "v1.0.0"), (vec![References], 1));
    repo.commit("Polish the lamp");
    assert_eq!(run(&repo, "v1.0.0"), (vec![References, Files, Commits], 2), "the file itself is the same");
    repo.tag("v1.1.0").commit("Oil the wick");
    assert_eq!(run(&repo, "v1.1.0"), (vec![References, Files, Commits], 1), "a later base goes on from there");
    assert_eq!(run(&repo, "v1.1.0"), (vec![References], 1));
    assert_eq!(run(&repo, "v1.0.0"), (vec![References], 3));
}

#[test]
fn a_range_that_starts_earlier_is_kept_as_well() {
    use FetchPhase::{Commits, References};
    let repo = lamp();
    repo.tag("v1.1.0").commit("Oil the wick");
    assert_eq!(run(&repo, "v1.1.0").1, 1);
    assert_eq!(run(&repo, "v1.0.0"), (vec![References, Commits, Commits], 2), "whether it is earlier, then the range");
    assert_eq!(run(&repo, "v1.0.0"), (vec![References], 2));
    assert_eq!(run(&repo, "v1.1.0"), (vec![References], 1));
}

#[test]
fn runs_at_the_same_time_wait_for_each_other() {
    let repo = lamp();
    let (path, cache) = (repo.path(), repo.beside("cache"));
    thread::scope(|scope| {
        let runs: Vec<_> = (0..3).map(|_| scope.spawn(|| run_at(path, &cache, "v1.0.0").1)).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), 1);
        }
    });
}

/// Removes the commits that no reference leads to.
fn forget(repo: &TestRepo) {
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
}

#[test]
fn a_history_that_was_rewritten_is_fetched_anew() {
    let repo = lamp();
    run(&repo, "v1.0.0");
    repo.git(&["reset", "-q", "--hard", "v1.0.0"]);
    repo.commit("Trim the wick better");
    repo.commit("And better");
    forget(&repo);
    assert_eq!(run(&repo, "v1.0.0").1, 2);
}

#[test]
fn an_earlier_range_of_a_history_that_was_rewritten_is_fetched_too() {
    let repo = lamp();
    repo.tag("v1.1.0").commit("Oil the wick");
    assert_eq!(run(&repo, "v1.1.0").1, 1);
    repo.git(&["reset", "-q", "--hard", "v1.1.0"]);
    repo.commit("Oil the wick better");
    forget(&repo);
    assert_eq!(run(&repo, "v1.0.0").1, 2);
    assert_eq!(run(&repo, "v1.0.0"), (vec![FetchPhase::References], 2), "it is kept");
}

#[test]
fn a_cache_knows_where_the_history_of_a_shallow_server_ends() {
    let repo = lamp();
    repo.commit("Oil the wick");
    let url = |path: &Path| format!("file://{}", path.display());
    repo.git(&["clone", "-q", "--bare", "--depth=2", &url(repo.path()), "../shallow.git"]);
    let url = RepoUrl::parse(&url(&repo.beside("shallow.git"))).unwrap().expect("a URL");
    let walked = || {
        let remote = fetch::open(&url, Options { cache: Some(repo.beside("cache")), ..Options::default() }).unwrap();
        let range = Range { from: None, to: revision::resolve(&remote, "HEAD").unwrap() };
        let options = WalkOptions { allow_shallow: true, ..WalkOptions::default() };
        walk(&remote, range, &options).unwrap().commits.len()
    };
    assert_eq!([walked(), walked()], [2, 2]);
}

#[test]
fn a_rewritten_history_replaces_the_cached_one() {
    let repo = lamp();
    run(&repo, "v1.0.0");
    repo.git(&["checkout", "-q", "--orphan", "other"]);
    repo.commit("Light another lamp");
    repo.git(&["tag", "-f", "v1.0.0"]);
    repo.commit("Trim its wick");
    repo.git(&["branch", "-D", "main"]);
    forget(&repo);
    assert_eq!(run(&repo, "v1.0.0").1, 1);
}

#[test]
fn a_cache_that_was_damaged_is_fetched_again() {
    let repo = lamp();
    for title in ["Polish the lamp", "Oil the wick"] {
        repo.commit(title);
    }
    let damages: [fn(&Path); 4] = [
        |file| fs::remove_file(file).unwrap(),
        |file| fs::write(file, "").unwrap(),
        |file| fs::write(file, &fs::read(file).unwrap()[..30]).unwrap(),
        |file| {
            let mut content = fs::read(file).unwrap();
            let middle = content.len() / 2;
            content[middle] ^= 1;
            fs::write(file, content).unwrap();
        },
    ];
    for damage in damages {
        for part in [&["extent", "shallow"][..], &[".pack"], &[".idx"], &["extent", ".pack", ".idx"]] {
            assert_eq!(run(&repo, "v1.0.0").1, 3);
            let cached = files(&repo.beside("cache"));
            let hit = cached.iter().filter(|file| part.iter().any(|part| file.to_string_lossy().ends_with(part)));
            let hit: Vec<_> = hit.filter(|file| file.metadata().unwrap().len() > 40).collect();
            assert!(!hit.is_empty());
            for file in hit {
                damage(file);
            }
            assert_eq!(run(&repo, "v1.0.0").1, 3, "{part:?}");
            assert_eq!(run(&repo, "v1.0.0"), (vec![FetchPhase::References], 3), "{part:?}");
        }
    }
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
