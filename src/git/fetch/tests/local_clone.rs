//! Which commits of a clone its server has too.

use std::fs;

use gix::ObjectId;

use crate::{
    git::{Repo, fetch::local_clone::LocalClone},
    support::TestRepo,
};

struct Clone {
    fixture: TestRepo,
    commits: Vec<ObjectId>,
}

impl Clone {
    fn of(fixture: TestRepo, options: &[&str]) -> Self {
        let url = format!("file://{}", fixture.path().display());
        fixture.git(&[&["clone", "-q"], options, &[&url, "../clone"]].concat());
        fixture.git_beside("clone", &["config", "user.name", "Ida"]);
        fixture.git_beside("clone", &["config", "user.email", "ida@harbor.example"]);
        Self { fixture, commits: Vec::new() }
    }

    /// Makes a commit with these parents in the clone alone.
    fn commit(&mut self, parents: &[ObjectId]) -> ObjectId {
        let title = format!("Own {}", self.commits.len());
        let parents: Vec<String> = parents.iter().flat_map(|parent| ["-p".to_owned(), parent.to_string()]).collect();
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        let made =
            self.fixture.git_beside("clone", &[&["commit-tree", "-m", &title, "HEAD^{tree}"], &parents[..]].concat());
        self.commits.push(id(&made));
        self.commits[self.commits.len() - 1]
    }

    fn read(&self) -> LocalClone {
        LocalClone::new(Repo::open_isolated(&self.fixture.beside("clone")).unwrap().gix().clone())
    }
}

fn id(digits: &str) -> ObjectId {
    ObjectId::from_hex(digits.as_bytes()).unwrap()
}

fn sorted(mut ids: Vec<ObjectId>) -> Vec<ObjectId> {
    ids.sort_unstable();
    ids
}

#[test]
fn a_commit_is_of_the_server_if_a_remote_branch_leads_to_it() {
    let fixture = TestRepo::new();
    let [first, last] = ["First", "Last"].map(|title| id(&fixture.commit(title)));
    let mut clone = Clone::of(fixture, &[]);
    let begin = clone.commit(&[last]);
    let [left, right] = [clone.commit(&[begin]), clone.commit(&[begin, first])];
    let merge = clone.commit(&[left, right]);
    for reference in ["refs/heads/main", "refs/tags/v1.0.0", "refs/notes/commits"] {
        clone.fixture.git_beside("clone", &["update-ref", reference, &merge.to_string()]);
    }
    let read = clone.read();
    assert!(read.is_fetched(first).unwrap() && read.is_fetched(last).unwrap());
    for own in [begin, left, right, merge] {
        assert!(!read.is_fetched(own).unwrap(), "{own}");
    }
    let divided = read.divide(merge).unwrap();
    assert_eq!(sorted(divided.own), sorted(vec![begin, left, right, merge]), "each once");
    assert_eq!(sorted(divided.tips), sorted(vec![first, last]));
    let divided = read.divide(first).unwrap();
    assert_eq!((divided.tips, divided.own), (vec![first], Vec::new()));
    // What another reference than a branch, a tag or notes points at was fetched as well.
    clone.fixture.git_beside("clone", &["update-ref", "refs/merge-requests/1/head", &left.to_string()]);
    let read = clone.read();
    assert!(read.is_fetched(left).unwrap() && read.is_fetched(begin).unwrap() && !read.is_fetched(merge).unwrap());
}

#[test]
fn the_boundary_of_a_shallow_clone_and_what_is_missing_are_of_the_server() {
    let fixture = TestRepo::new();
    fixture.commit("First");
    let last = id(&fixture.commit("Last"));
    let mut clone = Clone::of(fixture, &["--depth=1"]);
    clone.fixture.git_beside("clone", &["update-ref", "-d", "refs/remotes/origin/main"]);
    clone.fixture.git_beside("clone", &["update-ref", "--no-deref", "-d", "refs/remotes/origin/HEAD"]);
    let gone = clone.commit(&[last]);
    let merge = clone.commit(&[last, gone]);
    let digits = gone.to_string();
    fs::remove_file(clone.fixture.beside("clone").join(".git/objects").join(&digits[..2]).join(&digits[2..])).unwrap();
    let read = clone.read();
    assert!(read.is_fetched(last).unwrap(), "it is the boundary");
    let divided = read.divide(merge).unwrap();
    assert_eq!((sorted(divided.tips), divided.own), (sorted(vec![last, gone]), vec![merge]));
}
