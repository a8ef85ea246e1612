//! What a command reads besides its arguments: a file, or stdin for `-`.

use std::{
    borrow::Cow,
    fs,
    io::{self, Read as _},
    path::Path,
};

use anyhow::Context as _;

use crate::model::Problem;

/// What errors call it.
pub(in crate::commands) fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "stdin".into() } else { path.to_string_lossy() }
}

/// All of it.
pub(in crate::commands) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_up_to(path, u64::MAX)
}

/// A text of a few lines, such as a token; of more than 1 MiB the beginning.
pub(in crate::commands) fn read_short_text(path: &Path) -> anyhow::Result<String> {
    Ok(text(path, read_up_to(path, 1 << 20)?)?)
}

/// What was read, as the text it has to be.
pub(in crate::commands) fn text(path: &Path, content: Vec<u8>) -> Result<String, Problem> {
    String::from_utf8(content).map_err(|_| Problem::new(format!("`{}` is no UTF-8 text", name(path))))
}

fn read_up_to(path: &Path, bytes: u64) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().take(bytes).read_to_end(&mut content)
    } else {
        fs::File::open(path).and_then(|file| file.take(bytes).read_to_end(&mut content))
    };
    result.with_context(|| format!("cannot read `{}`", name(path)))?;
    Ok(content)
}
