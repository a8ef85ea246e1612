//! The token: out of a file, or the environment.

use super::{ServerArgs, options::AuthArg, variable};
use crate::{
    api::{BaseUrl, Credential, default_auth_scheme},
    commands::session::input,
};

pub(super) fn find(options: &ServerArgs, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(AuthArg::None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(
            &input::read_text(path)?,
            default_auth_scheme(server.forge()),
            format!("`{}`", input::name(path)),
        )?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.and_then(AuthArg::scheme) {
        Some(scheme) => found.with_scheme(scheme),
        None => found,
    })
}
