//! `export-subst` in gitattributes(5): `$Format:%H$` in a file becomes the object ID of the archived commit.
//!
//! It expands those placeholders of PRETTY FORMATS in git-log(1) whose values depend neither on the day nor on the
//! terminal; anything else stays as it is.

use std::cell::Cell;

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::{BString, ByteSlice as _},
};

use super::describe::{Describe, decoration};
use crate::{
    git::{Repo, decode::RawCommit, object, oid, people::Mailmap},
    model::{Person, Time},
};

const START: &[u8] = b"$Format:";

/// The commit whose values replace placeholders.
pub(super) struct PlaceholderContext<'repo> {
    /// The repository with the commit's ancestors; it is not `repo` if the commit was fetched.
    history: &'repo Repo,
    repo: &'repo Repo,
    commit: ObjectId,
    tree: ObjectId,
    parents: Vec<ObjectId>,
    author: Signature,
    committer: Signature,
    message: String,
    /// Whether the nearest tag was searched for: git does so once per archive, since it may take long.
    is_described: Cell<bool>,
}

impl<'repo> PlaceholderContext<'repo> {
    pub(super) fn load(history: &'repo Repo, repo: &'repo Repo, commit: ObjectId, tree: ObjectId) -> Result<Self> {
        let object = object::find(repo, commit)?;
        let raw = RawCommit::parse(&object.data);
        let decoded = raw.commit(&commit).0.to_shared();
        let mailmap = Mailmap::load(history);
        let signature = |person, time| Signature { mapped: mailmap.resolve(&person), person, time };
        Ok(Self {
            history,
            repo,
            commit,
            tree,
            parents: raw.parents().collect(),
            author: signature(decoded.author, raw.author_time().unwrap_or_default()),
            committer: signature(raw.committer().unwrap_or_default(), decoded.committed),
            message: decoded.message.to_string(),
            is_described: Cell::new(false),
        })
    }

    pub(super) fn expand(&self, content: &[u8]) -> Result<Vec<u8>> {
        let (mut expanded, mut rest) = (Vec::new(), content);
        while let Some((before, tail)) = rest.split_once_str(START) {
            let Some((format, after)) = tail.split_once_str("$") else { break };
            expanded.extend_from_slice(before);
            expanded.extend(self.format(format)?);
            rest = after;
        }
        expanded.extend_from_slice(rest);
        Ok(expanded)
    }

    fn format(&self, format: &[u8]) -> Result<Vec<u8>> {
        let (mut text, mut rest) = (Vec::new(), format);
        while let Some((before, tail)) = rest.split_once_str("%") {
            text.extend_from_slice(before);
            rest = if let Some((value, length)) = self.placeholder(tail)? {
                text.extend_from_slice(&value);
                &tail[length..]
            } else {
                text.push(b'%');
                tail
            };
        }
        text.extend_from_slice(rest);
        Ok(text)
    }

    /// Returns the value of the placeholder after a `%`, and the placeholder's length.
    fn placeholder(&self, text: &[u8]) -> Result<Option<(BString, usize)>> {
        if let Some(described) = self.expand_describe(text)? {
            return Ok(Some(described));
        }
        let found = |value: String, length| Ok(Some((value.into(), length)));
        match text {
            [b'a', part, ..] => Ok(self.author.part(*part).map(|value| (value.into(), 2))),
            [b'c', part, ..] => Ok(self.committer.part(*part).map(|value| (value.into(), 2))),
            [b'x', high, low, ..] => Ok(byte(*high, *low).map(|byte| (vec![byte].into(), 3))),
            [letter, ..] => match self.letter(*letter)? {
                Some(value) => found(value, 1),
                None => Ok(None),
            },
            [] => Ok(None),
        }
    }

    fn letter(&self, letter: u8) -> Result<Option<String>> {
        let short = |id: &ObjectId| object::short(self.repo, *id);
        Ok(Some(match letter {
            b'H' => self.commit.to_string(),
            b'h' => short(&self.commit),
            b'T' => self.tree.to_string(),
            b't' => short(&self.tree),
            b'P' => join(self.parents.iter().map(ToString::to_string)),
            b'p' => join(self.parents.iter().map(short)),
            b's' => self.subject(),
            b'f' => sanitize(self.message.trim_start().lines().next().unwrap_or_default()),
            b'b' => self.body().to_owned(),
            b'B' => self.message.clone(),
            b'D' => decoration(self.repo, self.commit)?,
            b'd' => match decoration(self.repo, self.commit)? {
                names if names.is_empty() => names,
                names => format!(" ({names})"),
            },
            b'n' => "\n".to_owned(),
            b'%' => "%".to_owned(),
            _ => return Ok(None),
        }))
    }

