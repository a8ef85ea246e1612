//! One fetch: the request, in both versions of the protocol, and the pack of the response. The request is complete at
//! once, without negotiation, since it is known which commits the server should not send.

use std::{
    cell::RefCell,
    fs,
    io::{self, BufRead, Read},
    ops::ControlFlow,
    path::Path,
    rc::Rc,
};

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::BString,
    hash::Kind,
    odb::pack::{Bundle, bundle::write::Options},
    progress::Discard,
    protocol::{
        self, Command,
        command::Feature,
        fetch::{Arguments, Response, response::ShallowUpdate},
        handshake::Ref,
        transport::client::blocking_io::{ExtendedBufRead, TransportV2Ext as _},
    },
};

use super::{connection::Connection, paced::keep_end};
use crate::{interrupt, model::Problem};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FetchRequest<'a> {
    pub(super) ids: &'a [ObjectId],
    /// The commits that the server should not send, nor what is reachable from them.
    pub(super) haves: &'a [ObjectId],
    /// Which trees and blobs are sent, if the server can filter (git-rev-list(1), `--filter`).
    pub(super) filter: ObjectFilter,
    /// How many generations of commits are sent: 1 is only those in `ids`, 0 is all.
    pub(super) generations: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectFilter {
    /// Only commits.
    #[default]
    NoTrees,
    /// The root trees of commits, or the requested objects themselves.
    Roots,
    /// Every tree, but no blob.
    NoBlobs,
    /// Every tree and blob.
    Unfiltered,
}

pub(super) struct FetchSummary {
    pub(super) objects: u32,
    pub(super) bytes: u64,
    /// The boundary of the server's own history, if it is shallow.
    pub(super) shallow_boundary: Vec<ObjectId>,
}

/// The most bytes of the server's messages that are kept.
const KEPT: usize = 8 << 10;
/// The most bytes of messages that come with a pack, for which the program does not ask.
const MAX_MESSAGES: usize = 16 << 20;
const ENDLESS_MESSAGES: &str = "the server sends messages without end";

/// Sends a request and stores the pack of the response.
pub(super) fn fetch(
    connection: &mut Connection,
    wanted: FetchRequest,
    packs: &Path,
    report: &dyn Fn(u64),
) -> Result<FetchSummary> {
    let (hash, version) = (connection.object_hash(), connection.handshake.server_protocol_version);
    let mut reader = send(connection, wanted)?;
    check_error(&mut *reader)?;
    let response = Response::from_line_reader(version, &mut reader, true, false)?;
    if !response.has_pack() {
        return Err(Problem::new("the server sent no objects").into());
    }
    let messages = Rc::new(RefCell::new(String::new()));
    let (received, mut length) = (Rc::clone(&messages), 0);
    reader.set_progress_handler(Some(Box::new(move |_, text| {
        let mut received = received.borrow_mut();
        // gix has removed the end of the line.
        received.extend([String::from_utf8_lossy(text).as_ref(), "\n"]);
        keep_end(&mut received, KEPT);
        length += text.len();
        if length > MAX_MESSAGES {
            received.push_str(ENDLESS_MESSAGES);
            return ControlFlow::Break(());
        }
        interrupt::continue_unless_interrupted()
    })));
    let mut counted = CountingReader { reader, bytes: 0, report };
    let stored = store_pack(&mut counted, packs, hash).and_then(|objects| {
        io::copy(&mut counted, &mut io::sink())?;
        Ok(objects)
    });
    let objects = stored.map_err(|error| with_cause(error, &messages.borrow()))?;
    let boundary = response.shallow_updates().iter().filter_map(|update| match update {
        ShallowUpdate::Shallow(id) => Some(*id),
        ShallowUpdate::Unshallow(_) => None,
    });
    Ok(FetchSummary { objects, bytes: counted.bytes, shallow_boundary: boundary.collect() })
}

