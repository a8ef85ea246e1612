//! The address of a server, and the credential for it: its source, and how it is sent.

use std::fmt;

use super::{
    operation::{ApiHost, Fields, Path, Secret, secret},
    url::Url,
};
use crate::model::{AuthScheme, CiVariables, Forge, Problem};

/// The address of a server, which determines the address of its API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseUrl {
    url: Url,
    forge: Forge,
}

impl BaseUrl {
    /// Parses a host name (for https) or a URL of a server of this forge, or the address of its API: `git.example.com`,
    /// `https://git.example.com/api/v4`, `https://api.github.com`.
    ///
    /// # Errors
    /// If the text is not the address of a server.
    pub(crate) fn parse(text: &str, forge: Forge) -> Result<Self, Problem> {
        let api = forge.api();
        let url = read(text, api.root)?;
        let host = url.host().strip_prefix("api.").filter(|host| api.is_cloud(host)).map(str::to_owned);
        let url = host.map_or_else(|| url.clone(), |host| url.with_host(host));
        Ok(Self { url, forge })
    }

    /// Returns the URL of a request. Its host depends on this address alone, never on a response.
    pub(in crate::api) fn call(&self, site: ApiHost, path: &Path, query: &Fields) -> Url {
        let mark = if query.is_empty() { "" } else { "?" };
        let (url, root) = self.root(site);
        url.with_target(format!("{}{root}{}{mark}{}", url.target(), path.as_str(), query.encode()))
    }

    fn root(&self, site: ApiHost) -> (Url, &'static str) {
        let api = self.forge.api();
        let (subdomain, root) = match site {
            ApiHost::Api => ("api", api.root),
            ApiHost::Uploads => ("uploads", api.uploads_root),
            ApiHost::GraphQl => ("api", "/api"),
            ApiHost::Pages => return (self.url.clone(), ""),
        };
        if api.is_cloud(self.url.host()) {
            return (self.url.with_host(format!("{subdomain}.{}", self.url.host())), "");
        }
        (self.url.clone(), root)
    }

    /// Returns the address as it was given, without the path of the API.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn forge(&self) -> Forge {
        self.forge
    }
}

/// Parses the URL that the path of the API follows; the text may end with that path.
fn read(text: &str, api: &str) -> Result<Url, Problem> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(whole.trim()).map_err(|why| refuse(text, why))?;
    if !url.query().is_empty() {
        return Err(refuse(text, "it has a query"));
    }
    let path = url.path().trim_end_matches('/');
    let root = path.strip_suffix(api).unwrap_or(path).trim_end_matches('/').to_owned();
    Ok(url.with_target(root))
}

fn refuse(text: &str, why: &str) -> Problem {
    // A URL with a password in it is refused, so the message omits what may be one.
    let shown = text.rsplit('@').next().unwrap_or_default();
    Problem::usage(format!("`{shown}` is not the address of a server: {why}"))
        .hint("give a host name or a URL, such as https://gitlab.example.com")
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(out)
    }
}

/// A token with its auth scheme and source, or no token.
#[derive(Clone, Debug, Default)]
pub(crate) struct Credential(Option<Token>);

#[derive(Clone, Debug)]
struct Token {
    secret: Secret,
    scheme: AuthScheme,
    source: String,
}

