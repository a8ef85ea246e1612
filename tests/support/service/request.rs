//! A request as the server sees it.

use percent_encoding::percent_decode_str;
use serde_json::Value;

/// A request that came in.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// Path and query as they were sent.
    pub target: String,
    /// The path as it was sent, without the query.
    pub path: String,
    pub query: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn new(method: &str, target: &str, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), parse_form(query));
        Self { method: method.to_owned(), target: target.to_owned(), path, query, headers, body }
    }

    /// The segments below `/api/v4`, unescaped; those of GitHub's API stand behind `github`, those of its uploads behind
    /// `uploads`, those of Gitea's behind `gitea`, and the files of its pages behind `attachments`. `None` for what lies
    /// elsewhere.
    pub fn segments(&self) -> Option<Vec<String>> {
        let roots = [
            ("/api/v4/", None),
            ("/api/v3/", Some("github")),
            ("/api/uploads/", Some("uploads")),
            ("/api/v1/", Some("gitea")),
            ("/api/", Some("graphql")),
            ("/attachments/", Some("attachments")),
        ];
        let (path, root) = roots.iter().find_map(|(prefix, root)| Some((self.path.strip_prefix(prefix)?, *root)))?;
        Some(root.map(str::to_owned).into_iter().chain(path.split('/').map(unescape)).collect())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(present, _)| present.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// All parameters: of the query, a form, a JSON object (nested ones as `a[b]`) or a multipart form.
    pub fn parameters(&self) -> Vec<(String, String)> {
        [self.query.clone(), self.body_parameters()].concat()
    }

    /// The first parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.parameters().into_iter().find(|(present, _)| present == name).map(|(_, value)| value)
    }

    /// The parameters of the body alone.
    pub fn body_parameters(&self) -> Vec<(String, String)> {
        let kind = self.header("content-type").unwrap_or_default();
        let text = || String::from_utf8_lossy(&self.body);
        if kind.starts_with("application/x-www-form-urlencoded") {
            return parse_form(&text());
        }
        if kind.starts_with("application/json") {
            let mut flat = Vec::new();
            flatten("", &serde_json::from_slice(&self.body).unwrap_or_default(), &mut flat);
            return flat;
        }
        let Some((_, boundary)) = kind.split_once("boundary=") else { return Vec::new() };
        parse_multipart(&text(), boundary)
    }
}

pub fn unescape(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn parse_form(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (unescape(&name.replace('+', " ")), unescape(&value.replace('+', " ")))).collect()
}

fn flatten(name: &str, value: &Value, flat: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            let name = if name.is_empty() { key.clone() } else { format!("{name}[{key}]") };
            flatten(&name, value, flat);
        }),
        Value::Array(list) => list.iter().for_each(|value| flatten(&format!("{name}[]"), value, flat)),
        Value::String(text) => flat.push((name.to_owned(), text.clone())),
        Value::Null if name.is_empty() => {}
        Value::Null => flat.push((name.to_owned(), String::new())),
        other => flat.push((name.to_owned(), other.to_string())),
    }
}

/// Names and values of parts; a file's value is its content.
fn parse_multipart(body: &str, boundary: &str) -> Vec<(String, String)> {
    let boundary = format!("--{boundary}");
    let parts = body.split(&boundary).filter_map(|part| part.split_once("\r\n\r\n"));
    let named = parts.filter_map(|(head, value)| {
        let name = head.split_once("name=\"")?.1.split('"').next()?;
        Some((name.to_owned(), value.strip_suffix("\r\n").unwrap_or(value).to_owned()))
    });
    named.collect()
}
