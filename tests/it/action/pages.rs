//! The inputs about the page of a release, in a job of the forge itself: no input names the server.

use super::runner::{Done, Runner};
use crate::release::by_request::hosted::{Hosted, Kind};

/// Runs `release` in a job of GitHub, or of Gitea.
fn run(host: &Hosted, kind: Kind, further: &[(&str, &str)]) -> Done {
    let given = [("command", "release"), ("version", "1.1.0"), ("project", "harbor/app"), ("date", "2024-03-09")];
    let (url, is_gitea) = (host.service.url(), kind == Kind::Gitea);
    let api = format!("{url}/api/{}", if is_gitea { "v1" } else { "v3" });
    Runner::with(&[&given, further].concat())
        .with_token("developer-token")
        .set("GITHUB_ACTIONS", "true")
        .set("GITEA_ACTIONS", if is_gitea { "true" } else { "" })
        .set("GITHUB_SERVER_URL", &url)
        .set("GITHUB_API_URL", &api)
        .step("Run tidings", host.released.repo.path())
}

const EXECUTE: (&str, &str) = ("execute", "true");

#[test]
fn a_release_goes_to_the_server_of_the_job() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        let host = Hosted::new(kind);
        let done = run(&host, kind, &[EXECUTE]);
        let releases = host.service.state().github.releases.clone();
        assert_eq!((releases.len(), releases[0].draft, releases[0].prerelease), (1, false, false), "{kind:?}");
        assert_eq!([done.output("tag"), done.output("changed")], ["v1.1.0", "true"], "{kind:?}");
        assert!(done.output("url").ends_with("/v1.1.0"), "{kind:?}: {done:?}");
        assert!(!done.output("notes").contains("/-/"), "no link of GitLab: {done:?}");
    }
}

#[test]
fn a_page_is_a_draft_or_a_pre_release_as_the_inputs_say() {
    for kind in [Kind::GitHub, Kind::Gitea] {
        for (inputs, is_draft, is_pre_release) in [
            ([("draft", "true"), ("prerelease", "false")], true, false),
            ([("draft", ""), ("prerelease", "true")], false, true),
        ] {
            let host = Hosted::new(kind);
            run(&host, kind, &[&[EXECUTE][..], &inputs].concat()).output("tag");
            let release = host.service.state().github.releases[0].clone();
            assert_eq!((release.draft, release.prerelease), (is_draft, is_pre_release), "{kind:?}: {inputs:?}");
        }
    }
}

#[test]
fn a_page_is_the_latest_and_has_a_discussion_as_the_inputs_say() {
    for (latest, expected) in [("", "legacy"), ("always", "true"), ("never", "false")] {
        let host = Hosted::new(Kind::GitHub);
        host.service.state().github.discussion_categories = vec!["News".to_owned()];
        let inputs = [EXECUTE, ("latest", latest), ("discussion-category", "News")];
        run(&host, Kind::GitHub, &inputs).output("tag");
        assert_eq!(host.service.state().github.releases[0].discussion.as_deref(), Some("News"));
        let sent = host.service.requests();
        let published = sent.iter().rfind(|request| request.path.contains("/releases")).unwrap();
        let body: serde_json::Value = serde_json::from_slice(&published.body).unwrap();
        assert_eq!(body["make_latest"], expected, "{latest}");
    }
}

#[test]
fn a_category_that_is_missing_is_an_annotation_and_nothing_is_made() {
    let host = Hosted::new(Kind::GitHub);
    host.service.state().github.discussion_categories = vec!["News".to_owned()];
    let done = run(&host, Kind::GitHub, &[EXECUTE, ("discussion-category", "Harbour")]);
    assert_eq!((done.outcome.code, done.outputs["changed"].as_str(), &*done.outputs["released"]), (1, "false", "[]"));
    let annotation = done.outcome.stdout.lines().find(|line| line.starts_with("::error title=tidings::"));
    assert!(annotation.is_some_and(|line| line.contains("no category `Harbour`")), "{}", done.outcome.stdout);
    assert!(host.service.state().github.releases.is_empty());
}
