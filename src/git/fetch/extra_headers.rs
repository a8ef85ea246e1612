//! `http.extraHeader` and `http.<url>.extraHeader` (git-config(1)): checkouts in CI keep their credentials there.

use gix::{bstr::ByteSlice as _, sec::Trust, url::Scheme};

use super::url::RepoUrl;

#[derive(Debug, Default)]
pub(super) struct ExtraHeaders(Vec<ExtraHeader>);

#[derive(Debug)]
struct ExtraHeader {
    scope: gix::Url,
    /// The name and value; `None` cancels the headers before it.
    header: Option<(String, String)>,
}

impl ExtraHeaders {
    /// Loads the headers of a configuration. Those that are set for every URL are sent only to the server of `url`.
    pub(super) fn load(settings: &gix::Repository, url: &RepoUrl) -> Self {
        let config = settings.config_snapshot();
        let sections = config
            .plumbing()
            .sections_by_name_and_filter("http", |meta| meta.trust == Trust::Full)
            .into_iter()
            .flatten();
        let headers = sections.flat_map(|section| {
            let scope = match section.header().subsection_name() {
                Some(scope) => gix::url::parse(scope).ok(),
                None => server_of(url),
            };
            let values = scope.as_ref().map(|_| section.values("extraHeader")).unwrap_or_default();
            let headers = values.into_iter().filter_map(|value| {
                let value = value.to_str_lossy().into_owned();
                let header =
                    value.split_once(':').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
                (header.is_some() || value.is_empty()).then_some(header)
            });
            headers.filter_map(move |header| Some(ExtraHeader { scope: scope.clone()?, header })).collect::<Vec<_>>()
        });
        Self(headers.collect())
    }

    /// Returns the headers of a request to this URL: those of the most specific scope win, as in git.
    pub(super) fn headers_for(&self, url: &str) -> Vec<&(String, String)> {
        let (mut found, mut most) = (Vec::new(), None);
        let Ok(url) = gix::url::parse(url) else { return found };
        for ExtraHeader { scope, header } in &self.0 {
            let Some(reach) = reach(scope, &url).filter(|reach| most.is_none_or(|most| *reach >= most)) else {
                continue;
            };
            most = Some(reach);
            match header {
                Some(header) => found.push(header),
                None => found.clear(),
            }
        }
        found
    }

    /// Whether one of the headers for this URL contains credentials.
    pub(super) fn authorizes(&self, url: &str) -> bool {
        self.headers_for(url).iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
    }
}

/// Returns the URL that is the scope of everything on the same server.
fn server_of(url: &RepoUrl) -> Option<gix::Url> {
    let gix::Url { scheme, port, .. } = url.gix().clone();
    gix::Url::from_parts(scheme, None, None, url.host().map(str::to_owned), port, "/".into(), false).ok()
}

/// Measures how specific a scope is (`http.<url>.*` in git-config(1)); `None` if it does not contain the URL.
fn reach(scope: &gix::Url, url: &gix::Url) -> Option<(usize, usize)> {
    let (pattern, host) = (scope.host()?.to_ascii_lowercase(), url.host()?.to_ascii_lowercase());
    let labels = || pattern.split('.').zip(host.split('.'));
    let is_host = pattern.split('.').count() == host.split('.').count()
        && labels().all(|(pattern, label)| pattern == "*" || pattern == label);
    let directory = scope.path.strip_suffix(b"/").unwrap_or(&scope.path);
    let is_path = url.path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"));
    let is_same = is_host
        && is_path
        && matches!(scope.scheme, Scheme::Http | Scheme::Https)
        && scope.scheme == url.scheme
        && scope.port_or_default() == url.port_or_default();
    is_same.then(|| (labels().filter(|(pattern, _)| *pattern != "*").count(), directory.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(of: &[(&str, &str)], url: &str) -> String {
        let parse = |(scope, value): &(&str, &str)| ExtraHeader {
            scope: gix::url::parse(*scope).unwrap(),
            header: value.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())),
        };
        let headers = ExtraHeaders(of.iter().map(parse).collect());
        let pairs: Vec<_> = headers.headers_for(url).iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join(" ")
    }

    #[test]
    fn a_header_goes_to_the_urls_it_is_for() {
        for (scope, is_sent) in [
            ("https://git.example/", true),
            ("https://git.example", true),
            ("https://GIT.example:443/ida", true),
            ("https://*.example/", true),
            ("https://git.example/ida/app", true),
            ("https://git.example/id", false),
            ("https://git.example/ida/app.git", false),
            ("https://git.example:444/", false),
            ("http://git.example/", false),
            ("http://git.example:443/", false),
            ("https://example/", false),
            ("https://*.git.example/", false),
            ("https://git.example.evil/", false),
        ] {
            let found = headers(&[(scope, "A: b")], "https://git.example/ida/app/info/refs?service=x");
            assert_eq!(found, if is_sent { "A=b" } else { "" }, "{scope}");
        }
    }

    #[test]
    fn the_most_specific_scope_wins_and_nothing_takes_back_what_was_before() {
        let url = "https://git.example/ida/app/info/refs";
        let (wide, narrow) = ("https://git.example/", "https://git.example/ida");
        assert_eq!(headers(&[(wide, "A: 1"), (wide, "B: 2")], url), "A=1 B=2");
        assert_eq!(headers(&[(narrow, "A: 1"), (wide, "B: 2")], url), "A=1");
        let pattern = "https://*.example/";
        assert_eq!(headers(&[(wide, "A: 1"), (pattern, "B: 2")], url), "A=1");
        assert_eq!(headers(&[(pattern, "B: 2"), (wide, "A: 1")], url), "B=2 A=1");
        assert_eq!(headers(&[(wide, "A: 1"), (narrow, ""), (narrow, "B: 2")], url), "B=2");
    }
}
