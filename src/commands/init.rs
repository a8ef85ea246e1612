//! `tidings init`: a first settings file from what is found, the commit-msg hook, the schema of the settings.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;

use super::Session;
use crate::{
    changelog::{check::COMMON, starter::Starter},
    config,
    git::{self, Repo, WalkOptions},
    model::{Problem, Range},
};

/// Write a commented settings file from what the history shows, or install the commit-msg hook.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Install the commit-msg hook that runs `tidings check --message` in place of writing settings.
    #[arg(long, conflicts_with = "schema")]
    hook: bool,
    /// Print the JSON schema of the settings.
    #[arg(long)]
    schema: bool,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings init             write .gitlab/changelog_config.yml
  tidings init --hook      check every message before it is committed
  tidings init --schema    for editors that complete YAML";

const HOOK: &str = "#!/bin/sh\n# Checks the message before it is committed; `git commit --no-verify` goes past it.\n\
                    exec tidings check --message \"$1\"\n";

/// How much of the history is looked at, in commits.
const ENOUGH: usize = 1_000_000;

/// Runs `tidings init`.
///
/// # Errors
///
/// Where a file cannot be written, or is there and `--force` is not given.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.schema {
        return Ok(session.out.write_all(config::SCHEMA.as_bytes())?);
    }
    let repo = session.repo()?;
    let (path, text) =
        if args.hook { (git::hooks::folder(&repo)?.join("commit-msg"), HOOK.to_owned()) } else { settings(&repo)? };
    write(&path, &text, args.force)?;
    if args.hook {
        make_executable(&path)?;
    }
    session.done(&serde_json::json!({ "written": path.display().to_string() }), &format!("wrote {}", path.display()))
}

fn settings(repo: &Repo) -> anyhow::Result<(PathBuf, String)> {
    let root = repo.work_tree().ok_or_else(|| {
        Problem::new("a bare repository has no work tree to write settings into").hint("run it in a clone")
    })?;
    let there = config::PATHS.iter().map(|path| root.join(path)).find(|path| path.exists());
    let path = there.unwrap_or_else(|| root.join(config::PATHS[1]));
    let commits = match git::revision::resolve(repo, "HEAD") {
        Ok(to) => {
            let options = WalkOptions { max_commits: ENOUGH, allow_shallow: true };
            git::walk(repo, Range { from: None, to }, &options)?.commits
        }
        // A repository without a commit.
        Err(_) => Vec::new(),
    };
    Ok((path, Starter::of(&commits, &git::tags::names(repo)?, &COMMON).settings()))
}

fn write(path: &Path, text: &str, force: bool) -> anyhow::Result<()> {
    let shown = path.display();
    if !force && fs::read(path).is_ok_and(|there| there != text.as_bytes()) {
        return Err(Problem::new(format!("`{shown}` is there already")).hint("`--force` replaces it").into());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write `{shown}`"))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make `{}` executable", path.display()))
}

/// git for Windows runs hooks by their first line.
#[cfg(not(unix))]
fn make_executable(_: &Path) -> anyhow::Result<()> {
    Ok(())
}
