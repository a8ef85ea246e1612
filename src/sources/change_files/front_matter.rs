//! The front matter of a Markdown file: a mapping between two lines `---`, and the text below it.

use std::ops::Range;

use crate::{
    config::ForeignConfig,
    model::{Position, Problem, Source},
};

/// A file that is taken apart.
#[derive(Debug)]
pub(super) struct FrontMatter<'a> {
    /// The keys and values in their order, each with its line.
    pub pairs: Vec<(String, String, usize)>,
    /// The text below, without blanks around it.
    pub text: &'a str,
}

/// Takes a file apart at the first two lines `---`; text above them is ignored.
pub(super) fn split(source: &Source) -> Result<FrontMatter<'_>, Problem> {
    let Parts { head, lines_above, text } = parts(source)?;
    let head = &source.text[head];
    if head.trim().is_empty() {
        return Ok(FrontMatter { pairs: Vec::new(), text });
    }
    // The lines above keep their numbers in messages.
    let padded = format!("{}{head}", "\n".repeat(lines_above));
    let pairs = pairs(&padded, &source.name).map_err(|error| Problem::new(error.to_string()).hint(HINT))?;
    Ok(FrontMatter { pairs, text })
}

fn pairs(text: &str, name: &str) -> anyhow::Result<Vec<(String, String, usize)>> {
    let config = ForeignConfig::parse(text.as_bytes(), name)?;
    let fields = config.fields()?;
    fields.iter().map(|field| Ok((field.key().to_owned(), field.filled()?, field.line()))).collect()
}

const HINT: &str = "write lines such as `\"package\": minor` between two lines `---`, and the text below them";

/// Where the front matter of a file is.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// The bytes between the two lines `---`.
    pub head: Range<usize>,
    /// The number of lines above, with the first `---`.
    pub lines_above: usize,
    /// The text below, without blanks around it.
    pub text: &'a str,
}

/// Finds the front matter of a file.
pub(super) fn parts(source: &Source) -> Result<Parts<'_>, Problem> {
    let missing = |line: usize, message: &str| source.problem(Position { line, column: 1 }, message).hint(HINT);
    let mut at = 0;
    let mut open: Option<(usize, usize)> = None;
    for (number, line) in source.text.split_inclusive('\n').enumerate() {
        let is_mark = line.trim_end() == "---";
        match open {
            None if is_mark => open = Some((number + 1, at + line.len())),
            Some((lines_above, start)) if is_mark => {
                return Ok(Parts { head: start..at, lines_above, text: source.text[at + line.len()..].trim() });
            }
            _ => {}
        }
        at += line.len();
    }
    Err(match open {
        None => missing(1, "the file has no front matter"),
        Some((line, _)) => missing(line, "the front matter is not closed"),
    })
}

/// Returns the key of a line of front matter, as it is written and without quotes.
pub(super) fn keys(line: &str) -> Vec<&str> {
    let line = line.trim();
    let quoted = line.strip_prefix(['"', '\'']).and_then(|rest| rest.split_once(['"', '\'']));
    match quoted {
        Some((name, _)) => vec![&line[..name.len() + 2], name],
        None => line.split_once(':').map(|(name, _)| name.trim()).into_iter().collect(),
    }
}
