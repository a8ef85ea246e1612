//! `tidings man`: manual pages, one per command.

use std::{fs, path::PathBuf};

use anyhow::Context as _;
use clap_mangen::Man;

use super::Session;
use crate::model::Problem;

/// Print the manual page of a command, or write all of them.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The command, such as `show` or `repo tree`; without it: the program.
    #[arg(value_name = "COMMAND")]
    path: Vec<String>,
    /// Write the page of every command into this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "path")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  tidings man show | man -l -
  tidings man --dir ~/.local/share/man/man1";

/// Runs `tidings man` for this tree of commands.
///
/// # Errors
///
/// Where there is no such command, or the pages cannot be written.
pub fn run(args: &Args, mut program: clap::Command, session: &mut Session) -> anyhow::Result<()> {
    program.build();
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
        return clap_mangen::generate_to(program, folder)
            .with_context(|| format!("cannot write into `{}`", folder.display()));
    }
    let mut command = &program;
    for name in &args.path {
        command = command.find_subcommand(name).ok_or_else(|| unknown(&args.path))?;
    }
    Ok(Man::new(command.clone()).render(&mut session.out.bytes())?)
}

fn unknown(path: &[String]) -> Problem {
    Problem::usage(format!("there is no command `{}`", path.join(" "))).hint("`tidings --help` lists them")
}
