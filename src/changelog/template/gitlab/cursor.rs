//! Walks through the text of a template.

/// Something that is wrong at a place of the template.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    /// The byte it is at.
    pub(super) offset: usize,
    pub(super) message: String,
}

impl SyntaxError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

/// A text and how far it has been read.
pub(super) struct Cursor<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), SyntaxError> {
        if self.eat(text) { Ok(()) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    /// White space as tags allow it, ASCII only.
    pub(super) fn eat_space(&mut self) -> bool {
        !self.eat_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)).is_empty()
    }

    /// Spaces and tabs, at least one.
    pub(super) fn eat_blanks(&mut self) -> bool {
        !self.eat_while(|byte| matches!(byte, b' ' | b'\t')).is_empty()
    }

    pub(super) fn eat_word(&mut self) -> &'a str {
        self.eat_while(|byte| byte.is_ascii_alphabetic() || byte == b'_')
    }

    /// At most ten digits.
    pub(super) fn eat_digits(&mut self) -> &'a str {
        let mut left = 10;
        self.eat_while(|byte| {
            left -= 1;
            byte.is_ascii_digit() && left >= 0
        })
    }

    /// Text up to the next line feed, backslash or tag; says how many bytes.
    pub(super) fn eat_text(&mut self) -> usize {
        let bytes = self.rest.as_bytes();
        let ends = |at: usize| match bytes[at] {
            b'\n' | b'\\' => true,
            b'{' => matches!(bytes.get(at + 1), Some(b'{' | b'%')),
            _ => false,
        };
        let length = (0..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len());
        self.rest = &self.rest[length..];
        length
    }

    /// A mistake at the present place.
    pub(super) fn unexpected(&self, expected: &str) -> SyntaxError {
        let found = match self.rest.chars().next() {
            None => "the end of the template".to_owned(),
            Some('\n') => "a line break".to_owned(),
            Some(letter) => format!("`{}`", letter.escape_debug()),
        };
        SyntaxError::new(self.offset(), format!("expected {expected}, found {found}"))
    }

    fn eat_while(&mut self, mut belongs: impl FnMut(u8) -> bool) -> &'a str {
        let length = self.rest.bytes().position(|byte| !belongs(byte)).unwrap_or(self.rest.len());
        let (eaten, rest) = self.rest.split_at(length);
        self.rest = rest;
        eaten
    }
}
