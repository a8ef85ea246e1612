//! What is tried again, when, and how often.

use std::{sync::Arc, time::Duration};

use super::{Jumping, bug, client, create, token};
use crate::{
    api::{BaseUrl, Client, RetryPolicy},
    model::{Forge, hints},
    support::{Fault, Service},
};

#[test]
fn a_limit_is_waited_out_in_all_its_forms() {
    let service = Service::start();
    let (client, clock) = client(&service);
    service.fail(Fault::Throttled(20)).fail(Fault::Limited(30)).fail(Fault::Busy(7));
    assert_eq!(client.send_request(&bug()).unwrap().body["id"], 1);
    assert_eq!(clock.seconds(), [20, 30, 7]);
}

#[test]
fn a_write_waits_for_a_limit_but_not_for_a_busy_service() {
    let service = Service::start();
    let (client, clock) = client(&service);
    service.fail(Fault::Limited(5)).fail(Fault::Busy(5));
    assert_eq!(client.send_request(&create("group/app")).unwrap_err().status(), Some(503));
    assert_eq!(clock.seconds(), [5]);
    service.fail(Fault::Dropped);
    let error = anyhow::Error::from(client.send_request(&create("group/app")).unwrap_err());
    assert_eq!(clock.seconds(), [5], "what was done is unknown");
    assert!(hints(&error).iter().any(|hint| hint.contains("check before you try again")), "{error:?}");
}

#[test]
fn a_broken_or_truncated_answer_is_read_again() {
    let service = Service::start();
    let (client, _) = client(&service);
    service.fail(Fault::Dropped).fail(Fault::Truncated).fail(Fault::BadGateway);
    assert_eq!(client.send_request(&bug()).unwrap().body["id"], 1);
    assert_eq!(service.requests().len(), 4);
}

#[test]
fn retries_are_limited_by_number_and_by_time() {
    let service = Service::start();
    let (client, clock) = client(&service);
    for _ in 0..3 {
        service.fail(Fault::Busy(1));
    }
    let client = client.retry_policy(RetryPolicy { timeout: Duration::from_secs(60), retries: 2 });
    assert_eq!(client.send_request(&bug()).unwrap_err().status(), Some(503));
    assert_eq!(clock.seconds(), [1, 1]);
    service.fail(Fault::Limited(61));
    let error = anyhow::Error::from(client.send_request(&bug()).unwrap_err());
    assert_eq!(clock.seconds(), [1, 1], "a wish beyond the deadline is not waited for");
    assert!(hints(&error).iter().any(|hint| hint.starts_with("try again in 61 s")), "{error:?}");
}

#[test]
fn a_refused_connection_is_tried_again_even_for_a_write() {
    // The port of `discard`, where nobody listens any more.
    let clock = Arc::new(Jumping::default());
    let nobody = BaseUrl::parse("http://127.0.0.1:9", Forge::GitLab).unwrap();
    let client = Client::new(nobody, token("developer-token")).clock(clock.clone());
    let error = anyhow::Error::from(client.send_request(&create("group/app")).unwrap_err());
    assert_eq!(clock.seconds().len(), 4);
    assert!(format!("{error:#}").contains("connection refused"), "{error:#}");
}
