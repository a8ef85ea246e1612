//! Object IDs: SHA-1 or SHA-256, copied like a number, shown as lower-case hexadecimal digits.

use std::{
    collections::HashMap,
    fmt,
    hash::{BuildHasher as _, BuildHasherDefault, Hash, Hasher, RandomState},
    str::FromStr,
    sync::OnceLock,
};

use serde::{Serialize, Serializer};

use super::Problem;

/// An object ID of 20 (SHA-1) or 32 (SHA-256) bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Oid {
    bytes: [u8; 32],
    len: u8,
}

/// A map with object IDs as keys.
pub(crate) type OidMap<T> = HashMap<Oid, T, BuildHasherDefault<OidHasher>>;

/// A hasher of object IDs, seeded for the process: nobody can choose IDs that have the same hash.
#[derive(Debug)]
pub(crate) struct OidHasher(u64);

/// An odd number whose bits have no pattern (the golden ratio), by which words are multiplied.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Oid {
    /// The number of digits of a short ID, as in GitLab.
    pub(crate) const SHORT: usize = 8;

    /// Returns the ID of these raw bytes, or `None` if their number is neither 20 nor 32.
    pub(crate) fn from_bytes(raw: &[u8]) -> Option<Self> {
        let len = u8::try_from(raw.len()).ok().filter(|len| [20, 32].contains(len))?;
        let mut bytes = [0; 32];
        bytes[..raw.len()].copy_from_slice(raw);
        Some(Self { bytes, len })
    }

    /// Returns the 20 or 32 raw bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether the ID begins with these lower-case digits.
    pub(crate) fn starts_with(&self, digits: &str) -> bool {
        digits.chars().enumerate().all(|(index, given)| self.digit(index) == Some(given))
    }

    fn digit(&self, index: usize) -> Option<char> {
        let byte = self.as_bytes().get(index / 2)?;
        char::from_digit(u32::from(if index.is_multiple_of(2) { byte >> 4 } else { byte & 0xf }), 16)
    }

    /// Returns the short ID: the first eight digits.
    pub(crate) fn short(&self) -> String {
        self.to_string()[..Self::SHORT].to_owned()
    }
}

impl Hash for Oid {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write(self.as_bytes());
    }
}

impl Default for OidHasher {
    fn default() -> Self {
        static SEED: OnceLock<u64> = OnceLock::new();
        Self(*SEED.get_or_init(|| RandomState::new().hash_one(0)))
    }
}

impl Hasher for OidHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let mixed = self.0 ^ u64::from_le_bytes(word);
            let high = u64::try_from((u128::from(mixed) * u128::from(SPREAD)) >> 64).unwrap_or_default();
            self.0 = (mixed.wrapping_mul(SPREAD) ^ high).rotate_left(23);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0u8; 64];
        for (byte, pair) in self.as_bytes().iter().zip(hex.chunks_exact_mut(2)) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        let digits = &hex[..usize::from(self.len) * 2];
        out.pad(std::str::from_utf8(digits).expect("hex digits are ASCII"))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl FromStr for Oid {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let raw: Option<Vec<u8>> =
            text.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?)).collect();
        raw.and_then(|raw| Self::from_bytes(&raw)).ok_or_else(|| {
            Problem::new(format!("`{text}` is not a full object ID: it must have 40 or 64 hexadecimal digits"))
        })
    }
}

impl Serialize for Oid {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA1: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn text_and_bytes_are_converted_both_ways() {
        let id: Oid = SHA1.parse().unwrap();
        assert_eq!(id.to_string(), SHA1);
        assert_eq!(Oid::from_bytes(id.as_bytes()), Some(id));
        let sha256 = format!("{SHA1}{}", &SHA1[..24]);
        assert_eq!(sha256.parse::<Oid>().unwrap().to_string(), sha256);
        assert_eq!(id.short(), "01234567");
    }

    #[test]
    fn ids_that_differ_anywhere_have_different_hashes() {
        let hashes: std::collections::HashSet<u64> = (0..160)
            .map(|bit| {
                let mut raw = [7; 20];
                raw[bit / 8] ^= 1 << (bit % 8);
                BuildHasherDefault::<OidHasher>::default().hash_one(Oid::from_bytes(&raw).unwrap())
            })
            .collect();
        assert_eq!(hashes.len(), 160);
        let low: std::collections::HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        assert!(low.len() > 150, "{}", low.len());
    }

    #[test]
    fn anything_but_a_full_id_is_refused() {
        for text in ["", "0123", &SHA1[1..], &format!("{}g", &SHA1[1..]), "äää"] {
            assert!(text.parse::<Oid>().is_err(), "{text}");
        }
    }
}
