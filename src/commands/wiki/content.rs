//! Files on their way into a wiki.

use std::{fs, path::Path};

use anyhow::Context as _;

use crate::{commands::session::input, model::Problem};

/// Reads the text of a page; `-` is stdin.
pub(super) fn read_content(file: &Path) -> anyhow::Result<String> {
    let no_text = |_| {
        let problem = Problem::usage(format!("`{}` is no text: a page is UTF-8", input::name(file)));
        problem.hint("`wiki upload` takes any file")
    };
    Ok(String::from_utf8(input::read(file)?).map_err(no_text)?)
}

/// The name under which a file is uploaded, once it is clear that it is one.
pub(super) fn check_attachment(file: &Path) -> anyhow::Result<String> {
    let known = fs::metadata(file).with_context(|| format!("cannot upload `{}`", file.display()))?;
    match file.file_name() {
        Some(name) if known.is_file() => Ok(name.to_string_lossy().into_owned()),
        _ => Err(Problem::usage(format!("`{}` is no file", file.display()))
            .hint("one file is uploaded at a time")
            .into()),
    }
}