    /// Returns the value and the length of a placeholder such as `%(describe:tags=true)`.
    fn expand_describe(&self, text: &[u8]) -> Result<Option<(BString, usize)>> {
        let Some(tail) = text.strip_prefix(b"(describe") else { return Ok(None) };
        let Some(end) = tail.find_byte(b')') else { return Ok(None) };
        let options = match &tail[..end] {
            [] => Describe::parse(b""),
            [b':', options @ ..] => Describe::parse(options),
            _ => None,
        };
        let Some(describe) = options.filter(|_| !self.is_described.replace(true)) else { return Ok(None) };
        self.history.ensure_history(oid(&self.commit))?;
        let name = describe.describe(self.history, self.commit)?;
        Ok(Some((name.into(), text.len() - tail.len() + end + 1)))
    }

    /// Returns the first paragraph of the message, its lines joined.
    fn subject(&self) -> String {
        let lines = self.message.lines().skip_while(|line| line.trim().is_empty());
        join(lines.take_while(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()))
    }

    /// Returns the message after its first paragraph.
    fn body(&self) -> &str {
        let lines = || self.message.split_inclusive('\n');
        let is_blank = |line: &&str| line.trim().is_empty();
        let before = lines().take_while(is_blank).count();
        let subject = lines().skip(before).take_while(|line| !is_blank(line)).count();
        let between = lines().skip(before + subject).take_while(is_blank).count();
        let skipped: usize = lines().take(before + subject + between).map(str::len).sum();
        &self.message[skipped..]
    }
}

#[derive(Clone, Debug, Default)]
struct Signature {
    /// The name and address in the commit.
    person: Person,
    /// The name and address after `.mailmap` is applied.
    mapped: Person,
    time: Time,
}

impl Signature {
    /// Returns the value for the second letter of a placeholder such as `%an`.
    fn part(&self, letter: u8) -> Option<String> {
        let local = |person: &Person| person.email.split('@').next().unwrap_or_default().to_owned();
        Some(match letter {
            b'n' => self.person.name.to_string(),
            b'N' => self.mapped.name.to_string(),
            b'e' => self.person.email.to_string(),
            b'E' => self.mapped.email.to_string(),
            b'l' => local(&self.person),
            b'L' => local(&self.mapped),
            b't' => self.time.seconds.to_string(),
            b'd' => self.date("%a %b %-d %H:%M:%S %Y %z"),
            b'D' => self.date("%a, %-d %b %Y %H:%M:%S %z"),
            b'i' => self.date("%Y-%m-%d %H:%M:%S %z"),
            b'I' if self.time.offset == 0 => self.date("%Y-%m-%dT%H:%M:%SZ"),
            b'I' => self.date("%Y-%m-%dT%H:%M:%S%:z"),
            b's' => self.date("%Y-%m-%d"),
            _ => return None,
        })
    }

    fn date(&self, format: &str) -> String {
        self.time.moment().format(format).to_string()
    }
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

fn byte(high: u8, low: u8) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

/// Turns the first line of a message into a file name.
fn sanitize(subject: &str) -> String {
    let mut name = String::new();
    for letter in subject.chars() {
        match letter {
            '.' if name.ends_with('.') => {}
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => name.push(letter),
            _ if name.is_empty() || name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    name.truncate(name.trim_end_matches(['.', '-']).len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_becomes_the_name_of_a_file() {
        assert_eq!(sanitize("  Fix: the `thing`... (#7)."), "Fix-the-thing-.-7");
    }

    #[test]
    fn two_hex_digits_are_a_byte() {
        assert_eq!((byte(b'4', b'1'), byte(b'f', b'F'), byte(b'g', b'0')), (Some(0x41), Some(0xff), None));
    }

    #[test]
    fn moments_have_every_form_of_git() {
        let time = Time { seconds: 1_700_000_000, offset: -12_600 };
        let signature = Signature { time, ..Signature::default() };
        for (letter, text) in [
            (b'd', "Tue Nov 14 18:43:20 2023 -0330"),
            (b'D', "Tue, 14 Nov 2023 18:43:20 -0330"),
            (b'i', "2023-11-14 18:43:20 -0330"),
            (b'I', "2023-11-14T18:43:20-03:30"),
            (b's', "2023-11-14"),
            (b't', "1700000000"),
        ] {
            assert_eq!(signature.part(letter).as_deref(), Some(text));
        }
        assert_eq!(signature.part(b'x'), None);
    }
}
