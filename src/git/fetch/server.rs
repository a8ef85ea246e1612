//! A server: its features, its references, and fetches from it (gitprotocol-v2(5), or older versions if it does not
//! speak that one).

use std::path::Path;

use anyhow::{Context as _, Result};
use gix::{
    bstr::BString,
    protocol::{
        self, Command,
        handshake::{Ref, refs::from_v2_refs},
        transport::{Protocol, client::blocking_io::TransportV2Ext as _},
    },
};

use super::{
    connection::{Connection, RemoteEndpoint},
    options::{FetchEvent, FetchPhase, Options},
    request::{self, FetchRequest, FetchSummary, ObjectFilter},
    url::RepoUrl,
};
use crate::model::{Problem, Warning};

pub(super) struct RemoteServer {
    endpoint: RemoteEndpoint,
    connection: Connection,
    /// Whether the connection accepts no more requests.
    is_over: bool,
    /// Whether a request on this connection was for a number of generations.
    has_deepened: bool,
    /// The problem of a response that was late: the server is not asked again, since all of that would take as long.
    lateness: Option<Problem>,
    bytes: u64,
    /// Whether the user was warned that more was received than necessary.
    is_oversized: bool,
}

impl RemoteServer {
    /// Connects and performs the handshake. The user's git configuration is read through the repository `settings`.
    pub(super) fn connect(url: &RepoUrl, options: Options, settings: &gix::Repository) -> Result<Self> {
        let endpoint = RemoteEndpoint::new(url, options, settings);
        let connection = endpoint.connect()?;
        let (is_over, has_deepened, lateness, is_oversized) = (false, false, None, false);
        let mut server = Self { endpoint, connection, is_over, has_deepened, lateness, bytes: 0, is_oversized };
        server.count_greeting();
        Ok(server)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn object_hash(&self) -> gix::hash::Kind {
        self.connection.object_hash()
    }

    /// Whether the server speaks version 2 of the protocol, which allows any number of requests, for any object.
    pub(super) fn is_v2(&self) -> bool {
        self.connection.is_v2()
    }

    pub(super) fn can_filter(&self) -> bool {
        self.can("filter")
    }

    /// Whether the server sends a single tree or blob by its ID.
    pub(super) fn can_send_any_object(&self) -> bool {
        self.is_v2() && self.can_leave_files_out()
    }

    /// Whether the server can send all trees of a commit without blobs.
    pub(super) fn can_leave_files_out(&self) -> bool {
        self.can_filter() && self.can("shallow")
    }

    /// Warns once that more was received than necessary, and why.
    pub(super) fn warn_of_size(&mut self) {
        if std::mem::replace(&mut self.is_oversized, true) {
            return;
        }
        let url = &self.endpoint.url;
        let warning = match (self.can_filter(), self.is_v2()) {
            (false, _) => {
                Warning::new(format!("`{url}` does not support object filters, so more was fetched than needed"))
                    .hint("set `uploadpack.allowFilter=true` in the configuration of the server")
            }
            (true, true) => {
                Warning::new(format!("`{url}` cannot send single objects, so more was fetched than needed"))
            }
            (true, false) => {
                let hint = if url.is_ssh() {
                    "set `AcceptEnv GIT_PROTOCOL` in the `sshd_config` of the server"
                } else {
                    "let proxies pass the header `Git-Protocol` on to git"
                };
                Warning::new(format!(
                    "`{url}` speaks an old version of git's protocol, so more was fetched than needed"
                ))
                .hint(hint)
            }
        };
        self.endpoint.options.report(FetchEvent::Warning(&warning));
    }

    fn can(&self, feature: &str) -> bool {
        request::features(&self.connection).iter().any(|(name, _)| *name == feature)
    }

    /// Lists the references whose full names have one of these prefixes; servers of the old protocol list all at once.
    pub(super) fn references(&mut self, prefixes: &[&str]) -> Result<Vec<Ref>> {
        if let Some(references) = &self.connection.handshake.refs {
            return Ok(references.clone());
        }
        self.reconnect()?;
        let Connection { transport, handshake, pace } = &mut self.connection;
        pace.answer();
        let mut features = Command::LsRefs.default_features(Protocol::V2, &handshake.capabilities);
        features.push(request::agent());
        let arguments = prefixes.iter().map(|prefix| format!("ref-prefix {prefix}"));
        let arguments = ["symrefs", "peel"].map(str::to_owned).into_iter().chain(arguments).map(BString::from);
        let endpoint = &self.endpoint;
        let listed = endpoint.contain(|| {
            let features = features.into_iter();
            let sent = transport.invoke(Command::LsRefs.as_str(), features, Some(arguments), false);
            let mut reader = sent.map_err(|error| endpoint.noted_failure(error))?;
            request::check_error(&mut *reader)?;
            from_v2_refs(&mut *reader).map_err(|_| {
                endpoint.noted_failure_or(|| {
                    Problem::new("the server sends a list of references that cannot be read").into()
                })
            })
        });
        let listed = listed.with_context(|| format!("cannot list the references of `{}`", self.endpoint.url))?;
        self.count(FetchPhase::References, listed.iter().map(line_length).sum());
        Ok(listed)
    }

    pub(super) fn fetch(&mut self, part: FetchPhase, wanted: FetchRequest, packs: &Path) -> Result<FetchSummary> {
        let received = self.request(part, wanted, packs)?;
        let is_filtered = wanted.filter != ObjectFilter::Unfiltered;
        if is_filtered && received.objects > 0 && !self.can_filter() {
            self.warn_of_size();
        }
        if wanted.generations > 0 || !self.has_deepened || received.shallow_boundary.is_empty() {
            self.has_deepened |= wanted.generations > 0 && self.connection.keeps_state();
            return Ok(received);
        }
        // The server is a shallow clone. Within a connection it takes what it has cut off in one response for a part of
        // its own boundary in the next one, so that the history of a commit it was told about is sent all the same.
        self.end();
        self.request(part, wanted, packs)
    }

    fn request(&mut self, part: FetchPhase, wanted: FetchRequest, packs: &Path) -> Result<FetchSummary> {
        if let Some(problem) = &self.lateness {
            let late = Err(problem.clone());
            return late.with_context(|| format!("cannot fetch from `{}`", self.endpoint.url));
        }
        self.reconnect()?;
        let report = |bytes| self.endpoint.options.report(FetchEvent::Receiving { part, bytes });
        let connection = &mut self.connection;
        connection.pace.download();
        let received = self.endpoint.contain(|| request::fetch(connection, wanted, packs, &report));
        self.is_over = received.is_err() || self.connection.serves_once();
        self.lateness = self.connection.pace.lateness();
        let received = received
            .map_err(|error| self.endpoint.noted_failure(error))
            .with_context(|| format!("cannot fetch from `{}`", self.endpoint.url))?;
        self.count(part, received.bytes);
        Ok(received)
    }

    /// Connects again if necessary: servers of the old protocol respond once, and all disconnect after a refusal.
    fn reconnect(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_over) {
            self.connection = self.endpoint.connect()?;
            self.has_deepened = false;
            self.count_greeting();
        }
        Ok(())
    }

