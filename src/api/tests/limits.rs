//! Answers that are too large, too short or too well compressed.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    thread,
    time::Duration,
};

use super::client;
use crate::{
    api::{ApiRequest, BaseUrl, Client, Credential, Method, Path, RetryPolicy},
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
