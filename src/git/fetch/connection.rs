//! The connection to a server: the transport for a URL, and the handshake with git at its other end.

use std::{
    cell::Cell,
    io,
    net::{Shutdown, TcpStream, ToSocketAddrs as _},
    panic::{self, AssertUnwindSafe},
    rc::Rc,
    time::Duration,
};

use anyhow::{Context as _, Result, anyhow};
use gix::{
    credentials::helper::Action,
    progress::Discard,
    protocol::{
        self, Handshake,
        transport::{
            Protocol, Service,
            client::{
                blocking_io::{Transport, connect, http::Transport as HttpTransport},
                git::{ConnectMode, blocking_io::Connection as GitConnection},
            },
        },
    },
    remote::Direction,
    url::Scheme,
};

use super::{
    credential::{self, CredentialSource},
    extra_headers::ExtraHeaders,
    http::Adapter,
    options::Options,
    paced::{Failure, Pace, PacedReader},
    ssh::{self, SshMessages},
    url::RepoUrl,
};
use crate::model::Problem;

/// The port of `git daemon` (git-daemon(1)).
const DAEMON_PORT: u16 = 9418;
/// How long connecting may take if no timeout is set.
const CONNECT: Duration = Duration::from_secs(30);

pub(super) struct RemoteEndpoint {
    pub(super) url: RepoUrl,
    pub(super) options: Options,
    /// A repository through which the user's git configuration is read.
    pub(super) settings: gix::Repository,
    failure: Failure,
    extra: Rc<ExtraHeaders>,
    ssh: SshMessages,
    /// The credentials that were sent, if any.
    sent: Cell<Option<CredentialSource>>,
}

/// A transport after the handshake.
pub(super) struct Connection {
    pub(super) transport: Box<dyn Transport>,
    pub(super) handshake: Handshake,
    /// The time limit for the server's responses.
    pub(super) pace: Rc<Pace>,
}

impl RemoteEndpoint {
    pub(super) fn new(url: &RepoUrl, options: Options, settings: &gix::Repository) -> Self {
        let sent = Cell::new(url.gix().password().map(|_| CredentialSource::Url));
        let extra = Rc::new(ExtraHeaders::load(settings, url));
        let (ssh, failure) = (SshMessages::new(options.observer.clone()), Failure::default());
        Self { url: url.clone(), options, settings: settings.clone(), failure, extra, ssh, sent }
    }

    /// Connects and performs the handshake, with credentials if the server asks for them.
    pub(super) fn connect(&self) -> Result<Connection> {
        let is_authorized = self.extra.authorizes(&self.url.gix().to_bstring().to_string());
        credential::check(&self.url, is_authorized)?;
        let pace = Pace::new(self.options.timeout, self.options.max_response);
        let mut transport = self.open(&pace)?;
        let login = |action| {
            if is_authorized {
                self.sent.set(Some(CredentialSource::Configuration));
                return Ok(None);
            }
            let (is_get, given) = (matches!(action, Action::Get(_)), self.options.login.as_ref());
            let found = credential::authenticate(&self.settings, &self.url, given, action)?;
            if is_get && found.is_some() && (given.is_some() || self.sent.get().is_none()) {
                self.sent.set(Some(given.map_or(CredentialSource::Helper, |_| CredentialSource::Token)));
            }
            Ok(found)
        };
        self.contain(|| {
            let result = protocol::handshake(&mut transport, Service::UploadPack, login, Vec::new(), &mut Discard);
            let handshake = result.map_err(|error| self.explain(error))?;
            Ok(Connection { transport, handshake, pace })
        })
    }

