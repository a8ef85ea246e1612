//! `tidings completions`: prints what a shell completes `tidings` with.

use clap_complete::Shell;

use super::Session;

/// Print the completions of a shell.
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

/// Runs `tidings completions` for this tree of commands.
///
/// # Errors
///
/// Where the sink cannot be written.
pub fn run(args: &Args, mut program: clap::Command, session: &mut Session) -> anyhow::Result<()> {
    // The generator takes a sink that cannot fail.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "tidings", &mut script);
    Ok(session.out.bytes().write_all(&script)?)
}
