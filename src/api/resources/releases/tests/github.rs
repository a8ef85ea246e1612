//! Releases on GitHub.

use crate::{
    api::{
        BaseUrl, Client, Credential,
        releases::{self, PublishOutcome, PublishedRelease},
        releases_of,
    },
    model::{AuthScheme, Forge, ForgeRelease, ProblemKind, problem_kind},
};

use super::{outcomes, release, told};
use crate::support::{Fault, Service};

fn service() -> Service {
    let service = Service::start();
    service.state().github.tags.push("v1.1.0".to_owned());
    service
}

fn client(service: &Service, token: &str) -> Client {
    let credential = Credential::new(token, AuthScheme::Bearer, "GITHUB_TOKEN").unwrap();
    Client::new(BaseUrl::parse(&service.url(), Forge::GitHub).unwrap(), credential)
}

fn publish(service: &Service, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    publish_as(service, "developer-token", release)
}

fn publish_as(service: &Service, token: &str, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    releases::publish(&*releases_of(&client(service, token), "harbor/app").unwrap(), release)
}

#[test]
fn a_release_is_made_once() {
    let service = service();
    let (release, _directory) = release("bytes");
    let made = publish(&service, &release).unwrap();
    assert_eq!(outcomes(&made), (PublishOutcome::Created, PublishOutcome::Created));
    assert_eq!(made.url.as_deref(), Some("https://github.com/harbor/app/releases/tag/v1.1.0"));
    assert_eq!(
        made.assets[0].url.as_deref(),
        Some("https://github.com/harbor/app/releases/download/v1.1.0/app.tar.gz")
    );
    assert_eq!(service.state().github.releases[0].assets[0].content, b"bytes");
    let sent = service.requests();
    assert!(sent.iter().all(|request| request.header("authorization") == Some("Bearer developer-token")));
    assert!(sent.iter().all(|request| request.header("x-github-api-version") == Some("2022-11-28")));
    let again = publish(&service, &release).unwrap();
    assert_eq!(outcomes(&again), (PublishOutcome::Unchanged, PublishOutcome::Unchanged));
    assert_eq!(service.requests().len(), sent.len() + 1, "one look is enough");
}

#[test]
fn what_differs_is_renewed() {
    let service = service();
    let (mut release, _directory) = release("bytes");
    publish(&service, &release).unwrap();
    release.prerelease = true;
    std::fs::write(&release.assets[0].path, "other").unwrap();
    assert_eq!(outcomes(&publish(&service, &release).unwrap()), (PublishOutcome::Updated, PublishOutcome::Updated));
    let there = service.state().github.releases[0].clone();
    assert!(there.prerelease && there.assets.len() == 1 && there.assets[0].content == b"other");
    assert_eq!(publish(&service, &release).unwrap().status, PublishOutcome::Unchanged);
}

#[test]
fn what_is_left_of_an_upload_that_broke_off_makes_way() {
    let service = service();
    let (release, _directory) = release("bytes");
    // The release and a draft of it are looked up, its tag too, and it is made; then comes the file.
    for fault in [Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Dropped] {
        service.fail(fault);
    }
    let error = publish(&service, &release).unwrap_err();
    assert!(told(&error).contains("app.tar.gz"), "{error:#}");
    let left = crate::support::service::Asset {
        id: 99,
        name: "app.tar.gz".to_owned(),
        state: "starter",
        content: b"bytes".to_vec(),
    };
    service.state().github.releases[0].assets.push(left);
    assert_eq!(outcomes(&publish(&service, &release).unwrap()), (PublishOutcome::Updated, PublishOutcome::Updated));
    let assets = service.state().github.releases[0].assets.clone();
    assert_eq!((assets.len(), assets[0].state), (1, "uploaded"));
}

#[test]
fn a_release_is_public_once_its_files_are_there() {
    let service = service();
    let (release, _directory) = release("bytes");
    for fault in [Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Dropped] {
        service.fail(fault);
    }
    publish(&service, &release).unwrap_err();
    assert!(service.state().github.releases[0].draft, "and nobody sees it");
    let made = publish(&service, &release).unwrap();
    assert_eq!(outcomes(&made), (PublishOutcome::Updated, PublishOutcome::Created));
    let there = service.state().github.releases.clone();
    assert_eq!((there.len(), there[0].draft, there[0].assets.len()), (1, false, 1));
    let last = service.last();
    assert_eq!((last.method.as_str(), last.parameter("make_latest").as_deref()), ("PATCH", Some("legacy")));
}

