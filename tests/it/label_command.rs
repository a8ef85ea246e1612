//! `tidings label` against the tests' server.

use serde_json::json;

use crate::support::{Fault, Service};

#[test]
fn labels_are_listed_as_a_table_and_as_the_server_sent_them() {
    let service = Service::start();
    let table = service.tidings(&["label", "list", "--search", "B", "--no-ancestor-groups"]).success();
    let expected = "ID  COLOR    NAME   PRIORITY  OF       DESCRIPTION\n \
        2  #d9534f  a/b c            project\n \
        1  #d9534f  bug              project\n";
    assert_eq!(table, expected);
    let counted = service.tidings(&["label", "list", "--with-counts", "--search", "bug"]).success();
    assert_eq!(counted, "ID  COLOR    NAME  OPEN  CLOSED  REQUESTS\n 1  #d9534f  bug      1       0         1\n");
    let labels = service.tidings(&["label", "list", "--format", "json"]).json();
    assert_eq!(labels.as_array().unwrap().len(), 5);
    assert_eq!(labels[0]["archived"], json!(false), "unknown fields pass");
}

#[test]
fn titles_of_all_kinds_are_found() {
    let service = Service::start();
    for title in ["a/b c", "100%", "..", ".", "größe", "a?b#c"] {
        let id = service.state().labels.find(title).map(|label| label.id);
        let id = id.unwrap_or_else(|| service.state().labels.add(title, "#000000"));
        let label = service.tidings(&["label", "get", title, "--format", "json"]).json();
        assert_eq!((&label["id"], &label["name"]), (&json!(id), &json!(title)));
    }
}

#[test]
fn a_label_lives_and_dies() {
    let service = Service::start();
    let card = service
        .tidings(&["label", "create", "late", "Red", "--description", "not in time", "--priority", "0"])
        .success();
    let expected = "late\nid           6\ncolor        #ff0000\ndescription  not in time\npriority     0\n\
        of           project\nsubscribed   no\n";
    assert_eq!(card, expected);
    let edited = service.tidings(&[
        "label",
        "edit",
        "late",
        "--new-name",
        "later",
        "--priority",
        "none",
        "--new-color",
        "#112233",
        "--format",
        "json",
    ]);
    let edited = edited.json();
    assert_eq!((&edited["name"], &edited["priority"]), (&json!("later"), &json!(null)));
    assert_eq!(service.tidings(&["label", "delete", "later", "--yes"]).success(), "deleted the label `later`\n");
    service.tidings(&["label", "get", "later"]).failure(1);
    let stderr = service.tidings(&["label", "delete", "locked", "--yes"]).failure(1);
    assert!(stderr.contains("Label is locked and was not removed"), "{stderr}");
}

#[test]
fn a_subscription_that_is_there_already_is_no_failure() {
    let service = Service::start();
    let run = |verb: &str| service.tidings(&["label", verb, "bug"]).success();
    assert_eq!(run("subscribe"), "subscribed to the label `bug`\n");
    assert_eq!(run("subscribe"), "already subscribed to the label `bug`\n");
    assert_eq!(run("unsubscribe"), "no longer subscribed to the label `bug`\n");
    assert_eq!(run("unsubscribe"), "was not subscribed to the label `bug`\n");
    assert_eq!(service.tidings(&["label", "unsubscribe", "bug", "--format", "json"]).json(), json!(null));
}

#[test]
fn promotion_keeps_the_id_and_happens_once() {
    let service = Service::start();
    let label = service.tidings(&["label", "promote", "bug", "-y", "--format", "json"]).json();
    assert_eq!((&label["id"], label.get("is_project_label")), (&json!(1), None));
    let stderr = service.tidings(&["label", "promote", "bug", "-y"]).failure(1);
    assert!(stderr.contains("Failed to promote project label to group label"), "{stderr}");
}

#[test]
fn what_cannot_be_undone_needs_a_yes() {
    let service = Service::start();
    for verb in ["delete", "promote"] {
        let stderr = service.tidings(&["label", verb, "bug"]).failure(2);
        assert!(stderr.contains("without confirmation") && stderr.contains("--yes"), "{stderr}");
        let dry = service.tidings(&["label", verb, "bug", "--dry-run", "--format", "json"]).json();
        assert!(dry["url"].as_str().unwrap().contains("/labels/bug"), "{dry}");
    }
    assert!(service.requests().is_empty());
}

#[test]
fn older_services_are_asked_in_their_own_way() {
    let service = Service::start();
    service.state().labels.only_older_routes = true;
    service.tidings(&["label", "edit", "bug", "--description", "x"]).success();
    assert_eq!(service.last().parameter("name").as_deref(), Some("bug"));
    assert_eq!(service.last().path, "/api/v4/projects/group%2Fapp/labels");
    service.fail(Fault::Status(405, "application/json", r#"{"error":"405 Not Allowed"}"#.to_owned()));
    service.tidings(&["label", "edit", "bug", "--description", "y"]).success();
    service.tidings(&["label", "promote", "bug", "--yes"]).success();
    service.tidings(&["label", "delete", "3", "--yes"]).success();
    assert_eq!(service.last().target, "/api/v4/projects/group%2Fapp/labels?label_id=3");
    let service = Service::start();
    service.fail(Fault::Status(404, "application/json", r#"{"message":"404 Not Found"}"#.to_owned()));
    service.tidings(&["label", "edit", "none", "--description", "x"]).failure(1);
    assert_eq!(service.requests().len(), 1, "it is the label that is missing");
}

#[test]
fn mistakes_are_refused_before_anything_is_sent() {
    let service = Service::start();
    for (arguments, words) in [
        (&["label", "create", "x", "organe"][..], "did you mean `orange`?"),
        (&["label", "create", "x", "ff0000"], "write `#` before the digits: '#ff0000'"),
        (&["label", "create", "x", "#fff"], "six hexadecimal digits"),
        (&["label", "create", "x", "red", "--priority", "-1"], "a number from 0, or `none`"),
        (&["label", "create", "", "red"], "<NAME>"),
        (&["label", "edit", "x", "--new-name", ""], "--new-name <NAME>"),
        (&["label", "list", "--page", "0"], "it must be a number from 1"),
        (&["label", "edit", "x"], "nothing to change about the label `x`"),
    ] {
        let stderr = service.tidings(arguments).failure(2);
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    assert!(service.requests().is_empty());
}

#[test]
fn an_address_or_an_encoded_path_is_not_taken_for_a_project() {
    let service = Service::start();
    for project in ["https://gitlab.example/group/app", "group%2Fapp", "group/app/", "/group/app"] {
        let stderr = service.tidings(&["label", "list", "--project", project]).failure(2);
        assert!(stderr.contains("did you mean `group/app`?"), "{stderr}");
    }
    assert!(service.requests().is_empty());
}
