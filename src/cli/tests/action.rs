//! `action.yml` and the tree of commands say the same.

use std::{collections::BTreeSet, env, fs};

use clap::{Arg, ArgAction, Command, CommandFactory as _, builder::PossibleValue};
use indexmap::IndexMap;

use crate::{
    cli::Cli,
    support::action::{action, path},
};

/// The commands whose options are inputs.
const COMMANDS: [&str; 9] = ["show", "add", "base", "explain", "notes", "next", "check", "preview", "release"];

/// A long option of one or more of the commands.
struct Choice {
    help: String,
    kind: &'static str,
    commands: Vec<&'static str>,
}

fn kind(argument: &Arg) -> &'static str {
    match argument.get_action() {
        ArgAction::SetTrue => "FLAG",
        ArgAction::Count => "COUNT",
        ArgAction::Append => "LIST",
        _ => "OPTION",
    }
}

/// Every long option, the global ones first.
fn choices() -> IndexMap<String, Choice> {
    let program = Cli::command();
    let mut choices = IndexMap::new();
    add(&program, None, &mut choices);
    for name in COMMANDS {
        if let Some(mut command) = program.find_subcommand(name).cloned() {
            // The options of a command are added when it is called.
            command.build();
            add(&command, Some(name), &mut choices);
        }
    }
    choices
}

fn add(command: &Command, name: Option<&'static str>, choices: &mut IndexMap<String, Choice>) {
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
        let Some(long) = argument.get_long().filter(|long| *long != "help") else { continue };
        // A job previews the request that it runs for; as an input, `request` is that of a release.
        if name == Some("preview") && long == "request" {
            continue;
        }
        let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        if argument.get_action().takes_values() && !argument.get_possible_values().is_empty() {
            let values = argument.get_possible_values();
            let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
            help = format!("{help}; one of {}", names.join(", "));
        }
        let kind = kind(argument);
        let choice = choices.entry(long.to_owned()).or_insert(Choice { help, kind, commands: Vec::new() });
        assert_eq!(choice.kind, kind, "--{long} is of two kinds");
        choice.commands.extend(name);
    }
}

fn inputs(choices: &IndexMap<String, Choice>) -> String {
    let line = |(name, choice): (&String, &Choice)| {
        let commands = choice.commands.join(", ");
        let of = if commands.is_empty() { String::new() } else { format!(" ({commands})") };
        let description = serde_json::to_string(&format!("{}{of}", choice.help)).unwrap();
        format!("  {name}: {{ description: {description} }}\n")
    };
    choices.iter().map(line).collect()
}

fn variables(choices: &IndexMap<String, Choice>) -> String {
    let line = |(name, choice): (&String, &Choice)| {
        let variable = name.to_uppercase().replace('-', "_");
        format!("        ACTION_{}_{variable}: ${{{{ inputs.{name} }}}}\n", choice.kind)
    };
    choices.iter().map(line).collect()
}

/// The text with the lines between two marks replaced.
fn between(text: &str, mark: &str, lines: &str) -> String {
    let begin = format!("# --- {mark}: begin\n");
    let (before, rest) = text.split_once(&begin).expect("the mark is there");
    let end = rest.find(&format!("# --- {mark}: end")).expect("the mark is there");
    let end = rest[..end].rfind('\n').map_or(0, |at| at + 1);
    format!("{before}{begin}{lines}{}", &rest[end..])
}

#[test]
fn inputs_are_the_long_options_one_to_one() {
    let choices = choices();
    let text = fs::read_to_string(path()).unwrap();
    let expected = between(&text, "options", &inputs(&choices));
    let expected = between(&expected, "variables", &variables(&choices));
    if env::var_os("TIDINGS_RENEW").is_some() {
        fs::write(path(), &expected).unwrap();
        return;
    }
    assert!(text == expected, "`TIDINGS_RENEW=1 cargo test --lib cli::tests::action` renews action.yml");
}

#[test]
fn every_input_is_used_and_every_used_one_declared() {
    let action = action();
    let declared: BTreeSet<&str> = action["inputs"].as_object().unwrap().keys().map(String::as_str).collect();
    let text = fs::read_to_string(path()).unwrap();
    let used = text.split("${{ inputs.").skip(1).map(|rest| rest.split(" }}").next().unwrap());
    assert_eq!(declared, used.collect());
    for own in ["command", "version", "range", "directory", "token", "install", "sha256"] {
        assert!(declared.contains(own) && !choices().contains_key(own), "`{own}` is the action's own");
    }
}

#[test]
fn it_uses_no_other_action_and_no_expression_is_part_of_a_script() {
    for step in action()["runs"]["steps"].as_array().unwrap() {
        // A project may allow only actions of a pinned commit, which holds for nested ones too.
        let script = step["run"].as_str().unwrap_or_else(|| panic!("a nested action: {step}"));
        assert!(!script.contains("${{") && step["shell"] == "bash", "{step}");
    }
}
