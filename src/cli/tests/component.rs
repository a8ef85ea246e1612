//! The options that the GitLab component passes.

use std::collections::BTreeSet;

use clap::CommandFactory as _;

use crate::{
    cli::Cli,
    support::component::{jobs, parts, script},
};

#[test]
fn its_options_are_those_of_the_program() {
    let mut program = Cli::command();
    program.build();
    let mut seen = 0;
    for job in jobs(&[]).as_object().unwrap().values() {
        // What a script adds to its arguments, it hands to the release.
        let expanded = script(job).replace("release+=(", "tidings release ");
        for line in expanded.lines().filter_map(|line| line.trim().strip_prefix("tidings ")) {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap();
            let command = program.find_subcommand(name).unwrap_or_else(|| panic!("no command `{name}`"));
            for option in words.filter_map(|word| {
                word.strip_prefix("--").filter(|rest| !rest.is_empty())?.split(['=', '"', ')']).next()
            }) {
                assert!(command.get_arguments().any(|known| known.get_long() == Some(option)), "{name} --{option}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 8, "{seen}");
    let required = parts().0["require"]["options"].clone();
    let check = program.find_subcommand("check").unwrap();
    let require = check.get_arguments().find(|argument| argument.get_long() == Some("require")).unwrap();
    let known: BTreeSet<_> = require.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    assert_eq!(known, required.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect());
}
