//! Which server the options and the environment name, and the token for it.

use crate::{
    api::{BaseUrl, Credential},
    commands::{
        args::{AuthArg, ServerArgs},
        session::input::{self, variable},
    },
    model::{Forge, Problem},
};

/// The token of a file, or of the environment.
pub(in crate::commands) fn credential(options: &ServerArgs, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(AuthArg::None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(
            &input::read_text(path)?,
            server.forge().api().default_auth_scheme(),
            format!("`{}`", input::name(path)),
        )?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.and_then(AuthArg::scheme) {
        Some(scheme) => found.with_scheme(scheme),
        None => found,
    })
}

/// The user and password with which git may use the token at a host: that of the server the token is for.
pub(in crate::commands) fn git_credential(
    options: &ServerArgs,
    host: &str,
) -> anyhow::Result<Option<(&'static str, String)>> {
    match base_url(options) {
        Ok(base) if base.url().host() == host => Ok(credential(options, &base)?.git_credential()),
        _ => Ok(None),
    }
}

pub(super) fn base_url(options: &ServerArgs) -> Result<BaseUrl, Problem> {
    let from_environment = || ["TIDINGS_BASE_URL", "GITLAB_HOST", "CI_API_V4_URL"].into_iter().find_map(variable);
    let missing = || {
        Problem::usage("no server given")
            .hint("name it with --base-url, or set TIDINGS_BASE_URL: https://gitlab.example.com")
    };
    BaseUrl::parse(&options.base_url.clone().or_else(from_environment).ok_or_else(missing)?, Forge::GitLab)
}
