//! A parsed template: a flat list of instructions, so that nothing recurses, however deep its blocks nest.

use std::ops::Range;

use super::cursor::{Cursor, SyntaxError};

/// One instruction. Jumps name the instruction to go on with.
#[derive(Debug)]
pub(super) enum Instruction {
    /// Print this piece of the template.
    Text(Range<usize>),
    /// Print a value.
    Print(Selector),
    /// Go on, or jump if the value is not truthy.
    If { selector: Selector, otherwise: usize },
    /// Jump over the other branch.
    Jump(usize),
    /// Enter a loop, or jump to its end if there is nothing to loop over.
    Each { selector: Selector, end: usize, offset: usize },
    /// Go back to the start of the loop for its next item.
    Next,
}

/// A path from the current scope to a value: `title`, `commit.trailers`, `entries.0`.
#[derive(Debug, Default)]
pub(super) struct Selector(pub(super) Vec<Key>);

impl Selector {
    /// Parses a selector up to the closing braces, which are eaten too.
    pub(super) fn parse(cursor: &mut Cursor, close: &str) -> Result<Self, SyntaxError> {
        cursor.eat_space();
        let mut keys = vec![Key::parse(cursor, "a selector such as `title`")?];
        while cursor.eat(".") {
            keys.push(Key::parse(cursor, "a name or a number behind the dot")?);
        }
        if !cursor.eat_space() && !cursor.starts_with(close) {
            return Err(cursor.unexpected(&format!("`.`, a space or `{close}`")));
        }
        cursor.expect(close)?;
        Ok(Self(keys))
    }
}

/// One part of a selector.
#[derive(Debug)]
pub(super) enum Key {
    /// `it`: the value itself.
    It,
    /// The key of an object.
    Name(String),
    /// The index in a list, from 0.
    Index(usize),
}

impl Key {
    fn parse(cursor: &mut Cursor, expected: &str) -> Result<Self, SyntaxError> {
        match cursor.eat_word() {
            "" => {}
            "it" => return Ok(Self::It),
            name => return Ok(Self::Name(name.to_owned())),
        }
        match cursor.eat_digits() {
            "" => Err(cursor.unexpected(expected)),
            // Ten digits always fit, and an index that no list has is like any other.
            digits => Ok(Self::Index(digits.parse().unwrap_or(usize::MAX))),
        }
    }
}
