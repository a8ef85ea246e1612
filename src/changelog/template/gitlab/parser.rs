//! From text to steps. The grammar is deterministic: the first characters of an item decide what it must be.
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

use super::{
    cursor::{Cursor, SyntaxError},
    program::{Instruction, Selector},
};

/// Reads a template.
pub(super) fn parse(text: &str) -> Result<Vec<Instruction>, SyntaxError> {
    let mut parser = Parser { cursor: Cursor::new(text), steps: Vec::new(), open: Vec::new() };
    while !parser.cursor.is_done() {
        parser.item()?;
    }
    match parser.open.pop() {
        None => Ok(parser.steps),
        Some(block) => Err(block.unclosed()),
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    steps: Vec<Instruction>,
    open: Vec<Block>,
}

/// A block whose end is still to come.
struct Block {
    kind: BlockKind,
    /// Where its tag starts in the text.
    offset: usize,
    /// The step whose jump is still open.
    step: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    If,
    Else,
    Each,
}

impl Parser<'_> {
    fn item(&mut self) -> Result<(), SyntaxError> {
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

    fn backslash(&mut self, start: usize) -> Result<(), SyntaxError> {
        if self.cursor.eat_text() == 0 {
            return Err(SyntaxError::new(start, "a backslash must stand before a line break or before text"));
        }
        self.text(start);
        Ok(())
    }

    /// Text that goes on where the last step stopped joins it: there is always a tag between different branches.
    fn text(&mut self, start: usize) {
        let end = self.cursor.offset();
        match self.steps.last_mut() {
            Some(Instruction::Text(range)) if range.end == start => range.end = end,
            _ => self.steps.push(Instruction::Text(start..end)),
        }
    }

    fn variable(&mut self) -> Result<(), SyntaxError> {
        while self.cursor.eat("{") {}
        let selector = Selector::parse(&mut self.cursor, "}}")?;
        while self.cursor.eat("}") {}
        self.steps.push(Instruction::Print(selector));
        Ok(())
    }

    fn tag(&mut self, start: usize) -> Result<(), SyntaxError> {
        self.cursor.eat_space();
        let at = self.cursor.offset();
        match self.cursor.eat_word() {
            "if" => self.open_if(start),
            "each" => self.open_each(start),
            "else" => self.otherwise(start),
            "end" => self.end(start),
            "" => Err(SyntaxError::new(at, "expected `if`, `each`, `else` or `end`")),
            word => Err(SyntaxError::new(at, format!("unknown tag `{word}`: expected `if`, `each`, `else` or `end`"))),
        }
    }

    fn open_if(&mut self, start: usize) -> Result<(), SyntaxError> {
        let selector = self.condition("if")?;
        self.open.push(Block { kind: BlockKind::If, offset: start, step: self.steps.len() });
        self.steps.push(Instruction::If { selector, otherwise: 0 });
        Ok(())
    }

    fn open_each(&mut self, start: usize) -> Result<(), SyntaxError> {
        let selector = self.condition("each")?;
        self.open.push(Block { kind: BlockKind::Each, offset: start, step: self.steps.len() });
        self.steps.push(Instruction::Each { selector, end: 0, offset: start });
        Ok(())
    }

    fn condition(&mut self, keyword: &str) -> Result<Selector, SyntaxError> {
        if !self.cursor.eat_blanks() {
            let message = format!("expected a space and a selector behind `{keyword}`");
            return Err(SyntaxError::new(self.cursor.offset(), message));
        }
        let selector = Selector::parse(&mut self.cursor, "%}")?;
        self.cursor.eat("\n");
        Ok(selector)
    }

    fn otherwise(&mut self, start: usize) -> Result<(), SyntaxError> {
        self.close_tag()?;
        let Some(block) = self.open.pop_if(|block| block.kind == BlockKind::If) else {
            return Err(match self.open.last() {
                Some(Block { kind: BlockKind::Else, .. }) => SyntaxError::new(start, "a second `else` in one `if`"),
                _ => SyntaxError::new(start, "`else` outside of an `if`"),
            });
        };
        self.steps.push(Instruction::Jump(0));
        self.jump(block.step);
        self.open.push(Block { kind: BlockKind::Else, offset: block.offset, step: self.steps.len() - 1 });
        Ok(())
    }

    fn end(&mut self, start: usize) -> Result<(), SyntaxError> {
        self.close_tag()?;
        let Some(block) = self.open.pop() else {
            return Err(SyntaxError::new(start, "`end` without an open `if` or `each`"));
        };
        if block.kind == BlockKind::Each {
            self.steps.push(Instruction::Next);
        }
        self.jump(block.step);
        Ok(())
    }

    /// Lets a step jump to the one that comes next.
    fn jump(&mut self, step: usize) {
        let next = self.steps.len();
        match &mut self.steps[step] {
            Instruction::If { otherwise: target, .. }
            | Instruction::Jump(target)
            | Instruction::Each { end: target, .. } => *target = next,
            Instruction::Text(_) | Instruction::Print(_) | Instruction::Next => {}
        }
    }

    fn close_tag(&mut self) -> Result<(), SyntaxError> {
        self.cursor.eat_space();
        self.cursor.expect("%}")?;
        self.cursor.eat("\n");
        Ok(())
    }
}

impl Block {
    fn unclosed(&self) -> SyntaxError {
        let (tag, expected) = match self.kind {
            BlockKind::If => ("if", "`{% else %}` or `{% end %}`"),
            BlockKind::Else => ("if", "`{% end %}`"),
            BlockKind::Each => ("each", "`{% end %}`"),
        };
        SyntaxError::new(
            self.offset,
            format!("this `{tag}` is never closed: expected {expected} before the end of the template"),
        )
    }
}
