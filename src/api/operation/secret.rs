//! Secrets, and how they are masked in texts.

use std::fmt;

use super::path::encode;
use crate::model::is_token_parameter;

const MASK: &str = "[masked]";

/// A text that is masked wherever it is shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text itself, only for requests.
    pub(in crate::api) fn expose(&self) -> &str {
        &self.0
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MASK)
    }
}

/// Masks secrets in a text, as they are and percent-encoded.
pub(in crate::api) fn mask<'a>(text: &str, secrets: impl IntoIterator<Item = &'a Secret>) -> String {
    secrets.into_iter().filter(|secret| !secret.is_empty()).fold(text.to_owned(), |text, secret| {
        text.replace(secret.expose(), MASK).replace(encode(secret.expose()).as_ref(), MASK)
    })
}

/// Removes tokens from the query of a request target.
pub(in crate::api) fn strip_query(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else { return target.to_owned() };
    let kept = query.split('&').filter(|pair| !is_token_parameter(pair.split('=').next().unwrap_or_default()));
    match kept.collect::<Vec<_>>().join("&") {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_shows() {
        let secret = Secret::new("s3cret/x");
        assert_eq!(format!("{secret:?} {:#?}", Some(&secret)), "[masked] Some(\n    [masked],\n)");
        assert_eq!(mask("echo s3cret/x and s3cret%2Fx", [&secret]), "echo [masked] and [masked]");
        assert_eq!(mask("nothing", [&Secret::default()]), "nothing");
    }

    #[test]
    fn tokens_in_queries_are_stripped() {
        assert_eq!(strip_query("/a?private%5Ftoken=abc&x=1&job_token=z"), "/a?x=1");
        assert_eq!(strip_query("/a?access_token=abc"), "/a");
    }
}
