//! What is said of a server that is silent or busy.

use crate::support::{Fault, Service};

#[test]
fn a_silent_service_is_given_up_in_time() {
    let service = Service::start();
    service.fail(Fault::Withheld);
    let stderr = service.tidings(&["label", "get", "bug", "--timeout", "1"]).failure(1);
    assert!(stderr.contains("no response in time") && stderr.contains("--timeout"), "{stderr}");
}

#[test]
fn people_are_told_why_it_waits() {
    let service = Service::start();
    service.fail(Fault::Limited(0));
    let outcome = service.tidings(&["label", "get", "bug"]);
    assert!(outcome.stderr.contains(" s: the server limits requests"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("waiting 0.0 s"), "a pause of nothing is none: {}", outcome.stderr);
    outcome.success();
    service.fail(Fault::Limited(0));
    assert_eq!(service.tidings(&["label", "get", "bug", "-q"]).stderr, "");
}
