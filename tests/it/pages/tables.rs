//! The tables of the pages list what the program has: commands, configuration keys, operations.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use clap::CommandFactory as _;
use tidings::{cli::Cli, commands::operations, config};

use super::Page;

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

/// `TIDINGS_RENEW=1 cargo test --test it pages::tables` writes it again.
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
        assert!(present == table, "`TIDINGS_RENEW=1 cargo test --test it pages::tables` renews the table");
    }
}
