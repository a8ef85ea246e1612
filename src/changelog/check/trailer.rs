//! The category trailer of a message: in its place, in its case, with a value that is known.

use super::{COMMON, Finding, Message, Rules};
use crate::{
    config::RepeatedTrailers,
    model::{Trailer, closest, is_misspelt},
};

impl Rules<'_> {
    /// What is wrong with the trailers of a message.
    pub(crate) fn trailer(&self, message: Message) -> Vec<Finding> {
        let mut findings = self.misplaced(message);
        let wrong_name = || self.misspelt(message.trailers);
        let wrong_separator = || self.wrong_separator(message);
        findings.extend(self.wrong_case(message.trailers).or_else(wrong_name).or_else(wrong_separator));
        let mut values = message.trailers.iter().filter(|trailer| trailer.key == self.trailer);
        let read: Vec<&Trailer> = match self.config.repeated_trailers {
            RepeatedTrailers::Last => values.next_back().into_iter().collect(),
            RepeatedTrailers::All => values.collect(),
        };
        findings.extend(read.into_iter().filter_map(|trailer| self.value(&trailer.value)));
        findings
    }

    /// Lines that look like the trailer and are none. Of all such lines the last are those that git read as trailers.
    fn misplaced(&self, message: Message) -> Vec<Finding> {
        let is_one = |(_, line): &(usize, &str)| line.split_once(':').is_some_and(|line| self.is_like(line));
        let lines: Vec<_> = (1..).zip(message.text.lines()).filter(is_one).collect();
        let read = message.trailers.iter().filter(|read| self.is_like((&read.key, &read.value))).count();
        let misplaced = &lines[..lines.len().saturating_sub(read)];
        let finding = |(number, line): &(usize, &str)| {
            let message = format!("`{}` is ignored because it is not in the last paragraph", line.trim());
            let hint = "move it into a last paragraph of trailers alone, after an empty line";
            Finding::new("misplaced-trailer", Some(*number), message, hint)
        };
        misplaced.iter().map(finding).collect()
    }

    /// Whether a name is that of the trailer, case aside, and the value a single word, as that of no prose is.
    fn is_like(&self, (key, value): (&str, &str)) -> bool {
        key.trim_end().eq_ignore_ascii_case(self.trailer) && value.split_whitespace().count() == 1
    }

    fn wrong_case(&self, trailers: &[Trailer]) -> Option<Finding> {
        let is_other = |found: &&Trailer| found.key != self.trailer && found.key.eq_ignore_ascii_case(self.trailer);
        let Trailer { key, .. } = trailers.iter().find(is_other)?;
        let message = format!("`{key}:` is not read, names of trailers are case-sensitive");
        Some(Finding::new("wrong-case", None, message, format!("write `{}:`", self.trailer)))
    }

    /// A name that is nearly that of the trailer, in a message without it.
    fn misspelt(&self, trailers: &[Trailer]) -> Option<Finding> {
        if trailers.iter().any(|found| found.key == self.trailer) {
            return None;
        }
        let Trailer { key, .. } = trailers.iter().find(|found| is_misspelt(&found.key, self.trailer))?;
        let message = format!("`{key}:` is not the trailer `{}:`", self.trailer);
        Some(Finding::new("misspelt-trailer", None, message, format!("did you mean `{}:`?", self.trailer)))
    }

    /// An equals sign for the colon in the last paragraph of a message without the trailer.
    fn wrong_separator(&self, message: Message) -> Option<Finding> {
        if message.trailers.iter().any(|found| found.key == self.trailer) {
            return None;
        }
        let lines: Vec<_> = (1..).zip(message.text.trim_end().lines()).collect();
        // Without an empty line there is but the title.
        let above = lines.iter().rposition(|(_, line)| line.trim().is_empty())?;
        let is_one = |(_, line): &&(usize, &str)| line.split_once('=').is_some_and(|line| self.is_like(line));
        let (number, line) = lines[above..].iter().find(is_one)?;
        let message = format!("`{}` is not read, since the name of a trailer is followed by a colon", line.trim());
        Some(Finding::new("wrong-separator", Some(*number), message, format!("write `{}:`", self.trailer)))
    }

    fn value(&self, value: &str) -> Option<Finding> {
        if value.is_empty() {
            let message = format!("the `{}:` trailer has no value", self.trailer);
            return Some(Finding::new("unknown-category", None, message, self.known_categories()));
        }
        let is_configured = !self.config.categories.is_empty();
        let known = self.categories();
        let near = closest(value, known.iter().copied());
        if known.contains(&value) || (!is_configured && near.is_none()) {
            return None;
        }
        let hint = near.map_or_else(|| self.known_categories(), |near| format!("did you mean `{near}`?"));
        Some(Finding::new("unknown-category", None, format!("unknown category `{value}`"), hint))
    }

    fn known_categories(&self) -> String {
        format!("known are `{}`", self.categories().join("`, `"))
    }

    /// The configured categories, else the common ones.
    fn categories(&self) -> Vec<&str> {
        let configured: Vec<&str> = self.config.categories.keys().map(String::as_str).collect();
        if configured.is_empty() { COMMON.to_vec() } else { configured }
    }
}
