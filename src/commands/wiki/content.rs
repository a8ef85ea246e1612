//! Files on their way into a wiki.

use std::{fs, path::Path};

use anyhow::Context as _;

use crate::{
    commands::session::input,
    model::{Problem, ProblemKind},
};

/// Reads the text of a page; `-` is stdin.
pub(super) fn read_content(file: &Path) -> anyhow::Result<String> {
    let with_way_out = |no_text: Problem| no_text.kind(ProblemKind::Usage).hint("`wiki upload` takes any file");
    Ok(input::text(file, input::read(file)?).map_err(with_way_out)?)
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
