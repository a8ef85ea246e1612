//! What the README shows can be typed as it stands there.

use clap::Parser as _;
use tidings::cli::Cli;

const README: &str = include_str!("../../README.md");

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

/// The command lines of the shell examples, those behind a pipe included.
fn command_lines() -> Vec<Vec<String>> {
    let examples = README.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n"));
    let lines = examples.flat_map(str::lines).flat_map(|line| line.split(" | "));
    lines.map(str::trim_start).filter(|line| line.starts_with("tidings ")).map(words).collect()
}

#[test]
fn every_example_is_a_command_line_of_the_program() {
    let lines = command_lines();
    assert!(lines.len() > 30, "{} examples", lines.len());
    for line in lines {
        if let Err(error) = Cli::try_parse_from(&line) {
            panic!("`{}`: {error}", line.join(" "));
        }
    }
}
