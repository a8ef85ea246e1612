//! The token: out of a file, or the environment.

use super::{ServerOptions, options::Auth, variable};
use crate::{
    api::{BaseUrl, Credential},
    commands::session::input,
};

pub(super) fn find(options: &ServerOptions, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(Auth::None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(
            &input::read_short_text(path)?,
            server.dialect().scheme(),
            format!("`{}`", input::name(path)),
        )?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.and_then(Auth::scheme) {
        Some(scheme) => found.sent_as(scheme),
        None => found,
    })
}
