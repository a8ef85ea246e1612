//! The pages and the program agree: command lines, tables of commands and of operations, configurations.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use clap::{CommandFactory as _, Parser as _};

use crate::{cli::Cli, commands::operations, config, support::Page};

const BEGIN: &str = "<!-- operations -->\n";
const END: &str = "<!-- end of operations -->\n";

#[test]
fn the_readme_lists_every_command() {
    let readme = Page::load("README.md");
    let rows: Vec<_> = readme.rows("command").flat_map(|cell| cell.split(", ")).collect();
    let name = |row: &&str| row.trim_matches('`').trim_start_matches("tidings ").split(' ').next().unwrap().to_owned();
    let listed: BTreeSet<String> = rows.iter().map(name).collect();
    let program = Cli::command();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let present: BTreeSet<String> = commands.map(|command| command.get_name().to_owned()).collect();
    assert_eq!(listed, present);
}

#[test]
fn configurations_that_are_shown_are_read_without_a_warning() {
    let mut count = 0;
    for page in Page::all() {
        let has_configurations_alone = ["configuration", "packages", "releases", "changelog-file"]
            .map(|name| format!("docs/{name}.md"))
            .contains(&page.path);
        let blocks: Vec<&str> = if has_configurations_alone {
            page.blocks("yaml").collect()
        } else {
            page.examples(".gitlab/changelog_config.yml").collect()
        };
        for block in blocks {
            count += 1;
            let empty = |_: &str| Ok(Some(Vec::new()));
            let (_, warnings) = config::parse_with(block, "settings", &empty)
                .unwrap_or_else(|error| panic!("{}: {error:#}\n{block}", page.path));
            assert!(warnings.is_empty(), "{}: {warnings:?}\n{block}", page.path);
        }
    }
    assert!(count >= 10, "{count} examples");
}

fn operations_table() -> String {
    let mut table = "| command | method | path |\n|---|---|---|\n".to_owned();
    for (command, method, path) in operations() {
        writeln!(table, "| `tidings {command}` | {method} | `{path}` |").unwrap();
    }
    table
}

/// `TIDINGS_RENEW=1 cargo test --lib cli::tests::pages` writes it again.
#[test]
fn the_servers_page_lists_every_operation() {
    let page = Page::load("docs/server.md");
    let (before, rest) = page.text.split_once(BEGIN).expect("the page has a place for the table");
    let (present, after) = rest.split_once(END).expect("the table ends");
    let table = format!("\n{}\n", operations_table());
    if std::env::var_os("TIDINGS_RENEW").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(&page.path);
        fs::write(file, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(present == table, "`TIDINGS_RENEW=1 cargo test --lib cli::tests::pages` renews the table");
    }
}

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
