//! The token and the certificate of a cluster: out of a file or the environment, never an argument.

use std::path::Path;

use crate::{
    commands::{
        resource::{Given, Param},
        session::input,
        session::input::variable,
    },
    model::Problem,
};

/// Where the secrets of a cluster come from.
pub(super) fn params() -> [Param; 4] {
    let token = "Read the token for the Kubernetes API from FILE; `-` is stdin";
    let certificate = "Read the CA certificate of the Kubernetes API (PEM) from FILE; `-` is stdin";
    let from_env =
        |long, help, file: &'static str| Param::option(long, "NAME", help).local().with(|arg| arg.conflicts_with(file));
    [
        Param::option("kube-token-file", "FILE", token).local(),
        from_env("kube-token-env", "Take that token from this variable of the environment", "kube-token-file"),
        Param::option("ca-cert-file", "FILE", certificate).local(),
        from_env("ca-cert-env", "Take that certificate from this variable of the environment", "ca-cert-file"),
    ]
}

/// The token that was named.
pub(super) fn token(given: &Given<'_>) -> anyhow::Result<Option<String>> {
    let Some((text, option)) = find(given, "kube-token-file", "kube-token-env")? else { return Ok(None) };
    let token = text.trim();
    if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Problem::usage(format!("what --{option} names is no token: it must be one word of ASCII")).into());
    }
    Ok(Some(token.to_owned()))
}

/// The certificate that was named.
pub(super) fn certificate(given: &Given<'_>) -> anyhow::Result<Option<String>> {
    let Some((text, option)) = find(given, "ca-cert-file", "ca-cert-env")? else { return Ok(None) };
    if !text.contains("-----BEGIN CERTIFICATE-----") || text.contains("PRIVATE KEY") {
        let problem = Problem::usage(format!("what --{option} names is no certificate"));
        return Err(problem.hint("PEM: it begins with -----BEGIN CERTIFICATE-----, and has no key in it").into());
    }
    Ok(Some(text))
}

/// The text, and the option that named it.
fn find(given: &Given<'_>, file: &'static str, env: &'static str) -> anyhow::Result<Option<(String, &'static str)>> {
    if let Some(path) = given.text(file) {
        return Ok(Some((input::read_text(Path::new(&path))?, file)));
    }
    let Some(name) = given.text(env) else { return Ok(None) };
    // Whoever mistook the option typed the secret itself: it is not repeated.
    let missing = || {
        Problem::usage(format!("the environment has no variable of the name given with --{env}"))
            .hint("it takes the name of a variable, not what is in it")
    };
    Ok(Some((variable(&name).ok_or_else(missing)?, env)))
}
