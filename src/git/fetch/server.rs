//! The other side: what it offers, its references, and packs of what it is asked for (gitprotocol-v2(5), and the older
//! versions where it knows no better).

use std::{cell::RefCell, io, path::Path, rc::Rc};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    progress::Discard,
    protocol::{
        self, LsRefsCommand,
        fetch::{Response, response::ShallowUpdate},
        handshake::Ref,
        ls_refs::RefPrefixes,
    },
};

use super::{
    FetchEvent, FetchPhase, Options, RepoUrl,
    connection::{Connection, RemoteEndpoint},
    pack::{self, CountingReader},
    request::{self, FetchRequest, ObjectFilter},
};
use crate::{
    interrupt,
    model::{Problem, Warning},
};

/// A server that can be asked.
pub(super) struct RemoteServer {
    endpoint: RemoteEndpoint,
    connection: Connection,
    /// Whether the present connection takes no more requests.
    is_over: bool,
    bytes: u64,
    /// Whether it was already told that more came over than was needed.
    is_oversized: bool,
}

/// What came over.
pub(super) struct FetchSummary {
    pub(super) objects: u32,
    bytes: u64,
    /// The commits at which the server's own history is cut off.
    pub(super) shallow_boundary: Vec<ObjectId>,
}

impl RemoteServer {
    /// Connects and shakes hands. `settings` is a repository that the user's git configuration is read through.
    pub(super) fn connect(url: &RepoUrl, options: Options, settings: &gix::Repository) -> Result<Self> {
        let endpoint = RemoteEndpoint::new(url, options, settings);
        let connection = endpoint.connect()?;
        let mut server = Self { endpoint, connection, is_over: false, bytes: 0, is_oversized: false };
        server.count_greeting();
        Ok(server)
    }

    /// The bytes of references and packs that came over.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The ids the server's objects go by.
    pub(super) fn object_hash(&self) -> gix::hash::Kind {
        self.connection.object_hash()
    }

    /// Whether it speaks the second version of the protocol: any number of requests, for any object.
    pub(super) fn is_v2(&self) -> bool {
        self.connection.is_v2()
    }

    /// Whether what is sent can be narrowed to commits.
    pub(super) fn can_filter(&self) -> bool {
        self.can("filter")
    }

    /// Whether a single tree or file can be had by its id.
    pub(super) fn can_send_any_object(&self) -> bool {
        self.is_v2() && self.can_leave_files_out()
    }

    /// Whether all trees of one commit can be had without files.
    pub(super) fn can_leave_files_out(&self) -> bool {
        self.can_filter() && self.can("shallow")
    }

    /// Warns once that more came over than was needed, and why.
    pub(super) fn warn_of_size(&mut self) {
        if std::mem::replace(&mut self.is_oversized, true) {
            return;
        }
        let url = &self.endpoint.url;
        let warning = match (self.can_filter(), self.is_v2()) {
            (false, _) => Warning::new(format!("`{url}` cannot leave files out, so more came over than was needed"))
                .hint("set `uploadpack.allowFilter=true` in the configuration of the server"),
            (true, true) => {
                Warning::new(format!("`{url}` cannot send single objects, so more came over than was needed"))
            }
            (true, false) => {
                let hint = if url.is_ssh() {
                    "set `AcceptEnv GIT_PROTOCOL` in the `sshd_config` of the server"
                } else {
                    "let proxies pass the header `Git-Protocol` on to git"
                };
                Warning::new(format!(
                    "`{url}` speaks an old version of git's protocol, so more came over than was needed"
                ))
                .hint(hint)
            }
        };
        self.endpoint.options.tell(FetchEvent::Warning(&warning));
    }

    fn can(&self, feature: &str) -> bool {
        request::features(&self.connection).iter().any(|(name, _)| *name == feature)
    }

    /// The references whose full names begin with one of these; servers of the old protocol tell all at once.
    pub(super) fn references(&mut self, prefixes: &[&str]) -> Result<Vec<Ref>> {
        if let Some(references) = &self.connection.handshake.refs {
            return Ok(references.clone());
        }
        self.reconnect()?;
        let Connection { transport, handshake } = &mut self.connection;
        let mut wanted = RefPrefixes::new();
        wanted.extend(prefixes.iter().map(|prefix| (*prefix).into()));
        let command = LsRefsCommand::new(Some(wanted), &handshake.capabilities, request::agent());
        let endpoint = &self.endpoint;
        let told = endpoint
            .contain(|| command.invoke_blocking(transport, &mut Discard, false).map_err(|error| endpoint.noted(error)));
        let told = told.with_context(|| format!("cannot list the references of `{}`", self.endpoint.url))?;
        self.count(FetchPhase::References, told.iter().map(line_length).sum());
        Ok(told)
    }