#[test]
fn a_draft_of_the_tag_is_taken_up_and_one_of_another_left_alone() {
    let service = service();
    for number in 1..=250 {
        let tag = match number {
            100 => "v1.1.0".to_owned(),
            number => format!("v0.{number}.0"),
        };
        let mut state = service.state();
        state.github.last_id = number;
        let draft = number == 100 || number == 249;
        state.github.releases.push(crate::support::service::Release { id: number, tag, draft, ..Default::default() });
    }
    let release = ForgeRelease { assets: Vec::new(), ..release("").0 };
    let made = publish(&service, &release).unwrap();
    assert_eq!(made.status, PublishOutcome::Updated);
    assert_eq!(made.url.as_deref(), Some("https://github.com/harbor/app/releases/tag/v1.1.0"));
    let there = service.state().github.releases.clone();
    assert_eq!((there.len(), there[99].draft, there[99].name.as_str(), there[248].draft), (250, false, "1.1.0", true));
    let lists = service.requests().into_iter().filter(|request| request.path.ends_with("/releases"));
    assert_eq!(lists.count(), 2, "it is on the second page");
    assert_eq!(publish(&service, &release).unwrap().status, PublishOutcome::Unchanged);
}

#[test]
fn a_draft_is_not_looked_for_without_end_nor_without_a_token() {
    let service = service();
    for id in 1..=500 {
        let (tag, draft) = (format!("v0.{id}.0"), false);
        service.state().github.releases.push(crate::support::service::Release { id, tag, draft, ..Default::default() });
    }
    let find = |credential| {
        let client = Client::new(BaseUrl::parse(&service.url(), Forge::GitHub).unwrap(), credential);
        let host = releases_of(&client, "harbor/app").unwrap();
        assert!(host.find("v1.1.0").unwrap().is_none());
        service.requests().len()
    };
    assert_eq!(find(Credential::none()), 1);
    assert_eq!(find(Credential::new("developer-token", AuthScheme::Bearer, "x").unwrap()), 1 + 4);
}

#[test]
fn a_draft_is_not_published_where_its_tag_is_missing() {
    let service = Service::start();
    let draft = crate::support::service::Release { tag: "v1.1.0".to_owned(), draft: true, ..Default::default() };
    service.state().github.releases.push(draft);
    let told = told(&publish(&service, &release("").0).unwrap_err());
    assert!(told.contains("tag `v1.1.0` not found on the server"), "{told}");
    assert!(service.state().github.releases[0].draft && service.state().github.tags.is_empty());
}

#[test]
fn no_tag_is_made_on_the_way() {
    let service = Service::start();
    let told = told(&publish(&service, &release("").0).unwrap_err());
    assert!(told.contains("tag `v1.1.0` not found on the server") && told.contains("git push origin v1.1.0"), "{told}");
    assert!(service.state().github.releases.is_empty() && service.state().github.tags.is_empty());
}

#[test]
fn the_place_for_files_is_not_taken_from_an_answer() {
    let (service, stranger) = (service(), Service::start());
    service.state().github.uploads = Some(format!("{}/api/uploads", stranger.url()));
    let (release, _directory) = release("bytes");
    publish(&service, &release).unwrap();
    assert!(stranger.requests().is_empty(), "neither the file nor the token goes there");
    assert!(service.requests().iter().any(|request| request.path.starts_with("/api/uploads/")));
}

#[test]
fn a_file_is_not_sent_on_to_another_host() {
    let (service, stranger) = (service(), Service::start());
    let (release, _directory) = release("bytes");
    for fault in [Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Nothing] {
        service.fail(fault);
    }
    service.fail(Fault::Redirect(307, format!("{}/api/uploads/x", stranger.url())));
    let error = told(&publish(&service, &release).unwrap_err());
    assert!(error.contains("another server"), "{error}");
    assert!(stranger.requests().is_empty());
}

#[test]
fn refusals_say_what_to_do() {
    let service = service();
    let (release, _directory) = release("bytes");
    let role = publish_as(&service, "reporter-token", &release).unwrap_err();
    assert!(told(&role).contains("`permissions: contents: write`"), "{}", told(&role));
    assert_eq!(problem_kind(&role), ProblemKind::AccessDenied);
    let unknown = publish_as(&service, "no-such-token", &release).unwrap_err();
    assert!(told(&unknown).contains("Bad credentials | renew the token in GITHUB_TOKEN"), "{}", told(&unknown));
    for _ in 0..3 {
        service.fail(Fault::Nothing);
    }
    let taken = r#"{"message":"Validation Failed","errors":[{"code":"already_exists","field":"tag_name"}]}"#;
    service.fail(Fault::Status(422, "application/json", taken.to_owned()));
    let raced = told(&publish(&service, &release).unwrap_err());
    assert!(raced.contains("tag_name already exists"), "{raced}");
    service.fail(Fault::Spent);
    publish(&service, &release).unwrap();
}
