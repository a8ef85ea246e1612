//! Every operation of the service's contract has a command, and the README names it.
//!
//! `TIDINGS_RENEW=1 cargo test --test it operations` writes the README's table anew.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use clap::CommandFactory as _;
use tidings::{cli::Cli, commands::operations};

const CONTRACT: &str = include_str!("../../testdata/api/operations.txt");
const BEGIN: &str = "<!-- operations -->\n";
const END: &str = "<!-- end of operations -->\n";

fn table() -> String {
    let mut table = "| command | method | path |\n|---|---|---|\n".to_owned();
    for (command, operation) in operations() {
        writeln!(table, "| `tidings {command}` | {} | `{}` |", operation.method, operation.path).unwrap();
    }
    table
}

#[test]
fn the_contract_and_the_code_have_the_same_operations() {
    let known: Vec<String> =
        operations().iter().map(|(_, operation)| format!("{} {}", operation.method, operation.path)).collect();
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
    for (name, _) in operations() {
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

#[test]
fn the_readme_lists_every_operation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = readme.split_once(BEGIN).expect("the README has a place for the table");
    let (present, after) = rest.split_once(END).expect("the table ends");
    let table = format!("\n{}\n", table());
    if std::env::var_os("TIDINGS_RENEW").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(present == table, "`TIDINGS_RENEW=1 cargo test --test it operations` renews the README's table");
    }
}
