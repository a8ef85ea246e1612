//! The parser. The grammar is deterministic: the first characters of an item decide what it must be.
//!
//! ```text
//! item     := "{{" "{"* selector "}}" "}"* | if | each | "\" LF | "\" text | text | LF
//! if       := "{%" "if" (" " | TAB)+ selector "%}" item* ("{%" "else" "%}" item*)? "{%" "end" "%}"
//! each     := "{%" "each" (" " | TAB)+ selector "%}" item* "{%" "end" "%}"
//! selector := key ("." key)*
//! key      := [a-zA-Z_]+ | [0-9]{1,10}
//! text     := ([^{\ LF] | "{" not before "{" or "%")+
//! ```
//!
//! White space is allowed inside tags except around the dots. The one line feed right after `%}` belongs to the tag.

use std::ops::Range;

use crate::model::{Position, Problem, Source};

/// One instruction. Jumps name the index of the instruction to continue with.
#[derive(Debug)]
pub(super) enum Instruction {
    Text(Range<usize>),
    Print(Selector),
    /// Continue, or jump if the value is not truthy.
    If {
        selector: Selector,
        otherwise: usize,
    },
    /// Jump over the other branch.
    Jump(usize),
    /// Enter a loop, or jump to its end if there is nothing to loop over.
    Each {
        selector: Selector,
        end: usize,
        offset: usize,
    },
    /// Go back to the start of the loop for its next item.
    Next,
}

/// A path from the current scope to a value: `title`, `commit.trailers`, `entries.0`.
#[derive(Debug, Default)]
pub(super) struct Selector(pub(super) Vec<Key>);

impl Selector {
    /// Parses a selector up to the closing braces, which are eaten too.
    fn parse(cursor: &mut Cursor, close: &str) -> Result<Self, Problem> {
        cursor.eat_space();
        let mut keys = vec![Key::parse(cursor, "a selector such as `title`")?];
        while cursor.eat(".") {
            keys.push(Key::parse(cursor, "a name or a number after the dot")?);
        }
        if !cursor.eat_space() && !cursor.starts_with(close) {
            return Err(cursor.unexpected_text(&format!("`.`, a space or `{close}`")));
        }
        cursor.expect(close)?;
        Ok(Self(keys))
    }
}

#[derive(Debug)]
pub(super) enum Key {
    /// `it`: the value itself.
    It,
    Name(String),
    /// The index in a list, from 0.
    Index(usize),
}

impl Key {
    fn parse(cursor: &mut Cursor, expected: &str) -> Result<Self, Problem> {
        match cursor.eat_word() {
            "" => {}
            "it" => return Ok(Self::It),
            name => return Ok(Self::Name(name.to_owned())),
        }
        match cursor.eat_digits() {
            "" => Err(cursor.unexpected_text(expected)),
            // Ten digits fit into 64 bits; on 32 bits the largest index is like any other that no list has.
            digits => Ok(Self::Index(digits.parse().unwrap_or(usize::MAX))),
        }
    }
}

