//! Releases on GitLab.

use std::sync::{Arc, Mutex};

use crate::{
    api::{
        BaseUrl, Client, ClientEvent, Credential,
        releases::{self, PublishOutcome, PublishedRelease},
        releases_of,
    },
    model::{AuthScheme, Forge, ForgeRelease, ProblemKind, problem_kind},
};

use super::{outcomes, release, told};
use crate::support::{Fault, Service, TestRepo};

fn client(service: &Service, token: &str, scheme: AuthScheme) -> Client {
    let credential = Credential::new(token, scheme, "TIDINGS_TOKEN").unwrap();
    Client::new(BaseUrl::parse(&service.url(), Forge::GitLab).unwrap(), credential)
}

fn publish(service: &Service, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    publish_as(&client(service, "developer-token", AuthScheme::PrivateToken), release)
}

fn publish_as(client: &Client, release: &ForgeRelease) -> anyhow::Result<PublishedRelease> {
    releases::publish(&*releases_of(client, "group/app").unwrap(), release)
}

/// Methods and paths below the project, from the request of this number on.
fn requests(service: &Service, from: usize) -> Vec<String> {
    let requests = service.requests().into_iter().skip(from);
    requests.map(|one| format!("{} {}", one.method, one.path.replace("/api/v4/projects/group%2Fapp", ""))).collect()
}

#[test]
fn a_release_is_made_once() {
    let service = Service::start();
    let (mut release, _directory) = release("bytes");
    let made = publish(&service, &release).unwrap();
    assert_eq!(outcomes(&made), (PublishOutcome::Created, PublishOutcome::Created));
    assert_eq!(made.url.as_deref(), Some("https://git.example.org/group/app/-/releases/v1.1.0"));
    let file =
        format!("{}/api/v4/projects/group%2Fapp/packages/generic/release-assets/v1.1.0/app.tar.gz", service.url());
    assert_eq!(made.assets[0].url.as_deref(), Some(file.as_str()));
    assert_eq!(service.state().packages.files[0].content, b"bytes");
    assert_eq!(service.state().releases.all[0].links, [(1, "app.tar.gz".to_owned(), file)]);
    let before = service.requests().len();
    let again = publish(&service, &release).unwrap();
    assert_eq!(outcomes(&again), (PublishOutcome::Unchanged, PublishOutcome::Unchanged));
    let list = ["GET /releases/v1.1.0", "GET /packages", "GET /packages/0/package_files"];
    assert_eq!(requests(&service, before), list, "nothing is sent twice");
    // A forge changes the ends of lines, and GitLab knows no pre-releases.
    release.prerelease = true;
    for (notes, status) in [
        ("### added (1 change)\r\n\r\n- Add crane", PublishOutcome::Unchanged),
        ("### added (1 change)\n\n- Add crane\n\n", PublishOutcome::Unchanged),
        ("### added (1 change)\n\n\n- Add crane\n", PublishOutcome::Updated),
    ] {
        service.state().releases.all[0].description = notes.to_owned();
        assert_eq!(publish(&service, &release).unwrap().status, status, "{notes:?}");
    }
}

#[test]
fn other_notes_and_another_file_take_the_place_of_the_old() {
    let service = Service::start();
    let (mut release, _directory) = release("bytes");
    publish(&service, &release).unwrap();
    release.description = "New".to_owned();
    std::fs::write(&release.assets[0].path, "other").unwrap();
    assert_eq!(outcomes(&publish(&service, &release).unwrap()), (PublishOutcome::Updated, PublishOutcome::Updated));
    let state = service.state();
    assert_eq!((state.releases.all.len(), state.releases.all[0].description.as_str()), (1, "New"));
    assert_eq!(state.packages.files.last().unwrap().content, b"other");
    assert_eq!(state.releases.all[0].links.len(), 1);
}

#[test]
fn an_upload_tells_how_far_it_is() {
    let service = Service::start();
    let (release, _directory) = release(&"x".repeat(300_000));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let observer = move |event: &ClientEvent<'_>| {
        if let ClientEvent::Sent { bytes, total } = event {
            sink.lock().unwrap().push((*bytes, *total));
        }
    };
    let client = client(&service, "developer-token", AuthScheme::PrivateToken).observer(Arc::new(observer));
    publish_as(&client, &release).unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 2 && seen.iter().all(|(_, total)| *total == 300_000), "{seen:?}");
    assert_eq!(seen.last(), Some(&(300_000, 300_000)));
}