impl Credential {
    /// Creates a credential without a token, which is sufficient for public projects.
    #[must_use]
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Creates a credential with a token; `source` is where it comes from, such as `TIDINGS_TOKEN`, for messages.
    ///
    /// # Errors
    /// If the token is empty or has characters that no token has.
    pub(crate) fn new(token: &str, scheme: AuthScheme, source: impl Into<String>) -> Result<Self, Problem> {
        let (token, source) = (token.trim(), source.into());
        if token.is_empty() {
            return Err(Problem::usage(format!("the token from `{source}` is empty")));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Problem::usage(format!("the token from `{source}` has characters that no token has"))
                .hint("use one line of ASCII letters, digits and punctuation"));
        }
        Ok(Self(Some(Token { secret: Secret::new(token), scheme, source })))
    }

    /// Returns the first token of the environment. The token of a job is used only for the server that runs the job
    /// (`CI_API_V4_URL`, `GITHUB_API_URL`); outside of a job, `GITHUB_TOKEN` is used only for github.com.
    pub(crate) fn from_environment(lookup: &dyn Fn(&str) -> Option<String>, server: &BaseUrl) -> Result<Self, Problem> {
        let given = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let api = server.forge().api();
        for variable in api.token_variables {
            let Some(token) = given(variable.name) else { continue };
            if !variable.is_of_job || runs_job(server, &api.ci, &given) {
                return Self::new(&token, variable.scheme, variable.name);
            }
        }
        Ok(Self::none())
    }

    pub(crate) fn with_scheme(self, scheme: AuthScheme) -> Self {
        Self(self.0.map(|token| Token { scheme, ..token }))
    }

    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the token is that of a CI job, which has access to few endpoints.
    pub(crate) fn is_job_token(&self) -> bool {
        self.0.as_ref().is_some_and(|token| token.scheme == AuthScheme::JobToken)
    }

    /// Returns where the token comes from; `None` without a token.
    pub(crate) fn source(&self) -> Option<&str> {
        self.0.as_ref().map(|token| token.source.as_str())
    }

    /// Returns the token as user and password for git over HTTPS. Only the token of a job needs a certain user.
    pub(crate) fn git_credential(&self, forge: Forge) -> Option<(&'static str, String)> {
        let token = self.0.as_ref()?;
        let user = if self.is_job_token() { forge.api().job_token_user } else { forge.api().token_user };
        Some((user, token.secret.expose().to_owned()))
    }

    /// Returns the token, to mask it in texts.
    pub(in crate::api) fn secret(&self) -> Option<&Secret> {
        self.0.as_ref().map(|token| &token.secret)
    }

    /// Returns the name of the token's header, and the text before the token in its value; `None` if the query has it.
    pub(in crate::api) fn header(&self) -> Option<(&'static str, &'static str, &Secret)> {
        let token = self.0.as_ref()?;
        let (name, prefix) = match token.scheme {
            AuthScheme::PrivateToken => ("PRIVATE-TOKEN", ""),
            AuthScheme::Bearer => ("Authorization", "Bearer "),
            AuthScheme::JobToken => ("JOB-TOKEN", ""),
            AuthScheme::Query => return None,
        };
        Some((name, prefix, &token.secret))
    }

    /// Adds the token to the query of a URL if it is sent that way.
    pub(in crate::api) fn add_to_url(&self, url: &Url) -> Url {
        let Some(token) = self.0.as_ref().filter(|token| token.scheme == AuthScheme::Query) else { return url.clone() };
        let query = Fields::new().add("private_token", token.secret.expose()).encode();
        let target = secret::strip_query(url.target());
        let mark = if target.contains('?') { '&' } else { '?' };
        url.with_target(format!("{target}{mark}{query}"))
    }
}

