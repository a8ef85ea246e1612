//! The credentials for a server that asks for them: those that the caller passes, or else those of git's credential
//! helpers (gitcredentials(7)).

use std::{fmt, fs::File};

use anyhow::Result;
use gix::{
    bstr::ByteSlice as _,
    credentials::{helper::Action, protocol},
    sec::identity::Account,
};

use super::RepoUrl;
use crate::model::{Problem, ProblemKind};

/// A user and a password or token, for one server.
#[derive(Clone)]
pub(crate) struct GitCredential {
    /// The only server to which they are sent: scheme, host and port, as [`RepoUrl::origin`] returns them.
    pub origin: String,
    /// The user; with a token, many hosts accept any name.
    pub user: String,
    /// The password or token.
    pub secret: String,
}

impl fmt::Debug for GitCredential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "GitCredential({} at {})", self.user, self.origin)
    }
}

/// Refuses a URL if its own password, or a header of git's configuration, would travel in clear text.
pub(super) fn check(url: &RepoUrl, has_header: bool) -> Result<()> {
    let is_secret = has_header || url.gix().password().is_some();
    if url.is_cleartext() && is_secret { Err(in_clear_text(url).into()) } else { Ok(()) }
}

/// Gets, stores or erases credentials, as the handshake requires. The server may have redirected to another host than
/// that of `url`; then the action names that host.
pub(super) fn authenticate(
    settings: &gix::Repository,
    url: &RepoUrl,
    login: Option<&GitCredential>,
    action: Action,
) -> gix::error::Result<Option<protocol::Outcome>> {
    let Action::Get(context) = &action else {
        return if login.is_some() { Ok(None) } else { ask_helpers(settings, url, action) };
    };
    let asking = context.url.as_ref().and_then(|url| gix::url::parse(url.as_bstr()).ok()).map(RepoUrl::from);
    let asking = asking.as_ref().unwrap_or(url);
    match login {
        // ssh uses keys, and asks for passwords itself.
        _ if asking.is_ssh() => Ok(None),
        _ if asking.is_cleartext() => Err(gix::Error::from_error(in_clear_text(asking))),
        Some(login) if asking.origin().as_ref() == Some(&login.origin) => Ok(Some(outcome(login, context))),
        _ => ask_helpers(settings, url, action),
    }
}

fn outcome(login: &GitCredential, context: &protocol::Context) -> protocol::Outcome {
    let identity = Account { username: login.user.clone(), password: login.secret.clone(), oauth_refresh_token: None };
    protocol::Outcome { identity, next: context.clone().into() }
}

fn ask_helpers(
    settings: &gix::Repository,
    url: &RepoUrl,
    action: Action,
) -> gix::error::Result<Option<protocol::Outcome>> {
    let (mut helpers, _, mut prompt) = settings.config_snapshot().credential_helpers(url.gix().clone())?;
    if prompt.askpass.is_none() && !has_terminal() {
        // Nobody can answer: without this, the missing terminal would be the error.
        prompt.mode = gix::prompt::Mode::Disable;
    }
    helpers.invoke(action, prompt)
}

/// Whether the program can ask its user. Windows has a console for that.
fn has_terminal() -> bool {
    !cfg!(unix) || File::options().read(true).write(true).open("/dev/tty").is_ok()
}

fn in_clear_text(url: &RepoUrl) -> Problem {
    Problem::new(format!("`{url}` requires credentials, which would be sent unencrypted"))
        .kind(ProblemKind::AccessDenied)
        .hint("use an https URL")
}

/// The origin of the credentials that were sent.
#[derive(Clone, Copy, Debug)]
pub(super) enum CredentialSource {
    Url,
    Token,
    Helper,
    Configuration,
}

/// Returns the error for a server that refused the credentials, or requires some.
pub(super) fn refused_credentials(url: &RepoUrl, sent: Option<CredentialSource>) -> Problem {
    let (what, hint) = match sent {
        None => (
            "requires credentials",
            "set up a git credential helper for this host, or give `--base-url` and a token in `TIDINGS_TOKEN`",
        ),
        Some(CredentialSource::Url) => {
            ("refused the user and password of the URL", "check them, and whether they expired")
        }
        Some(CredentialSource::Token) => (
            "refused the token",
            "check that it has not expired, may read repositories (`read_repository`, `contents: read`) and belongs to this host",
        ),
        Some(CredentialSource::Configuration) => (
            "refused the `http.extraHeader` of git's configuration",
            "check whether it expired; `git config --show-origin --get-regexp extraheader` shows where it is set",
        ),
        Some(CredentialSource::Helper) => {
            ("refused the credentials of git's helper", "log in again, or forget them with `git credential reject`")
        }
    };
    Problem::new(format!("`{url}` {what}")).kind(ProblemKind::AccessDenied).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interrupt::TemporaryDirectory;

    fn url(text: &str) -> RepoUrl {
        RepoUrl::parse(text).unwrap().expect("it is a URL")
    }

    fn login(origin: &str) -> GitCredential {
        GitCredential { origin: origin.to_owned(), user: "ida".to_owned(), secret: "s3cret".to_owned() }
    }

    #[test]
    fn neither_a_password_nor_a_header_travels_in_clear_text() {
        for (address, has_header, is_allowed) in [
            ("https://ida:s3cret@h.example/r", true, true),
            ("http://h.example/r", false, true),
            ("http://h.example/r", true, false),
            ("http://ida:s3cret@h.example/r", false, false),
        ] {
            assert_eq!(check(&url(address), has_header).is_ok(), is_allowed, "{address}, {has_header}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_is_kept_from_helpers_ssh_and_clear_text() {
        let directory = TemporaryDirectory::new().unwrap();
        let asked = directory.path().join("asked");
        gix::init_bare(directory.path().join("r")).unwrap();
        let config = directory.path().join("r").join("config");
        let answers = "echo username=mia; echo password=of-helper";
        let helper = format!("[credential]\n\thelper = \"!f() {{ echo $1 >>{}; {answers}; }}; f\"\n", asked.display());
        std::fs::write(&config, std::fs::read_to_string(&config).unwrap() + &helper).unwrap();
        let settings = gix::open(directory.path().join("r")).unwrap();
        let answer =
            |address: &str, action| authenticate(&settings, &url(address), Some(&login("https://h.example")), action);
        let get = |address: &str| Action::get_for_url(address);
        let found = answer("https://h.example/r", get("https://h.example/r")).unwrap().expect("its own server gets it");
        assert_eq!(found.identity.password, "s3cret");
        let kept = answer("https://h.example/r", Action::Store("password=s3cret\n".into()));
        assert!(kept.unwrap().is_none() && !asked.exists(), "no helper stores it");
        assert!(answer("ssh://h.example/r", get("ssh://h.example/r")).unwrap().is_none());
        assert!(!asked.exists(), "ssh asks for itself");
        let clear = authenticate(
            &settings,
            &url("http://h.example/r"),
            Some(&login("http://h.example")),
            get("http://h.example/r"),
        );
        assert!(clear.is_err() && !asked.exists());
        let other =
            answer("https://h.example/r", get("https://other.example/r")).unwrap().expect("git's helper has one");
        assert_eq!(other.identity.password, "of-helper", "another server does not get the token");
    }

    #[test]
    fn a_credential_is_printed_without_its_secret() {
        assert_eq!(format!("{:?}", login("https://h.example")), "GitCredential(ida at https://h.example)");
    }
}
