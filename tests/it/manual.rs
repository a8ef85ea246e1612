//! What is told of every command alike: completions, a manual page, the letters of its switches.

use std::{collections::HashMap, fs};

use clap::{Command, CommandFactory as _};
use tidings::cli::Cli;

use crate::support::TestRepo;

#[test]
fn every_shell_gets_completions_that_know_the_commands() {
    let repo = TestRepo::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = repo.tidings(&["completions", shell]).success();
        assert!(script.contains("explain") && script.contains("first-release"), "{shell}");
    }
    repo.tidings(&["completions", "tcsh"]).failure(2);
}

#[test]
fn every_command_has_a_page() {
    let repo = TestRepo::new();
    let page = repo.tidings(&["man", "repo", "tree"]).success();
    assert!(page.starts_with(".ie") && page.contains("tidings\\-repo\\-tree"), "{page}");
    assert!(repo.tidings(&["man", "shw"]).failure(2).contains("no command `shw`"));
    let folder = repo.beside("pages");
    repo.tidings(&["man", "--dir", folder.to_str().unwrap()]).success();
    for name in ["tidings.1", "tidings-show.1", "tidings-repo-tree.1"] {
        assert!(!fs::read_to_string(folder.join(name)).unwrap().is_empty(), "{name}");
    }
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains("help")).count(), 0);
}

#[test]
fn a_page_tells_all_and_keeps_the_lines_of_examples() {
    let page = TestRepo::new().tidings(&["man", "show"]).success();
    assert!(page.contains("Treat warnings as errors"), "short help leaves this out");
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
    assert!(examples.starts_with("\\&  tidings show                          unreleased"), "{examples}");
    assert!(examples.contains("\n\\&  tidings show \\-\\-next     ") && examples.ends_with("\n.fi\n"), "{examples}");
}

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

#[cfg(unix)]
#[test]
fn bash_completes_commands_options_and_values() {
    let repo = TestRepo::new();
    repo.tidings(&["completions", "bash", "-o", "tidings.bash"]).success();
    let complete = "
source ./tidings.bash
complete -p tidings
try() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _tidings tidings \"${!#}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; echo \"${COMPREPLY[@]}\"; }
try tidings expl
try tidings repo tr
try tidings show --temp
try tidings check --require ''
";
    let output =
        std::process::Command::new("bash").args(["--norc", "-c", complete]).current_dir(repo.path()).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].ends_with("-F _tidings tidings"), "{stdout}");
    assert_eq!(lines[1..], ["explain", "tree", "--template", "any each none"], "{stdout}");
}