/// Whether this server runs the CI job; outside of a job, whether it could.
fn runs_job(server: &BaseUrl, ci: &CiVariables, given: &dyn Fn(&str) -> Option<String>) -> bool {
    let address = given(ci.api_url).or_else(|| ci.default_api_url.map(str::to_owned));
    address.is_none_or(|address| {
        BaseUrl::parse(&address, server.forge()).is_ok_and(|base| base.url().same_origin(server.url()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_urls_and_api_roots_mean_the_same_server() {
        for text in [
            "git.example.org",
            "https://git.example.org",
            "https://git.example.org/api/v4/",
            "https://GIT.example.org:443",
        ] {
            let url = BaseUrl::parse(text, Forge::GitLab).unwrap().call(
                ApiHost::Api,
                &Path::new("/features", &[]),
                &Fields::new(),
            );
            assert_eq!(url.to_string(), "https://git.example.org/api/v4/features", "{text}");
        }
        let nested = BaseUrl::parse("http://localhost:8080/git/", Forge::GitLab).unwrap();
        let url = nested.call(ApiHost::Api, &Path::new("/features", &[]), &Fields::new().add("page", &2));
        assert_eq!(url.to_string(), "http://localhost:8080/git/api/v4/features?page=2");
        assert_eq!(nested.to_string(), "http://localhost:8080/git");
    }

    #[test]
    fn github_has_other_hosts_and_an_enterprise_other_paths() {
        for (text, api, uploads) in [
            ("github.com", "https://api.github.com", "https://uploads.github.com"),
            ("https://api.github.com/", "https://api.github.com", "https://uploads.github.com"),
            ("https://api.harbor.ghe.com", "https://api.harbor.ghe.com", "https://uploads.harbor.ghe.com"),
            ("https://git.example.org/api/v3", "https://git.example.org/api/v3", "https://git.example.org/api/uploads"),
            ("http://localhost:1", "http://localhost:1/api/v3", "http://localhost:1/api/uploads"),
            (
                "https://api.github.com.evil.example",
                "https://api.github.com.evil.example/api/v3",
                "https://api.github.com.evil.example/api/uploads",
            ),
        ] {
            let base = BaseUrl::parse(text, Forge::GitHub).unwrap();
            let at = |site| base.call(site, &Path::new("/x", &[]), &Fields::new()).to_string();
            assert_eq!(
                (at(ApiHost::Api), at(ApiHost::Uploads)),
                (format!("{api}/x"), format!("{uploads}/x")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_password_is_neither_taken_nor_shown() {
        let problem = BaseUrl::parse("https://user:hunter2@git.example.org", Forge::GitLab).unwrap_err();
        assert!(!format!("{problem} {problem:?}").contains("hunter2"), "{problem}");
        assert!(problem.to_string().ends_with("it must not have a user name or password"), "{problem}");
    }

    fn at(variables: &[(&str, &str)], server: &BaseUrl) -> Credential {
        let lookup = |name: &str| variables.iter().find(|(present, _)| *present == name).map(|(_, v)| (*v).to_owned());
        Credential::from_environment(&lookup, server).unwrap()
    }

    fn found(variables: &[(&str, &str)], server: &str) -> Credential {
        at(variables, &BaseUrl::parse(server, Forge::GitLab).unwrap())
    }

    #[test]
    fn the_source_of_a_token_decides_how_it_is_sent() {
        let all = [("CI_JOB_TOKEN", "j"), ("GITLAB_TOKEN", "g"), ("TIDINGS_TOKEN", "t")];
        assert_eq!(found(&all, "https://h").source(), Some("TIDINGS_TOKEN"));
        assert_eq!(found(&all[..2], "https://h").header().unwrap().0, "PRIVATE-TOKEN");
        assert_eq!(found(&all[..1], "https://h").header().unwrap().0, "JOB-TOKEN");
        assert!(!found(&[("TIDINGS_TOKEN", "")], "https://h").is_some());
    }

    #[test]
    fn a_job_token_goes_only_to_the_server_of_the_job() {
        let job = [("CI_JOB_TOKEN", "j"), ("CI_API_V4_URL", "https://git.example.org/api/v4")];
        assert!(found(&job, "https://git.example.org").is_some());
        assert!(!found(&job, "https://other.example.org").is_some());
        assert!(!found(&job, "http://git.example.org").is_some());
    }

    #[test]
    fn each_forge_has_its_own_variables() {
        let all = [("GITLAB_TOKEN", "l"), ("GITHUB_TOKEN", "h")];
        let github = |text: &str| BaseUrl::parse(text, Forge::GitHub).unwrap();
        assert_eq!(at(&all, &github("github.com")).header().unwrap().0, "Authorization");
        assert_eq!(at(&all, &github("https://api.github.com")).source(), Some("GITHUB_TOKEN"));
        assert!(!at(&all, &github("git.example.org")).is_some(), "it is meant for github.com");
        let job = [("GITHUB_TOKEN", "h"), ("GITHUB_API_URL", "https://git.example.org/api/v3")];
        assert!(at(&job, &github("git.example.org")).is_some());
        assert!(!at(&job, &github("github.com")).is_some());
        assert_eq!(found(&all, "https://github.com").source(), Some("GITLAB_TOKEN"));
        let gitea = |text: &str| BaseUrl::parse(text, Forge::Gitea).unwrap();
        let set = [("GITEA_TOKEN", "g"), ("GITHUB_API_URL", "https://git.example.org/api/v1")];
        assert_eq!(at(&set, &gitea("git.example.org")).source(), Some("GITEA_TOKEN"));
        assert!(!at(&set, &gitea("codeberg.org")).is_some(), "it is meant for the server of the job");
    }

    #[test]
    fn git_gets_a_token_with_the_user_of_its_kind() {
        let token = |scheme| Credential::new("t", AuthScheme::PrivateToken, "x").unwrap().with_scheme(scheme);
        for (scheme, forge, user) in [
            (AuthScheme::PrivateToken, Forge::GitLab, "oauth2"),
            (AuthScheme::JobToken, Forge::GitLab, "gitlab-ci-token"),
            (AuthScheme::JobToken, Forge::GitHub, "x-access-token"),
        ] {
            assert_eq!(token(scheme).git_credential(forge), Some((user, "t".to_owned())), "{scheme:?}, {forge:?}");
        }
        assert_eq!(Credential::none().git_credential(Forge::GitLab), None);
        assert_eq!(token(AuthScheme::Bearer).header().unwrap().0, "Authorization");
    }

    #[test]
    fn a_token_in_the_query_is_there_once() {
        let credential = Credential::new("a/b", AuthScheme::Query, "x").unwrap();
        let url = credential.add_to_url(&Url::parse("https://h/p?x=1&private_token=old").unwrap());
        assert_eq!(url.target(), "/p?x=1&private_token=a%2Fb");
        assert_eq!(url.to_string(), "https://h/p?x=1&private_token=[masked]");
    }
}