/// Returns the features that both sides have. Thin packs are excluded: a delta against an object that was only
/// reported as present could not be resolved. So is `deepen-relative`, with which generations count from the client's
/// shallow boundary, and there is none (gitprotocol-capabilities(5)).
pub(super) fn features(connection: &Connection) -> Vec<Feature> {
    let version = connection.handshake.server_protocol_version;
    let mut features = Command::Fetch.default_features(version, &connection.handshake.capabilities);
    features.retain(|(name, _)| !["thin-pack", "deepen-relative"].contains(name));
    if !connection.is_v2() && connection.handshake.capabilities.contains("no-progress") {
        features.push(("no-progress", None));
    }
    features.push(agent());
    features
}

pub(super) fn agent() -> Feature {
    ("agent", Some(protocol::agent(concat!("tidings-", env!("CARGO_PKG_VERSION")))))
}

/// Sends the request. Returns the reader of the response.
fn send<'a>(connection: &'a mut Connection, wanted: FetchRequest) -> Result<Box<dyn ExtendedBufRead<'a> + Unpin + 'a>> {
    let features = features(connection);
    if connection.is_v2() {
        return send_lines(connection, features, wanted);
    }
    let mut arguments = Arguments::new(connection.handshake.server_protocol_version, features, false);
    let listed = connection.handshake.refs.as_deref().unwrap_or_default();
    wanted.ids.iter().for_each(|id| arguments.want(advertised_id(listed, id)));
    if wanted.generations > 0 && arguments.can_use_deepen() {
        arguments.deepen(wanted.generations as usize);
    }
    if let Some(filter) = filter(wanted).filter(|_| arguments.can_use_filter()) {
        arguments.filter(filter);
    }
    wanted.haves.iter().for_each(|id| arguments.have(id));
    Ok(arguments.send(&mut connection.transport, true)?)
}

/// Returns the ID under which a server of the old protocol knows a commit, that of an annotated tag on it.
fn advertised_id(listed: &[Ref], id: &ObjectId) -> ObjectId {
    let is_known = listed.iter().any(|known| known.unpack().1.is_some_and(|known| known == *id));
    let tag = listed.iter().map(Ref::unpack).find(|(_, _, peeled)| peeled.is_some_and(|peeled| peeled == *id));
    tag.and_then(|(_, tag, _)| tag).filter(|_| !is_known).map_or(*id, ToOwned::to_owned)
}

/// Sends the request of protocol version 2. It does not use gix's `Arguments`, which would request a thin pack.
fn send_lines<'a>(
    connection: &'a mut Connection,
    features: Vec<Feature>,
    wanted: FetchRequest,
) -> Result<Box<dyn ExtendedBufRead<'a> + Unpin + 'a>> {
    let has = |feature: &str| features.iter().any(|(name, _)| *name == feature);
    let filter = filter(wanted).filter(|_| has("filter")).map(|filter| format!("filter {filter}"));
    let deepen = (wanted.generations > 0 && has("shallow")).then(|| format!("deepen {}", wanted.generations));
    let wants = wanted.ids.iter().map(|id| format!("want {id}"));
    let haves = wanted.haves.iter().map(|id| format!("have {id}"));
    let first = ["no-progress", "ofs-delta"].map(str::to_owned).into_iter().chain(filter).chain(deepen);
    let lines: Vec<BString> = first.chain(wants).chain(haves).chain(["done".to_owned()]).map(Into::into).collect();
    let capabilities = features.into_iter().filter(|(_, value)| value.is_some());
    Ok(connection.transport.invoke(Command::Fetch.as_str(), capabilities, Some(lines.into_iter()), false)?)
}

fn filter(wanted: FetchRequest) -> Option<&'static str> {
    match wanted.filter {
        ObjectFilter::NoTrees => Some("tree:0"),
        ObjectFilter::Roots => Some("tree:1"),
        ObjectFilter::NoBlobs => Some("blob:none"),
        ObjectFilter::Unfiltered => None,
    }
}

/// Returns the error that the server sends in place of a response (`ERR` in gitprotocol-pack(5)).
pub(super) fn check_error<'a>(reader: &mut (dyn ExtendedBufRead<'a> + Unpin + 'a)) -> Result<()> {
    match reader.peek_data_line() {
        Some(Ok(Ok(line))) => match line.strip_prefix(b"ERR ") {
            Some(said) => Err(Problem::new(server_error(&String::from_utf8_lossy(said))).into()),
            None => Ok(()),
        },
        // Reading the response says what is wrong with it.
        _ => Ok(()),
    }
}

