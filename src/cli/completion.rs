//! What a shell asks in place of a run: what the word under the cursor may become.

use std::env;

use clap::CommandFactory as _;
use clap_complete::{ArgValueCandidates, CompleteEnv, CompletionCandidate};

use super::{Cli, failure, help};
use crate::commands::completions::VARIABLE;

/// Answers a shell that asks for completions, and reports whether one did.
pub(super) fn answer() -> bool {
    let directory = env::current_dir().ok();
    let answered = CompleteEnv::with_factory(tree).var(VARIABLE).try_complete(env::args_os(), directory.as_deref());
    answered.unwrap_or_else(|error| {
        failure::report_usage(error);
        true
    })
}

/// The tree of commands as completions offer it.
fn tree() -> clap::Command {
    let commands = || help::commands().map(CompletionCandidate::new).collect();
    let mut program = Cli::command();
    program.build();
    // An alias is understood, and its command offered.
    let program = [("show", "changelog"), ("next", "bump")].into_iter().fold(program, |program, (name, alias)| {
        program.mut_subcommand(name, |command| command.visible_alias(None).alias(alias))
    });
    let program = program
        .mut_subcommand("man", |command| command.mut_arg("path", |path| path.add(ArgValueCandidates::new(commands))));
    // As long as nothing is typed, options would hide what else there is.
    if env::args_os().next_back().is_some_and(|word| word.is_empty()) { without_options(program) } else { program }
}

fn without_options(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| if argument.is_positional() { argument } else { argument.hide(true) })
        .mut_subcommands(without_options)
}
