//! Error responses: request, status, the server's message, hints.

use crate::support::{Fault, Service};

/// The token and the request, the exit code, and the message.
type Case = (&'static str, &'static [&'static str], i32, &'static str);

const CASES: [Case; 8] = [
    (
        "wrong-token",
        &["label", "get", "bug"],
        4,
        "error: `GET /projects/group%2Fapp/labels/bug` was refused: 401 Unauthorized\n  \
         the token is unknown, expired or revoked\n\
         hint: renew the token in TIDINGS_TOKEN; an OAuth token needs `--auth bearer`\n",
    ),
    (
        "expired-token",
        &["label", "get", "bug"],
        4,
        "error: `GET /projects/group%2Fapp/labels/bug` was refused: 401 Unauthorized\n  \
         Token is expired. You can either do re-authorization or token refresh\n\
         hint: renew the token in TIDINGS_TOKEN; an OAuth token needs `--auth bearer`\n",
    ),
    (
        "guest-token",
        &["label", "create", "x", "red"],
        4,
        "error: `POST /projects/group%2Fapp/labels` was refused: 403 Forbidden\n  \
         the token's owner is not allowed to do this\n\
         hint: this needs the role Planner, or Reporter and up\n",
    ),
    (
        "read-token",
        &["label", "create", "x", "red"],
        4,
        "error: `POST /projects/group%2Fapp/labels` was refused: 403 Forbidden\n  \
         The request requires higher privileges than provided by the access token\n\
         hint: the token needs one of these scopes: api, read_api\n\
         hint: this needs the role Planner, or Reporter and up\n",
    ),
    (
        "developer-token",
        &["label", "get", "none"],
        1,
        "error: `GET /projects/group%2Fapp/labels/none` was refused: 404 Not Found\n  \
         Label Not Found\n\
         hint: check the path; the server also says \"not found\" if the token has no access\n",
    ),
    (
        "developer-token",
        &["label", "create", "bug", "red"],
        1,
        "error: `POST /projects/group%2Fapp/labels` was refused: 409 Conflict\n  \
         Label already exists\n\
         hint: it already exists, or someone changed it at the same time: check its current state\n",
    ),
    (
        "developer-token",
        &["label", "create", "x", "teal"],
        1,
        "error: `POST /projects/group%2Fapp/labels` was refused: 400 Bad Request\n  \
         color must be a valid color code\n",
    ),
    (
        "developer-token",
        &["label", "create", "x", "red", "--project", "old/app"],
        1,
        "error: `POST /projects/old%2Fapp/labels` was refused: 405 Method Not Allowed\n  \
         Non GET methods are not allowed for moved projects\n\
         hint: use the new path: a project that moved accepts changes only there\n",
    ),
];

#[test]
fn refusals_say_what_failed_why_and_what_to_do() {
    let service = Service::start();
    for (token, arguments, code, expected) in CASES {
        assert_eq!(service.tidings_as(token, arguments).failure(code), expected, "{token} {arguments:?}");
    }
}

#[test]
fn an_answer_that_is_no_json_points_at_the_address() {
    let service = Service::start();
    service.fail(Fault::Status(200, "text/html", "<html>Welcome</html>".to_owned()));
    let stderr = service.tidings(&["label", "get", "bug"]).failure(1);
    assert!(stderr.contains("the response is `text/html`, not JSON") && stderr.contains("--base-url"), "{stderr}");
    service.fail(Fault::Status(200, "application/json", "{\"id\":1,".to_owned()));
    let stderr = service.tidings(&["label", "get", "bug"]).failure(1);
    assert!(stderr.contains("not valid JSON"), "{stderr}");
    service.fail(Fault::Status(200, "application/json", "[1]".to_owned()));
    let stderr = service.tidings(&["label", "get", "bug"]).failure(1);
    assert!(stderr.contains("run `tidings api GET /projects/group%2Fapp/labels/bug` to see it"), "{stderr}");
}

#[test]
fn a_server_error_page_becomes_its_title() {
    let service = Service::start();
    service.fail(Fault::BadGateway);
    let stderr = service.tidings(&["label", "get", "bug", "--retries", "0"]).failure(1);
    assert!(stderr.contains("502 Bad Gateway\n  not responding\n"), "{stderr}");
}

#[test]
fn an_empty_argument_is_never_sent() {
    let service = Service::start();
    let stderr = service.tidings(&["label", "delete", "", "--yes"]).failure(2);
    assert!(stderr.contains("`label_id` must not be empty"), "{stderr}");
    assert!(service.requests().is_empty());
}