/// Adds to an error what the server said. gix takes messages that are cut off for an interrupt by the user.
fn with_cause(error: anyhow::Error, messages: &str) -> anyhow::Error {
    if messages.ends_with(ENDLESS_MESSAGES) {
        return Problem::new(ENDLESS_MESSAGES).into();
    }
    error.context(server_error(messages))
}

fn server_error(messages: &str) -> String {
    let lines = messages.split(['\r', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
    match lines.iter().rev().find(|line| line.starts_with("fatal:")).or(lines.last()) {
        Some(line) => format!("the server reports `{line}`"),
        None => "the pack that was received is broken".to_owned(),
    }
}

/// Writes a pack and its index into a directory of packs. Returns the number of its objects.
pub(in crate::git) fn store_pack(pack: &mut dyn BufRead, directory: &Path, hash: Kind) -> Result<u32> {
    let base: Option<gix::OdbHandle> = None;
    let (stop, options) = (interrupt::flag(), Options::default());
    let written = Bundle::write_to_directory(pack, Some(directory), &mut Discard, stop, base, hash, options)?;
    if let Some(keep) = written.keep_path {
        fs::remove_file(keep)?;
    }
    Ok(written.index.num_objects)
}

struct CountingReader<'a, R> {
    reader: R,
    bytes: u64,
    report: &'a dyn Fn(u64),
}

impl<R> CountingReader<'_, R> {
    fn count(&mut self, read: usize) {
        self.bytes += read as u64;
        (self.report)(self.bytes);
    }
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for CountingReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
        self.count(amount);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn id(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    #[test]
    fn an_old_server_is_asked_for_what_it_listed() {
        let branch = |object| Ref::Direct { full_ref_name: "refs/heads/main".into(), object };
        let tag = |tag, object| Ref::Peeled { full_ref_name: "refs/tags/v1".into(), tag, object };
        assert_eq!(advertised_id(&[tag(id('a'), id('1')), tag(id('b'), id('2'))], &id('2')), id('b'));
        assert_eq!(advertised_id(&[tag(id('a'), id('1')), branch(id('1'))], &id('1')), id('1'), "it is listed itself");
        assert_eq!(advertised_id(&[tag(id('a'), id('1'))], &id('a')), id('a'));
        assert_eq!(advertised_id(&[tag(id('a'), id('1')), branch(id('2'))], &id('3')), id('3'));
        assert_eq!(advertised_id(&[], &id('3')), id('3'));
    }

    #[test]
    fn the_error_of_a_server_is_its_last_fatal_line_or_else_its_last_one() {
        for (messages, expected) in [
            ("", "the pack that was received is broken"),
            (" \r\n", "the pack that was received is broken"),
            ("Counting: 1%\rCounting: 99%\n", "the server reports `Counting: 99%`"),
            ("fatal: first\nfatal: no memory\n aborting\n", "the server reports `fatal: no memory`"),
        ] {
            assert_eq!(server_error(messages), expected, "{messages:?}");
        }
        let caused = |messages| format!("{:#}", with_cause(anyhow::anyhow!("interrupted by user"), messages));
        assert_eq!(caused("fatal: x\nthe server sends messages without end"), ENDLESS_MESSAGES);
        assert_eq!(caused("fatal: x\n"), "the server reports `fatal: x`: interrupted by user");
    }

    #[test]
    fn what_was_read_is_counted_and_reported() {
        let reported = Cell::new(0);
        let report = |bytes| reported.set(bytes);
        let mut reader = CountingReader { reader: &b"harbor and lamp"[..], bytes: 0, report: &report };
        let mut part = [0; 6];
        reader.read_exact(&mut part).unwrap();
        assert_eq!((&part, reader.bytes, reported.get()), (b"harbor", 6, 6));
        assert_eq!(reader.fill_buf().unwrap(), b" and lamp");
        reader.consume(5);
        assert_eq!((reader.bytes, reported.get()), (11, 11));
        assert_eq!(io::copy(&mut reader, &mut io::sink()).unwrap(), 4);
        assert_eq!((reader.bytes, reported.get()), (15, 15));
    }
}
