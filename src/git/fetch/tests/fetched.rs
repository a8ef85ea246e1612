//! The handles that a repository gives out have what was asked for, whether it is whole, a shallow clone or a URL.

use std::ptr;

use crate::{
    git::{
        self, Repo, WalkOptions,
        fetch::{self, Options, RepoUrl},
        file, object_id,
    },
    model::{Oid, Range},
    support::TestRepo,
};

/// Three commits on `main`, and two on `side`, which leaves it after the first.
struct Harbor {
    repo: TestRepo,
    main: Vec<Oid>,
    side: Vec<Oid>,
}

impl Harbor {
    fn new() -> Self {
        let repo = TestRepo::new();
        repo.git(&["config", "uploadpack.allowFilter", "true"]);
        repo.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let mut main = vec![repo.file("lamp", "off").commit("Build the lamp")];
        repo.git(&["checkout", "-q", "-b", "side"]);
        let side = vec![repo.commit("Paint it"), repo.commit("Paint it again")];
        repo.git(&["checkout", "-q", "main"]);
        main.extend([repo.file("lamp", "on").commit("Light the lamp"), repo.commit("Trim the wick")]);
        let ids = |texts: Vec<String>| texts.iter().map(|text| text.parse().unwrap()).collect();
        Self { repo, main: ids(main), side: ids(side) }
    }

    fn url(&self) -> RepoUrl {
        RepoUrl::parse(&format!("file://{}", self.repo.path().display())).unwrap().expect("a URL")
    }

    fn whole(&self) -> Repo {
        Repo::open_isolated(self.repo.path()).unwrap()
    }

    fn by_url(&self) -> Repo {
        fetch::open(&self.url(), Options::default()).unwrap()
    }

    /// Returns a clone of the newest commit of `main`, which reads what it lacks only if it is completed.
    fn shallow(&self, is_completed: bool) -> Repo {
        if !self.repo.beside("clone").exists() {
            let url = format!("file://{}", self.repo.path().display());
            self.repo.git(&["clone", "-q", "--depth=1", "--no-tags", &url, "../clone"]);
        }
        let mut clone = Repo::open_isolated(&self.repo.beside("clone")).unwrap();
        if is_completed {
            fetch::complete_clone(&mut clone, self.url(), Options::default());
        }
        clone
    }
}

#[test]
fn a_missing_commit_is_fetched_alone() {
    let harbor = Harbor::new();
    let [first, second, tip] = harbor.main[..] else { unreachable!("three commits") };
    let clone = harbor.shallow(true);
    assert!(!clone.has_object(second));
    let fetched = clone.with_commit(second).unwrap();
    assert!(fetched.has_object(second) && !fetched.has_object(first), "without its ancestors");
    assert!(!clone.has_object(second), "the clone is not changed");
    let present = clone.with_commit(tip).unwrap();
    assert!(ptr::eq(&raw const *present, &raw const clone), "nothing is fetched for a commit that is there");
    let alone = harbor.shallow(false);
    assert!(!alone.with_commit(second).unwrap().has_object(second), "no remote completes this clone");
}

#[test]
fn several_missing_commits_come_together_and_none_for_those_that_are_there() {
    let harbor = Harbor::new();
    let ids: Vec<_> = harbor.main.iter().map(|id| object_id(*id)).collect();
    let clone = harbor.shallow(true);
    let fetched = clone.with_missing(ids.iter()).unwrap().expect("two are missing");
    assert!(fetched.has_object(harbor.main[0]) && fetched.has_object(harbor.main[1]));
    assert!(clone.with_missing(ids[2..].iter()).unwrap().is_none());
    assert!(harbor.whole().with_missing(ids.iter()).unwrap().is_none());
}

#[test]
fn commits_beside_others_are_the_same_in_an_excerpt_and_in_a_whole_repository() {
    let harbor = Harbor::new();
    let (end, tip) = (harbor.main[2], harbor.side[1]);
    for (name, repo) in [("whole", harbor.whole()), ("by URL", harbor.by_url())] {
        let fetched = repo.with_commits_beside(end, &[tip]).unwrap();
        assert!(harbor.side.iter().all(|commit| fetched.has_object(*commit)), "{name}");
        assert_eq!(fetched.is_excerpt(), name == "by URL", "{name}");
        assert_eq!(fetched.has_object(harbor.main[1]), name == "whole", "{name}: only what was asked for");
    }
}

#[test]
fn a_range_that_the_repository_lacks_is_fetched_before_it_is_walked() {
    let harbor = Harbor::new();
    let range = Range { from: Some(harbor.main[0]), to: harbor.main[2] };
    let fetched = harbor.by_url();
    let commits = fetched.with_range(range).unwrap();
    assert!(commits.has_object(range.to) && !commits.has_object(harbor.side[0]), "only what was asked for");
    for (name, repo) in [("whole", harbor.whole()), ("by URL", harbor.by_url()), ("shallow", harbor.shallow(true))] {
        let walked = git::walk(&repo, range, &WalkOptions::default()).unwrap().commits;
        assert_eq!(walked.iter().map(|commit| commit.id).collect::<Vec<_>>(), [range.to, harbor.main[1]], "{name}");
    }
}

#[test]
fn a_file_of_a_missing_commit_is_read_and_objects_say_whose_they_are() {
    let harbor = Harbor::new();
    let first = harbor.main[0];
    for (name, repo) in [("whole", harbor.whole()), ("by URL", harbor.by_url()), ("shallow", harbor.shallow(true))] {
        let content = file::read_at_commit(&repo, first, "lamp").unwrap();
        assert_eq!(content.as_deref(), Some(&b"off"[..]), "{name}");
        let trees = repo.with_trees(vec![object_id(first)]).unwrap();
        assert!(trees.gix().has_object(object_id(first)), "{name}");
        assert_eq!(trees.are_of(&repo), name == "whole", "{name}");
    }
    assert!(harbor.shallow(true).own_objects().gix().find_object(object_id(first)).is_err());
}

#[test]
fn trees_of_several_commits_come_from_a_server_that_sends_single_objects_alone() {
    let harbor = Harbor::new();
    let ids: Vec<_> = harbor.main.iter().map(|id| object_id(*id)).collect();
    assert!(harbor.by_url().with_trees(ids.clone()).is_ok());
    harbor.repo.git(&["config", "uploadpack.allowFilter", "false"]);
    let repo = harbor.by_url();
    let error = repo.with_trees(ids.clone()).err().expect("several commits");
    assert!(error.to_string().ends_with("cannot send the trees of single commits"), "{error:#}");
    assert!(repo.with_trees(vec![ids[2], ids[2]]).is_ok(), "one comes with all that belongs to it");
}
