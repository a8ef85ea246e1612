//! Responses that are not what the documentation says: a change that was confirmed is done, and a read shows what came.

use serde_json::json;

use crate::support::{Fault, Service};

fn status(status: u16, kind: &'static str, body: &str) -> Fault {
    Fault::Status(status, kind, body.to_owned())
}

#[test]
fn a_confirmed_change_is_done_whatever_its_response_looks_like() {
    let service = Service::start();
    for (code, kind, body, is_unreadable) in [
        (201, "application/json", "", false),
        (201, "text/html", "<html>Welcome</html>", true),
        (202, "application/json", r#"{"message":"202 Accepted"}"#, false),
        (204, "application/json", "", false),
        (201, "application/json", "[]", false),
        (201, "application/json", r#"{"id":"5","name":7,"priority":"3"}"#, false),
        (200, "application/json", "{\"id\":1,", true),
    ] {
        for format in ["text", "json"] {
            service.fail(status(code, kind, body));
            let outcome = service.tidings(&["label", "create", "x", "red", "--format", format]);
            assert!(
                !outcome.stderr.contains("POST") && !outcome.stderr.contains("failed"),
                "{body}: {}",
                outcome.stderr
            );
            let warning = format!("warning: the server confirmed the change ({code}), but ");
            assert_eq!(outcome.stderr.contains(&warning), is_unreadable, "{body}: {}", outcome.stderr);
            outcome.success();
        }
    }
    service.fail(Fault::Truncated);
    service.tidings(&["label", "create", "x", "red"]).success();
    assert_eq!(service.requests().len(), 15, "nothing was sent twice");
}

#[test]
fn vulnerabilities_that_were_resolved_are_not_reported_as_failed() {
    let service = Service::start();
    let odd = r#"{"id":"5","title":"x","state":"resolved"}"#;
    service.fail(status(201, "application/json", odd)).fail(status(201, "application/json", odd));
    let text = service.tidings(&["vulnerability", "resolve", "5", "6"]).success();
    assert!(text.ends_with("2 resolved, 0 unchanged, 0 failed\n"), "{text}");
}

#[test]
fn a_change_that_may_have_been_made_is_not_to_be_sent_again() {
    let service = Service::start();
    for code in [500, 502, 503, 504] {
        service.fail(status(code, "text/plain", ""));
        let stderr = service.tidings(&["label", "create", "n", "red"]).failure(1);
        assert!(stderr.contains("check before you try again"), "{code}: {stderr}");
        assert!(!stderr.contains("--retries"), "{code}: {stderr}");
    }
}

#[test]
fn odd_fields_fail_no_command_and_json_shows_what_came() {
    let service = Service::start();
    let rows =
        r#"[{"id":"gid://gitlab/1","name":"a","priority":"3","open_issues_count":"5","color":7,"x":{"y":null}}]"#;
    service.fail(status(200, "application/json", rows)).fail(status(200, "application/json", rows));
    service.tidings(&["label", "list"]).success();
    let shown = service.tidings(&["label", "list", "--format", "json"]).json();
    assert_eq!(shown, serde_json::from_str::<serde_json::Value>(rows).unwrap());
    service.fail(status(200, "application/json", r#"[{"name":"f","gates":null}]"#));
    service.tidings_as("admin-token", &["feature", "list"]).success();
}

#[test]
fn the_repository_commands_take_and_show_what_the_server_sends() {
    let service = Service::start();
    for (arguments, body) in [
        (&["repo", "blob", "abc"][..], r#"{"size":5,"content":"aGVs\nbG8="}"#),
        (&["repo", "contributors"], r#"[{"name":"Ada","email":"ada@x"}]"#),
        (&["repo", "merge-base", "a", "b"], r#"{"id":"abc","title":"x"}"#),
        (&["repo", "merge-base", "a", "b"], r#"{"id":"abc","title":5,"parent_ids":["x",7]}"#),
        (&["repo", "health"], r#"{"size":42}"#),
        (&["repo", "tree"], r#"[{"id":"a","name":"n","type":"blob","path":"n","mode":"100644","new":1}]"#),
        (
            &["repo", "compare", "a", "b"],
            r#"{"commit":null,"commits":[{"id":"abc"}],"diffs":[{"new_path":"f","a_mode":null,"b_mode":"100644"}]}"#,
        ),
    ] {
        service.fail(status(200, "application/json", body)).fail(status(200, "application/json", body));
        let text = service.tidings(arguments).success();
        assert!(!text.contains("0 =>"), "{text}");
        let shown = service.tidings(&[arguments, &["--format", "json"]].concat()).json();
        assert_eq!(shown, serde_json::from_str::<serde_json::Value>(body).unwrap(), "{arguments:?}");
    }
    for id in ["", "\"id\":1,"] {
        let row = format!(r#"[{{{id}"name":"n","type":"blob","path":"n","mode":"100644"}}]"#);
        service.fail(status(200, "application/json", &row));
        let stderr = service.tidings(&["repo", "tree"]).failure(1);
        assert!(stderr.contains("unexpected response"), "{row}: {stderr}");
    }
    service.fail(status(200, "application/json", "{}"));
    let stderr = service.tidings(&["repo", "merge-base", "a", "b"]).failure(1);
    assert!(stderr.contains("id"), "{stderr}");
}

#[test]
fn the_body_of_a_refusal_is_output_too() {
    let service = Service::start();
    let body = r#"{"title":"Unprocessable","detail":"no such thing"}"#;
    service.fail(status(422, "application/problem+json", body));
    let outcome = service.tidings(&["api", "GET", "x"]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&outcome.stdout).unwrap(),
        json!({"title":"Unprocessable","detail":"no such thing"})
    );
    assert!(outcome.failure(1).contains("no such thing"));
    service.fail(status(400, "text/plain", "developer-token is odd"));
    let outcome = service.tidings(&["api", "GET", "x", "-i"]);
    assert!(
        outcome.stdout.starts_with("HTTP 400\n") && outcome.stdout.ends_with("[masked] is odd"),
        "{}",
        outcome.stdout
    );
    outcome.failure(1);
}

#[test]
fn errors_without_a_message_read_well() {
    let service = Service::start();
    service.fail(status(400, "application/json", r#"{"message":null,"errors":["a","b c"]}"#));
    let stderr = service.tidings(&["label", "get", "x"]).failure(1);
    assert!(stderr.contains("\n  a, b c\n"), "{stderr}");
}
