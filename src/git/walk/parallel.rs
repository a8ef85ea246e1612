//! Decodes the commits of a range on other threads, from the moment the walk has met enough of them to be worth it.

use std::{
    collections::{BTreeMap, HashSet},
    mem,
    sync::mpsc::{Receiver, Sender, channel},
};

use anyhow::{Result, ensure};

use super::{
    Picked,
    objects::{Reader, Store},
};
use crate::{
    cores::WORTH_THREADS,
    git::decode::Raw,
    model::{Commit, Texts, Warning},
};

/// How many a thread takes at a time.
const CHUNK: usize = 256;
/// How many bytes of text a commit usually has.
const USUAL_TEXT: usize = 512;

/// Commits on their way through the decoder.
pub(super) struct Decoding {
    store: Store,
    pending: Vec<Picked>,
    /// How many chunks were given to other threads.
    sent: usize,
    answers: (Sender<Answer>, Receiver<Answer>),
}

/// The number of a chunk, and what became of it.
type Answer = (usize, Result<Vec<Decoded>>);

struct Decoded {
    number: u32,
    commit: Commit,
    is_sound: bool,
}

impl Decoding {
    pub(super) fn new(store: &Store) -> Self {
        Self { store: store.clone(), pending: Vec::new(), sent: 0, answers: channel() }
    }

    /// Takes the next commit of the range.
    pub(super) fn push(&mut self, commit: Picked) {
        self.pending.push(commit);
        let enough = if self.sent == 0 { WORTH_THREADS } else { CHUNK };
        if self.pending.len() >= enough {
            for chunk in chunks(mem::take(&mut self.pending)) {
                self.send(chunk);
            }
        }
    }

    fn send(&mut self, chunk: Vec<Picked>) {
        let (store, answers, number) = (self.store.clone(), self.answers.0.clone(), self.sent);
        self.sent += 1;
        // Nobody listens any more where the walk has failed meanwhile.
        rayon::spawn(move || drop(answers.send((number, store.lend(|reader| decode(reader, &chunk))))));
    }

    /// The commits in the order they came, without the `late` ones; what is broken in one is told in a warning.
    pub(super) fn finish(self, late: &HashSet<u32>, warnings: &mut Vec<Warning>) -> Result<Vec<Commit>> {
        let last = self.store.lend(|reader| decode(reader, &self.pending));
        let (sender, answers) = self.answers;
        drop(sender);
        // On a thread of the pool itself, waiting alone might be waiting for oneself.
        while rayon::yield_now() == Some(rayon::Yield::Executed) {}
        let mut commits = Vec::with_capacity(self.sent * CHUNK + self.pending.len());
        let mut take = |chunk: Vec<Decoded>| {
            for decoded in chunk.into_iter().filter(|decoded| !late.contains(&decoded.number)) {
                if !decoded.is_sound {
                    warnings.push(broken(&decoded.commit));
                }
                commits.push(decoded.commit);
            }
        };
        // Each is taken as soon as those before it are, so that its memory serves the next.
        let (mut early, mut taken) = (BTreeMap::new(), 0);
        for (number, chunk) in answers {
            early.insert(number, chunk?);
            while let Some(chunk) = early.remove(&taken) {
                take(chunk);
                taken += 1;
            }
        }
        ensure!(taken == self.sent, "a thread that decodes commits has died");
        take(last?);
        Ok(commits)
    }
}

fn chunks(mut commits: Vec<Picked>) -> Vec<Vec<Picked>> {
    let mut chunks = Vec::new();
    while commits.len() > CHUNK {
        let rest = commits.split_off(CHUNK);
        chunks.push(mem::replace(&mut commits, rest));
    }
    chunks.push(commits);
    chunks
}

fn decode(reader: &mut Reader, chunk: &[Picked]) -> Result<Vec<Decoded>> {
    let mut texts = Texts::with_capacity(chunk.len() * USUAL_TEXT);
    let mut decoded = Vec::with_capacity(chunk.len());
    for picked in chunk {
        let object = match &picked.object {
            Some(object) => object,
            None => reader.read(&picked.id)?,
        };
        let (commit, is_sound) = Raw::parse(object).commit(&picked.id, &mut texts);
        decoded.push(Decoded { number: picked.number, commit, is_sound });
    }
    Ok(decoded)
}

fn broken(commit: &Commit) -> Warning {
    Warning::new(format!("the commit `{}` has broken headers: what cannot be read of them is empty", commit.id))
        .hint("`git fsck` tells what is wrong with it")
}
