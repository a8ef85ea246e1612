//! What is told of every command alike: its examples, the letters of its switches.

use std::collections::HashMap;

use clap::{Command, CommandFactory as _};

use crate::cli::Cli;

#[test]
fn examples_fit_into_a_terminal() {
    fn check(command: &Command) {
        let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in examples.lines() {
            assert!(line.chars().count() <= 80, "`{}`: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }
    let mut program = Cli::command();
    program.build();
    check(&program);
}

#[test]
fn a_switch_has_the_same_letter_in_every_command() {
    fn check(command: &Command, letters: &mut HashMap<String, Option<char>>) {
        for argument in command.get_arguments().filter(|argument| !argument.get_action().takes_values()) {
            let Some(long) = argument.get_long() else { continue };
            let letter = *letters.entry(long.to_owned()).or_insert(argument.get_short());
            assert_eq!(argument.get_short(), letter, "--{long} of `{}`", command.get_name());
        }
        command.get_subcommands().for_each(|command| check(command, letters));
    }
    let mut program = Cli::command();
    program.build();
    check(&program, &mut HashMap::new());
}