    /// Fetches into a folder of packs.
    pub(super) fn fetch(&mut self, part: FetchPhase, wanted: FetchRequest, packs: &Path) -> Result<FetchSummary> {
        self.reconnect()?;
        let is_filtered = wanted.depth != ObjectFilter::Unfiltered;
        let tell = |bytes| self.endpoint.options.tell(FetchEvent::Receiving { part, bytes });
        let connection = &mut self.connection;
        let received = self.endpoint.contain(|| receive(connection, wanted, packs, &tell));
        let received = received.map_err(|error| self.endpoint.noted(error));
        self.is_over = received.is_err() || self.connection.serves_once();
        let received = received.with_context(|| format!("cannot fetch from `{}`", self.endpoint.url))?;
        self.count(part, received.bytes);
        if is_filtered && received.objects > 0 && !self.can_filter() {
            self.warn_of_size();
        }
        Ok(received)
    }

    /// Servers of the old protocol answer once, and all go away when they refuse something.
    fn reconnect(&mut self) -> Result<()> {
        if std::mem::take(&mut self.is_over) {
            self.connection = self.endpoint.connect()?;
            self.count_greeting();
        }
        Ok(())
    }

    /// Servers of the old protocol tell their references in greeting.
    fn count_greeting(&mut self) {
        if let Some(told) = &self.connection.handshake.refs {
            self.count(FetchPhase::References, told.iter().map(line_length).sum());
        }
    }

    fn count(&mut self, part: FetchPhase, bytes: u64) {
        self.bytes += bytes;
        self.endpoint.options.tell(FetchEvent::Received { part, bytes, total: self.bytes });
    }
}

impl Drop for RemoteServer {
    fn drop(&mut self) {
        if !self.is_over {
            // A server that is told goes away in peace; one that does not listen is left all the same.
            let _ = protocol::indicate_end_of_interaction(&mut self.connection.transport, false);
        }
    }
}

/// One request and the pack that answers it.
fn receive(
    connection: &mut Connection,
    wanted: FetchRequest,
    packs: &Path,
    tell: &dyn Fn(u64),
) -> Result<FetchSummary> {
    let (hash, version) = (connection.object_hash(), connection.handshake.server_protocol_version);
    let mut reader = request::send(connection, wanted)?;
    let response = Response::from_line_reader(version, &mut reader, true, false)?;
    if !response.has_pack() {
        return Err(Problem::new("the server sent no objects").into());
    }
    let said = Rc::new(RefCell::new(String::new()));
    let hear = Rc::clone(&said);
    reader.set_progress_handler(Some(Box::new(move |_, text| {
        hear.borrow_mut().push_str(&String::from_utf8_lossy(text));
        interrupt::continue_unless_interrupted()
    })));
    let mut counted = CountingReader { reader, bytes: 0, tell };
    let objects = pack::store(&mut counted, packs, hash).with_context(|| complaint(&said.borrow()))?;
    io::copy(&mut counted, &mut io::sink())?;
    let cut_off = response.shallow_updates().iter().filter_map(|update| match update {
        ShallowUpdate::Shallow(id) => Some(*id),
        ShallowUpdate::Unshallow(_) => None,
    });
    Ok(FetchSummary { objects, bytes: counted.bytes, shallow_boundary: cut_off.collect() })
}

/// What the server said before it gave up.
fn complaint(said: &str) -> String {
    let lines = said.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    match lines.iter().rev().find(|line| line.starts_with("fatal:")).or(lines.last()) {
        Some(line) => format!("the server says `{line}`"),
        None => "the pack that came is broken".to_owned(),
    }
}

/// The length of a line of `ls-refs`: id, name, and what a tag stands for.
fn line_length(reference: &Ref) -> u64 {
    let (name, id, peeled) = reference.unpack();
    let digits = id.map_or(0, |id| id.kind().len_in_hex());
    let peeled = peeled.map_or(0, |_| " peeled:".len() + digits);
    (4 + digits + 1 + name.len() + peeled + 1) as u64
}