pub(super) fn parse(source: &Source) -> Result<Vec<Instruction>, Problem> {
    let mut parser = Parser { cursor: Cursor { source, rest: &source.text }, steps: Vec::new(), open: Vec::new() };
    while !parser.cursor.rest.is_empty() {
        parser.item()?;
    }
    match parser.open.pop() {
        None => Ok(parser.steps),
        Some(block) => Err(parser.unclosed_block(&block)),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    steps: Vec<Instruction>,
    open: Vec<Block>,
}

/// A block that is not closed yet.
struct Block {
    kind: BlockKind,
    offset: usize,
    /// The step whose jump has no target yet.
    step: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    If,
    Else,
    Each,
}

impl Parser<'_> {
    fn item(&mut self) -> Result<(), Problem> {
        let start = self.cursor.offset();
        if self.cursor.eat("{{") {
            self.variable()
        } else if self.cursor.eat("{%") {
            self.tag(start)
        } else if self.cursor.eat("\\\n") {
            Ok(())
        } else if self.cursor.eat("\\") {
            self.backslash(start)
        } else {
            if !self.cursor.eat("\n") {
                self.cursor.eat_text();
            }
            self.text(start);
            Ok(())
        }
    }

    fn backslash(&mut self, start: usize) -> Result<(), Problem> {
        if self.cursor.eat_text() == 0 {
            return Err(self.cursor.problem(start, "a backslash must come before a line break or text"));
        }
        self.text(start);
        Ok(())
    }

    /// Adds text, to the last step if it continues there: between different branches there is always a tag.
    fn text(&mut self, start: usize) {
        let end = self.cursor.offset();
        match self.steps.last_mut() {
            Some(Instruction::Text(range)) if range.end == start => range.end = end,
            _ => self.steps.push(Instruction::Text(start..end)),
        }
    }

    fn variable(&mut self) -> Result<(), Problem> {
        while self.cursor.eat("{") {}
        let selector = Selector::parse(&mut self.cursor, "}}")?;
        while self.cursor.eat("}") {}
        self.steps.push(Instruction::Print(selector));
        Ok(())
    }

    fn tag(&mut self, start: usize) -> Result<(), Problem> {
        self.cursor.eat_space();
        let at = self.cursor.offset();
        match self.cursor.eat_word() {
            "if" => self.open_if(start),
            "each" => self.open_each(start),
            "else" => self.otherwise(start),
            "end" => self.end(start),
            "" => Err(self.cursor.problem(at, "expected `if`, `each`, `else` or `end`")),
            word => {
                let message = format!("unknown tag `{word}`: expected `if`, `each`, `else` or `end`");
                Err(self.cursor.problem(at, &message))
            }
        }
    }

    fn open_if(&mut self, start: usize) -> Result<(), Problem> {
        let selector = self.condition("if")?;
        self.open.push(Block { kind: BlockKind::If, offset: start, step: self.steps.len() });
        self.steps.push(Instruction::If { selector, otherwise: 0 });
        Ok(())
    }

    fn open_each(&mut self, start: usize) -> Result<(), Problem> {
        let selector = self.condition("each")?;
        self.open.push(Block { kind: BlockKind::Each, offset: start, step: self.steps.len() });
        self.steps.push(Instruction::Each { selector, end: 0, offset: start });
        Ok(())
    }

    fn condition(&mut self, keyword: &str) -> Result<Selector, Problem> {
        if !self.cursor.eat_blanks() {
            let message = format!("expected a space and a selector after `{keyword}`");
            return Err(self.cursor.problem(self.cursor.offset(), &message));
        }
        let selector = Selector::parse(&mut self.cursor, "%}")?;
        self.cursor.eat("\n");
        Ok(selector)
    }

    fn otherwise(&mut self, start: usize) -> Result<(), Problem> {
        self.close_tag()?;
        let Some(block) = self.open.pop_if(|block| block.kind == BlockKind::If) else {
            return Err(match self.open.last() {
                Some(Block { kind: BlockKind::Else, .. }) => self.cursor.problem(start, "a second `else` in one `if`"),
                _ => self.cursor.problem(start, "`else` outside of an `if`"),
            });
        };
        self.steps.push(Instruction::Jump(0));
        self.jump(block.step);
        self.open.push(Block { kind: BlockKind::Else, offset: block.offset, step: self.steps.len() - 1 });
        Ok(())
    }

    fn end(&mut self, start: usize) -> Result<(), Problem> {
        self.close_tag()?;
        let Some(block) = self.open.pop() else {
            return Err(self.cursor.problem(start, "`end` without an open `if` or `each`"));
        };
        if block.kind == BlockKind::Each {
            self.steps.push(Instruction::Next);
        }
        self.jump(block.step);
        Ok(())
    }

    /// Sets the target of a step's jump to the next step.
    fn jump(&mut self, step: usize) {
        let next = self.steps.len();
        match &mut self.steps[step] {
            Instruction::If { otherwise: target, .. }
            | Instruction::Jump(target)
            | Instruction::Each { end: target, .. } => *target = next,
            Instruction::Text(_) | Instruction::Print(_) | Instruction::Next => {}
        }
    }

    fn close_tag(&mut self) -> Result<(), Problem> {
        self.cursor.eat_space();
        self.cursor.expect("%}")?;
        self.cursor.eat("\n");
        Ok(())
    }

    fn unclosed_block(&self, block: &Block) -> Problem {
        let (tag, expected) = match block.kind {
            BlockKind::If => ("if", "`{% else %}` or `{% end %}`"),
            BlockKind::Else => ("if", "`{% end %}`"),
            BlockKind::Each => ("each", "`{% end %}`"),
        };
        let message = format!("this `{tag}` is never closed: expected {expected} before the end of the template");
        self.cursor.problem(block.offset, &message)
    }
}

/// A text and how far it has been read.
struct Cursor<'a> {
    source: &'a Source,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn offset(&self) -> usize {
        self.source.text.len() - self.rest.len()
    }

    /// Returns a problem at a byte of the template.
    fn problem(&self, offset: usize, message: &str) -> Problem {
        self.source.problem(Position::from_offset(&self.source.text, offset), message)
    }

    fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), Problem> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected_text(&format!("`{text}`"))) }
    }

    /// Eats white space as tags allow it, ASCII only.
    fn eat_space(&mut self) -> bool {
        !self.eat_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)).is_empty()
    }

    /// Eats spaces and tabs, and returns whether there was one.
    fn eat_blanks(&mut self) -> bool {
        !self.eat_while(|byte| matches!(byte, b' ' | b'\t')).is_empty()
    }

    fn eat_word(&mut self) -> &'a str {
        self.eat_while(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    }

    fn eat_digits(&mut self) -> &'a str {
        let mut left = 10;
        self.eat_while(|byte| {
            left -= 1;
            byte.is_ascii_digit() && left >= 0
        })
    }

    /// Eats text up to the next line feed, backslash or tag, and returns the number of bytes.
    fn eat_text(&mut self) -> usize {
        let bytes = self.rest.as_bytes();
        let end = (0..bytes.len()).find(|at| match bytes[*at] {
            b'\n' | b'\\' => true,
            b'{' => matches!(bytes.get(at + 1), Some(b'{' | b'%')),
            _ => false,
        });
        let length = end.unwrap_or(bytes.len());
        self.rest = &self.rest[length..];
        length
    }

    fn unexpected_text(&self, expected: &str) -> Problem {
        let found = match self.rest.chars().next() {
            None => "the end of the template".to_owned(),
            Some('\n') => "a line break".to_owned(),
            Some(letter) => format!("`{}`", letter.escape_debug()),
        };
        self.problem(self.offset(), &format!("expected {expected}, found {found}"))
    }

    fn eat_while(&mut self, mut belongs: impl FnMut(u8) -> bool) -> &'a str {
        let length = self.rest.bytes().position(|byte| !belongs(byte)).unwrap_or(self.rest.len());
        let (eaten, rest) = self.rest.split_at(length);
        self.rest = rest;
        eaten
    }
}
