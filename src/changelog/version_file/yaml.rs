//! The place of a value in YAML, in the first document of a file.

use anyhow::{Context as _, anyhow};
use serde_yaml::granit_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use super::span::{VersionSpan, between_quotes, missing, unlike};

/// The text that these keys lead to.
pub(super) fn find(text: &str, keys: &[String]) -> anyhow::Result<VersionSpan> {
    let mut reader = Reader { text, events: Parser::new_from_str(text) };
    loop {
        match reader.next()? {
            (Event::DocumentStart(..), _) => break,
            (Event::StreamEnd, _) => return Err(anyhow!("the file is empty")),
            _ => {}
        }
    }
    let first = reader.next()?;
    reader.value(first, keys)
}

struct Reader<'a> {
    text: &'a str,
    events: Parser<'a, StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> anyhow::Result<(Event<'a>, Span)> {
        let event = self.events.next_event().context("the file ends inside a value")?;
        let (event, span) = event.map_err(|error| anyhow!("the file is not valid YAML: {error}"))?;
        Ok((event, span))
    }

    /// The text that the keys lead to from the value that begins here.
    fn value(&mut self, (event, span): (Event<'a>, Span), keys: &[String]) -> anyhow::Result<VersionSpan> {
        match (event, keys.split_first()) {
            (Event::MappingStart(..), Some((key, rest))) => self.mapping(key, rest),
            (Event::SequenceStart(..), Some((key, rest))) => self.sequence(key, rest),
            (Event::Scalar(value, style, ..), None) => match style {
                ScalarStyle::Literal | ScalarStyle::Folded => Err(unlike("a block of lines")),
                _ => between_quotes(self.text, span.byte_range().context("it has no place in the text")?, &value),
            },
            (Event::MappingStart(..), None) => Err(unlike("a mapping")),
            (Event::SequenceStart(..), None) => Err(unlike("a list")),
            (Event::Alias(_), _) => Err(unlike("an alias of another value")),
            (_, key) => Err(missing(key.map_or("", |(key, _)| key))),
        }
    }

    fn mapping(&mut self, key: &str, rest: &[String]) -> anyhow::Result<VersionSpan> {
        let mut found = None;
        loop {
            let name = match self.next()? {
                (Event::MappingEnd, _) => return found.ok_or_else(|| missing(key)),
                (Event::Scalar(name, ..), _) => Some(name),
                other => {
                    self.skip(&other.0)?;
                    None
                }
            };
            let value = self.next()?;
            match (name.as_deref() == Some(key), &found) {
                (false, _) => self.skip(&value.0)?,
                (true, None) => found = Some(self.value(value, rest)?),
                (true, Some(_)) => return Err(anyhow!("the key `{key}` is there twice")),
            }
        }
    }

    fn sequence(&mut self, key: &str, rest: &[String]) -> anyhow::Result<VersionSpan> {
        let wanted = key.parse::<usize>().map_err(|_| missing(key))?;
        let mut found = None;
        for index in 0.. {
            let item = self.next()?;
            match (item.0 == Event::SequenceEnd, index == wanted) {
                (true, _) => break,
                (false, true) => found = Some(self.value(item, rest)?),
                (false, false) => self.skip(&item.0)?,
            }
        }
        found.ok_or_else(|| missing(key))
    }

    /// Passes over what a value that has begun consists of.
    fn skip(&mut self, begun: &Event<'a>) -> anyhow::Result<()> {
        let mut depth = usize::from(opens(begun));
        while depth > 0 {
            let (event, _) = self.next()?;
            depth += usize::from(opens(&event));
            depth -= usize::from(matches!(event, Event::MappingEnd | Event::SequenceEnd));
        }
        Ok(())
    }
}

fn opens(event: &Event) -> bool {
    matches!(event, Event::MappingStart(..) | Event::SequenceStart(..))
}
