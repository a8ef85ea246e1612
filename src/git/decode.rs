//! The decoder of commit objects. It never fails: a malformed header is decoded as empty, and reported as malformed.

use std::borrow::Cow;

use gix::{ObjectId, bstr::ByteSlice as _};

use super::{
    encoding::{self, decode_text},
    oid, trailers,
};
use crate::model::{CommitRef, Person, Time};

/// The header lines of a commit and its message (as git-cat-file(1) prints them), converted to UTF-8 if there is an
/// `encoding` header.
#[derive(Debug, Default)]
pub(super) struct RawCommit<'a> {
    tree: Option<&'a [u8]>,
    object: &'a [u8],
    author: Cow<'a, [u8]>,
    committer: Cow<'a, [u8]>,
    encoding: Option<&'a [u8]>,
    message: Cow<'a, [u8]>,
}

/// Decodes what a walk needs of a commit: adds its parents to `parents`, and returns the commit date in seconds since
/// the epoch, or 0 if it is not a number, as in git.
pub(super) fn lineage(object: &[u8], parents: &mut impl Extend<ObjectId>) -> u64 {
    let mut lines = object.lines().skip_while(|line| line.starts_with(b"tree "));
    for line in lines.by_ref() {
        let Some(parent) = line.strip_prefix(b"parent ") else { return commit_date(line, lines) };
        parents.extend(ObjectId::from_hex(parent));
    }
    0
}

/// Returns the commit date in these headers, of which the first was read already.
fn commit_date<'a>(first: &'a [u8], others: impl Iterator<Item = &'a [u8]>) -> u64 {
    let mut headers = std::iter::once(first).chain(others).take_while(|line| !line.is_empty());
    headers.find_map(|line| line.strip_prefix(b"committer ")).map_or(0, timestamp)
}

/// Returns the object IDs of the parents: as in git, only those in the lines directly after the tree.
fn parent_lines(object: &[u8]) -> impl Iterator<Item = &[u8]> {
    let after_tree = object.lines().skip_while(|line| line.starts_with(b"tree "));
    after_tree.map_while(|line| line.strip_prefix(b"parent "))
}

impl<'a> RawCommit<'a> {
    pub(super) fn parse(object: &'a [u8]) -> Self {
        let mut raw = Self { object, ..Self::default() };
        let mut rest = object;
        while !rest.is_empty() {
            let line = line(rest);
            let after = &rest[(line.len() + 1).min(rest.len())..];
            if line.is_empty() {
                raw.message = after.into();
                break;
            }
            raw.header(line);
            rest = after;
        }
        raw.in_utf8()
    }

    fn header(&mut self, line: &'a [u8]) {
        let (name, value) = line.split_at(line.find_byte(b' ').map_or(line.len(), |space| space + 1));
        match name {
            b"tree " if self.tree.is_none() => self.tree = Some(value),
            b"author " if self.author.is_empty() => self.author = value.into(),
            b"committer " if self.committer.is_empty() => self.committer = value.into(),
            b"encoding " if self.encoding.is_none() => self.encoding = Some(value),
            _ => {}
        }
    }

    fn in_utf8(mut self) -> Self {
        if let Some(encoding) = self.encoding {
            for text in [&mut self.author, &mut self.committer, &mut self.message] {
                *text = encoding::to_utf8(encoding, text).into_owned().into();
            }
        }
        self
    }

    pub(super) fn tree(&self) -> Option<ObjectId> {
        ObjectId::from_hex(self.tree?).ok()
    }

    pub(super) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Returns the parents, without lines that are not an object ID.
    pub(super) fn parents(&self) -> impl Iterator<Item = ObjectId> + use<'a> {
        parent_lines(self.object).flat_map(ObjectId::from_hex)
    }

    /// Returns the author and the author date as they are in the header.
    pub(super) fn author_line(&self) -> &[u8] {
        &self.author
    }

    pub(super) fn author(&self) -> Option<Person> {
        parse_person(&self.author).map(|author| author.to_shared())
    }

    pub(super) fn author_time(&self) -> Option<Time> {
        moment(&self.author)
    }

    pub(super) fn committer_time(&self) -> Option<Time> {
        moment(&self.committer)
    }

    pub(super) fn committer(&self) -> Option<Person> {
        parse_person(&self.committer).map(|committer| committer.to_shared())
    }

    /// Returns the commit as plain data, and whether its headers are well-formed.
    pub(super) fn commit(&self, id: &gix::oid) -> (CommitRef<'_>, bool) {
        let author = parse_person(&self.author);
        let committed = moment(&self.committer);
        let is_sound = self.tree().is_some() && author.is_some() && committed.is_some();
        let commit = CommitRef {
            id: oid(id),
            is_merge: parent_lines(self.object).nth(1).is_some(),
            author: author.unwrap_or_default(),
            committed: committed.unwrap_or_default(),
            trailers: trailers::collect(&self.message),
            message: decode_text(&self.message),
        };
        (commit, is_sound)
    }
}

/// Parses the name before `<`, without blanks at its end, and the address before `>`.
fn parse_person(line: &[u8]) -> Option<Person<Cow<'_, str>>> {
    let open = line.find_byte(b'<')?;
    let close = open + line[open..].find_byte(b'>')?;
    Some(Person { name: decode_text(line[..open].trim_ascii_end()), email: decode_text(&line[open + 1..close]) })
}

/// Parses the date by which git orders commits: C's `strtoumax` of the text after the address, so that a date before
/// 1970 is the newest of all; 0 if it is not a number.
fn timestamp(line: &[u8]) -> u64 {
    let text = line.rfind_byte(b'>').map_or(&b""[..], |end| line[end + 1..].trim_ascii_start());
    match text.strip_prefix(b"-").map(|digits| number(digits).0) {
        None => number(text).0,
        Some(u64::MAX) => u64::MAX,
        Some(seconds) => seconds.wrapping_neg(),
    }
}

/// Parses the date and time in a line such as `Ida <i@h.example> 1700000000 +0100`.
pub(super) fn moment(line: &[u8]) -> Option<Time> {
    let rest = line[line.rfind_byte(b'>')? + 1..].trim_ascii_start();
    let (seconds, digits) = number(rest);
    if digits == 0 {
        return None;
    }
    let zone = rest[digits..].trim_ascii_start();
    let sign = match zone.first() {
        Some(b'-') => -1,
        _ => 1,
    };
    let zone = number(zone.get(1..).unwrap_or_default()).0.min(u64::from(u32::MAX));
    // An offset that does not fit into 32 bits is invalid.
    let offset = i32::try_from(zone / 100 * 3600 + zone % 100 * 60).map_or(0, |offset| sign * offset);
    Some(Time { seconds: i64::try_from(seconds).unwrap_or(i64::MAX), offset })
}

/// Parses the number at the start of a text, at most `u64::MAX`, and returns how many digits it has, too.
fn number(text: &[u8]) -> (u64, usize) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold((0u64, 0), |(number, length), digit| {
        (number.saturating_mul(10).saturating_add(u64::from(digit - b'0')), length + 1)
    })
}

fn line(text: &[u8]) -> &[u8] {
    &text[..text.find_byte(b'\n').unwrap_or(text.len())]
}
