//! What a section is made of is read once.

use std::{fs, path::Path};

use crate::{
    git::{Repo, WalkOptions},
    model::Date,
    pipeline::{
        self, BumpOptions, ChangelogRequest, History, NextVersion, PackageDependencies, RangeSpec, Scope, SectionInputs,
    },
    support::TestRepo,
};

fn request() -> ChangelogRequest {
    let mut request = ChangelogRequest::unreleased();
    (request.date, request.is_dated) = (Date::from_seconds(0).unwrap(), true);
    request.range.is_end_open = false;
    request.range.walk = WalkOptions { max_commits: 100, allow_shallow: false };
    request
}

fn next(repo: &Repo) -> (NextVersion, History<'_>) {
    let scope = Scope::open(repo, request()).unwrap();
    pipeline::next_version(scope.clone(), &PackageDependencies::new(&scope), &BumpOptions::default()).unwrap()
}

#[track_caller]
fn remove(repo: &Path, commit: &str) {
    fs::remove_file(repo.join(".git/objects").join(&commit[..2]).join(&commit[2..])).unwrap();
}

#[test]
fn a_history_that_asked_for_a_version_becomes_its_section_without_another_walk() {
    let fixture = TestRepo::new();
    fixture.commit("Begin");
    fixture.tag("v1.0.0");
    let gone = fixture.change("Add crane", "added");
    fixture.change("Mend crane", "fixed");
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let (next, history) = next(&repo);
    // A second walk past it fails.
    remove(fixture.path(), &gone);
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let of_next = ChangelogRequest { version: next.version, ..request() };
    assert!(SectionInputs::read(Scope::open(&repo, of_next.clone()).unwrap()).is_err());
    let changelog = SectionInputs::from_history(history, of_next).unwrap().changelog().unwrap();
    assert_eq!(changelog.section.version, "1.1.0");
    assert!(changelog.section.body.contains("Add crane") && changelog.section.body.contains("Mend crane"));
}

#[test]
fn a_history_of_another_range_is_not_taken() {
    let fixture = TestRepo::new();
    fixture.commit("Begin");
    fixture.tag("v1.0.0").change("Add crane", "added");
    fixture.change("Add mast", "added");
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let listed = |ends: RangeSpec| {
        let (_, history) = next(&repo);
        SectionInputs::from_history(history, ChangelogRequest { range: ends, ..request() })
            .unwrap()
            .history
            .commits()
            .len()
    };
    assert_eq!(listed(request().range), 2);
    assert_eq!(listed(RangeSpec { to: "HEAD~1".to_owned(), ..request().range }), 1);
    assert_eq!(listed(RangeSpec { from: Some("HEAD~1".to_owned()), ..request().range }), 1);
    assert_eq!(listed(RangeSpec { first_release: true, ..request().range }), 3);
}
