//! The output: stdout, made safe for a terminal, or a file that is written atomically.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufWriter, IsTerminal, Write},
    mem,
    path::{Path, PathBuf},
};

use anstream::{ColorChoice, adapter::StripBytes};
use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use crate::{
    interrupt::TemporaryFile,
    model::{Problem, clean_between_styles, no_commands, printable_json, printable_lines},
};

/// Where the result of a command goes.
pub(crate) enum Output {
    Stdout(ShownText<anstream::AutoStream<io::StdoutLock<'static>>>),
    File { temporary: TemporaryFile, path: PathBuf, colourless: Option<StripBytes> },
    Captured { bytes: Vec<u8>, colourless: StripBytes },
}

impl Output {
    /// Writes to stdout, with colours if it supports them. In a CI job it is the log, whose lines may be commands to the
    /// runner.
    pub(crate) fn stdout() -> Self {
        let is_log = ["GITHUB_ACTIONS", "TF_BUILD"]
            .into_iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
        let clean: Option<fn(&str) -> String> = match io::stdout().is_terminal() {
            true => Some(between_styles),
            false if is_log => Some(no_commands),
            false => None,
        };
        Self::Stdout(ShownText::new(anstream::stdout().lock(), clean))
    }

    /// Writes to a temporary file, which [`Output::finish`] renames to `path`.
    pub(crate) fn file(path: &Path) -> anyhow::Result<Self> {
        // A symbolic link stays one, and its target is replaced, or created if there is none.
        let created = || Some(path.parent()?.join(fs::read_link(path).ok().filter(|_| !path.exists())?));
        let path = &path.canonicalize().ok().or_else(created).unwrap_or_else(|| path.to_owned());
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        check_path(path, parent)?;
        let directory = if is_device(path) { std::env::temp_dir() } else { parent.to_owned() };
        let temporary =
            TemporaryFile::new_in(&directory).with_context(|| format!("cannot write `{}`", path.display()))?;
        let colourless = (ColorChoice::global() != ColorChoice::Always).then(StripBytes::new);
        Ok(Self::File { temporary, path: path.to_owned(), colourless })
    }

    /// Captures what is written, without colours.
    pub(crate) fn captured() -> Self {
        Self::Captured { bytes: Vec::new(), colourless: StripBytes::new() }
    }

    /// Takes what was captured; empty for other outputs.
    pub(crate) fn take(&mut self) -> anyhow::Result<String> {
        let bytes = match self {
            Self::Captured { bytes, .. } => std::mem::take(bytes),
            Self::Stdout(_) | Self::File { .. } => Vec::new(),
        };
        String::from_utf8(bytes)
            .with_context(|| Problem::new("the output is not text").hint("write it to a file with the option `output`"))
    }

    /// Writes one JSON document and a final newline.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        // serde_json writes pieces of a few bytes, so they are buffered.
        let mut out = JsonText(BufWriter::with_capacity(1 << 16, self.bytes()));
        serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    }

    /// Writes further elements of a JSON array after the first `count`; `None` ends the array.
    pub(crate) fn json_elements(&mut self, count: usize, elements: Option<&[Value]>) -> anyhow::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, self.bytes());
        for (index, element) in elements.unwrap_or_default().iter().enumerate() {
            let text = serde_json::to_string_pretty(element).map_err(io::Error::from)?;
            let before = if count + index == 0 { "[\n  " } else { ",\n  " };
            write!(out, "{before}{}", text.replace('\n', "\n  "))?;
        }
        if elements.is_none() {
            out.write_all(if count == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        Ok(out.flush()?)
    }

    /// Returns a writer for raw bytes, such as files, sections and commands to the runner of a CI job, which have no styles
    /// of the program. On a terminal they are made printable.
    pub(crate) fn bytes(&mut self) -> Box<dyn Write + '_> {
        match self {
            Self::Stdout(_) => {
                let clean: Option<fn(&str) -> String> = io::stdout().is_terminal().then_some(printable_lines);
                Box::new(ShownText::new(io::stdout(), clean))
            }
            Self::File { temporary, .. } => Box::new(temporary.as_file_mut()),
            Self::Captured { bytes, .. } => Box::new(bytes),
        }
    }

    /// Flushes the output, and replaces the file.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self {
            Self::Stdout(_) | Self::Captured { .. } => Ok(()),
            Self::File { temporary, path, .. } if is_device(&path) => {
                let written = temporary.reopen().and_then(|mut content| {
                    let mut device = OpenOptions::new().write(true).open(&path)?;
                    io::copy(&mut content, &mut device)
                });
                written.map_err(mark_closed).with_context(|| format!("cannot write `{}`", path.display()))?;
                Ok(())
            }
            Self::File { temporary, path, .. } => {
                if let Ok(before) = fs::metadata(&path) {
                    fs::set_permissions(temporary.path(), before.permissions())?;
                }
                temporary.persist(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
                Ok(())
            }
        }
    }
}

