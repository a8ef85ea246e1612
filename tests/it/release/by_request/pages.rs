//! The release page of a forge: its files, drafts and the mark of the latest release.

use super::hosted::{Hosted, Kind};
use crate::support::service::Response;

#[test]
fn a_release_on_gitea_has_its_files_and_is_there_once() {
    let host = Hosted::new(Kind::Gitea);
    let file = host.released.repo.beside("crane.txt");
    std::fs::write(&file, "tall").unwrap();
    let arguments = ["1.1.0", "-x", "--asset", file.to_str().unwrap()];
    assert!(host.run(&arguments).success().starts_with("released 1.1.0 as v1.1.0: "));
    let first = host.service.state().github.releases.clone();
    let assets: Vec<_> = first[0].assets.iter().map(|asset| (asset.name.as_str(), asset.content.as_slice())).collect();
    assert_eq!((first.len(), first[0].draft, assets), (1, false, vec![("crane.txt", &b"tall"[..])]));
    assert!(host.run(&arguments).success().contains("already released"));
    assert_eq!(host.service.state().github.releases[0].assets.len(), 1);
    host.request().failure(5);
    let targets: Vec<String> = host.service.requests().iter().map(|request| request.target.clone()).collect();
    assert!(targets.iter().any(|target| target.contains("limit=50")), "{targets:?}");
    assert!(!targets.iter().any(|target| target.contains("per_page=")), "Gitea does not know it: {targets:?}");
}

#[test]
fn a_file_of_the_same_size_and_another_content_replaces_the_one_that_is_there() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        let host = Hosted::new(kind);
        let file = host.released.repo.beside("crane.txt");
        let arguments = ["1.1.0", "-x", "--asset", file.to_str().unwrap()];
        let ids =
            || -> Vec<u64> { host.service.state().github.releases[0].assets.iter().map(|asset| asset.id).collect() };
        std::fs::write(&file, "tall").unwrap();
        host.run(&[&arguments[..], &["--draft"]].concat()).success();
        let first = ids();
        // The draft is published, so the files are looked at.
        host.run(&arguments).success();
        assert_eq!(ids(), first, "{kind:?}: the same content stays");
        host.service.state().github.releases[0].draft = true;
        std::fs::write(&file, "wide").unwrap();
        host.run(&arguments).success();
        assert_ne!(ids(), first, "{kind:?}");
        assert_eq!(host.service.state().github.releases[0].assets[0].content, b"wide", "{kind:?}");
    }
}

#[test]
fn a_draft_is_left_for_people_to_publish() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        let host = Hosted::new(kind);
        let draft = ["1.1.0", "-x", "--draft", "--latest", "never"];
        assert!(host.run(&draft).success().starts_with("released 1.1.0 as v1.1.0: "));
        assert!(host.service.state().github.releases[0].draft, "{kind:?}");
        assert!(host.run(&draft).success().contains("already released"));
        // Without the option the draft is published.
        assert!(host.run(&["1.1.0", "-x"]).success().contains("published"));
        let releases = host.service.state().github.releases.clone();
        assert_eq!((releases.len(), releases[0].draft), (1, false), "{kind:?}");
        assert!(host.run(&draft).success().contains("already released"), "a published release stays published");
    }
    let host = Hosted::new(Kind::GitLab);
    let before = host.released.repo.git(&["for-each-ref"]);
    let stderr = host.run(&["1.1.0", "-x", "--draft"]).failure(1);
    assert!(stderr.contains("GitLab has no drafts of releases"), "{stderr}");
    assert_eq!(host.released.repo.git(&["for-each-ref"]), before, "nothing was written");
}

#[test]
fn the_mark_of_the_latest_release_is_that_of_the_configuration_or_the_option() {
    let host = Hosted::new(Kind::GitHub);
    let mark = |arguments: &[&str]| {
        let plan = host.run(&[&["1.1.0", "--format", "json"], arguments].concat()).json();
        plan["steps"]["forge_release"]["requests"][0]["body"].clone()
    };
    assert_eq!(mark(&[])["make_latest"], "legacy");
    assert_eq!(mark(&["--latest", "never"])["make_latest"], "false");
    assert_eq!(mark(&["--draft"])["make_latest"], serde_json::Value::Null, "a draft has none");
    assert_eq!(mark(&["--prerelease"])["prerelease"], true);
    host.released.repo.write("tidings.yml", "latest: always\ndraft: false\n");
    assert_eq!(mark(&[])["make_latest"], "true");
}

