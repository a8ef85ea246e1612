//! `tidings repo archive`: the files of a commit as an archive.

use std::{
    io::{IsTerminal as _, Write as _},
    path::Path,
};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::{
    commands::Session,
    model::{
        Problem,
        repository::{ArchiveFormat, ArchiveRequest},
    },
    repository::Repository,
};

/// Write the files of a commit into an archive.
///
/// A local archive is that of `git archive`: attributes such as export-ignore apply, and everything is in a directory
/// named after project, ref and commit. A file given with `-o` appears only when it is complete.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Commit, tag or branch [default: HEAD, on a server the default branch].
    #[arg(long, value_name = "REF")]
    sha: Option<String>,
    /// Archive only this file or directory.
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    path: String,
    /// Archive format [default: from the file name given with `-o`, else tar.gz].
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    archive_format: Option<ArchiveFormat>,
    /// Exclude this file or directory; can be repeated.
    #[arg(long, value_name = "PATH")]
    exclude_path: Vec<String>,
    /// Keep the pointers to large files (LFS) instead of the files.
    #[arg(long)]
    no_lfs: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo archive -o app.tar.gz                        the current commit
  tidings repo archive --sha v1.2.0 -o app.zip              a tag, as a ZIP file
  tidings repo archive --path docs --exclude-path docs/old -o docs.tar.bz2
  tidings repo archive --project group/app --sha main -o app.tar.gz";

fn formats() -> impl clap::builder::TypedValueParser<Value = ArchiveFormat> {
    let names = ArchiveFormat::NAMES.map(|(name, _)| name);
    PossibleValuesParser::new(names).map(|name| ArchiveFormat::named(&name).unwrap_or_default())
}

/// Runs `tidings repo archive`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let file = session.global.file();
    if file.is_none() && std::io::stdout().is_terminal() {
        return Err(Problem::usage("refusing to write an archive to a terminal")
            .hint("write it to a file with `-o FILE`, or into a pipe")
            .into());
    }
    let request = ArchiveRequest {
        reference: args.sha.clone(),
        path: args.path.clone(),
        exclude: args.exclude_path.clone(),
        format: args.archive_format.or_else(|| file.and_then(by_name)).unwrap_or_default(),
        lfs: !args.no_lfs,
    };
    let mut out = session.out.bytes();
    repository.archive(&request, &mut out)?;
    Ok(out.flush()?)
}

/// Returns the format that a file's name ends with.
fn by_name(file: &Path) -> Option<ArchiveFormat> {
    let name = file.file_name()?.to_str()?;
    let is_suffix = |(suffix, _): &&(&str, ArchiveFormat)| name.ends_with(&format!(".{suffix}"));
    ArchiveFormat::NAMES.iter().find(is_suffix).map(|(_, format)| *format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_file_has_a_format() {
        for (name, format) in [
            ("a/app.tar.gz", Some(ArchiveFormat::TarGz)),
            ("app.tbz2", Some(ArchiveFormat::TarBz2)),
            ("app.zip", Some(ArchiveFormat::Zip)),
            ("app.tar", Some(ArchiveFormat::Tar)),
            ("tar", None),
            ("app.rar", None),
        ] {
            assert_eq!(by_name(Path::new(name)), format, "{name}");
        }
    }
}
