//! The help of the program and of a command: short, with the commands in groups and without the global options.
//!
//! The trees of commands for manual pages and completions are complete; only the help leaves anything out.

use std::fmt::Write as _;

use clap::builder::Styles;

/// The commands by purpose.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Changelog", &["show", "add", "explain", "check", "preview", "change", "note", "notes", "render", "init"]),
    ("Release", &["next", "base", "release"]),
    ("Repository", &["repo", "batch", "doctor"]),
    ("Server", &["label", "wiki", "feature", "role", "cluster", "vulnerability", "api"]),
    ("Program", &["completions", "man", "help"]),
];

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// The line about global options in the help of a command.
const FURTHER: &str = "\n\nEvery command takes `--repo URL`, `--format json` and more: `tidings --help`";

/// Returns the names of all commands.
pub(super) fn commands() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|(_, names)| names.iter().copied())
}

/// Returns the tree of commands as the help shows it.
pub(super) fn tree(mut program: clap::Command) -> clap::Command {
    program.build();
    let commands = groups(&program);
    program
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}{{all-args}}{{after-help}}"
        ))
        .override_usage("tidings [OPTIONS] <COMMAND>")
        .mut_subcommands(|command| {
            let of_server = GROUPS[3].1.contains(&command.get_name());
            brief(command, of_server).hide(true)
        })
}

/// Returns the commands under the headings of their groups.
fn groups(program: &clap::Command) -> String {
    let header = *Styles::default().get_header();
    let literal = *Styles::default().get_literal();
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{header}{title}:{header:#}");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let aliases: Vec<_> = command.get_visible_aliases().collect();
            let aliases = if aliases.is_empty() { String::new() } else { format!(" [{}]", aliases.join(", ")) };
            let name = command.get_name();
            let _ = writeln!(text, "  {literal}{name:<15}{literal:#}{about}{aliases}");
        }
        text.push('\n');
    }
    text
}

/// Hides the options that every command has; those of servers stay visible in a command about a server.
fn brief(command: clap::Command, of_server: bool) -> clap::Command {
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command
        .mut_args(|argument| {
            let is_of_server =
                of_server && argument.get_help_heading() != Some(GLOBAL) && !argument.is_hide_short_help_set();
            if argument.is_global_set() && !is_of_server { argument.hide(true) } else { argument }
        })
        .mut_subcommands(|command| brief(command, of_server))
        .after_help((examples + FURTHER).trim_start().to_owned())
}
