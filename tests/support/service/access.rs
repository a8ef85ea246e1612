//! Who is asking, by the token.
//!
//! `ROLE-token` is somebody with that role everywhere: `admin-token`, `owner-token`, `maintainer-token`,
//! `developer-token`, `reporter-token`, `planner-token`, `guest-token`. `read-token` may only read, `job-token` is that of
//! a CI job, `app-token` that of an app; `expired-token` and `revoked-token` were good once.

use serde_json::json;

use super::{request::Request, response::Response};

/// Access levels in GitLab's order, except that `Planner` is equal to `Reporter`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Guest,
    Planner,
    Reporter,
    Developer,
    Maintainer,
    Owner,
    Admin,
}

impl Role {
    const TOKENS: [(&str, Self); 9] = [
        ("guest-token", Self::Guest),
        ("planner-token", Self::Planner),
        ("reporter-token", Self::Reporter),
        ("developer-token", Self::Developer),
        ("read-token", Self::Developer),
        ("app-token", Self::Developer),
        ("maintainer-token", Self::Maintainer),
        ("owner-token", Self::Owner),
        ("admin-token", Self::Admin),
    ];

    /// Whose token it is.
    pub fn of(token: &str) -> Option<Self> {
        Self::TOKENS.iter().find(|(known, _)| *known == token).map(|(_, role)| *role)
    }
}

/// Who may call a route at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody, where the project is public.
    Anybody,
    /// Whoever shows a token.
    User,
    /// The same, and a CI job.
    UserOrJob,
    /// The route itself sees to it.
    OwnRule,
}

enum Token<'a> {
    Personal(&'a str),
    Job(&'a str),
}

/// The role of the caller, `None` for a stranger.
pub fn admit(request: &Request, access: Access) -> Result<Option<Role>, Response> {
    let unauthorized = || Response::message(401, "401 Unauthorized");
    let invalid = |why: &str| Response::json(401, &json!({"error": "invalid_token", "error_description": why}));
    let query = |name: &str| request.query.iter().find(|(present, _)| present == name).map(|(_, value)| value.as_str());
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let personal = request.header("private-token").or(bearer).or(query("private_token")).or(query("access_token"));
    let job = request.header("job-token").or(query("job_token"));
    match personal.map(Token::Personal).or(job.map(Token::Job)) {
        // GitHub and Gitea take both words.
        _ if access == Access::OwnRule => {
            let token = request.header("authorization").and_then(|value| value.strip_prefix("token "));
            Ok(bearer.or(token).and_then(Role::of))
        }
        None if access == Access::Anybody => Ok(None),
        Some(Token::Job("job-token")) if access == Access::UserOrJob => Ok(Some(Role::Developer)),
        Some(Token::Personal("expired-token")) => {
            Err(invalid("Token is expired. You can either do re-authorization or token refresh."))
        }
        Some(Token::Personal("revoked-token")) => {
            Err(invalid("Token was revoked. You have to re-authorize from the user."))
        }
        Some(Token::Personal("read-token")) if request.method != "GET" => Err(Response::json(
            403,
            &json!({"error": "insufficient_scope", "scope": "api read_api",
                "error_description": "The request requires higher privileges than provided by the access token."}),
        )),
        Some(Token::Personal(token)) => Role::of(token).map(Some).ok_or_else(unauthorized),
        _ => Err(unauthorized()),
    }
}