#[test]
fn a_release_is_a_pre_release_where_the_configuration_says_so() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        let host = Hosted::new(kind);
        host.released.repo.file("tidings.yml", "prerelease: true\n").commit("Configure");
        host.released.repo.git(&["push", "-q", "origin", "main"]);
        host.run(&["1.1.0", "-x"]).success();
        assert!(host.service.state().github.releases[0].prerelease, "{kind:?}");
    }
}

#[test]
fn a_discussion_is_opened_when_the_release_is_public() {
    let host = Hosted::new(Kind::GitHub);
    let repo = &host.released.repo;
    repo.file("tidings.yml", "discussion_category: News\n").commit("Configure");
    repo.git(&["push", "-q", "origin", "main"]);
    let file = repo.beside("crane.txt");
    std::fs::write(&file, "tall").unwrap();
    let arguments = ["1.1.0", "-x", "--asset", file.to_str().unwrap()];
    // Where the categories cannot be read, the draft with the file is there, and is published once the category is.
    host.service.script(|request| {
        (request.path == "/api/graphql").then(|| Response::message(403, "Resource not accessible by integration"))
    });
    let stderr = host.run(&arguments).failure(1);
    assert!(stderr.contains("the repository has no category `News` of discussions"), "{stderr}");
    assert!(host.service.state().github.releases[0].draft);
    host.service.script(|_| None);
    host.service.state().github.discussion_categories = vec!["News".to_owned(), "Harbor".to_owned()];
    host.run(&arguments).success();
    let releases = host.service.state().github.releases.clone();
    let found: Vec<_> = releases.iter().map(|one| (one.draft, one.assets.len(), one.discussion.as_deref())).collect();
    assert_eq!(found, [(false, 1, Some("News"))]);

    let host = Hosted::new(Kind::GitHub);
    host.service.state().github.discussion_categories = vec!["Harbor".to_owned()];
    let state = host.released.state();
    for (mode, code) in [("--format=text", 3), ("-x", 1)] {
        let stderr = host.run(&["1.1.0", mode, "--discussion-category", "Harbour"]).failure(code);
        assert!(stderr.contains("no category `Harbour`") && stderr.contains("one of these: `Harbor`"), "{stderr}");
    }
    assert_eq!((host.released.state(), host.service.state().github.releases.len()), (state, 0));
    host.run_with(None, &["1.1.0", "--discussion-category", "Harbour"]).success();
    host.run(&["1.1.0", "--offline", "--discussion-category", "Harbour"]).success();
    host.run(&["1.1.0", "-x", "--discussion-category", "Harbor"]).success();
    assert_eq!(host.service.state().github.releases[0].discussion.as_deref(), Some("Harbor"));
}

#[test]
fn a_discussion_is_refused_for_drafts_and_on_other_forges() {
    for (kind, name) in [(Kind::GitLab, "GitLab"), (Kind::Gitea, "Gitea")] {
        let host = Hosted::new(kind);
        let before = host.released.repo.git(&["for-each-ref"]);
        let stderr = host.run(&["1.1.0", "-x", "--discussion-category", "News"]).failure(1);
        assert!(stderr.contains(&format!("{name} opens no discussion about a release")), "{stderr}");
        assert_eq!(host.released.repo.git(&["for-each-ref"]), before, "nothing was written");
    }
    let host = Hosted::new(Kind::GitHub);
    host.run(&["1.1.0", "--draft", "--discussion-category", "News"]).failure(2);
    host.released.repo.write("tidings.yml", "discussion_category: News\ndraft: true\n");
    let stderr = host.run(&["1.1.0"]).failure(3);
    assert!(stderr.contains("GitHub opens no discussion of `News` about a draft"), "{stderr}");
}
