//! `tidings notes`: prints the section of a version from the changelog file.

use std::{cmp::Ordering, io::Write as _};

use serde_json::json;

use super::{ConfigArgs, Session, completions};
use crate::{
    document::{Document, DocumentSection},
    git::{self, Repo},
    model::{Problem, Version, compare_versions},
    pipeline::LoadedConfig,
};

/// Print the release notes of a version: its section of the changelog file.
///
/// Headings are found in every form that `add` knows: `## [1.2.0] - 2024-01-31`, `## v1.2.0`, `# Release 1.2.0`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Version of the section [default: the highest in the file that is not marked as unreleased].
    #[arg(value_name = "VERSION", add = completions::tags())]
    version: Option<String>,
    /// Path of the changelog file, relative to the top of the repository [default: `file` in the configuration, else
    /// the only file named like a changelog, else `CHANGELOG.md`].
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    #[command(flatten)]
    config: ConfigArgs,
}

const EXAMPLES: &str = "\
Examples:
  tidings notes                     the highest version in CHANGELOG.md
  tidings notes 1.2.0               this version
  tidings notes 1.2.0 -o notes.md   written to a file
  tidings notes --package api       the changelog file of a package";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let wanted = args.version.as_deref().map(str::parse::<Version>).transpose()?;
    let repo = session.repo()?;
    let file = match &args.file {
        Some(file) => file.clone(),
        None => LoadedConfig::load(&repo, &args.config.source())?.changelog_file(&repo)?,
    };
    let document = Document::parse(load(&repo, &file)?);
    let notes = find(&document, wanted.map(|version| version.to_string()).as_deref(), &file)?;
    let document = json!({
        "version": notes.version,
        "file": file,
        "heading": notes.heading,
        "notes": String::from_utf8_lossy(notes.body),
    });
    session.answer(&document, |out| {
        out.bytes().write_all(notes.body)?;
        writeln!(out)
    })
}

/// Reads the file from the work tree, or from `HEAD` in a bare repository.
fn load(repo: &Repo, file: &str) -> anyhow::Result<Vec<u8>> {
    let content = match repo.work_tree() {
        None => git::file::read_at_commit(repo, git::revision::resolve(repo, "HEAD")?, file)?,
        Some(_) => git::file::in_work_tree(repo, file)?,
    };
    Ok(content.ok_or_else(|| {
        Problem::new(format!("`{file}` not found"))
            .hint("use `--file` for another file, or run `tidings add VERSION` to create it")
    })?)
}

fn find<'a>(document: &'a Document, wanted: Option<&str>, file: &str) -> anyhow::Result<DocumentSection<'a>> {
    let newest = document.newest_version().ok_or_else(|| {
        Problem::new(format!("`{file}` has no section of a version")).hint("write headings such as `## 1.2.0 (DATE)`")
    })?;
    let unreleased = || {
        Problem::new(format!("`{file}` has no section of a released version: `{newest}` is marked as unreleased"))
            .hint(format!("name the version to print it all the same: `tidings notes {newest}`"))
    };
    let wanted = wanted.map_or_else(|| document.newest_released().ok_or_else(unreleased), Ok)?;
    Ok(document.section(wanted).ok_or_else(|| {
        Problem::new(format!("version `{wanted}` not found in `{file}`")).hint(neighbours(document, wanted))
    })?)
}

/// Returns in words the versions of the document next to a missing one: the nearest below and above it.
fn neighbours(document: &Document, wanted: &str) -> String {
    let beyond =
        |order: Ordering| document.versions().into_iter().filter(move |found| compare_versions(found, wanted) == order);
    let below = beyond(Ordering::Less).max_by(|left, right| compare_versions(left, right));
    let above = beyond(Ordering::Greater).min_by(|left, right| compare_versions(left, right));
    let equal = beyond(Ordering::Equal).next();
    let near: Vec<_> = [below, equal, above].into_iter().flatten().map(|version| format!("`{version}`")).collect();
    format!("it has {}", near.join(" and "))
}
