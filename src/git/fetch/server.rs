//! The other side: what it offers, its references, and packs of what it is asked for (gitprotocol-v2(5), and the older
//! versions where it knows no better).

use std::{
    io::{self, BufRead, Read},
    path::Path,
    sync::{Arc, PoisonError, atomic::AtomicBool},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    odb::pack::{self, Bundle},
    progress::Discard,
    protocol::{
        self, Command, Handshake, LsRefsCommand,
        command::Feature,
        fetch::{Arguments, Response},
        handshake::Ref,
        ls_refs::RefPrefixes,
        transport::{
            Protocol, Service,
            client::blocking_io::{ExtendedBufRead, Transport, TransportV2Ext as _, connect, http, ssh},
        },
    },
    remote::Direction,
    url::Scheme,
};

use super::{
    Options, Url,
    http::{Adapter, Failure},
    interrupt, login,
};
use crate::model::Problem;

/// A connection to a server.
pub(super) struct Server {
    url: Url,
    options: Arc<Options>,
    settings: gix::Repository,
    transport: Box<dyn Transport + Send>,
    handshake: Handshake,
    /// Whether the connection has served its one request, as those of the old protocol do.
    is_spent: bool,
    bytes: u64,
}

/// What to fetch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wanted<'a> {
    /// The objects to send.
    pub(super) ids: &'a [ObjectId],
    /// Commits not to send, nor what is reachable from them.
    pub(super) haves: &'a [ObjectId],
    /// How deep trees are sent: 0 is commits alone, 1 is the root tree or the objects that are named (git-rev-list(1),
    /// `--filter=tree:<depth>`). Servers that cannot filter send everything.
    pub(super) trees: usize,
    /// Whether the commits come without their ancestors.
    pub(super) only_tips: bool,
}

impl Server {
    /// Connects and shakes hands. `settings` is a repository that the user's git configuration is read through.
    pub(super) fn connect(url: &Url, options: &Arc<Options>, settings: &gix::Repository) -> Result<Self> {
        login::check(url)?;
        let (transport, handshake) = shake_hands(url, options, settings)?;
        let (url, options, settings) = (url.clone(), Arc::clone(options), settings.clone());
        Ok(Self { url, options, settings, transport, handshake, is_spent: false, bytes: 0 })
    }

    /// The bytes of references and packs that came over.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether what is sent can be narrowed to commits.
    pub(super) fn can_filter(&self) -> bool {
        self.features().iter().any(|(name, _)| *name == "filter")
    }

    /// Whether a commit can be had without its ancestors.
    pub(super) fn can_send_tips(&self) -> bool {
        self.features().iter().any(|(name, _)| *name == "shallow")
    }

    /// Whether a single tree or file can be had by its id.
    pub(super) fn can_send_any_object(&self) -> bool {
        self.is_v2() && self.can_filter() && self.can_send_tips()
    }

    /// The ids the server's objects go by.
    pub(super) fn object_hash(&self) -> gix::hash::Kind {
        let format = self.handshake.capabilities.capability("object-format");
        let is_sha256 = format.and_then(|format| format.value().map(|value| *value == *"sha256"));
        if is_sha256 == Some(true) { gix::hash::Kind::Sha256 } else { gix::hash::Kind::Sha1 }
    }

    /// The references whose full names begin with one of these; servers of the old protocol tell all at once.
    pub(super) fn references(&mut self, prefixes: &[&str]) -> Result<Vec<Ref>> {
        if let Some(references) = &self.handshake.refs {
            return Ok(references.clone());
        }
        let mut wanted = RefPrefixes::new();
        wanted.extend(prefixes.iter().map(|prefix| (*prefix).into()));
        let command = LsRefsCommand::new(Some(wanted), &self.handshake.capabilities, agent());
        let references = command
            .invoke_blocking(&mut self.transport, &mut Discard, false)
            .with_context(|| format!("cannot list the references of `{}`", self.url))?;
        self.bytes += references.iter().map(line_length).sum::<u64>();
        Ok(references)
    }

