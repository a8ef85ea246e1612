//! Answers that are too large, too short or too well compressed.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::Duration,
};

use super::client;
use crate::{
    api::{
        ApiRequest, BaseUrl, Client, Credential, Method, Path, RetryPolicy,
        client::paging::{LIMITS, ListLimits, Paging},
    },
    model::Forge,
    support::{Fault, Service},
};

fn call() -> ApiRequest {
    ApiRequest::new(Method::Get, Path::new("/projects/:id/labels", &["group/app"]))
}

#[test]
fn what_grows_when_unpacked_is_not_swallowed() {
    let service = Service::start();
    let (client, _) = client(&service);
    service.fail(Fault::Bomb(3));
    let error = anyhow::Error::from(client.max_response_bytes(1_000_000).send_request(&call()).unwrap_err());
    assert!(format!("{error:#}").contains("larger than 1000000 bytes"), "{error:#}");
}

#[test]
fn compressed_answers_are_read() {
    let service = Service::start();
    let (client, _) = client(&service);
    let response = client.send_request(&call()).unwrap();
    assert_eq!(service.last().header("accept-encoding"), Some("gzip"));
    assert_eq!(response.body[0]["name"], "100%");
}

#[test]
fn a_file_that_ends_early_is_no_file() {
    let service = Service::start();
    let (client, _) = client(&service);
    service.fail(Fault::Truncated);
    let mut stream = client.open_request(&call()).unwrap();
    let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("the response was cut off after "), "{error}");
}

#[test]
fn a_body_without_end_is_not_read_to_its_end() {
    for (status, expected) in [("200 OK", "larger than 1000 bytes"), ("400 Bad Request", "400")] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            let mut request = vec![0; 1 << 14];
            assert!(stream.read(&mut request).unwrap() > 0);
            write!(stream, "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n\r\n\"").unwrap();
            let (chunk, mut sent) = (vec![b'x'; 1 << 16], 0);
            while sent < 1 << 30 && stream.write_all(&chunk).is_ok() {
                sent += chunk.len();
            }
            sent
        });
        let policy = RetryPolicy { timeout: Duration::from_secs(120), retries: 0 };
        let client = Client::new(BaseUrl::parse(&address, Forge::GitLab).unwrap(), Credential::none());
        let client = client.retry_policy(policy).max_response_bytes(1_000);
        let error = anyhow::Error::from(client.send_request(&call()).unwrap_err());
        drop(client);
        assert!(format!("{error:#}").contains(expected), "{error:#}");
        assert!(server.join().unwrap() < 1 << 26);
    }
}

/// Starts a server with labels.
fn with_labels(count: usize) -> Service {
    let service = Service::start();
    for number in 0..count {
        service.state().labels.add(&format!("l{number:04}"), "#00ff00");
    }
    service
}

/// Lists the labels under these limits, and returns how many there are.
fn list(service: &Service, limits: ListLimits, is_kept: bool) -> anyhow::Result<usize> {
    let (client, _) = client(service);
    let mut pages = client.pages(call(), Paging::default());
    pages.limits = limits;
    let pages = if is_kept { pages.kept() } else { pages };
    pages.map(|page| Ok(page?.rows.len())).sum()
}

#[test]
fn a_list_of_too_many_pages_is_endless() {
    assert_eq!(LIMITS.pages, 10_000);
    let service = with_labels(245);
    let listed = |pages| list(&service, ListLimits { pages, ..LIMITS }, false);
    assert!(listed(3).unwrap() >= 245);
    assert!(format!("{:#}", listed(2).unwrap_err()).ends_with("the list has more than 2 pages"));
}

#[test]
fn a_list_that_is_kept_has_a_largest_size() {
    assert_eq!(LIMITS.kept_bytes, 64 << 20);
    let service = with_labels(245);
    let listed = |kept_bytes, is_kept| list(&service, ListLimits { kept_bytes, ..LIMITS }, is_kept);
    assert!(listed(1 << 20, true).is_ok());
    assert!(format!("{:#}", listed(1 << 10, true).unwrap_err()).contains("MiB, which is too much to keep"));
    assert!(listed(1 << 10, false).is_ok(), "what is printed page by page may be of any size");
}
