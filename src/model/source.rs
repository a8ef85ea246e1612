//! Texts that the user wrote, and positions of errors in them.

use super::Problem;

/// The number of characters of a line that are shown.
const WIDTH: usize = 100;

/// A line and a column of a text, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// The line; lines end with LF.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

impl Position {
    /// The first character of the first line.
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Returns the position of a byte offset; an offset inside a character counts as that character.
    pub(crate) fn from_offset(text: &str, offset: usize) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.split(|byte| *byte == b'\n').count(),
            column: 1 + before[line_start..].iter().filter(|byte| **byte & 0xc0 != 0x80).count(),
        }
    }
}

/// A text and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The path as it was given, or a description such as "`template` in config.yml".
    pub name: String,
    /// The whole text.
    pub text: String,
    /// The position in the file where the text starts; all its lines start in this column.
    pub start: Position,
}

impl Source {
    /// Creates a source whose text is the whole file.
    pub(crate) fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), start: Position::START }
    }

    /// Returns a failure at a position: `name:line:column: message`, and the line with a mark below the column.
    pub(crate) fn problem(&self, at: Position, message: &str) -> Problem {
        let line = self.text.split('\n').nth(at.line.saturating_sub(1)).unwrap_or_default().trim_end();
        let skipped = at.column.saturating_sub(WIDTH - WIDTH / 4);
        let shown: String = line.chars().skip(skipped).take(WIDTH).collect();
        let (number, mark) = ((self.start.line + at.line - 1).to_string(), at.column - skipped);
        let gutter = " ".repeat(number.len());
        let excerpt = [format!("  {number} | {shown}"), format!("  {gutter} | {:>mark$}", "^")];
        Problem::new(format!("{}: {message}", self.location(at))).details(excerpt)
    }

    /// Returns `name:line:column`, which editors and terminals turn into links.
    pub(crate) fn location(&self, at: Position) -> String {
        format!("{}:{}:{}", self.name, self.start.line + at.line - 1, self.start.column + at.column - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let text = "eins\nzwölf {{";
        assert_eq!(Position::from_offset(text, text.find("{{").unwrap()), Position { line: 2, column: 7 });
        assert_eq!(Position::from_offset(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::from_offset(text, 4000), Position { line: 2, column: 9 });
    }

    #[test]
    fn a_problem_shows_its_line_with_a_mark() {
        let source = Source::new("notes.tpl", "a\n\tb \x1b c\r\n");
        let problem = source.problem(Position { line: 2, column: 4 }, "expected `}}`");
        assert_eq!(problem.to_string(), "notes.tpl:2:4: expected `}}`\n  2 |  b \u{fffd} c\n    |    ^");
    }

    #[test]
    fn positions_in_a_part_of_a_file_are_those_of_the_file() {
        let source = Source { start: Position { line: 10, column: 3 }, ..Source::new("c.yml", "a\nb") };
        assert_eq!(
            source.problem(Position { line: 2, column: 1 }, "no").to_string(),
            "c.yml:11:3: no\n  11 | b\n     | ^"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_position() {
        let text = "x".repeat(5_000) + "!" + &"y".repeat(5_000);
        let problem = Source::new("t", &text).problem(Position { line: 1, column: 5_001 }, "here").to_string();
        let lines: Vec<&str> = problem.lines().collect();
        assert_eq!(lines[1].find('!'), lines[2].find('^'));
        assert!(lines[1].len() < 120);
    }
}
