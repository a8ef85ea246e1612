//! The token: out of a file, or the environment.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

use anyhow::Context as _;

use super::{ServerOptions, options::Auth, variable};
use crate::api::{BaseUrl, Credential};

/// A token is a line, not a book.
const LARGEST_FILE: u64 = 64 << 10;

pub(super) fn find(options: &ServerOptions, server: &BaseUrl) -> anyhow::Result<Credential> {
    if options.auth == Some(Auth::None) {
        return Ok(Credential::none());
    }
    let found = match &options.token_file {
        Some(path) => Credential::new(&read(path)?, server.dialect().scheme(), format!("`{}`", path.display()))?,
        None => Credential::from_environment(&variable, server)?,
    };
    Ok(match options.auth.and_then(Auth::scheme) {
        Some(scheme) => found.sent_as(scheme),
        None => found,
    })
}

fn read(path: &Path) -> anyhow::Result<String> {
    let mut token = String::new();
    let reading = if path == Path::new("-") {
        io::stdin().take(LARGEST_FILE).read_to_string(&mut token)
    } else {
        fs::File::open(path).and_then(|file| file.take(LARGEST_FILE).read_to_string(&mut token))
    };
    reading.with_context(|| format!("cannot read the token from `{}`", path.display()))?;
    Ok(token)
}
