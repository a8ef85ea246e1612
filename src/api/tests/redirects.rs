//! The token is sent only to the server that it is for.

use super::{base, bug, client, create};
use crate::{
    api::{Client, Credential},
    model::{AuthScheme, hints},
    support::{Fault, Service},
};

#[test]
fn another_host_gets_the_request_but_no_token() {
    for scheme in [AuthScheme::PrivateToken, AuthScheme::Bearer, AuthScheme::JobToken, AuthScheme::Query] {
        let (service, other) = (Service::start(), Service::start());
        let leaky = format!("{}/api/v4/projects/1/labels/bug?private_token=developer-token&x=1", other.url());
        service.fail(Fault::Redirect(302, leaky));
        let credential = Credential::new("developer-token", scheme, "the test").unwrap();
        let client = Client::new(base(&service), credential);
        let error = client.send_request(&bug()).unwrap_err();
        assert_eq!(error.status(), Some(401), "the other service knows nobody without a token");
        let request = other.last();
        assert!(!format!("{request:?}").contains("developer-token"), "{scheme:?}: {request:?}");
        let error = anyhow::Error::from(error);
        assert!(hints(&error).iter().any(|hint| hint.contains(&other.url())), "{error:?}");
    }
}

#[test]
fn the_way_back_from_another_host_is_not_trusted_either() {
    let (service, other) = (Service::start(), Service::start());
    service.fail(Fault::Redirect(302, format!("{}/away", other.url())));
    other.fail(Fault::Redirect(302, format!("{}/api/v4/projects/1/labels/bug", service.url())));
    let (client, _) = client(&service);
    assert_eq!(client.send_request(&bug()).unwrap_err().status(), Some(401));
    assert_eq!(service.last().header("private-token"), None);
}

#[test]
fn a_write_is_not_sent_on_to_another_host() {
    let (service, other) = (Service::start(), Service::start());
    let (client, _) = client(&service);
    let create = create("group/app");
    for status in [301, 302, 307, 308] {
        service.fail(Fault::Redirect(status, format!("{}/api/v4/x", other.url())));
        let error = anyhow::Error::from(client.send_request(&create).unwrap_err());
        assert!(format!("{error:#}").contains("another server"), "{error:#}");
    }
    assert!(other.requests().is_empty());
}

#[test]
fn a_write_is_repeated_at_its_new_path_where_the_status_means_that() {
    let service = Service::start();
    let (client, _) = client(&service);
    let create = create("old/app");
    service.fail(Fault::Redirect(308, "/api/v4/projects/1/labels".to_owned()));
    assert_eq!(client.send_request(&create).unwrap().body["name"], "new");
    assert_eq!(service.last().parameter("name").as_deref(), Some("new"));
}

#[test]
fn a_circle_ends() {
    let service = Service::start();
    for _ in 0..9 {
        service.fail(Fault::Redirect(301, "/api/v4/again".to_owned()));
    }
    let (client, _) = client(&service);
    let error = anyhow::Error::from(client.send_request(&bug()).unwrap_err());
    assert!(format!("{error:#}").contains("too many redirects"), "{error:#}");
}
