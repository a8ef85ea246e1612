//! Reading whole files that others wrote: nothing waits for a FIFO, and nothing reads a device to its end.

use std::{
    fs::{self, File},
    io::Read,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::Context as _;

use crate::model::{Problem, none_if_missing};

/// The maximum size of a file that is read as a whole (configuration, template, changelog, list), in MiB, unless
/// another one is set.
const MAX_MEBIBYTES: u64 = 64;

/// The maximum that was set for this process, whose runs share its memory; 0 if none was.
static MAXIMUM: AtomicU64 = AtomicU64::new(0);

/// Sets the maximum of the process. If several runs of a batch set one, the largest holds.
pub(crate) fn set_maximum(mebibytes: u64) {
    MAXIMUM.fetch_max(mebibytes, Ordering::Relaxed);
}

fn maximum() -> u64 {
    match MAXIMUM.load(Ordering::Relaxed) {
        0 => MAX_MEBIBYTES,
        mebibytes => mebibytes,
    }
}

/// Reads all of `reader`; errors call it `name`.
pub(crate) fn read(reader: impl Read, name: &str) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    let mut bounded = reader.take((maximum() << 20) + 1);
    bounded.read_to_end(&mut content).with_context(|| format!("cannot read `{name}`"))?;
    check_size(content.len() as u64, name)?;
    Ok(content)
}

/// Reads a regular file, as every file of a repository has to be; `None` if it does not exist.
pub(crate) fn read_regular_file(path: &Path, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
    // Opening a FIFO would wait for a writer, so its type is checked first.
    let opened = fs::metadata(path)
        .and_then(|found| Ok((found.len(), if found.is_file() { Some(File::open(path)?) } else { None })));
    match none_if_missing(opened).with_context(|| format!("cannot read `{name}`"))? {
        None => Ok(None),
        Some((_, None)) => Err(Problem::new(format!("`{name}` is not a regular file")).into()),
        Some((bytes, Some(file))) => {
            check_size(bytes, name)?;
            read(file, name).map(Some)
        }
    }
}

/// Refuses a file that is larger than the maximum.
pub(crate) fn check_size(bytes: u64, name: &str) -> Result<(), Problem> {
    let maximum = maximum();
    if bytes <= maximum << 20 {
        return Ok(());
    }
    Err(Problem::new(format!("`{name}` is larger than {maximum} MiB")).hint("raise the limit with `--max-file MIB`"))
}