/// Refuses a path that cannot be written, before any work is done.
fn check_path(path: &Path, parent: &Path) -> Result<(), Problem> {
    let (path_shown, parent_shown) = (path.display(), parent.display());
    if path.is_dir() {
        let problem = Problem::new(format!("cannot write `{path_shown}`, which is a directory"));
        return Err(problem.hint("name a file in it"));
    }
    if !parent.exists() {
        let problem = Problem::new(format!("cannot write `{path_shown}`: directory `{parent_shown}` not found"));
        return Err(problem.hint("create the directory first"));
    }
    Ok(())
}

/// Whether a path is written to and never replaced, such as `/dev/null` or a named pipe. A path that is still a
/// symbolic link leads to an open file without a name, as `/dev/stdout` may.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| path.is_symlink() || !found.is_file() && !found.is_dir())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::File { temporary, colourless: None, .. } => temporary.write(bytes),
            Self::File { temporary, colourless: Some(colourless), .. } => {
                colourless.strip_next(bytes).try_for_each(|text| temporary.write_all(text))?;
                Ok(bytes.len())
            }
            Self::Captured { bytes: captured, colourless } => {
                colourless.strip_next(bytes).for_each(|text| captured.extend_from_slice(text));
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File { temporary, .. } => temporary.flush(),
            Self::Captured { .. } => Ok(()),
        }
    }
}

/// The error of an output whose reader has closed it, as opposed to pipes to other programs.
#[derive(Debug, thiserror::Error)]
#[error("the reader of the output has closed it")]
pub(crate) struct ClosedOutput;

fn mark_closed(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), ClosedOutput) } else { error }
}

fn between_styles(text: &str) -> String {
    clean_between_styles(text, printable_lines)
}

/// The longest line that is kept until its end, in bytes; a longer one is shown in pieces.
const LONGEST_LINE: usize = 1 << 16;

/// A writer that makes lines harmless for where they are read.
pub(crate) struct ShownText<W: Write> {
    out: W,
    clean: Option<fn(&str) -> String>,
    pending: Vec<u8>,
}

impl<W: Write> ShownText<W> {
    fn new(out: W, clean: Option<fn(&str) -> String>) -> Self {
        Self { out, clean, pending: Vec::new() }
    }

    fn show(&mut self, clean: fn(&str) -> String, end: usize) -> io::Result<()> {
        let rest = self.pending.split_off(end);
        let lines = mem::replace(&mut self.pending, rest);
        let text = clean(&String::from_utf8_lossy(&lines).replace("\r\n", "\n"));
        self.out.write_all(text.as_bytes()).map_err(mark_closed)
    }
}

impl<W: Write> Write for ShownText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(clean) = self.clean else { return self.out.write(bytes).map_err(mark_closed) };
        self.pending.extend_from_slice(bytes);
        let lines = self.pending.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let end = if self.pending.len() - lines > LONGEST_LINE { self.pending.len() } else { lines };
        self.show(clean, end)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(clean) = self.clean {
            self.show(clean, self.pending.len())?;
        }
        self.out.flush().map_err(mark_closed)
    }
}

impl<W: Write> Drop for ShownText<W> {
    fn drop(&mut self) {
        // A caller that needs the error calls `flush`.
        let _ = self.flush();
    }
}

/// A writer of JSON that escapes characters that could control a terminal. It is used for every output, because the
/// JSON means the same.
struct JsonText<W>(W);

impl<W: Write> Write for JsonText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match str::from_utf8(bytes) {
            // serde_json writes whole characters.
            Ok(text) if !text.bytes().all(|byte| byte < 0x7f) => self.0.write_all(printable_json(text).as_bytes())?,
            _ => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(is_terminal: bool, pieces: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut text = ShownText::new(&mut out, is_terminal.then_some(between_styles));
        for piece in pieces {
            text.write_all(piece).unwrap();
        }
        drop(text);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_is_not_controlled_and_a_pipe_gets_the_bytes() {
        let text = "\u{1b}[1mTide\u{1b}[0m\t\u{1b}]52;c;AAAA\u{7}\r\nna\u{ef}ve \u{202e}\rx";
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        let clean = "\u{1b}[1mTide\u{1b}[0m\t\u{fffd}]52;c;AAAA\u{fffd}\nna\u{ef}ve \u{fffd}\u{fffd}x";
        assert_eq!(shown(true, &pieces), clean);
        assert_eq!(shown(true, &[text.as_bytes()]), clean);
        assert_eq!(shown(false, &pieces), text);
    }

    #[test]
    fn endless_lines_are_shown_in_pieces() {
        let mut out = Vec::new();
        let mut text = ShownText::new(&mut out, Some(printable_lines));
        text.write_all(&vec![b'x'; LONGEST_LINE + 1]).unwrap();
        assert_eq!((text.pending.len(), text.out.len()), (0, LONGEST_LINE + 1));
    }
}