    /// Runs `read`, which reads a response, and turns a panic into an error: gix panics over some invalid ones.
    pub(super) fn contain<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        panic::catch_unwind(AssertUnwindSafe(read))
            .unwrap_or_else(|_| Err(Problem::new(format!("`{}` sends an invalid response", self.url)).into()))
    }

    fn open(&self, pace: &Rc<Pace>) -> Result<Box<dyn Transport>> {
        let remote = self.settings.remote_at(self.url.gix().clone())?;
        let target = remote.sanitized_url_and_version(Direction::Fetch);
        let (url, version) = target.map_err(|error| self.explain_missing_target(error))?;
        let http = self.options.http.as_ref().filter(|_| matches!(url.scheme, Scheme::Http | Scheme::Https));
        if let Some(client) = http {
            let adapter = Adapter::new(Rc::clone(client), Rc::clone(&self.failure), &self.extra, pace);
            return Ok(Box::new(HttpTransport::new_http(adapter, url, version, false)));
        }
        match url.scheme {
            Scheme::Git => {
                Ok(Box::new(self.open_daemon(&url, version, pace).with_context(|| self.unreachable_message())?))
            }
            Scheme::Ssh => {
                let options = self.settings.ssh_connect_options()?;
                let connected = ssh::connect(&url, version, &options, pace, &self.failure, self.ssh.clone())
                    .map_err(|error| self.noted_failure(error));
                Ok(Box::new(connected.with_context(|| self.unreachable_message())?))
            }
            _ => {
                let options = connect::Options { version, ..connect::Options::default() };
                Ok(connect::connect(url, options).map_err(|error| self.explain(error))?)
            }
        }
    }

    /// Connects to a `git daemon`, which has to respond in time.
    fn open_daemon(
        &self,
        url: &gix::Url,
        version: Protocol,
        pace: &Rc<Pace>,
    ) -> Result<GitConnection<PacedReader, TcpStream>> {
        let host = url.host().context("the URL names no host")?;
        let port = url.port_or_default().unwrap_or(DAEMON_PORT);
        let mut connected = Err(io::Error::from(io::ErrorKind::NotFound));
        for address in (host.trim_matches(['[', ']']), port).to_socket_addrs()? {
            connected = TcpStream::connect_timeout(&address, self.options.timeout.unwrap_or(CONNECT));
            if connected.is_ok() {
                break;
            }
        }
        let stream = connected?;
        stream.set_write_timeout(self.options.timeout)?;
        let (incoming, end) = (stream.try_clone()?, stream.try_clone()?);
        let incoming = PacedReader::new(incoming, Rc::clone(pace), Rc::clone(&self.failure), move || {
            drop(end.shutdown(Shutdown::Both));
        })?;
        let (path, host) = (url.path.clone(), Some((host, url.port)));
        Ok(GitConnection::new(incoming, stream, version, path, host, ConnectMode::Daemon, false))
    }

    /// Returns the failure that was noted earlier, since it has hints, or else `error`.
    pub(super) fn noted_failure(&self, error: impl Into<anyhow::Error>) -> anyhow::Error {
        self.failure.take().unwrap_or_else(|| error.into())
    }

    /// Returns the failure that was noted earlier, or else the given one.
    pub(super) fn noted_failure_or(&self, other: impl FnOnce() -> anyhow::Error) -> anyhow::Error {
        self.failure.take().unwrap_or_else(other)
    }

    /// Explains to the user why the handshake failed.
    fn explain(&self, error: gix::Error) -> anyhow::Error {
        let url = &self.url;
        let is_dumb = format!("{error:#}").contains("'smart' protocol");
        let wants_credentials = error.is_unauthenticated() || error.is_permission_denied();
        match self.failure.take() {
            Some(noted) => noted.context(self.unreachable_message()),
            None if url.is_ssh() && is_unexpected_end(&error) => ssh::explain(url, &self.ssh.all()).into(),
            None if wants_credentials => credential::refused_credentials(url, self.sent.get()).into(),
            None if is_dumb => Problem::new(format!("`{url}` does not support git's smart protocol"))
                .hint("check the URL, or `git clone --bare` it and give the directory to `--repo`")
                .into(),
            // The errors in between only report that something went wrong.
            None => anyhow!("{}", anyhow::Error::from(error).root_cause()).context(self.unreachable_message()),
        }
    }

    /// Explains why there is nothing to connect to: gix checks the directory of a file URL, and `protocol.*.allow`.
    fn explain_missing_target(&self, error: gix::Error) -> anyhow::Error {
        match self.url.gix().scheme {
            Scheme::File => Problem::new(format!("no git repository at `{}`", self.url)).into(),
            _ => self.explain(error),
        }
    }

    fn unreachable_message(&self) -> String {
        format!("cannot reach `{}`", self.url)
    }
}

fn is_unexpected_end(error: &gix::Error) -> bool {
    error.downcast_any_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::UnexpectedEof)
}

impl Connection {
    /// Whether the server speaks version 2 of the protocol, which allows any number of requests, for any object.
    pub(super) fn is_v2(&self) -> bool {
        self.handshake.server_protocol_version == Protocol::V2
    }

    /// Whether the server accepts no further request on this connection after a fetch.
    pub(super) fn serves_once(&self) -> bool {
        !self.is_v2() && self.keeps_state()
    }

    /// Whether one process of the server answers all requests.
    pub(super) fn keeps_state(&self) -> bool {
        self.transport.connection_persists_across_multiple_requests()
    }

    pub(super) fn object_hash(&self) -> gix::hash::Kind {
        let format = self.handshake.capabilities.capability("object-format");
        let is_sha256 = format.and_then(|format| format.value().map(|value| *value == *"sha256"));
        if is_sha256 == Some(true) { gix::hash::Kind::Sha256 } else { gix::hash::Kind::Sha1 }
    }
}
