//! Paths and fields, and the percent-encoding of everything that is put into a URL.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::model::Problem;

/// The path of an endpoint below the API's root.
///
/// A value is percent-encoded as one segment, so that no `/`, `..` or `%` in it can reach another endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    encoded: String,
    template: String,
}

impl Path {
    /// Creates a path as documented, with a value for each name in it. A name without a value stays, for a request
    /// that is only shown.
    #[must_use]
    pub(crate) fn new(template: &str, values: &[&str]) -> Self {
        let mut values = values.iter();
        let segments = template.split('/').map(|segment| {
            let value = segment.strip_prefix(':').and_then(|_| values.next());
            value.map_or(segment.into(), |value| encode_segment(value))
        });
        Self { encoded: segments.collect::<Vec<_>>().join("/"), template: template.to_owned() }
    }

    /// Sets the format of the response, such as `zip`, for `[.format]` as the documentation names it.
    pub(in crate::api) fn format(self, name: &str) -> Self {
        Self { encoded: self.encoded.replace("[.format]", &format!(".{name}")), ..self }
    }

    /// Parses a path as the user typed it, with values percent-encoded; characters that no URL can have are encoded.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let path = text.trim_matches('/');
        let climbs = path.split('/').any(|segment| matches!(decode(segment).as_str(), "." | ".."));
        if path.is_empty() || path.contains("://") || path.contains(['?', '#']) || climbs {
            return Err(Problem::usage(format!("`{text}` is not a path of the API")).hint(
                "write it relative to `/api/v4`, with `/` in a value as `%2F`, such as `projects/team%2Fapp/labels`",
            ));
        }
        let encoded = format!("/{}", encode_illegal(path));
        Ok(Self { template: encoded.clone(), encoded })
    }

    /// Replaces the segment `:name` of a typed path by a value.
    pub(crate) fn fill(mut self, name: &str, value: &str) -> Self {
        let segments = self.encoded.split('/').map(|segment| {
            if segment.strip_prefix(':') == Some(name) { encode_segment(value) } else { segment.into() }
        });
        self.encoded = segments.collect::<Vec<_>>().join("/");
        self
    }

    /// Returns the percent-encoded path, beginning with `/`.
    #[must_use]
    pub(crate) fn as_str(&self) -> &str {
        &self.encoded
    }

    /// Returns the path as documented: `/projects/:id/labels`.
    #[cfg(test)]
    pub(crate) fn template(&self) -> &str {
        &self.template
    }

    /// Returns the name of the first empty value, which would turn the path into that of another endpoint.
    pub(in crate::api) fn empty_argument(&self) -> Option<&str> {
        let mut segments = self.template.split('/').zip(self.encoded.split('/')).skip(1);
        segments.find(|(_, value)| value.is_empty())?.0.strip_prefix(':')
    }
}

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters that no URL can have. In a path that the user typed only these are encoded, so that `%2F` stays.
const ILLEGAL: &AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'\\')
    .add(b'^')
    .add(b'|');

/// Percent-encodes a value of a query or a form: only what RFC 3986 calls unreserved stays as it is.
pub(super) fn encode(text: &str) -> Cow<'_, str> {
    utf8_percent_encode(text, RESERVED).into()
}

/// Percent-encodes a segment of a path; `.` and `..` have a meaning in paths, so they are encoded too.
fn encode_segment(text: &str) -> Cow<'_, str> {
    match text {
        "." => "%2E".into(),
        ".." => "%2E%2E".into(),
        _ => encode(text),
    }
}

fn encode_illegal(text: &str) -> String {
    utf8_percent_encode(text, ILLEGAL).to_string()
}

pub(in crate::api) fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// Names and values in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Creates an empty list of fields.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a value.
    #[must_use]
    pub(crate) fn add(mut self, name: impl Into<String>, value: &(impl ToString + ?Sized)) -> Self {
        self.0.push((name.into(), value.to_string()));
        self
    }

    /// Adds a value if there is one.
    #[must_use]
    pub(crate) fn add_given(self, name: &str, value: Option<impl ToString>) -> Self {
        value.into_iter().fold(self, |fields, value| fields.add(name, &value))
    }

    /// Adds an array: `name[]` once for each value.
    #[must_use]
    pub(crate) fn add_each(self, name: &str, values: impl IntoIterator<Item = impl ToString>) -> Self {
        let name = format!("{name}[]");
        values.into_iter().fold(self, |fields, value| fields.add(&name, &value))
    }

    /// Replaces all fields of a name by one.
    pub(in crate::api) fn replace(mut self, name: &str, value: &impl ToString) -> Self {
        self.0.retain(|(present, _)| present != name);
        self.add(name, value)
    }

    /// Parses the query of a URL and decodes its values.
    pub(crate) fn parse(query: &str) -> Self {
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let decode = |text: &str| decode(&text.replace('+', " "));
        Self(
            pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(|(n, v)| (decode(n), decode(v))).collect(),
        )
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encodes the fields as a query or as the body of a form.
    #[must_use]
    pub(crate) fn encode(&self) -> String {
        let pairs = self.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_stays_one_segment() {
        let label = |title: &str| Path::new("/labels/:label_id", &[title]).as_str().to_owned();
        assert_eq!(label("group/sub/app"), "/labels/group%2Fsub%2Fapp");
        assert_eq!(label("."), "/labels/%2E");
        assert_eq!(label(".."), "/labels/%2E%2E");
        assert_eq!(label("..."), "/labels/...");
        assert_eq!(label("100%"), "/labels/100%25");
        assert_eq!(label("a?b#c+d"), "/labels/a%3Fb%23c%2Bd");
        assert_eq!(label("größe\n"), "/labels/gr%C3%B6%C3%9Fe%0A");
        assert_eq!(label("a-b.c_d~e"), "/labels/a-b.c_d~e");
    }

    #[test]
    fn fields_are_encoded_in_the_order_in_which_they_were_added() {
        let fields = Fields::new().add("search", "a b").add_given("page", None::<u64>);
        assert_eq!(fields.add_each("refs", ["main", "v1.0"]).encode(), "search=a%20b&refs%5B%5D=main&refs%5B%5D=v1.0");
    }

    #[test]
    fn an_empty_argument_is_remembered() {
        assert_eq!(Path::new("/labels/:label_id", &[""]).empty_argument(), Some("label_id"));
        assert_eq!(Path::new("/labels/:label_id", &["x"]).empty_argument(), None);
        assert_eq!(Path::new("/labels/:label_id/x", &[]).as_str(), "/labels/:label_id/x");
    }

    #[test]
    fn a_typed_path_keeps_its_escapes_and_stays_below_the_root() {
        let typed =
            |text| Path::parse(text).map(|path| path.as_str().to_owned()).map_err(|problem| problem.to_string());
        assert_eq!(typed("/projects/a%2Fb/x y/"), Ok("/projects/a%2Fb/x%20y".to_owned()));
        let filled = Path::parse("projects/:id/labels/:idea").unwrap().fill("id", "a/b");
        assert_eq!(filled.as_str(), "/projects/a%2Fb/labels/:idea");
        for wrong in ["", "/", "a/../b", "a/%2e%2E/b", "https://x/y", "a?b=c"] {
            assert!(typed(wrong).is_err(), "{wrong}");
        }
    }
}
