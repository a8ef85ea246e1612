//! The words of errors, and the messages of servers.

use super::*;

#[test]
fn every_shape_becomes_a_sentence() {
    for (status, body, text) in [
        (401, r#"{"message":"401 Unauthorized"}"#, ""),
        (401, r#"{"error":"invalid_token","error_description":"Token was revoked."}"#, "Token was revoked"),
        (403, r#"{"message":"403 Forbidden - You are not allowed"}"#, "You are not allowed"),
        (404, r#"{"message":"404 Project Not Found"}"#, "Project Not Found"),
        (404, r#"{"message":"404 Not found"}"#, ""),
        (404, r#"{"message":"Not Found","documentation_url":"https://x","status":"404"}"#, ""),
        (
            422,
            r#"{"message":"Validation Failed","errors":[{"code":"already_exists","field":"tag_name"},{"message":"no"}]}"#,
            "Validation Failed: tag_name already exists, no",
        ),
        (400, r#"{"error":"name is missing, color is missing"}"#, "name is missing, color is missing"),
        (400, r#"{"message":{"color":["must be valid","is long"],"base":["no"]}}"#, "color must be valid, is long; no"),
        (400, r#"{"message":{"platform_kubernetes.namespace":["x"]}}"#, "platform_kubernetes.namespace x"),
        (400, r#"{"message":{"platform_kubernetes.base":["x y"]}}"#, "x y"),
        (400, r#"{"message":["a","b"]}"#, "a, b"),
        (400, r#"{"message":null,"errors":["a","b c"]}"#, "a, b c"),
        (422, r#"{"title":"Unprocessable","detail":"no such thing."}"#, "no such thing"),
        (429, r#"{"message":{"error":"Too many times. Try again later."}}"#, "Too many times. Try again later"),
        (429, "Retry later\n", "Retry later"),
        (400, "400 Bad request - x is not found!", "x is not found!"),
        (502, "<html><title>GitLab is not\u{7} responding (502)</title><p>x", "GitLab is not\u{fffd} responding (502)"),
        (400, r#"{"message":{"error":null}}"#, ""),
        (422, r#"{"message":"","errors":[{"code":"custom","message":"no"}]}"#, "no"),
        (500, "", ""),
        (500, "null", "null"),
    ] {
        assert_eq!(ServerMessage::parse(status, body.as_bytes()).text, text, "{body}");
    }
}

#[test]
fn escape_codes_do_not_reach_the_terminal() {
    assert_eq!(ServerMessage::parse(400, b"{\"message\":\"\\u001b[31mred\\nline\"}").text, "\u{fffd}[31mred line");
}

#[test]
fn each_status_has_its_meaning_and_its_hint() {
    use crate::api::operation::{Method, Path};

    let none = "the server gave no reason";
    for (status, method, message, hint) in [
        (400, Method::Post, none, None),
        (401, Method::Get, "no token was sent", Some("set `TIDINGS_TOKEN` or `GITLAB_TOKEN`")),
        (403, Method::Get, "the token's owner is not allowed to do this", Some("whose owner has more permissions")),
        (404, Method::Get, "not found, or not visible to the token's owner", Some("check the path")),
        (405, Method::Put, none, Some("use the new path")),
        (409, Method::Post, none, Some("it already exists")),
        (412, Method::Put, none, Some("someone changed it at the same time")),
        (413, Method::Post, none, Some("it is larger than the server accepts")),
        (429, Method::Get, "too many requests", Some("try again in a minute")),
        (500, Method::Post, "the server failed", Some(MAYBE_DONE)),
        (500, Method::Get, "the server failed", None),
        (503, Method::Get, "the server failed", Some("the server is busy")),
        (505, Method::Post, "the server failed", None),
    ] {
        let response = ErrorResponse {
            status,
            message: ServerMessage::default(),
            credential: &Credential::none(),
            forge: Forge::GitLab,
            redirected_origin: None,
            rate_limited: false,
            retry_after: None,
        };
        let problem = response.problem(&ApiRequest::new(method, Path::new("/x", &[])));
        assert_eq!(problem.to_string(), message, "{status}");
        let first = problem.hints().first().cloned();
        let is_it = first.as_ref().map_or(hint.is_none(), |first| hint.is_some_and(|hint| first.contains(hint)));
        assert!(is_it, "{status}: {first:?}");
    }
}

#[test]
fn the_hint_for_a_refused_token_is_that_of_its_kind() {
    use crate::api::operation::{Method, Path};

    let job = "the job's token (a file) has access to few endpoints: set `TIDINGS_TOKEN` to an access token";
    for (forge, scheme, hint) in [
        (Forge::GitLab, AuthScheme::JobToken, job),
        (Forge::GitLab, AuthScheme::PrivateToken, "renew the token in a file; an OAuth token needs `--auth bearer`"),
        (Forge::GitHub, AuthScheme::Bearer, "renew the token in a file"),
    ] {
        let response = ErrorResponse {
            status: 401,
            message: ServerMessage::default(),
            credential: &Credential::new("secret", scheme, "a file").unwrap(),
            forge,
            redirected_origin: None,
            rate_limited: false,
            retry_after: None,
        };
        assert_eq!(response.problem(&ApiRequest::new(Method::Get, Path::new("/x", &[]))).hints(), [hint]);
    }
}

#[test]
fn only_a_change_that_was_perhaps_made_is_to_be_checked() {
    use crate::api::operation::{Method, Path};

    for (method, stage, is_perhaps_made) in [
        (Method::Post, FailureStage::Broken, true),
        (Method::Post, FailureStage::TimedOut, true),
        (Method::Post, FailureStage::Unsent, false),
        (Method::Get, FailureStage::Broken, false),
    ] {
        let request = ApiRequest::new(method, Path::new("/x", &[]));
        let error = Error::transport(&request, &TransportError::new(stage, "it broke"));
        assert_eq!(
            error.0.problem.hints().iter().any(|hint| hint == MAYBE_DONE),
            is_perhaps_made,
            "{method:?} {stage:?}"
        );
    }
}

/// Statuses, what else is known of the refusal, the text of the server; and the message and hints.
type KnownRefusal = (u16, &'static [&'static str], &'static str, &'static str, &'static [&'static str]);

const REFUSALS: [KnownRefusal; 9] = [
    (
        401,
        &["token"],
        "",
        "the token is unknown, expired or revoked",
        &["renew the token in a file; an OAuth token needs `--auth bearer`"],
    ),
    (404, &["no route"], "404 Not Found", "the server has no such endpoint", &[OTHER_PATH]),
    (405, &["no route"], "", "the server has no such endpoint", &[OTHER_PATH]),
    (
        404,
        &[],
        "",
        "not found, or not visible to the token's owner",
        &[NOT_FOUND, "no token was sent: set `TIDINGS_TOKEN` for what is not public"],
    ),
    (404, &["token"], "Label Not Found", "Label Not Found", &[NOT_FOUND]),
    (403, &["limited"], "", "the token's owner is not allowed to do this", &["try again in a minute"]),
    (400, &["precondition"], "", "the server gave no reason", &["the branch has to be there"]),
    (
        403,
        &["redirected"],
        "",
        "the token's owner is not allowed to do this",
        &[
            "use a token whose owner has more permissions",
            "the request was redirected to `https://b` without the token: use that address as `--base-url` if you trust it",
        ],
    ),
    (500, &["redirected"], "", "the server failed", &[]),
];
const OTHER_PATH: &str = "check the path; the server may also be too old for it";
const NOT_FOUND: &str = "check the path; the server also says \"not found\" if the token has no access";

#[test]
fn what_is_known_of_a_refusal_decides_on_its_words() {
    use crate::api::operation::{Method, Path};

    for (status, known, text, message, hints) in REFUSALS {
        let is = |fact: &str| known.contains(&fact);
        let credential = Credential::new("secret", AuthScheme::PrivateToken, "a file").unwrap();
        let response = ErrorResponse {
            status,
            message: ServerMessage { text: text.to_owned(), no_route: is("no route"), scope: None },
            credential: &if is("token") { credential } else { Credential::none() },
            forge: Forge::GitLab,
            redirected_origin: is("redirected").then(|| "https://b".to_owned()),
            rate_limited: is("limited"),
            retry_after: None,
        };
        let precondition = if is("precondition") { "the branch has to be there" } else { "" };
        let request = ApiRequest { precondition, ..ApiRequest::new(Method::Get, Path::new("/x", &[])) };
        let problem = response.problem(&request);
        assert_eq!(problem.to_string(), message, "{status}");
        assert_eq!(problem.hints(), hints, "{status}");
        let is_denied = crate::model::problem_kind(&problem.into()) == ProblemKind::AccessDenied;
        assert_eq!(is_denied, matches!(status, 401 | 403) && !is("limited"), "{status}");
    }
}
