//! Every command line of the pages is one of the program.

use clap::Parser as _;
use tidings::cli::Cli;

use super::Page;

/// The words of a command line up to a comment or what the shell does with the rest.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in line.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('|' | '>' | '&', None) => break,
            ('#', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// The command lines of the shell examples and of the scripts of jobs, those after a pipe included.
fn command_lines(page: &Page) -> Vec<Vec<String>> {
    let scripts = page.blocks("sh").flat_map(str::lines);
    let typed = page.blocks("console").flat_map(str::lines).filter_map(|line| line.strip_prefix("$ "));
    let jobs = page.blocks("yaml").flat_map(str::lines);
    let steps = jobs.map(|line| line.trim_start_matches([' ', '-']).trim_start_matches("run: "));
    let lines = scripts.chain(typed).chain(steps).flat_map(|line| line.split(" | "));
    lines.map(str::trim_start).filter(|line| line.starts_with("tidings ")).map(words).collect()
}

#[test]
fn every_example_is_a_command_line_of_the_program() {
    let mut count = 0;
    for page in Page::all() {
        for line in command_lines(&page) {
            count += 1;
            if let Err(error) = Cli::try_parse_from(&line) {
                panic!("{}: `{}`: {error}", page.path, line.join(" "));
            }
        }
    }
    assert!(count > 60, "{count} examples");
}

#[cfg(unix)]
#[test]
fn the_page_of_commands_has_every_command() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/docs/reference");
    let mut python = std::process::Command::new("python3");
    let Ok(output) = python.arg(script).arg(assert_cmd::cargo::cargo_bin!("tidings")).output() else {
        return crate::support::skip_without("python3");
    };
    let page = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && page.contains("* **`--repo <PATH|URL>`**"), "{output:?}");
    let titles: Vec<_> =
        page.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(" tidings ")).collect();
    let mut program = <Cli as clap::CommandFactory>::command();
    program.build();
    let shown = |command: &&clap::Command| !command.is_hide_set() && command.get_name() != "help";
    let mut commands = Vec::new();
    for command in program.get_subcommands().filter(shown) {
        let below = command.get_subcommands().filter(shown);
        commands.extend(below.map(|below| format!("{} {}", command.get_name(), below.get_name())));
        commands.push(command.get_name().to_owned());
    }
    assert!(commands.len() > 50, "{commands:?}");
    for command in commands {
        assert!(titles.contains(&command.as_str()), "{command}");
    }
}
