//! Requests against the service's own OpenAPI document, where `TIDINGS_OPENAPI` names it.

use std::fs;

use serde_json::Value;

use super::request::Request;

/// What the document lacks although the service takes it: the operation, and the parameter.
const GAPS: [(&str, &str); 3] = [
    ("/projects/{id}/repository/merge_base", "refs[]"),
    ("/projects/{id}/repository/tree", "page_token"),
    ("/projects/{id}/repository/changelog", "version"),
];

/// What the document leaves out; `*` is one segment.
const BEYOND: [&str; 9] = [
    "users",
    "projects/*",
    "personal_access_tokens/self",
    "projects/*/releases/**",
    "projects/*/packages/**",
    "projects/*/members/**",
    "projects/*/merge_requests",
    "projects/*/repository/commits/**",
    "groups/*/members/**",
];

/// Ways to authenticate, which the document leaves out of its operations.
const CREDENTIALS: [&str; 3] = ["private_token", "access_token", "job_token"];

/// The document.
#[derive(Debug)]
pub struct Contract(Value);

impl Contract {
    pub fn load() -> Option<Self> {
        let path = std::env::var_os("TIDINGS_OPENAPI")?;
        let text = fs::read_to_string(path).expect("TIDINGS_OPENAPI names a readable file");
        Some(Self(serde_yaml::from_str(&text).expect("TIDINGS_OPENAPI names a YAML document")))
    }

    /// What a request does that the document does not know.
    pub fn breaches(&self, request: &Request) -> Vec<String> {
        let name = format!("{} {}", request.method, request.path);
        let segments = request.segments().unwrap_or_default();
        if !request.path.starts_with("/api/v4/") || BEYOND.iter().any(|pattern| fits(pattern, &segments)) {
            return Vec::new();
        }
        let Some((template, operation)) = self.operation(request) else {
            return vec![format!("{name}: no such operation")];
        };
        let body = schema(operation);
        let mut breaches = Vec::new();
        for (parameter, _) in &request.query {
            let gap = GAPS.contains(&(template, parameter)) || CREDENTIALS.contains(&parameter.as_str());
            if !gap && !declared(operation, parameter) {
                breaches.push(format!("{name}: no parameter `{parameter}`"));
            }
        }
        for (parameter, _) in request.body_parameters() {
            let known = body.is_some_and(|schema| has_property(schema, &parameter));
            let gap = GAPS.contains(&(template, parameter.as_str()));
            if !known && !gap && !declared(operation, &parameter) {
                breaches.push(format!("{name}: no field `{parameter}`"));
            }
        }
        let given = request.body_parameters();
        let missing =
            body.and_then(|schema| schema["required"].as_array()).into_iter().flatten().filter_map(Value::as_str);
        let begins =
            |field: &str| given.iter().any(|(name, _)| name == field || name.starts_with(&format!("{field}[")));
        breaches.extend(missing.filter(|field| !begins(field)).map(|field| format!("{name}: `{field}` is required")));
        breaches
    }

    fn operation(&self, request: &Request) -> Option<(&str, &Value)> {
        let mut segments = request.segments()?;
        // The document leaves the format out of the path.
        if let Some(last) = segments.last_mut().filter(|last| last.starts_with("archive.")) {
            last.truncate("archive".len());
        }
        let method = request.method.to_lowercase();
        let paths = self.0["paths"].as_object()?.iter().filter_map(|(path, operations)| {
            let template = path.strip_prefix("/api/v4")?;
            let parts: Vec<&str> = template.trim_start_matches('/').split('/').collect();
            let fits = parts.len() == segments.len()
                && parts.iter().zip(&segments).all(|(part, segment)| part.starts_with('{') || part == segment);
            fits.then_some((template, operations.get(&method)?))
        });
        // `/labels/promote` is meant rather than a label of that name.
        paths.min_by_key(|(template, _)| template.matches('{').count())
    }
}

/// Whether a path is of a pattern, whose `**` is whatever is left.
fn fits(pattern: &str, segments: &[String]) -> bool {
    let parts: Vec<&str> = pattern.split('/').collect();
    let open = parts.last() == Some(&"**");
    let parts = if open { &parts[..parts.len() - 1] } else { &parts[..] };
    let long_enough = if open { segments.len() >= parts.len() } else { segments.len() == parts.len() };
    long_enough && parts.iter().zip(segments).all(|(part, segment)| *part == "*" || part == segment)
}

fn declared(operation: &Value, name: &str) -> bool {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.into_iter().any(|parameter| parameter["in"] != "path" && parameter["name"] == name)
}

fn schema(operation: &Value) -> Option<&Value> {
    operation["requestBody"]["content"].as_object()?.values().next().map(|content| &content["schema"])
}

/// Whether a schema has `a`, or `b` within `a` for `a[b]`.
fn has_property(schema: &Value, name: &str) -> bool {
    let properties = &schema["properties"];
    if properties.get(name).is_some() {
        return true;
    }
    let Some((outer, inner)) = name.split_once('[') else { return false };
    let inner = inner.trim_end_matches(']');
    let outer = &properties[outer];
    inner.is_empty() && !outer.is_null() || has_property(outer, inner)
}
