//! The tests' server refuses requests that GitLab would not know.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::Service;

fn is_breach(arguments: &[&str]) -> bool {
    let service = Service::start();
    service.tidings_as("admin-token", arguments).success();
    catch_unwind(AssertUnwindSafe(|| drop(service))).is_err()
}

#[test]
fn unknown_parameters_and_fields_are_noticed() {
    let label = "projects/:id/labels/bug";
    assert!(!is_breach(&["api", "GET", "projects/:id/labels", "-f", "search=x"]));
    assert!(is_breach(&["api", "GET", "projects/:id/labels", "-f", "seek=x"]));
    assert!(!is_breach(&["api", "PUT", label, "-f", "new_name=x"]));
    assert!(is_breach(&["api", "PUT", label, "-f", "new_name=x", "-f", "newer_name=y"]));
}
