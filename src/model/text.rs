//! Pieces of text that share their memory: a history has a hundred thousand of them, and an allocation for each would
//! cost more than reading it.

use std::{
    borrow::Borrow,
    fmt,
    hash::{Hash, Hasher},
    ops::{Deref, Range},
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A piece of text. Its clones, and all pieces that were collected together, share their memory.
#[derive(Clone, Default)]
pub struct SharedText {
    whole: Arc<OnceLock<String>>,
    span: Range<usize>,
}

/// A collector of pieces of text. They are empty until it is dropped, which makes them readable.
#[derive(Debug, Default)]
pub(crate) struct TextArena {
    whole: Arc<OnceLock<String>>,
    buffer: String,
}

impl TextArena {
    /// Creates an arena with room for `bytes` bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self { whole: Arc::default(), buffer: String::with_capacity(bytes) }
    }

    /// Adds a piece.
    pub(crate) fn add(&mut self, piece: &str) -> SharedText {
        let start = self.buffer.len();
        self.buffer.push_str(piece);
        SharedText { whole: Arc::clone(&self.whole), span: start..self.buffer.len() }
    }
}

impl Drop for TextArena {
    fn drop(&mut self) {
        // Setting it cannot fail, because nothing else does.
        let _ = self.whole.set(std::mem::take(&mut self.buffer));
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        self.whole.get().map_or("", |whole| &whole[self.span.clone()])
    }
}

impl Borrow<str> for SharedText {
    fn borrow(&self) -> &str {
        self
    }
}

impl Hash for SharedText {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (**self).hash(hasher);
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        Self { span: 0..text.len(), whole: Arc::new(OnceLock::from(text)) }
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedText {}

impl PartialEq<str> for SharedText {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl PartialEq<&str> for SharedText {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, out)
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, out)
    }
}

impl Serialize for SharedText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for SharedText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_can_be_read_after_all_are_collected() {
        let mut texts = TextArena::with_capacity(8);
        let pieces = ["Ida", "", "größer"].map(|piece| texts.add(piece));
        assert_eq!(pieces[0], "");
        drop(texts);
        assert_eq!(pieces, ["Ida", "", "größer"]);
        assert_eq!(pieces[2].clone(), SharedText::from("größer"));
    }
}
