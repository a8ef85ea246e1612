//! Files on their way into a wiki.

use std::{fs, path::Path};

use anyhow::Context as _;

use crate::{
    commands::session::input,
    model::{Problem, ProblemKind},
};

/// Reads the text of a page; `-` is stdin.
pub(super) fn read_content(file: &Path) -> anyhow::Result<String> {
    input::read_text(file).map_err(|error| match error.downcast::<Problem>() {
        Ok(no_text) => no_text.kind(ProblemKind::Usage).hint("`wiki upload` takes any file").into(),
        Err(error) => error,
    })
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
