//! `tidings show` and `tidings add` on a project of a server.

use serde_json::Value;

use crate::support::{Service, TestRepo};

const NOTES: &str = "## 1.1.0 (2024-03-09)\n\n### added (1 change)\n\n- Add crane\n";

#[test]
fn the_server_makes_the_section() {
    let service = Service::start();
    service.state().repositories.notes = NOTES.to_owned();
    let options = ["show", "v1.1.0", "--to", "main", "--date", "2024-03-09T10:00:00+02:00"];
    assert_eq!(service.tidings(&options).success(), NOTES);
    let request = service.last();
    for (name, value) in
        [("version", "v1.1.0"), ("to", "main"), ("date", "2024-03-09T10:00:00+02:00"), ("trailer", "Changelog")]
    {
        assert_eq!(request.parameter(name).as_deref(), Some(value));
    }
    assert_eq!(request.parameter("from"), None, "the server finds the base itself");
    let document = service.tidings(&["show", "1.1.0", "--format", "json"]).json();
    assert_eq!((&document["version"], &document["notes"]), (&"1.1.0".into(), &NOTES.into()));
    assert_eq!(document["entries"], Value::Null);
}

#[test]
fn the_server_commits_the_section() {
    let service = Service::start();
    let options = ["add", "1.1.0", "--branch", "main", "--message", "Say what is new"];
    let stderr = service.tidings(&options).success();
    assert_eq!(stderr, "group/app has 1.1.0 in CHANGELOG.md\n");
    let added = service.state().repositories.added.pop().expect("something was asked for");
    for (name, value) in
        [("version", "1.1.0"), ("branch", "main"), ("file", "CHANGELOG.md"), ("message", "Say what is new")]
    {
        assert!(added.contains(&(name.to_owned(), value.to_owned())), "{name}: {added:?}");
    }
    let before = service.requests().len();
    let shown = service.tidings(&["add", "1.1.0", "--dry-run"]).success();
    assert!(shown.contains("POST") && shown.contains("repository/changelog"), "{shown}");
    assert_eq!(service.requests().len(), before, "nothing was sent");
}

#[test]
fn what_the_server_refuses_is_told_with_its_words() {
    let service = Service::start();
    let stderr = service.tidings(&["show", "0.0.1"]).failure(1);
    assert!(stderr.contains("no previous tag could be found"), "{stderr}");
    let stderr = service.tidings_as("reporter-token", &["add", "1.1.0"]).failure(4);
    assert!(stderr.contains("not allowed to commit a changelog"), "{stderr}");
}

#[test]
fn what_a_server_cannot_do_is_refused_before_anything_is_sent() {
    let service = Service::start();
    for (arguments, word) in [
        (&["show"][..], "version"),
        (&["show", "1.0"], "`1.0` is not a valid version"),
        (&["show", "1.1.0", "--first-release"], "`--first-release`"),
        (&["show", "1.1.0", "--template", "compact"], "`--template`"),
        (&["add", "1.1.0", "--replace"], "`--replace`"),
    ] {
        let stderr = service.tidings(arguments).failure(2);
        assert!(stderr.contains(word), "{arguments:?}: {stderr}");
    }
    assert!(service.requests().is_empty());
}

#[test]
fn both_sections_can_be_compared() {
    let service = Service::start();
    let repo = TestRepo::with_release();
    let path = repo.path().to_str().expect("a UTF-8 path");
    let here = ["show", "1.1.0", "--repo", path, "--date", "2024-03-09"];
    let links = ["--host", &service.url(), "--project-path", "group/app"];
    let ours = repo.tidings(&[&here[..], &links].concat()).success();
    service.state().repositories.notes.clone_from(&ours);
    let compared = [&here[..], &["--compare-local"]].concat();
    assert_eq!(service.tidings(&compared).success(), "");
    service.state().repositories.notes = ours.replace("Add crane", "Add mast");
    repo.git(&[
        "-c",
        "user.name=I",
        "-c",
        "user.email=i@x",
        "notes",
        "--ref=changelog",
        "add",
        "-m",
        "Add mast\n\nChangelog: added",
    ]);
    assert_eq!(service.tidings(&compared).success(), "", "what is asked of the section that is made here");
    service.tidings(&[&compared[..], &["--no-notes"]].concat()).failure(3);
    service.tidings(&[&compared[..], &["--source", "titles"]].concat()).failure(3);
    repo.git(&["update-ref", "-d", "refs/notes/changelog"]);
    let outcome = service.tidings(&compared);
    assert!(outcome.stdout.contains("--- server\n+++ local\n"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("\n-- [Add mast]") && outcome.stdout.contains("\n+- [Add crane]"));
    outcome.failure(3);
    assert!(repo.tidings(&["show", "1.1.0", "--compare-local"]).failure(2).contains("--project"));
}

#[test]
fn a_section_without_entries_can_be_refused() {
    let service = Service::start();
    for notes in ["## 1.1.0 (2024-01-01)\n\nNo changes.\n", ""] {
        service.state().repositories.notes = notes.to_owned();
        service.tidings(&["show", "1.1.0", "--fail-on-empty"]).failure(5);
        service.tidings(&["add", "1.1.0", "--fail-on-empty"]).failure(5);
    }
    assert!(service.state().repositories.added.is_empty());
    service.state().repositories.notes = NOTES.to_owned();
    assert_eq!(service.tidings(&["show", "1.1.0", "--fail-on-empty"]).success(), NOTES);
    service.tidings(&["add", "1.1.0", "--fail-on-empty"]).success();
    let sent = service.requests().len();
    for option in
        [&["--max-commits", "5"][..], &["--people"], &["--from", ""], &["--source", "titles"], &["--no-notes"]]
    {
        let stderr = service.tidings(&[&["show", "1.1.0"], option].concat()).failure(2);
        assert!(stderr.contains(option[0]), "{stderr}");
    }
    assert_eq!(service.requests().len(), sent);
}
