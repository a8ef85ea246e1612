//! Requests against what GitLab's OpenAPI description says of each operation, in `testdata/api/parameters.txt`.

use std::{fs::File, io::Write as _};

use serde_json::json;

use super::request::Request;

/// An operation a line: method, path, then `?name` for a parameter of the query, `name` for a field of the body or
/// `outer[name]` for one within another, and `name!` for a field that is required.
const OPERATIONS: &str = include_str!("../../../testdata/api/parameters.txt");

/// What the description lacks although GitLab takes it: the operation, and the parameter.
const GAPS: [(&str, &str); 2] =
    [("/projects/{id}/repository/merge_base", "refs[]"), ("/projects/{id}/repository/changelog", "version")];

/// What the description leaves out; `*` is one segment, `**` is whatever is left.
const BEYOND: [&str; 11] = [
    "users",
    "projects/*",
    "personal_access_tokens/self",
    "projects/*/releases/**",
    "projects/*/packages/**",
    "projects/*/members/**",
    "projects/*/merge_requests",
    "projects/*/merge_requests/**",
    "projects/*/issues/*/notes",
    "projects/*/repository/commits/**",
    "groups/*/members/**",
];

/// Ways to authenticate, which the description leaves out of its operations.
const CREDENTIALS: [&str; 3] = ["private_token", "access_token", "job_token"];

/// Appends a request to the file that `TIDINGS_REQUEST_LOG` names, for `.ci/contracts.py`.
pub fn log(request: &Request) {
    let Some(path) = std::env::var_os("TIDINGS_REQUEST_LOG") else { return };
    let (kind, body) = (request.header("content-type"), String::from_utf8_lossy(&request.body));
    let line = json!({ "method": request.method, "target": request.target, "type": kind, "body": body }).to_string();
    let mut file = File::options().append(true).create(true).open(path).expect("the log can be opened");
    file.write_all((line + "\n").as_bytes()).expect("the log can be written");
}

/// What a request does that the description does not know.
pub fn breaches(request: &Request) -> Vec<String> {
    let name = format!("{} {}", request.method, request.path);
    let segments = request.segments().unwrap_or_default();
    if !request.path.starts_with("/api/v4/") || BEYOND.iter().any(|pattern| fits(pattern, &segments)) {
        return Vec::new();
    }
    let Some((template, parameters)) = operation(request) else {
        return vec![format!("{name}: no such operation")];
    };
    let is_known = |parameter: &str, in_body: bool| {
        GAPS.contains(&(template, parameter)) || parameters.iter().any(|known| is_meant(known, parameter, in_body))
    };
    let mut breaches = Vec::new();
    for (parameter, _) in &request.query {
        if !CREDENTIALS.contains(&parameter.as_str()) && !is_known(parameter, false) {
            breaches.push(format!("{name}: no parameter `{parameter}`"));
        }
    }
    let given = request.body_parameters();
    for (parameter, _) in &given {
        if !is_known(parameter, true) {
            breaches.push(format!("{name}: no field `{parameter}`"));
        }
    }
    let begins = |field: &str| given.iter().any(|(name, _)| name == field || name.starts_with(&format!("{field}[")));
    let required = parameters.iter().filter_map(|known| known.strip_suffix('!'));
    breaches.extend(required.filter(|field| !begins(field)).map(|field| format!("{name}: `{field}` is required")));
    breaches
}

/// Whether a parameter of the description is the given one; `x[]` is an item of `x`.
fn is_meant(known: &str, parameter: &str, in_body: bool) -> bool {
    match known.strip_prefix('?') {
        Some(known) => known == parameter,
        None => in_body && known.trim_end_matches('!') == parameter.trim_end_matches("[]"),
    }
}

/// The path of an operation in the description, and its parameters.
fn operation(request: &Request) -> Option<(&'static str, Vec<&'static str>)> {
    let mut segments = request.segments()?;
    // The description leaves the format out of the path.
    if let Some(last) = segments.last_mut().filter(|last| last.starts_with("archive.")) {
        last.truncate("archive".len());
    }
    let operations = OPERATIONS.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (method, template) = (words.next()?, words.next()?);
        let parts: Vec<&str> = template.trim_start_matches('/').split('/').collect();
        let fits = method == request.method
            && parts.len() == segments.len()
            && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment);
        fits.then(|| (template, words.collect()))
    });
    // `/labels/promote` is meant rather than a label of that name.
    operations.min_by_key(|(template, _)| template.matches('{').count())
}

/// Whether a path is of a pattern.
fn fits(pattern: &str, segments: &[String]) -> bool {
    let parts: Vec<&str> = pattern.split('/').collect();
    let open = parts.last() == Some(&"**");
    let parts = if open { &parts[..parts.len() - 1] } else { &parts[..] };
    let long_enough = if open { segments.len() >= parts.len() } else { segments.len() == parts.len() };
    long_enough && parts.iter().zip(segments).all(|(part, segment)| *part == "*" || part == segment)
}
