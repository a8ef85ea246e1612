//! Every operation of the contract has a command.

use std::collections::BTreeSet;

use crate::{cli::Cli, commands::operations};
use clap::CommandFactory as _;

const CONTRACT: &str = include_str!("../../../testdata/api/operations.txt");

#[test]
fn the_contract_and_the_code_have_the_same_operations() {
    let known: Vec<String> = operations().iter().map(|(_, method, path)| format!("{method} {path}")).collect();
    let (known, contract): (BTreeSet<_>, BTreeSet<_>) =
        (known.iter().map(String::as_str).collect(), CONTRACT.lines().collect());
    let missing: Vec<_> = contract.difference(&known).collect();
    let beyond: Vec<_> = known.difference(&contract).collect();
    assert!(missing.is_empty() && beyond.is_empty(), "without a command: {missing:?}; not of the contract: {beyond:?}");
}

#[test]
fn every_operation_names_a_command_that_is_there() {
    let mut program = Cli::command();
    program.build();
    for (name, ..) in operations() {
        let mut command = &program;
        for word in name.split(' ') {
            let below = command.find_subcommand(word);
            let option = word.strip_prefix("--");
            let is_option = command.get_arguments().any(|argument| argument.get_long() == option && option.is_some());
            assert!(below.is_some() || is_option || word == "--project", "`{name}`: no `{word}`");
            command = below.unwrap_or(command);
        }
    }
}
