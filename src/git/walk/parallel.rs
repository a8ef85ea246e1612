//! Decodes the commits of a range, on all cores where there are enough of them.

use anyhow::Result;
use rayon::prelude::*;

use super::{
    Picked,
    objects::{Reader, Store},
};
use crate::{
    git::decode::Raw,
    model::{Commit, Warning},
};

/// Below this many, starting threads costs more than it gains.
const WORTH_THREADS: usize = 500;
/// How many a thread takes at a time.
const CHUNK: usize = 256;

/// The commits in the order they were picked; what is broken in one is told in a warning.
pub(super) fn decode(store: &Store, picked: &[Picked], warnings: &mut Vec<Warning>) -> Result<Vec<Commit>> {
    let decoded: Result<Vec<(Commit, bool)>> = if picked.len() < WORTH_THREADS {
        let mut reader = store.reader();
        picked.iter().map(|commit| decode_one(&mut reader, commit)).collect()
    } else {
        let chunks = picked.par_iter().with_min_len(CHUNK);
        chunks.map_init(|| store.reader(), decode_one).collect()
    };
    let commits = decoded?.into_iter().map(|(commit, is_sound)| {
        if !is_sound {
            warnings.push(broken(&commit));
        }
        commit
    });
    Ok(commits.collect())
}

fn decode_one(reader: &mut Reader, commit: &Picked) -> Result<(Commit, bool)> {
    let object = match &commit.object {
        Some(object) => object,
        None => reader.read(&commit.id)?,
    };
    Ok(Raw::parse(object).commit(&commit.id))
}

fn broken(commit: &Commit) -> Warning {
    Warning::new(format!("the commit `{}` has broken headers: what cannot be read of them is empty", commit.id))
        .hint("`git fsck` tells what is wrong with it")
}
