//! The credential, where it comes from and how it is sent.

use super::{base_url::BaseUrl, url::Url};
use crate::{
    api::operation::{Fields, Secret, secret},
    model::{AuthScheme, CiVariables, Problem},
};

/// A token, how it is sent and where it comes from; or no token.
#[derive(Clone, Debug, Default)]
pub struct Credential(Option<Token>);

#[derive(Clone, Debug)]
struct Token {
    secret: Secret,
    scheme: AuthScheme,
    source: String,
}

impl Credential {
    /// No token, which is sufficient for public projects.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// A token; `source` tells the user where it comes from, such as `TIDINGS_TOKEN`.
    ///
    /// # Errors
    /// If it is empty or has characters that no token has.
    pub fn new(token: &str, scheme: AuthScheme, source: impl Into<String>) -> Result<Self, Problem> {
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
    ///
    /// # Errors
    /// If that token has characters that no token has.
    pub fn from_environment(lookup: &dyn Fn(&str) -> Option<String>, server: &BaseUrl) -> Result<Self, Problem> {
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

    /// Sets how the token is sent.
    #[must_use]
    pub fn with_scheme(self, scheme: AuthScheme) -> Self {
        Self(self.0.map(|token| Token { scheme, ..token }))
    }

    /// Whether there is a token.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether it is the token of a CI job, which has access to few endpoints.
    #[must_use]
    pub fn is_job_token(&self) -> bool {
        self.0.as_ref().is_some_and(|token| token.scheme == AuthScheme::JobToken)
    }

    /// Where the token comes from.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.0.as_ref().map(|token| token.source.as_str())
    }

    /// The user and password with which git uses the token over HTTPS. Only the token of a job needs a certain user.
    #[must_use]
    pub fn git_credential(&self) -> Option<(&'static str, String)> {
        let token = self.0.as_ref()?;
        let user = if self.is_job_token() { "gitlab-ci-token" } else { "oauth2" };
        Some((user, token.secret.expose().to_owned()))
    }

    /// The token, to be masked in texts.
    pub(in crate::api) fn secret(&self) -> Option<&Secret> {
        self.0.as_ref().map(|token| &token.secret)
    }

    /// The name of the token's header, and what precedes the token in its value.
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
    let is_it = |base: BaseUrl| base.url().same_origin(server.url());
    address.is_none_or(|address| BaseUrl::parse(&address, server.forge()).is_ok_and(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Forge;

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
    }

    #[test]
    fn a_token_with_a_line_break_is_refused_without_being_shown() {
        let problem = Credential::new("hunter2\r\nX: y", AuthScheme::Bearer, "token file").unwrap_err();
        assert!(!format!("{problem:?}").contains("hunter2"));
        assert!(!format!("{:?}", Credential::new("hunter2", AuthScheme::Bearer, "x").unwrap()).contains("hunter2"));
    }

    #[test]
    fn a_token_in_the_query_is_there_once() {
        let credential = Credential::new("a/b", AuthScheme::Query, "x").unwrap();
        let url = credential.add_to_url(&Url::parse("https://h/p?x=1&private_token=old").unwrap());
        assert_eq!(url.target(), "/p?x=1&private_token=a%2Fb");
        assert_eq!(url.to_string(), "https://h/p?x=1&private_token=[masked]");
    }
}
