//! One attempt: what is sent, what is refused, and what is followed.

use super::*;
use crate::{
    api::server::{BaseUrl, Credential},
    model::{AuthScheme, Forge},
};

fn is_refused(method: Method, status: u16, location: &str) -> bool {
    let headers = Headers(vec![("Location".to_owned(), location.to_owned())]);
    let here = Url::parse("https://h/api/v4/projects/old").unwrap();
    parse_redirect(method, &here, status, &headers).is_some_and(|target| target.is_err())
}

#[test]
fn what_could_do_harm_is_refused() {
    assert!(is_refused(Method::Get, 301, "http://h/x"));
    assert!(is_refused(Method::Post, 307, "https://cdn.example/x"));
    assert!(is_refused(Method::Post, 302, "/x"));
    assert!(is_refused(Method::Get, 301, "ftp://h/x"));
    assert!(!is_refused(Method::Get, 304, "ftp://h/x"), "it is not a redirect");
}

#[test]
fn a_redirect_is_followed_with_the_credential_to_the_same_server_alone() {
    let follow = |method: Method, here: &str, status: u16, location: &str| {
        let headers = Headers(vec![("Location".to_owned(), location.to_owned())]);
        let target = parse_redirect(method, &Url::parse(here).unwrap(), status, &headers)?.ok()?;
        Some((target.url.to_string(), target.trusted))
    };
    let followed = |address: &str, trusted: bool| Some((address.to_owned(), trusted));
    assert_eq!(follow(Method::Get, "https://h/a", 302, "https://h/b"), followed("https://h/b", true));
    assert_eq!(
        follow(Method::Get, "https://h/a", 302, "https://cdn.example/b"),
        followed("https://cdn.example/b", false)
    );
    assert_eq!(follow(Method::Get, "http://h/a", 301, "http://h/b"), followed("http://h/b", true));
    assert_eq!(follow(Method::Get, "http://h/a", 301, "https://h/b"), followed("https://h/b", false));
    for status in [307, 308] {
        assert_eq!(follow(Method::Post, "https://h/a", status, "/b"), followed("https://h/b", true));
    }
}

fn client(address: &str) -> Client {
    let token = Credential::new("glpat-hunter2", AuthScheme::PrivateToken, "the test").unwrap();
    Client::new(BaseUrl::parse(address, Forge::GitLab).unwrap(), token)
}

fn request(method: Method) -> ApiRequest {
    ApiRequest::new(method, crate::api::operation::Path::new("/x", &[]))
}

#[test]
fn a_token_is_not_sent_unencrypted_to_another_machine() {
    for (address, allow_http, is_sent) in [
        ("https://h.example", false, true),
        ("http://h.example", false, false),
        ("http://h.example", true, true),
        ("http://127.0.0.1:80", false, true),
    ] {
        let client = client(address).allow_plain_http(allow_http);
        let url = client.url(&request(Method::Get));
        assert_eq!(client.check(&request(Method::Get), &url).is_ok(), is_sent, "{address}, {allow_http}");
    }
    let nobody = Client::new(BaseUrl::parse("http://h.example", Forge::GitLab).unwrap(), Credential::none());
    assert!(nobody.check(&request(Method::Get), &nobody.url(&request(Method::Get))).is_ok());
}

#[test]
fn a_token_that_the_server_or_the_connection_repeats_is_masked() {
    let (client, request) = (client("https://h.example"), request(Method::Get));
    let broken = TransportError::new(FailureStage::Permanent, "no way to glpat-hunter2");
    assert_eq!(client.attempt_without_response(&request, &broken, 0).error.reason(), "no way to [masked]");
    let body = Box::new(&br#"{"message":"glpat-hunter2 is bad"}"#[..]);
    let refused = WireResponse { status: 400, headers: Headers(Vec::new()), body };
    let error = client.attempt_with_error_response(&request, (refused, None), 0).error;
    assert_eq!(error.reason(), "[masked] is bad");
    assert!(!error.refusal().unwrap().body.contains("hunter2"));
}

fn read(payload: Payload) -> Option<(u64, String)> {
    let Payload::Stream { mut reader, length } = payload else { return None };
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    Some((length, text))
}

#[test]
fn a_write_without_a_body_has_the_length_zero_and_a_read_has_none() {
    let payload = |method| read(open_body(&request(method), None).unwrap().1);
    assert_eq!(payload(Method::Get), None);
    for method in [Method::Post, Method::Put, Method::Delete] {
        assert_eq!(payload(method), Some((0, String::new())));
    }
}

#[test]
fn a_form_with_a_file_is_as_long_as_it_says_and_its_boundary_is_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    std::fs::write(&path, "lamp").unwrap();
    let file = FilePart { field: "file".to_owned(), name: "a \"b\".txt".to_owned(), path };
    let body = Body::Multipart { fields: Fields::new().add("kind", "light"), file };
    let request = ApiRequest { body, ..request(Method::Post) };
    let open = || {
        let (kind, payload) = open_body(&request, None).unwrap();
        let (length, text) = read(payload).unwrap();
        let kind = kind.unwrap();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap().to_owned();
        (boundary, length, text)
    };
    let (boundary, length, text) = open();
    assert_eq!(
        text,
        format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nlight\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a %22b%22.txt\"\r\n\
             Content-Type: application/octet-stream\r\n\r\nlamp\r\n--{boundary}--\r\n"
        )
    );
    assert_eq!(length, text.len() as u64);
    assert_ne!(open().0, boundary);
}

#[test]
fn the_progress_of_a_file_is_told_and_one_that_became_shorter_is_an_error() {
    let sent = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = std::sync::Arc::clone(&sent);
    let observer: ClientObserver = std::sync::Arc::new(move |event: &ClientEvent<'_>| {
        if let ClientEvent::Sent { bytes, total } = event {
            heard.lock().unwrap().push((*bytes, *total));
        }
    });
    let reader = |total| ProgressReader { inner: &b"lamp"[..], bytes: 0, total, observer: Some(observer.clone()) };
    let mut whole = reader(4);
    let mut part = [0; 3];
    assert_eq!((whole.read(&mut part).unwrap(), &part), (3, b"lam"));
    assert_eq!(whole.read(&mut []).unwrap(), 0, "nothing was asked for");
    assert_eq!(whole.read(&mut part).unwrap(), 1);
    assert_eq!(whole.read(&mut part).unwrap(), 0);
    assert_eq!(*sent.lock().unwrap(), [(3, 4), (3, 4), (4, 4), (4, 4)]);
    let error = reader(5).read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "the file became shorter while it was sent");
}
