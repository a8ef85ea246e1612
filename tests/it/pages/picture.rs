//! The picture of the README, a recording: the tutorial's commands appear one after the other with what they print,
//! which another test compares with what they do print. Where nothing is animated, everything is there at once.

use std::{fmt::Write as _, fs, path::Path};

use crate::support::Page;

const PICTURE: &str = "docs/picture.svg";
const WIDTH: usize = 84;
const LINE: usize = 20;

/// Seconds after which a command appears, each after the one before it, and its output after the command.
const COMMAND: f32 = 2.0;
const OUTPUT: f32 = 0.5;

/// The command lines of the tutorial that are shown, with what they print.
const SHOWN: [&str; 3] = ["$ tidings show", "$ tidings explain", "$ tidings next -v"];

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The colour of a line, as a terminal shows it.
fn colour(line: &str) -> &'static str {
    match line.chars().next() {
        Some('$') => "#f0f6fc",
        Some('#') => "#79c0ff",
        Some('+') => "#7ee787",
        Some('-') if line.contains("(no trailer)") => "#8b949e",
        _ => "#c9d1d9",
    }
}

fn lines() -> Vec<String> {
    let tutorial = Page::load("docs/tutorial.md");
    let mut lines = Vec::new();
    for command in SHOWN {
        let printed = tutorial.blocks("console").flat_map(str::lines).skip_while(|line| *line != command);
        let mut printed = printed.peekable();
        assert_eq!(printed.next(), Some(command), "the tutorial shows it");
        lines.push(command.to_owned());
        lines.extend(printed.take_while(|line| !line.starts_with("$ ")).map(str::to_owned));
        lines.push(String::new());
    }
    lines.pop();
    lines
}

fn picture(lines: &[String]) -> String {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap();
    assert!(longest <= WIDTH, "a line of {longest} characters is too long for the picture");
    let (width, height) = (longest * 43 / 5 + 32, lines.len() * LINE + 32);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"tidings in \
         a terminal\">\n<style>@keyframes appear {{ from {{ opacity: 0 }} }}\n@media (prefers-reduced-motion: \
         no-preference) {{ text {{ animation: appear 0.2s both }} }}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" \
         fill=\"#0d1117\"/>\n<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\" \
         xml:space=\"preserve\">\n"
    );
    // The first output is there from the beginning.
    let mut delay = -COMMAND - OUTPUT;
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let is_command = line.starts_with("$ ");
        delay += if is_command { COMMAND } else { 0.0 };
        let after = delay + if is_command { 0.0 } else { OUTPUT };
        let (at, fill, text) = (16 + LINE * row + 14, colour(line), escape(line));
        writeln!(svg, "<text x=\"16\" y=\"{at}\" fill=\"{fill}\" style=\"animation-delay: {after}s\">{text}</text>")
            .unwrap();
    }
    svg + "</g>\n</svg>\n"
}

/// `TIDINGS_RENEW=1 cargo test --test it pages::picture` draws it again.
#[test]
fn the_picture_shows_what_the_program_prints() {
    let (file, drawn) = (Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE), picture(&lines()));
    if std::env::var_os("TIDINGS_RENEW").is_some() {
        fs::write(file, drawn).unwrap();
    } else {
        let there = fs::read_to_string(file).unwrap().replace("\r\n", "\n");
        assert!(there == drawn, "`TIDINGS_RENEW=1 cargo test --test it pages::picture` renews {PICTURE}");
    }
}
