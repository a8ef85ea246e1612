//! A template in Tera, taken apart into its tags and the texts between them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A tag or a text between tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// An expression, `{{ ... }}`.
    Value(String),
    /// A statement, `{% ... %}`.
    Statement(String),
}

static PIECES: LazyLock<Regex> = LazyLock::new(|| {
    let pieces = r"(?s)(\{\{-?(?P<value>.*?)-?\}\}|\{%-?(?P<statement>.*?)-?%\}|\{#.*?#\})";
    Regex::new(pieces).expect("the pattern is constant and valid")
});

/// Takes a template apart. White space in tags is one space afterwards.
pub(super) fn pieces(body: &str) -> Vec<Piece> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    for found in PIECES.captures_iter(body) {
        let whole = found.get(0).map_or(at..at, |whole| whole.range());
        pieces.push(Piece::Text(body[at..whole.start].to_owned()));
        at = whole.end;
        let named = |found: &Captures, name: &str| {
            found.name(name).map(|tag| tag.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
        };
        pieces.extend(named(&found, "value").map(Piece::Value));
        pieces.extend(named(&found, "statement").map(Piece::Statement));
    }
    pieces.push(Piece::Text(body[at..].to_owned()));
    pieces
}