    /// Fetches a pack into the folder `objects/pack` of a repository and tells how many objects came.
    pub(super) fn fetch(&mut self, wanted: Wanted, pack_folder: &Path) -> Result<u32> {
        let context = || format!("cannot fetch from `{}`", self.url.clone());
        if self.is_spent && self.transport.connection_persists_across_multiple_requests() && !self.is_v2() {
            let (transport, handshake) = shake_hands(&self.url, &self.options, &self.settings)?;
            (self.transport, self.handshake) = (transport, handshake);
        }
        self.is_spent = true;
        let (hash, version, features) = (self.object_hash(), self.handshake.server_protocol_version, self.features());
        let mut reader = send(&mut self.transport, version, features, wanted).with_context(context)?;
        let response = Response::from_line_reader(version, &mut reader, true, false).with_context(context)?;
        if !response.has_pack() {
            return Err(Problem::new(format!("`{}` sent no objects", self.url)).into());
        }
        reader.set_progress_handler(Some(Box::new(|_, _| interrupt::flow())));
        let mut counted = Counted { reader: &mut reader, bytes: 0 };
        let objects = store(&mut counted, pack_folder, hash).with_context(context)?;
        io::copy(&mut counted, &mut io::sink()).with_context(context)?;
        let bytes = counted.bytes;
        drop(reader);
        self.bytes += bytes;
        log::info!("fetched {objects} objects, {bytes} bytes, from {}", self.url);
        Ok(objects)
    }

    fn is_v2(&self) -> bool {
        self.handshake.server_protocol_version == Protocol::V2
    }

    /// What both sides can. Packs must be whole: deltas against objects that were only said to be here could not be
    /// resolved.
    fn features(&self) -> Vec<Feature> {
        let version = self.handshake.server_protocol_version;
        let mut features = Command::Fetch.default_features(version, &self.handshake.capabilities);
        features.retain(|(name, _)| *name != "thin-pack");
        features.push(agent());
        features
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that is told goes away in peace; one that does not listen is left all the same.
        if !self.is_spent || self.is_v2() {
            let _ = protocol::indicate_end_of_interaction(&mut self.transport, false);
        }
    }
}

fn agent() -> Feature {
    ("agent", Some(protocol::agent(concat!("tidings-", env!("CARGO_PKG_VERSION")))))
}

/// The length of a line of `ls-refs`: id, name, and what a tag stands for.
fn line_length(reference: &Ref) -> u64 {
    let (name, id, peeled) = reference.unpack();
    let digits = id.map_or(0, |id| id.kind().len_in_hex());
    let peeled = peeled.map_or(0, |_| " peeled:".len() + digits);
    (4 + digits + 1 + name.len() + peeled + 1) as u64
}

fn shake_hands(
    url: &Url,
    options: &Options,
    settings: &gix::Repository,
) -> Result<(Box<dyn Transport + Send>, Handshake)> {
    let remote = settings.remote_at(url.gix().clone())?;
    let (target, version) = remote.sanitized_url_and_version(Direction::Fetch)?;
    let failure = Failure::default();
    let mut transport = open(target, version, options, settings, &failure)?;
    let login = |action| login::authenticate(settings, url, options.login.as_ref(), action);
    let shaken = protocol::handshake(&mut transport, Service::UploadPack, login, Vec::new(), &mut Discard);
    let handshake = shaken.map_err(|error| explain(error, url, &failure))?;
    Ok((transport, handshake))
}

