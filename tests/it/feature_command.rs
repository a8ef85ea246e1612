//! `tidings feature` against the tests' server.

use serde_json::json;

use crate::support::{Outcome, Service};

fn admin(service: &Service, arguments: &[&str]) -> Outcome {
    service.tidings_as("admin-token", &[&["feature"], arguments].concat())
}

#[test]
fn gates_of_every_form_can_be_read() {
    let service = Service::start();
    let table = admin(&service, &["list"]).success();
    assert_eq!(table, "NAME       STATE  GATES\nfast_lane  off    off\n");
    let set = |arguments: &[&str]| admin(&service, &[&["set", "fast_lane"], arguments].concat()).success();
    set(&["30"]);
    set(&["45", "--key", "percentage_of_actors"]);
    set(&["true", "--user", "ada,bob", "--feature-group", "staff"]);
    let table = admin(&service, &["list"]).success();
    let gates = "30% of the time, 45% of actors, actors: user:ada user:bob, groups: staff";
    assert_eq!(table, format!("NAME       STATE        GATES\nfast_lane  conditional  {gates}\n"));
    set(&["false", "--user", "ada"]);
    assert_eq!(service.state().features.find("fast_lane").unwrap().actors, ["user:bob"]);
    assert!(set(&["true"]).contains("state          on\n"));
}

#[test]
fn definitions_are_listed_with_what_the_server_sent() {
    let service = Service::start();
    let table = admin(&service, &["definitions"]).success();
    let expected = "NAME       TYPE         DEFAULT  SINCE  GROUP\n\
        fast_lane  development  off      15.2   group::source\n";
    assert_eq!(table, expected);
    assert!(admin(&service, &["definitions", "--format", "json"]).json()[0].get("log_state_changes").is_some());
}

#[test]
fn a_feature_is_made_by_setting_it_and_deleted_any_number_of_times() {
    let service = Service::start();
    let stderr = admin(&service, &["set", "undefined_one", "true"]).failure(1);
    assert!(stderr.contains("has no definition"), "{stderr}");
    let feature = admin(&service, &["set", "undefined_one", "true", "--force", "--format", "json"]).json();
    assert_eq!((&feature["state"], &feature["definition"]), (&json!("on"), &json!(null)));
    for _ in 0..2 {
        let done = admin(&service, &["delete", "undefined_one", "--yes"]).success();
        assert_eq!(done, "deleted the setting of the feature `undefined_one`\n");
    }
    admin(&service, &["delete", "fast_lane"]).failure(2);
    assert!(service.state().features.find("fast_lane").is_some());
}

#[test]
fn what_the_server_says_about_features_is_passed_on() {
    let service = Service::start();
    let stderr = service.tidings(&["feature", "list"]).failure(4);
    assert!(stderr.contains("this needs an administrator's token"), "{stderr}");
    let stderr = admin(&service, &["set", "fast_lane", "true", "--user", "nobody"]).failure(1);
    assert!(stderr.contains("nobody is not found!"), "{stderr}");
}

#[test]
fn mistakes_about_features_are_refused_before_anything_is_sent() {
    let service = Service::start();
    for (arguments, words) in [
        (&["set", "x", "maybe"][..], "a percentage from 0 to 100"),
        (&["set", "x", "101"], "a percentage from 0 to 100"),
        (&["set", "x", "true", "--key", "percentage_of_time", "--user", "ada"], "newer servers refuse it for a user"),
        (&["set", "x", "30", "--for-project", "group/app"], "the percentage `30` cannot be set for a project"),
        (&["set", "x", "30", "--key", "percentage_of_luck"], "percentage_of_actors"),
    ] {
        let stderr = admin(&service, arguments).failure(2);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    let dry = admin(&service, &["set", "a/b", "true", "--for-project", "group/app", "--dry-run"]).success();
    assert!(dry.contains("/features/a%2Fb\n") && dry.contains("project: group/app"), "{dry}");
    assert!(service.requests().is_empty());
}
