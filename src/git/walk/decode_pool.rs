//! Decodes the commits of a range on other threads, as soon as the walk has met enough of them to make it worthwhile.

use std::{
    collections::BTreeMap,
    mem,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
};

use anyhow::{Result, ensure};

use super::{commit_reader::Store, node::SelectedCommit};
use crate::{
    git::decode::RawCommit,
    model::{CommitRef, Oid, Warning},
    parallel::{MIN_PARALLEL_ITEMS, warm_up_allocator},
};

/// A factory of functions that map each commit to a value, on the thread that decodes it, so that only the value takes
/// memory. Every chunk of commits gets a function of its own, which may have state.
pub(crate) type MapCommit<T> = Arc<dyn Fn() -> Box<dyn FnMut(CommitRef<'_>) -> T> + Send + Sync>;

/// How many commits a thread takes at a time.
const CHUNK: usize = 256;

/// Commits on their way through the decoder.
pub(super) struct DecodePool<T> {
    store: Store,
    reading: MapCommit<T>,
    pending: Vec<SelectedCommit>,
    /// How many chunks were given to other threads.
    sent: usize,
    chunks: (Sender<ChunkResult<T>>, Receiver<ChunkResult<T>>),
    decoded: OrderedChunks<T>,
}

/// The number of a chunk, and its decoded commits.
type ChunkResult<T> = (usize, Result<DecodedChunk<T>>);

/// The values and the broken headers of a chunk of commits.
pub(super) struct DecodedChunk<T> {
    pub(super) read: Vec<T>,
    /// Commits with malformed headers, with their indices in `read`.
    pub(super) broken: Vec<(usize, Oid)>,
}

impl<T> DecodedChunk<T> {
    fn append(&mut self, next: Self) {
        let first = self.read.len();
        self.read.extend(next.read);
        self.broken.extend(next.broken.into_iter().map(|(index, id)| (first + index, id)));
    }
}

impl<T: Send + 'static> DecodePool<T> {
    pub(super) fn new(store: &Store, reading: &MapCommit<T>) -> Self {
        let (store, reading) = (store.clone(), MapCommit::clone(reading));
        Self { store, reading, pending: Vec::new(), sent: 0, chunks: channel(), decoded: OrderedChunks::default() }
    }

    /// Takes the next commit of the range.
    pub(super) fn push(&mut self, commit: SelectedCommit) {
        self.pending.push(commit);
        let enough = if self.sent == 0 { MIN_PARALLEL_ITEMS } else { CHUNK };
        if self.pending.len() >= enough {
            for chunk in chunks(mem::take(&mut self.pending)) {
                self.send(chunk);
            }
            // What is collected early leaves its memory to the chunks after it.
            while let Ok(chunk) = self.chunks.1.try_recv() {
                self.decoded.add(chunk);
            }
        }
    }

    fn send(&mut self, chunk: Vec<SelectedCommit>) {
        let (store, reading) = (self.store.clone(), MapCommit::clone(&self.reading));
        let (chunks, number) = (self.chunks.0.clone(), self.sent);
        self.sent += 1;
        // If the walk has failed, nobody receives it. A panic would end the process; caught, it leaves its chunk out.
        let send = move || {
            warm_up_allocator();
            chunks.send((number, decode(&store, &chunk, &reading)))
        };
        rayon::spawn(|| drop(panic::catch_unwind(AssertUnwindSafe(send))));
    }

    /// Returns all values in the order of their commits, and the commits with broken headers.
    pub(super) fn finish(self) -> Result<DecodedChunk<T>> {
        let last = decode(&self.store, &self.pending, &self.reading);
        let (sender, chunks) = self.chunks;
        drop(sender);
        // If this is itself a thread of the pool, perhaps its only one, it has to decode the waiting chunks first.
        while rayon::yield_now() == Some(rayon::Yield::Executed) {}
        let mut decoded = self.decoded;
        for chunk in chunks {
            decoded.add(chunk);
        }
        let OrderedChunks { early, taken, mut all } = decoded;
        early.into_values().find_map(Result::err).map_or(Ok(()), Err)?;
        ensure!(taken == self.sent, "a thread that decodes commits has died");
        all.append(last?);
        Ok(all)
    }
}

/// Decoded chunks in their order.
struct OrderedChunks<T> {
    /// Those that wait for one before them, and those that could not be decoded.
    early: BTreeMap<usize, Result<DecodedChunk<T>>>,
    /// How many of them `all` has.
    taken: usize,
    all: DecodedChunk<T>,
}

impl<T> Default for OrderedChunks<T> {
    fn default() -> Self {
        let all = DecodedChunk { read: Vec::new(), broken: Vec::new() };
        Self { early: BTreeMap::new(), taken: 0, all }
    }
}

impl<T> OrderedChunks<T> {
    /// Adds a chunk to the others as soon as all before it are there, so that its memory can be used again.
    fn add(&mut self, (number, chunk): ChunkResult<T>) {
        self.early.insert(number, chunk);
        while let Some(next) = self.early.first_entry().filter(|next| *next.key() == self.taken && next.get().is_ok()) {
            if let Ok(chunk) = next.remove() {
                self.all.append(chunk);
                self.taken += 1;
            }
        }
    }
}

fn chunks(mut commits: Vec<SelectedCommit>) -> Vec<Vec<SelectedCommit>> {
    let mut chunks = Vec::new();
    while commits.len() > CHUNK {
        let rest = commits.split_off(CHUNK);
        chunks.push(mem::replace(&mut commits, rest));
    }
    chunks.push(commits);
    chunks
}

fn decode<T>(store: &Store, chunk: &[SelectedCommit], reading: &MapCommit<T>) -> Result<DecodedChunk<T>> {
    let mut decoded = DecodedChunk { read: Vec::with_capacity(chunk.len()), broken: Vec::new() };
    let (mut read, mut reader) = (reading(), None);
    for picked in chunk {
        let object = match &picked.object {
            Some(object) => object,
            None => reader.get_or_insert_with(|| store.reader()).read(&picked.id)?,
        };
        let raw = RawCommit::parse(object);
        let (commit, is_sound) = raw.commit(&picked.id);
        if !is_sound {
            decoded.broken.push((decoded.read.len(), commit.id));
        }
        decoded.read.push(read(commit));
    }
    if let Some(reader) = reader {
        store.put_back(reader);
    }
    Ok(decoded)
}

/// Returns the warning for a commit with broken headers.
pub(super) fn broken_headers(commit: Oid) -> Warning {
    Warning::new(format!("the commit `{commit}` has broken headers: what cannot be read of them is empty"))
        .hint("run `git fsck` to see what is wrong with it")
}