#[test]
fn a_jobs_token_is_enough() {
    let service = Service::start();
    let (release, _directory) = release("bytes");
    publish_as(&client(&service, "job-token", AuthScheme::JobToken), &release).unwrap();
    assert!(service.requests().iter().all(|request| request.header("job-token") == Some("job-token")));
}

#[test]
fn an_upload_that_broke_off_is_done_by_the_next_run() {
    let service = Service::start();
    let (release, _directory) = release(&"x".repeat(300_000));
    // The release is looked up and made, the package looked for; then comes the file.
    for fault in [Fault::Nothing, Fault::Nothing, Fault::Nothing, Fault::Dropped] {
        service.fail(fault);
    }
    let error = publish(&service, &release).unwrap_err();
    assert!(told(&error).contains("to the release `v1.1.0`"), "{error:#}");
    assert!(service.state().packages.files.is_empty());
    assert_eq!(outcomes(&publish(&service, &release).unwrap()), (PublishOutcome::Unchanged, PublishOutcome::Created));
    assert_eq!(service.state().packages.files[0].content.len(), 300_000);
    // The file is there and its link is not.
    service.state().releases.all[0].links.clear();
    assert_eq!(outcomes(&publish(&service, &release).unwrap()), (PublishOutcome::Unchanged, PublishOutcome::Created));
    assert_eq!(service.state().packages.files.len(), 1);
}

#[test]
fn refusals_say_what_to_do() {
    let repo = TestRepo::new();
    repo.commit("Initial");
    let service = Service::with_repository(repo.path());
    let (release, _directory) = release("bytes");
    let failed = |token: &str| publish_as(&client(&service, token, AuthScheme::PrivateToken), &release).unwrap_err();
    let missing = told(&failed("developer-token"));
    assert!(missing.contains("tag `v1.1.0` not found on the server"), "{missing}");
    assert!(missing.contains("git push origin v1.1.0"), "{missing}");
    let role = failed("reporter-token");
    assert!(told(&role).contains("the role Developer and up"), "{role:#}");
    assert_eq!(problem_kind(&role), ProblemKind::AccessDenied);
    let unknown = failed("no-such-token");
    assert!(told(&unknown).contains("renew the token in TIDINGS_TOKEN"), "{unknown:#}");
    assert_eq!(problem_kind(&unknown), ProblemKind::AccessDenied);
    service.fail(Fault::Nothing).fail(Fault::Status(
        409,
        "application/json",
        r#"{"message":"Release already exists"}"#.to_owned(),
    ));
    let raced = told(&failed("developer-token"));
    assert!(raced.contains("Release already exists"), "{raced}");
    let host = client(&service, "developer-token", AuthScheme::PrivateToken);
    let nowhere = releases_of(&host, "no/such").unwrap().find("v1.1.0").unwrap_err();
    assert_eq!(nowhere.reason(), "Project Not Found", "and not: there is no such release yet");
}

#[test]
fn a_file_that_is_none_is_noticed_before_anything_is_sent() {
    let service = Service::start();
    let (mut release, directory) = release("bytes");
    release.assets[0].path = directory.path().to_owned();
    let no_file = told(&publish(&service, &release).unwrap_err());
    assert!(no_file.contains("is not a file"), "{no_file}");
    release.assets[0].path = directory.path().join("missing");
    let missing = told(&publish(&service, &release).unwrap_err());
    assert!(missing.contains("cannot read `"), "{missing}");
    release.assets.push(release.assets[0].clone());
    let twice = told(&publish(&service, &release).unwrap_err());
    assert!(twice.contains("two assets have the name `app.tar.gz`"), "{twice}");
    assert!(service.requests().is_empty());
}

#[test]
fn what_would_be_sent_is_known_beforehand() {
    let service = Service::start();
    let client = client(&service, "developer-token", AuthScheme::PrivateToken);
    let host = releases_of(&client, "group/app").unwrap();
    let (release, _directory) = release("bytes");
    let shown: Vec<_> = host.requests(&release).iter().map(|call| client.preview(call)).collect();
    let text = serde_json::to_string(&shown).unwrap();
    assert!(text.contains("Add crane") && text.contains("[masked]") && !text.contains("developer-token"), "{text}");
    assert!(service.requests().is_empty());
    releases::publish(&*host, &release).unwrap();
    let sent = service.requests().into_iter().filter(|request| request.method != "GET");
    let sent: Vec<_> = sent.map(|request| format!("{} {}{}", request.method, service.url(), request.target)).collect();
    assert_eq!(shown.iter().map(|one| format!("{} {}", one.method, one.url)).collect::<Vec<_>>(), sent);
}
