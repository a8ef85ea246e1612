//! A commit object's bytes as plain data. Nothing here fails: what is broken reads as empty, and is told as such.

use std::borrow::Cow;

use gix::{ObjectId, bstr::ByteSlice as _};

use super::{encoding, oid, trailers};
use crate::model::{Commit, Person, Text, Texts, Time};

/// The header lines of a commit and its message, still in their own bytes (git-cat-file(1) shows them).
#[derive(Debug, Default)]
pub(in crate::git) struct Raw<'a> {
    tree: Option<&'a [u8]>,
    parents: &'a [u8],
    author: &'a [u8],
    committer: &'a [u8],
    encoding: Option<&'a [u8]>,
    message: &'a [u8],
}

/// All a walk asks of a commit: adds its parents to `parents`, and gives the date it was committed at, in seconds since the
/// epoch; 0 where there is no such number, as in git.
pub(in crate::git) fn lineage(object: &[u8], parents: &mut Vec<ObjectId>) -> u64 {
    for line in object.lines().take_while(|line| !line.is_empty()) {
        if let Some(id) = line.strip_prefix(b"parent ") {
            parents.extend(ObjectId::from_hex(id));
        } else if let Some(committer) = line.strip_prefix(b"committer ") {
            return time(committer).map_or(0, |(seconds, _)| seconds);
        }
    }
    0
}

impl<'a> Raw<'a> {
    /// Takes a commit object apart.
    pub(in crate::git) fn parse(object: &'a [u8]) -> Self {
        let mut raw = Self::default();
        let mut rest = object;
        while !rest.is_empty() {
            let line = line(rest);
            let behind = &rest[(line.len() + 1).min(rest.len())..];
            if line.is_empty() {
                raw.message = behind;
                break;
            }
            raw.header(line, rest);
            rest = behind;
        }
        raw
    }

    fn header(&mut self, line: &'a [u8], from_here: &'a [u8]) {
        let (name, value) = line.split_at(line.find_byte(b' ').map_or(line.len(), |space| space + 1));
        match name {
            b"tree " if self.tree.is_none() => self.tree = Some(value),
            b"parent " if self.parents.is_empty() => self.parents = from_here,
            b"author " if self.author.is_empty() => self.author = value,
            b"committer " if self.committer.is_empty() => self.committer = value,
            b"encoding " if self.encoding.is_none() => self.encoding = Some(value),
            _ => {}
        }
    }

    /// The tree it names, if any.
    pub(in crate::git) fn tree(&self) -> Option<ObjectId> {
        ObjectId::from_hex(self.tree?).ok()
    }

    /// The parents it names; lines that hold no id are left out.
    pub(in crate::git) fn parents(&self) -> impl Iterator<Item = ObjectId> + use<'a> {
        let lines = self.parents.lines().map_while(|line| line.strip_prefix(b"parent "));
        lines.filter_map(|id| ObjectId::from_hex(id).ok())
    }

    /// When it was committed, in seconds since the epoch; 0 where there is no such number, as in git.
    pub(in crate::git) fn commit_time(&self) -> u64 {
        time(self.committer).map_or(0, |(seconds, _)| seconds)
    }

    /// Who wrote it; `None` where the header is broken.
    pub(in crate::git) fn author(&self) -> Option<Person> {
        self.person(self.author, &mut Texts::default())
    }

    /// When it was written.
    pub(in crate::git) fn authored(&self) -> Option<Time> {
        moment(self.author)
    }

    /// Who committed it.
    pub(in crate::git) fn committer(&self) -> Option<Person> {
        self.person(self.committer, &mut Texts::default())
    }

    /// The name before `<`, without blanks at its end, and the address up to `>`.
    fn person(&self, line: &[u8], texts: &mut Texts) -> Option<Person> {
        let line = self.text(line);
        let open = line.find_byte(b'<')?;
        let close = open + line[open..].find_byte(b'>')?;
        let name = add(texts, line[..open].trim_ascii_end());
        Some(Person { name, email: add(texts, &line[open + 1..close]) })
    }

    /// Everything the later stages ask for, its text among `texts`; the `bool` tells whether the headers were as they
    /// should be.
    pub(in crate::git) fn commit(&self, id: &gix::oid, texts: &mut Texts) -> (Commit, bool) {
        let author = self.person(self.author, texts);
        let committed = moment(self.committer);
        let is_sound = self.tree.is_some() && author.is_some() && committed.is_some();
        let message = self.text(self.message);
        let mut parents = Vec::with_capacity(1);
        parents.extend(self.parents().map(|parent| oid(&parent)));
        let mut commit = Commit {
            id: oid(id),
            parents,
            author: author.unwrap_or_default(),
            committed: committed.unwrap_or_default(),
            trailers: trailers::collect(&message, texts),
            message: add(texts, &message),
        };
        // Many are kept at a time, and room for four where there is one would be most of what they take.
        commit.parents.shrink_to_fit();
        commit.trailers.shrink_to_fit();
        (commit, is_sound)
    }

    fn text(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.encoding.map_or(Cow::Borrowed(bytes), |encoding| encoding::to_utf8(encoding, bytes))
    }
}

/// The seconds of `1700000000 +0100` at the end of a line that names a person, and what is behind them.
fn time(line: &[u8]) -> Option<(u64, &[u8])> {
    let behind = line[line.rfind_byte(b'>')? + 1..].trim_ascii_start();
    let (seconds, digits) = number(behind);
    (digits > 0).then(|| (seconds, &behind[digits..]))
}

/// The moment a line that names a person ends in.
fn moment(line: &[u8]) -> Option<Time> {
    let (seconds, behind) = time(line)?;
    let zone = behind.trim_ascii_start();
    let sign = match zone.first() {
        Some(b'-') => -1,
        _ => 1,
    };
    let (zone, _) = number(zone.get(1..).unwrap_or_default());
    let zone = i32::try_from(zone).unwrap_or(0);
    let offset = sign * (zone / 100 * 3600 + zone % 100 * 60);
    Some(Time { seconds: i64::try_from(seconds).unwrap_or(i64::MAX), offset })
}

/// The number a text starts with, at most the largest there is, and how many digits it has.
fn number(text: &[u8]) -> (u64, usize) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold((0u64, 0), |(number, length), digit| {
        (number.saturating_mul(10).saturating_add(u64::from(digit - b'0')), length + 1)
    })
}

fn line(text: &[u8]) -> &[u8] {
    &text[..text.find_byte(b'\n').unwrap_or(text.len())]
}

/// Lossy UTF-8; quickest where there is nothing to lose.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::from)
}

/// Adds bytes to texts, as lossy UTF-8.
pub(super) fn add(texts: &mut Texts, bytes: &[u8]) -> Text {
    texts.add(&text(bytes))
}
