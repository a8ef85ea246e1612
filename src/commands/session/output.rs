//! Where answers go: stdout, or a file that appears whole or not at all.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anstream::{ColorChoice, adapter::StripBytes};
use anyhow::Context as _;
use serde::Serialize;
use serde_json::Value;

use super::shown_text::{JsonText, ShownText};
use crate::{interrupt::TemporaryFile, model::Problem};

/// The sink of a command's answer.
#[derive(Debug)]
pub struct Output(Sink);

#[derive(Debug)]
enum Sink {
    Stdout(ShownText<anstream::AutoStream<io::StdoutLock<'static>>>),
    File { temporary: TemporaryFile, path: PathBuf, colourless: Option<StripBytes> },
    Captured { bytes: Vec<u8>, colourless: StripBytes },
}

impl Output {
    /// Writes to stdout, colours only where it takes them.
    #[must_use]
    pub fn stdout() -> Self {
        Self(Sink::Stdout(ShownText::styled(anstream::stdout().lock(), &io::stdout())))
    }

    /// Writes beside `path`, and to `path` itself once [`Output::finish`] is called.
    ///
    /// # Errors
    ///
    /// Where `path` is a folder, or its own folder is missing or not writable.
    pub fn file(path: &Path) -> anyhow::Result<Self> {
        // A link stays one: what it leads to is renewed.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        refuse(path, beside)?;
        let folder = if is_device(path) { std::env::temp_dir() } else { beside.to_owned() };
        let temporary = TemporaryFile::new_in(&folder).with_context(|| format!("cannot write `{}`", path.display()))?;
        let colourless = (ColorChoice::global() != ColorChoice::Always).then(StripBytes::new);
        Ok(Self(Sink::File { temporary, path: path.to_owned(), colourless }))
    }

    /// Keeps what is written, without colours.
    #[must_use]
    pub fn kept() -> Self {
        Self(Sink::Captured { bytes: Vec::new(), colourless: StripBytes::new() })
    }

    /// Takes out what was kept; nothing where it went elsewhere.
    ///
    /// # Errors
    ///
    /// Where it is no text.
    pub fn take(&mut self) -> anyhow::Result<String> {
        let bytes = match &mut self.0 {
            Sink::Captured { bytes, .. } => std::mem::take(bytes),
            Sink::Stdout(_) | Sink::File { .. } => Vec::new(),
        };
        let no_text = || Problem::new("the answer is no text").hint("write it into a file with the option `output`");
        String::from_utf8(bytes).with_context(no_text)
    }

    /// Writes one JSON document and a final newline.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        // It comes in pieces of a few bytes, and a terminal or file would take each by itself.
        let mut out = JsonText(BufWriter::with_capacity(1 << 16, self.bytes()));
        serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        Ok(out.flush()?)
    }

    /// Writes the elements of a JSON array as they come: `count` are written already, and none more ends it.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written.
    pub fn json_elements(&mut self, count: usize, elements: Option<&[Value]>) -> anyhow::Result<()> {
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

    /// The sink for what goes out to the byte, such as files and sections: nothing in it is taken for a colour. A terminal
    /// gets what is printable of it.
    pub fn bytes(&mut self) -> Box<dyn Write + '_> {
        match &mut self.0 {
            Sink::Stdout(_) => Box::new(ShownText::plain(io::stdout(), &io::stdout())),
            Sink::File { temporary, .. } => Box::new(temporary.as_file_mut()),
            Sink::Captured { bytes, .. } => Box::new(bytes),
        }
    }

    /// Flushes, and puts a file into its place.
    ///
    /// # Errors
    ///
    /// Where the sink cannot be written, or the file not put into its place.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self.0 {
            Sink::Stdout(_) | Sink::Captured { .. } => Ok(()),
            Sink::File { temporary, path, .. } if is_device(&path) => {
                let write = || io::copy(&mut temporary.reopen()?, &mut OpenOptions::new().write(true).open(&path)?);
                write().with_context(|| format!("cannot write `{}`", path.display()))?;
                Ok(())
            }
            Sink::File { temporary, path, .. } => {
                if let Ok(before) = fs::metadata(&path) {
                    fs::set_permissions(temporary.path(), before.permissions())?;
                }
                temporary.persist(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
                Ok(())
            }
        }
    }
}

/// Refuses what can be no file, before any work is done for it.
fn refuse(path: &Path, folder: &Path) -> Result<(), Problem> {
    let (shown, folder_shown) = (path.display(), folder.display());
    if path.is_dir() {
        return Err(Problem::new(format!("cannot write `{shown}`, which is a folder")).hint("name a file in it"));
    }
    if !folder.exists() {
        let problem = Problem::new(format!("cannot write `{shown}`: there is no folder `{folder_shown}`"));
        return Err(problem.hint("make the folder first"));
    }
    Ok(())
}

/// Whether a path names something to write into and never to replace, such as `/dev/null` or a named pipe. What is still
/// a link leads to an open file without a name, as `/dev/stdout` may.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| path.is_symlink() || !found.is_file() && !found.is_dir())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::File { temporary, colourless: None, .. } => temporary.write(bytes),
            Sink::File { temporary, colourless: Some(colourless), .. } => {
                colourless.strip_next(bytes).try_for_each(|text| temporary.write_all(text))?;
                Ok(bytes.len())
            }
            Sink::Captured { bytes: kept, colourless } => {
                colourless.strip_next(bytes).for_each(|text| kept.extend_from_slice(text));
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::File { temporary, .. } => temporary.flush(),
            Sink::Captured { .. } => Ok(()),
        }
    }
}
