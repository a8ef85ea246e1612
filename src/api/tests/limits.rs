//! Answers that are too large, too short or too well compressed.

use std::io::Read as _;

use super::client;
use crate::{
    api::{ApiRequest, Method, Path},
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
