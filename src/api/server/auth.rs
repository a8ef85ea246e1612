//! Who is asking: the credential, where it came from and how it is sent.

use super::{
    base_url::BaseUrl,
    forge::{AuthScheme, token_variables},
    url::Url,
};
use crate::{
    api::operation::{Fields, Secret, secret},
    model::Problem,
};

/// A token with how it is sent and where it came from, or none.
#[derive(Clone, Debug, Default)]
pub struct Credential(Option<Token>);

#[derive(Clone, Debug)]
struct Token {
    secret: Secret,
    scheme: AuthScheme,
    source: String,
}

impl Credential {
    /// Nobody in particular: enough for public repositories.
    #[must_use]
    pub fn none() -> Self {
        Self(None)
    }

    /// A token; `source` names for people where it came from, such as `TIDINGS_TOKEN`.
    ///
    /// # Errors
    ///
    /// Where it is empty or has characters no token has.
    pub fn new(token: &str, scheme: AuthScheme, source: impl Into<String>) -> Result<Self, Problem> {
        let (token, source) = (token.trim(), source.into());
        if token.is_empty() {
            return Err(Problem::usage(format!("the token from `{source}` is empty")));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Problem::usage(format!("the token from `{source}` has characters no token has"))
                .hint("it must be one line of letters, digits and signs"));
        }
        Ok(Self(Some(Token { secret: Secret::new(token), scheme, source })))
    }

    /// The first token the environment has. A job's token is meant for the server that runs the job (`CI_API_V4_URL`,
    /// `GITHUB_API_URL`; outside of a job `GITHUB_TOKEN` is meant for github.com), and is passed over for any other.
    ///
    /// # Errors
    ///
    /// Where that token cannot be one.
    pub fn from_environment(lookup: &dyn Fn(&str) -> Option<String>, server: &BaseUrl) -> Result<Self, Problem> {
        for &(name, scheme) in token_variables(server.forge()) {
            let Some(token) = lookup(name).filter(|token| !token.trim().is_empty()) else { continue };
            if !is_meant_for(name, lookup, server) {
                continue;
            }
            return Self::new(&token, scheme, name);
        }
        Ok(Self::none())
    }

    /// The same token, sent another way.
    #[must_use]
    pub fn with_scheme(self, scheme: AuthScheme) -> Self {
        Self(self.0.map(|token| Token { scheme, ..token }))
    }

    /// Whether there is a token.
    #[must_use]
    pub fn is_some(&self) -> bool {
        self.0.is_some()
    }

    /// Whether it is the token of a CI job, which few operations take.
    #[must_use]
    pub fn is_job_token(&self) -> bool {
        self.0.as_ref().is_some_and(|token| token.scheme == AuthScheme::JobToken)
    }

    /// Where the token came from.
    #[must_use]
    pub fn source(&self) -> Option<&str> {
        self.0.as_ref().map(|token| token.source.as_str())
    }

    /// The user and the password that git sends over https to use the token; hosts take any user beside a token but that
    /// of a job.
    #[must_use]
    pub fn git_credential(&self) -> Option<(&'static str, String)> {
        let token = self.0.as_ref()?;
        let user = if self.is_job_token() { "gitlab-ci-token" } else { "oauth2" };
        Some((user, token.secret.expose().to_owned()))
    }

    /// The token, to be masked wherever it shows up.
    pub(in crate::api) fn secret(&self) -> Option<&Secret> {
        self.0.as_ref().map(|token| &token.secret)
    }

    /// The header that carries the token, and its value in front of it.
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

    /// The URL with the token in its query, where it is sent that way.
    pub(in crate::api) fn add_to_url(&self, url: &Url) -> Url {
        let Some(token) = self.0.as_ref().filter(|token| token.scheme == AuthScheme::Query) else { return url.clone() };
        let query = Fields::new().add("private_token", token.secret.expose()).encode();
        let target = secret::strip_query(url.target());
        let mark = if target.contains('?') { '&' } else { '?' };
        url.with_target(format!("{target}{mark}{query}"))
    }
}

/// Whether the token of a variable may go to this server.
fn is_meant_for(name: &str, lookup: &dyn Fn(&str) -> Option<String>, server: &BaseUrl) -> bool {
    let said = |name: &str| lookup(name).filter(|url| !url.trim().is_empty());
    match name {
        "CI_JOB_TOKEN" => {
            said("CI_API_V4_URL").is_none_or(|url| Url::parse(&url).is_ok_and(|url| url.same_origin(server.url())))
        }
        "GITHUB_TOKEN" => {
            let home = said("GITHUB_API_URL").unwrap_or_else(|| "https://api.github.com".to_owned());
            BaseUrl::github(&home).is_ok_and(|home| home.url().same_origin(server.url()))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(variables: &[(&str, &str)], server: &BaseUrl) -> Credential {
        let lookup = |name: &str| variables.iter().find(|(present, _)| *present == name).map(|(_, v)| (*v).to_owned());
        Credential::from_environment(&lookup, server).unwrap()
    }

    fn found(variables: &[(&str, &str)], server: &str) -> Credential {
        at(variables, &BaseUrl::parse(server).unwrap())
    }

    #[test]
    fn the_kind_follows_from_where_the_token_came() {
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
    fn each_family_of_services_has_its_own_variables() {
        let all = [("GITLAB_TOKEN", "l"), ("GITHUB_TOKEN", "h")];
        let github = |text: &str| BaseUrl::github(text).unwrap();
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
    fn a_token_in_the_query_stands_there_once() {
        let credential = Credential::new("a/b", AuthScheme::Query, "x").unwrap();
        let url = credential.add_to_url(&Url::parse("https://h/p?x=1&private_token=old").unwrap());
        assert_eq!(url.target(), "/p?x=1&private_token=a%2Fb");
        assert_eq!(url.to_string(), "https://h/p?x=1&private_token=[masked]");
    }
}
