//! The token and the certificate of a cluster: out of a file or the environment, never an argument.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::{
    api::Secret,
    commands::{server::variable, session::input},
    model::Problem,
};

/// Where the secrets of a cluster come from.
#[derive(Args, Debug)]
pub(super) struct SecretArgs {
    /// Read the token for the Kubernetes API from FILE; `-` is stdin.
    #[arg(long, value_name = "FILE")]
    kube_token_file: Option<PathBuf>,
    /// Take that token from this variable of the environment.
    #[arg(long, value_name = "NAME", conflicts_with = "kube_token_file")]
    kube_token_env: Option<String>,
    /// Read the CA certificate of the Kubernetes API (PEM) from FILE; `-` is stdin.
    #[arg(long, value_name = "FILE")]
    ca_cert_file: Option<PathBuf>,
    /// Take that certificate from this variable of the environment.
    #[arg(long, value_name = "NAME", conflicts_with = "ca_cert_file")]
    ca_cert_env: Option<String>,
}

impl SecretArgs {
    /// The token that was named.
    pub(super) fn token(&self) -> anyhow::Result<Option<Secret>> {
        let found = find("--kube-token", self.kube_token_file.as_deref(), self.kube_token_env.as_deref())?;
        let Some((text, option)) = found else { return Ok(None) };
        let token = text.trim();
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Problem::usage(format!("what {option} names is no token: it must be one word of ASCII")).into());
        }
        Ok(Some(Secret::new(token)))
    }

    /// The certificate that was named.
    pub(super) fn certificate(&self) -> anyhow::Result<Option<Secret>> {
        let found = find("--ca-cert", self.ca_cert_file.as_deref(), self.ca_cert_env.as_deref())?;
        let Some((text, option)) = found else { return Ok(None) };
        if !text.contains("-----BEGIN CERTIFICATE-----") || text.contains("PRIVATE KEY") {
            let problem = Problem::usage(format!("what {option} names is no certificate"));
            return Err(problem.hint("PEM: it begins with -----BEGIN CERTIFICATE-----, and has no key in it").into());
        }
        Ok(Some(Secret::new(text)))
    }
}

/// The text, and the option that named it.
fn find(option: &str, file: Option<&Path>, name: Option<&str>) -> anyhow::Result<Option<(String, String)>> {
    if let Some(file) = file {
        return Ok(Some((input::read_text(file)?, format!("{option}-file"))));
    }
    let Some(name) = name else { return Ok(None) };
    // Whoever mistook the option typed the secret itself: it is not repeated.
    let missing = || {
        Problem::usage(format!("the environment has no variable of the name given with {option}-env"))
            .hint("it takes the name of a variable, not what is in it")
    };
    Ok(Some((variable(name).ok_or_else(missing)?, format!("{option}-env"))))
}
