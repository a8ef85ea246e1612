//! Paths of operations, which escape by construction.

use super::escape;
use crate::model::Problem;

/// The path of an operation below the API's root.
///
/// Fixed parts are `&'static str` and everything else is percent-encoded as one segment, so that a value with `/`, `..`
/// or `%` in it cannot reach another operation.
///
/// ```
/// use tidings::api::Path;
///
/// let path = Path::root("projects").arg("id", "group/sub/app").lit("labels").arg("label_id", "a/b c");
/// assert_eq!(path.as_str(), "/projects/group%2Fsub%2Fapp/labels/a%2Fb%20c");
/// assert_eq!(path.template(), "/projects/:id/labels/:label_id");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    encoded: String,
    template: String,
    empty: Option<String>,
}

impl Path {
    /// A path that begins with a fixed part.
    #[must_use]
    pub fn root(part: &str) -> Self {
        Self { encoded: String::new(), template: String::new(), empty: None }.lit(part)
    }

    /// A path as the documentation writes it, such as `/projects/:id/labels`, with a value for each name in it.
    #[must_use]
    pub fn fill_template(template: &str, value: impl Fn(&str) -> String) -> Self {
        let empty = Self { encoded: String::new(), template: String::new(), empty: None };
        template.split('/').skip(1).fold(empty, |path, part| match part.strip_prefix(':') {
            Some(name) => path.arg(name, value(name)),
            None => path.lit(part),
        })
    }

    /// Adds a fixed part.
    #[must_use]
    pub fn lit(mut self, part: &str) -> Self {
        for path in [&mut self.encoded, &mut self.template] {
            path.push('/');
            path.push_str(part);
        }
        self
    }

    /// Adds a value as one segment, under the name it has in the service's documentation.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl AsRef<str>) -> Self {
        let value = value.as_ref();
        self.encoded.push('/');
        self.encoded.push_str(&escape::segment(value));
        self.template.push_str("/:");
        self.template.push_str(name);
        if value.is_empty() {
            self.empty.get_or_insert_with(|| name.to_owned());
        }
        self
    }

    /// Adds to the last part the format of the answer, such as `.zip`, which services document as `[.format]`.
    #[must_use]
    pub fn format(mut self, suffix: &'static str) -> Self {
        self.encoded.push_str(suffix);
        self.template.push_str("[.format]");
        self
    }

    /// A path as somebody typed it, already escaped; what cannot stand in a URL at all is encoded.
    ///
    /// # Errors
    ///
    /// Where it is empty, climbs with `..`, or is a whole URL.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let path = text.trim_matches('/');
        let climbs = path.split('/').any(|segment| matches!(escape::decode(segment).as_str(), "." | ".."));
        if path.is_empty() || path.contains("://") || path.contains(['?', '#']) || climbs {
            return Err(Problem::usage(format!("`{text}` is no path of an operation")).hint(
                "such as `projects/team%2Fapp/labels`: below /api/v4, each value one segment, `/` in it as %2F",
            ));
        }
        let encoded = format!("/{}", escape::illegal(path));
        Ok(Self { template: encoded.clone(), encoded, empty: None })
    }

    /// Puts a value in the place of `:name`, where a typed path has it.
    #[must_use]
    pub fn fill(mut self, name: &str, value: &str) -> Self {
        let segments = self.encoded.split('/').map(|segment| {
            if segment.strip_prefix(':') == Some(name) { escape::segment(value) } else { segment.into() }
        });
        self.encoded = segments.collect::<Vec<_>>().join("/");
        self
    }

    /// The escaped path, beginning with `/`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.encoded
    }

    /// The path as the service documents it: `/projects/:id/labels`.
    #[must_use]
    pub fn template(&self) -> &str {
        &self.template
    }

    /// The first argument that is empty: it would turn the path into that of another operation.
    pub(in crate::api) fn empty_argument(&self) -> Option<&str> {
        self.empty.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_stays_one_segment() {
        let label = |title: &str| Path::root("labels").arg("label_id", title).as_str().to_owned();
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
    fn an_empty_argument_is_remembered() {
        assert_eq!(Path::root("labels").arg("label_id", "").empty_argument(), Some("label_id"));
        assert_eq!(Path::root("labels").arg("label_id", "x").empty_argument(), None);
    }

    #[test]
    fn a_typed_path_keeps_its_escapes_and_cannot_climb() {
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
