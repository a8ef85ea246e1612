//! Reads selectors: `title`, `commit.trailers`, `entries.0`.

use super::{
    cursor::{Cursor, SyntaxError},
    program::{Key, Selector},
};

/// A selector up to the closing braces, which are eaten too.
pub(super) fn parse(cursor: &mut Cursor, close: &str) -> Result<Selector, SyntaxError> {
    cursor.eat_space();
    let mut keys = vec![key(cursor, "a selector such as `title`")?];
    while cursor.eat(".") {
        keys.push(key(cursor, "a name or a number behind the dot")?);
    }
    if !cursor.eat_space() && !cursor.starts_with(close) {
        return Err(cursor.unexpected(&format!("`.`, a space or `{close}`")));
    }
    cursor.expect(close)?;
    Ok(Selector(keys))
}

fn key(cursor: &mut Cursor, expected: &str) -> Result<Key, SyntaxError> {
    match cursor.eat_word() {
        "" => {}
        "it" => return Ok(Key::It),
        name => return Ok(Key::Name(name.to_owned())),
    }
    match cursor.eat_digits() {
        "" => Err(cursor.unexpected(expected)),
        // Ten digits always fit, and a place no list has is no different from any other.
        digits => Ok(Key::Index(digits.parse().unwrap_or(usize::MAX))),
    }
}