    /// Ends the connection; the next request makes a new one.
    fn end(&mut self) {
        if !std::mem::replace(&mut self.is_over, true) {
            // Without this the server may report a broken connection. If it cannot be sent, nothing is lost.
            let _ = protocol::indicate_end_of_interaction(&mut self.connection.transport, false);
        }
    }

    /// Counts the references that servers of the old protocol list at once.
    fn count_greeting(&mut self) {
        if let Some(listed) = &self.connection.handshake.refs {
            self.count(FetchPhase::References, listed.iter().map(line_length).sum());
        }
    }

    fn count(&mut self, part: FetchPhase, bytes: u64) {
        self.bytes += bytes;
        self.endpoint.options.report(FetchEvent::Received { part, bytes, total: self.bytes });
    }
}

impl Drop for RemoteServer {
    fn drop(&mut self) {
        self.end();
    }
}

/// Computes the length of a line of `ls-refs`: ID, name, and the object that a tag leads to.
fn line_length(reference: &Ref) -> u64 {
    let (name, id, peeled) = reference.unpack();
    let digits = id.map_or(0, |id| id.kind().len_in_hex());
    let peeled = peeled.map_or(0, |_| " peeled:".len() + digits);
    (4 + digits + 1 + name.len() + peeled + 1) as u64
}

#[cfg(test)]
mod tests {
    use gix::ObjectId;

    use super::*;

    #[test]
    fn a_line_is_as_long_as_the_server_sent_it() {
        let (name, tag, object) = ("refs/tags/v1.0.0", "a".repeat(40), "b".repeat(40));
        let id = |digits: &str| ObjectId::from_hex(digits.as_bytes()).unwrap();
        let annotated = Ref::Peeled { full_ref_name: name.into(), tag: id(&tag), object: id(&object) };
        assert_eq!(line_length(&annotated), format!("0000{tag} {name} peeled:{object}\n").len() as u64);
        let plain = Ref::Direct { full_ref_name: name.into(), object: id(&object) };
        assert_eq!(line_length(&plain), format!("0000{object} {name}\n").len() as u64);
    }
}
