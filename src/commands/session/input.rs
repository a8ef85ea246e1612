//! Input besides the arguments: a file, stdin for `-`, or an environment variable.

use std::{borrow::Cow, fs, io, path::Path};

use anyhow::Context as _;

use crate::{bounded_read, model::Problem};

/// The name of a file in errors.
pub(in crate::commands) fn name(path: &Path) -> Cow<'_, str> {
    if path == Path::new("-") { "stdin".into() } else { path.to_string_lossy() }
}

/// Reads a file.
pub(in crate::commands) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = name(path);
    if path == Path::new("-") {
        return bounded_read::read(io::stdin().lock(), &name);
    }
    bounded_read::read(fs::File::open(path).with_context(|| format!("cannot read `{name}`"))?, &name)
}

/// Reads a file that has to be text.
pub(in crate::commands) fn read_text(path: &Path) -> anyhow::Result<String> {
    let not_text = |_| Problem::new(format!("`{}` is not UTF-8 text", name(path)));
    Ok(String::from_utf8(read(path)?).map_err(not_text)?)
}

/// Reads an environment variable; `None` if it is empty, because CI systems set variables without a value.
pub(in crate::commands) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}