fn open(
    url: gix::Url,
    version: Protocol,
    options: &Options,
    settings: &gix::Repository,
    failure: &Failure,
) -> Result<Box<dyn Transport + Send>> {
    if let (Scheme::Http | Scheme::Https, Some(client)) = (&url.scheme, &options.http) {
        let adapter = Adapter::new(Arc::clone(client), Arc::clone(failure));
        return Ok(Box::new(http::Transport::new_http(adapter, url, version, false)));
    }
    let ssh =
        if url.scheme == Scheme::Ssh { settings.ssh_connect_options()? } else { ssh::connect::Options::default() };
    Ok(connect::connect(url, connect::Options { version, ssh, trace: false })?)
}

/// Why no hands were shaken, in the user's words.
fn explain(error: gix::Error, url: &Url, failure: &Failure) -> anyhow::Error {
    let context = format!("cannot reach `{url}`");
    if let Some(noted) = failure.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return noted.context(context);
    }
    let is_dumb = format!("{error:#}").contains("'smart' protocol");
    if error.is_unauthenticated() || error.is_permission_denied() {
        return anyhow::Error::from(error).context(login::refused(url));
    }
    if is_dumb {
        let problem = Problem::new(format!("`{url}` does not speak git's smart protocol"));
        return problem.hint("check the URL, or `git clone --bare` it and give the folder to `--repo`").into();
    }
    anyhow::Error::from(error).context(context)
}

/// Sends the arguments of a fetch in one go: nothing is negotiated, for what the server shall leave out is known.
fn send<'a>(
    transport: &'a mut Box<dyn Transport + Send>,
    version: Protocol,
    features: Vec<Feature>,
    wanted: Wanted,
) -> Result<Box<dyn ExtendedBufRead<'a> + Unpin + 'a>> {
    if version == Protocol::V2 {
        let has = |feature: &str| features.iter().any(|(name, _)| *name == feature);
        let lines = lines(wanted, has("filter"), has("shallow"));
        let capabilities = features.iter().filter(|(_, value)| value.is_some()).map(|(n, v)| (*n, v.clone()));
        let capabilities: Vec<_> = capabilities.collect();
        return Ok(transport.invoke(
            Command::Fetch.as_str(),
            capabilities.into_iter(),
            Some(lines.into_iter()),
            false,
        )?);
    }
    let mut arguments = Arguments::new(version, features, false);
    wanted.ids.iter().for_each(|id| arguments.want(id));
    if wanted.only_tips && arguments.can_use_deepen() {
        arguments.deepen(1);
    }
    if arguments.can_use_filter() {
        arguments.filter(&filter(wanted));
    }
    wanted.haves.iter().for_each(|id| arguments.have(id));
    Ok(arguments.send(transport, true)?)
}

fn filter(wanted: Wanted) -> String {
    format!("tree:{}", wanted.trees)
}

fn lines(wanted: Wanted, can_filter: bool, can_deepen: bool) -> Vec<gix::bstr::BString> {
    let fixed = ["no-progress", "ofs-delta"].map(str::to_owned);
    let filter = can_filter.then(|| format!("filter {}", filter(wanted)));
    let deepen = (wanted.only_tips && can_deepen).then(|| "deepen 1".to_owned());
    let wants = wanted.ids.iter().map(|id| format!("want {id}"));
    let haves = wanted.haves.iter().map(|id| format!("have {id}"));
    let done = std::iter::once("done".to_owned());
    fixed.into_iter().chain(filter).chain(deepen).chain(wants).chain(haves).chain(done).map(Into::into).collect()
}

fn store(pack: &mut dyn BufRead, folder: &Path, hash: gix::hash::Kind) -> Result<u32> {
    let options = pack::bundle::write::Options::default();
    let base: Option<gix::OdbHandle> = None;
    let stop: &AtomicBool = interrupt::flag();
    let written = Bundle::write_to_directory(pack, Some(folder), &mut Discard, stop, base, hash, options)?;
    if let Some(keep) = written.keep_path {
        std::fs::remove_file(keep)?;
    }
    Ok(written.index.num_objects)
}

/// Counts what is read through it.
struct Counted<R> {
    reader: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes += amount as u64;
        self.reader.consume(amount);
    }
}
