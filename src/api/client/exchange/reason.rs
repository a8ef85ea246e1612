//! The service's own words about a failure, out of the many shapes it puts them in.

use serde_json::{Map, Value};

use crate::{api::transport, model::printable};

/// The longest text that is no JSON and still told.
const LONGEST: usize = 300;

/// What the service said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ServerMessage {
    /// In words, without the status; empty where it said nothing.
    pub(super) text: String,
    /// Whether it knows no such route, as opposed to no such thing.
    pub(super) no_route: bool,
    /// The scopes a token must have, where that was what it lacks.
    pub(super) scope: Option<String>,
}

/// Reads the body of a refusal: `message` as a text, a list, an object of lists or an object with `error`, and `errors`
/// beside it; `error` with `error_description`; a text; HTML; nothing.
pub(super) fn parse(status: u16, body: &[u8]) -> ServerMessage {
    let text = String::from_utf8_lossy(body);
    let Ok(Value::Object(document)) = serde_json::from_str(&text) else {
        return ServerMessage { text: without_status(status, &plain(&text)), ..ServerMessage::default() };
    };
    let said = ["error_description", "message", "error"].iter().find_map(|key| document.get(*key)).map(sentence);
    let mut text = without_status(status, &words(&said.unwrap_or_default()));
    if let Some(details) = document.get("errors").and_then(Value::as_array) {
        let details: Vec<String> = details.iter().map(detail).collect();
        text = words(&format!("{text}: {}", details.join(", ")));
    }
    let field = |name: &str| document.get(name).and_then(Value::as_str);
    let no_route = matches!(field("error"), Some("404 Not Found" | "405 Not Allowed"));
    ServerMessage { text, no_route, scope: field("scope").map(words) }
}

fn sentence(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(sentence).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => fields_sentence(fields),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// `{"resource": "Release", "field": "tag_name", "code": "already_exists"}` reads `tag_name already exists`.
fn detail(error: &Value) -> String {
    let part = |name: &str| error.get(name).and_then(Value::as_str);
    match (part("message"), part("field"), part("code")) {
        (Some(message), ..) => message.to_owned(),
        (None, Some(field), Some(code)) => format!("{field} {}", code.replace('_', " ")),
        _ => sentence(error),
    }
}

/// `{"color": ["is invalid", "is too long"], "base": ["no"]}` reads `color is invalid, is too long; no`.
fn fields_sentence(fields: &Map<String, Value>) -> String {
    // What is said of `base` is said of the whole, or of a part as a whole where it stands behind a dot.
    let parts = fields.iter().map(|(name, value)| match name.rsplit('.').next() {
        Some("error" | "base" | "message") => sentence(value),
        _ => format!("{name} {}", sentence(value)),
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// The first line of a text, or the title of a page.
fn plain(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let title = || {
        let begin = lower.find("<title>")? + "<title>".len();
        text.get(begin..begin + lower.get(begin..)?.find("</title>")?)
    };
    let line = if lower.trim_start().starts_with('<') { title().unwrap_or_default() } else { text };
    let line = line.trim().lines().next().unwrap_or_default();
    words(&line.chars().take(LONGEST).collect::<String>())
}

/// Words as ours: one line, no final period.
fn words(text: &str) -> String {
    printable(text).trim().trim_end_matches('.').to_owned()
}

/// `404 Project Not Found` without its number, `403 Forbidden - why` without what the status says already.
fn without_status(status: u16, text: &str) -> String {
    let code = status.to_string();
    let phrase = transport::reason_phrase(status);
    if text.eq_ignore_ascii_case(phrase) {
        return String::new();
    }
    let Some(rest) = text.strip_prefix(code.as_str()) else { return text.to_owned() };
    let rest = rest.trim_start();
    let same = rest.get(..phrase.len()).is_some_and(|start| start.eq_ignore_ascii_case(phrase));
    let rest = if same { &rest[phrase.len()..] } else { rest };
    rest.trim_start_matches([' ', '-', ':']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_becomes_a_sentence() {
        for (status, body, words) in [
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
            (
                400,
                r#"{"message":{"color":["must be valid","is long"],"base":["no"]}}"#,
                "color must be valid, is long; no",
            ),
            (400, r#"{"message":{"platform_kubernetes.namespace":["x"]}}"#, "platform_kubernetes.namespace x"),
            (400, r#"{"message":{"platform_kubernetes.base":["x y"]}}"#, "x y"),
            (400, r#"{"message":["a","b"]}"#, "a, b"),
            (429, r#"{"message":{"error":"Too many times. Try again later."}}"#, "Too many times. Try again later"),
            (429, "Retry later\n", "Retry later"),
            (400, "400 Bad request - x is not found!", "x is not found!"),
            (
                502,
                "<html><title>GitLab is not\u{7} responding (502)</title><p>x",
                "GitLab is not\u{fffd} responding (502)",
            ),
            (500, "", ""),
            (500, "null", "null"),
        ] {
            assert_eq!(parse(status, body.as_bytes()).text, words, "{body}");
        }
    }

    #[test]
    fn a_missing_route_is_told_from_a_missing_thing() {
        assert!(parse(404, br#"{"error":"404 Not Found"}"#).no_route);
        assert!(parse(405, br#"{"error":"405 Not Allowed"}"#).no_route);
        assert!(!parse(404, br#"{"message":"404 Not Found"}"#).no_route);
        let scope =
            parse(403, br#"{"error":"insufficient_scope","error_description":"x","scope":"api read_api"}"#).scope;
        assert_eq!(scope.as_deref(), Some("api read_api"));
    }

    #[test]
    fn escape_codes_do_not_reach_the_terminal() {
        assert_eq!(parse(400, b"{\"message\":\"\\u001b[31mred\\nline\"}").text, "\u{fffd}[31mred line");
    }
}
