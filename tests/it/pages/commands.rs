//! The page of commands, which is made of what the program says of itself.

#![cfg(unix)]

use crate::support::{Outcome, Page, skip_without, tidings};

#[test]
fn the_page_of_commands_has_every_command() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/docs/reference");
    let mut python = std::process::Command::new("python3");
    let Ok(output) = python.arg(script).arg(assert_cmd::cargo::cargo_bin!("tidings")).output() else {
        return skip_without("python3");
    };
    let page = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && page.contains("* **`--repo <PATH|URL>`**"), "{output:?}");
    let titles: Vec<_> =
        page.lines().filter_map(|line| line.trim_start_matches('#').strip_prefix(" tidings ")).collect();
    let readme = Page::load("README.md");
    let names = readme.rows("command").flat_map(|cell| cell.split(", "));
    let mut commands = Vec::new();
    for name in names.filter_map(|cell| cell.trim_matches('`').trim_start_matches("tidings ").split(' ').next()) {
        let help = tidings(&std::env::temp_dir()).args([name, "--help"]).output().expect("the program runs");
        let help = Outcome::from(help).success();
        let below = help.split("Commands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
        let below = below.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        commands.extend(below.filter(|word| !word.is_empty() && *word != "help").map(|word| format!("{name} {word}")));
        commands.push(name.to_owned());
    }
    assert!(commands.len() > 50, "{commands:?}");
    for command in commands {
        assert!(titles.contains(&command.as_str()), "{command}");
    }
}
