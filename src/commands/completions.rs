//! `tidings completions`: what a shell completes `tidings` with.

use clap_complete::{Shell, env::Shells};

use super::Session;
/// The variable that makes the program complete a command line in place of running it.
pub const VARIABLE: &str = "TIDINGS_COMPLETE";

/// Print the completions of a shell.
///
/// The script asks the program itself, which offers the tags, branches and packages of the repository, too.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  tidings completions bash > ~/.local/share/bash-completion/completions/tidings
  tidings completions zsh > \"${fpath[1]}/_tidings\"
  tidings completions fish > ~/.config/fish/completions/tidings.fish";

/// Runs `tidings completions`.
///
/// # Errors
/// If the output cannot be written.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let (mut script, shells, name) = (Vec::new(), Shells::builtins(), args.shell.to_string());
    if let Some(shell) = shells.completer(&name) {
        shell.write_registration(VARIABLE, "tidings", "tidings", "tidings", &mut script)?;
    }
    Ok(session.out.bytes().write_all(&script)?)
}
