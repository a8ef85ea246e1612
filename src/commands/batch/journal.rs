//! The journal of a batch: a file of results, to which a later run adds.

use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use serde::Deserialize;

use crate::{
    commands::Session,
    model::{Problem, Warning},
};

/// A file of results, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    done: HashSet<String>,
}

/// The part of a result that is read again.
#[derive(Deserialize)]
struct PastResult {
    key: String,
    ok: bool,
}

impl Journal {
    /// Reads the results, and creates the file if it does not exist.
    pub(super) fn open(path: &Path, session: &Session) -> anyhow::Result<Self> {
        if session.global.output.as_deref() == Some(path) {
            let message = format!("`--resume` and `--output` both name `{}`", path.display());
            return Err(Problem::usage(message)
                .hint("use only `--resume FILE`, which writes the results to FILE")
                .into());
        }
        let (mut file, text) = load(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let past: Vec<_> = text.lines().map(serde_json::from_str::<PastResult>).collect();
        let invalid = past.iter().filter(|line| line.is_err()).count();
        // A run that was interrupted may have left half a line.
        session.warn(&(invalid > 0).then(|| {
            Warning::new(format!("{invalid} of the {} lines of `{}` are not results", past.len(), path.display()))
        }))?;
        if !text.is_empty() && !text.ends_with('\n') {
            writeln!(file).with_context(|| cannot_write(path))?;
        }
        let done = past.into_iter().flatten().filter(|line| line.ok).map(|line| line.key).collect();
        Ok(Self { path: path.to_owned(), file, done })
    }

    /// Whether an item was done.
    pub(super) fn is_done(&self, key: &str) -> bool {
        self.done.contains(key)
    }

    /// Adds a result.
    pub(super) fn add(&mut self, line: &str) -> anyhow::Result<()> {
        // One write, so that a line is complete or missing.
        self.file.write_all(format!("{line}\n").as_bytes()).with_context(|| cannot_write(&self.path))
    }
}

fn load(path: &Path) -> io::Result<(File, String)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write `{}`", path.display())
}
