//! What a command reads besides its arguments: a file, stdin for `-`, or a variable of the environment.

use std::{borrow::Cow, fs, io, path::Path};

use anyhow::Context as _;

use crate::{bounded_read, model::Problem};

/// What errors call it.
pub(in crate::commands) fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "stdin".into() } else { path.to_string_lossy() }
}

/// All of it.
pub(in crate::commands) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = name(path);
    if path == Path::new("-") {
        return bounded_read::read(io::stdin().lock(), &name);
    }
    bounded_read::read(fs::File::open(path).with_context(|| format!("cannot read `{name}`"))?, &name)
}

/// The text it has to be.
pub(in crate::commands) fn read_text(path: &Path) -> anyhow::Result<String> {
    let no_text = |_| Problem::new(format!("`{}` is no UTF-8 text", name(path)));
    Ok(String::from_utf8(read(path)?).map_err(no_text)?)
}

/// A variable of the environment; `None` if it is empty, as CI systems set what they do not have.
pub(in crate::commands) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}
